/* SPDX-License-Identifier: MIT
 *
 * Fonts that are missing and characters that fonts lack: never silently.
 */
#include "text/text.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

static char *
report(FigFonts *fonts, int *warnings)
{
    g_autoptr(FigDiag) diag = fig_diag_new();
    fig_fonts_report(fonts, diag);
    *warnings = fig_diag_warnings(diag);
    GString *out = g_string_new(NULL);
    fig_diag_print(diag, out, false);
    return g_string_free(out, FALSE);
}

static const FigTextBox *
set(FigFonts *fonts, FigArena *arena, const char *source)
{
    FigTextStyle style = {.face = FIG_FACE_SANS, .size = 8};
    return fig_text_set(fonts, arena, source, &style, (FigSpan){0}, NULL);
}

static void
check_faces(void)
{
    g_autoptr(FigFonts) fonts = fig_fonts_new(NULL);
    static const struct {
        FigFace face;
        const char *family, *file;
        int weight;
        bool italic;
    } faces[] = {
        {FIG_FACE_SANS, "Inter", "Inter-Regular.otf", 400, false},
        {FIG_FACE_SANS_STRONG, "Inter", "Inter-SemiBold.otf", 600, false},
        {FIG_FACE_SANS_ITALIC, "Inter", "Inter-Italic.otf", 400, true},
        {FIG_FACE_SANS_LIGHT, "Inter", "Inter-Light.otf", 300, false},
        {FIG_FACE_MATH, "Latin Modern Math", "latinmodern-math.otf", 400, false},
        {FIG_FACE_MATH_ITALIC, "LM Roman 10", "lmroman10-italic.otf", 400, true},
        {FIG_FACE_ROMAN, "LM Roman 10", "lmroman10-regular.otf", 400, false},
        {FIG_FACE_ROMAN_STRONG, "LM Roman 10", "lmroman10-bold.otf", 700, false},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(faces); i++) {
        const FigFont *font = fig_fonts_face(fonts, faces[i].face);
        g_autofree char *file = g_path_get_basename(fig_font_file(font));
        g_assert_cmpstr(file, ==, faces[i].file);
        g_assert_cmpstr(fig_font_family(font), ==, faces[i].family);
        g_assert_cmpint(fig_font_weight(font), ==, faces[i].weight);
        g_assert_cmpint(fig_font_italic(font), ==, faces[i].italic);
        g_assert_nonnull(strstr(fig_font_css_family(font), faces[i].family));
    }
    int warnings;
    g_autofree char *said = report(fonts, &warnings);
    g_assert_cmpstr(said, ==, "");
}

static void
check_no_math(void)
{
    g_setenv("OPFIG_FONTS", "/nowhere:-", TRUE);
    g_autoptr(GError) error = NULL;
    FigFonts *fonts = fig_fonts_new(&error);
    g_unsetenv("OPFIG_FONTS");
    g_assert_null(fonts);
    g_assert_error(error, G_FILE_ERROR, G_FILE_ERROR_NOENT);
    g_assert_cmpstr(
        error->message, ==,
        "font ‘Latin Modern Math’ (latinmodern-math.otf) not found: install "
        "fonts-lmodern, or name its folder in OPFIG_FONTS");
}

static void
check_bad_file(void)
{
    g_autofree char *folder = g_dir_make_tmp("opfig-XXXXXX", NULL);
    g_autofree char *file = g_build_filename(folder, "latinmodern-math.otf", NULL);
    g_assert_true(g_file_set_contents(file, "no font", -1, NULL));
    g_setenv("OPFIG_FONTS", folder, TRUE);
    g_autoptr(GError) error = NULL;
    FigFonts *fonts = fig_fonts_new(&error);
    g_unsetenv("OPFIG_FONTS");
    g_assert_null(fonts);
    g_autofree char *want = g_strdup_printf("%s is no font that can be read", file);
    g_assert_cmpstr(error->message, ==, want);
    g_unlink(file);
    g_rmdir(folder);
}

/* With the math font alone, words are set in something else and the person is told. */
static void
check_no_words(void)
{
    g_autofree char *folder = g_dir_make_tmp("opfig-XXXXXX", NULL);
    g_autofree char *file = g_build_filename(folder, "latinmodern-math.otf", NULL);
    g_autofree char *only = g_strconcat(folder, ":-", NULL);
    g_autoptr(FigFonts) whole = fig_fonts_new(NULL);
    const char *real = fig_font_file(fig_fonts_face(whole, FIG_FACE_MATH));
    g_assert_cmpint(symlink(real, file), ==, 0);
    g_setenv("OPFIG_FONTS", only, TRUE);
    g_autoptr(FigFonts) fonts = fig_fonts_new(NULL);
    g_unsetenv("OPFIG_FONTS");
    g_assert_nonnull(fonts);
    g_autoptr(FigArena) arena = fig_arena_new();
    const FigTextBox *box = set(fonts, arena, "words");
    g_assert_cmpfloat(box->width, >, 10);
    int warnings;
    g_autofree char *said = report(fonts, &warnings);
    g_assert_cmpint(warnings, ==, 1);
    g_assert_true(g_str_has_prefix(
        said, "warning: font ‘Inter’ (Inter-Regular.otf) not found: set in "));
    g_assert_nonnull(
        strstr(said, "= hint: install fonts-inter, or name its folder in OPFIG_FONTS"));
    g_unlink(file);
    g_rmdir(folder);
}

/* What a figure was set with is what it used, not what was open from the one before. */
static void
check_word(void)
{
    g_autoptr(FigFonts) fonts = fig_fonts_new(NULL);
    g_autoptr(FigArena) arena = fig_arena_new();
    fig_fonts_begin(fonts);
    g_autofree char *none = fig_fonts_word(fonts);
    g_assert_true(g_str_has_prefix(none, "HarfBuzz "));
    set(fonts, arena, "words");
    g_autofree char *words = fig_fonts_word(fonts);
    g_assert_true(g_regex_match_simple("^Inter [0-9.]+ [0-9a-f]{8}; HarfBuzz [0-9.]+$",
                                       words, 0, 0));
    set(fonts, arena, "$x$");
    g_autofree char *both = fig_fonts_word(fonts);
    g_assert_nonnull(strstr(both, "; Latin Modern Math "));
    g_assert_nonnull(strstr(both, "; LM Roman 10 "));
    fig_fonts_begin(fonts);
    set(fonts, arena, "words");
    g_autofree char *again = fig_fonts_word(fonts);
    g_assert_cmpstr(again, ==, words);
    g_autoptr(FigFonts) fresh = fig_fonts_new(NULL);
    fig_fonts_begin(fresh);
    set(fresh, arena, "words");
    g_autofree char *same = fig_fonts_word(fresh);
    g_assert_cmpstr(same, ==, words);
}

/* ⊙ is not in Inter but in the math font: no reason to ask anybody. */
static void
check_math_sign(void)
{
    g_autoptr(FigFonts) fonts = fig_fonts_new(NULL);
    g_autoptr(FigArena) arena = fig_arena_new();
    const FigTextBox *box = set(fonts, arena, "a ⊙ b");
    g_assert_cmpint(box->n_runs, ==, 3);
    g_assert_cmpstr(fig_font_family(box->runs[1].font), ==, "Latin Modern Math");
    int warnings;
    g_autofree char *said = report(fonts, &warnings);
    g_assert_cmpint(warnings, ==, 0);
    g_assert_cmpstr(said, ==, "");
}

static void
check_no_character(void)
{
    g_autoptr(FigFonts) fonts = fig_fonts_new(NULL);
    g_autoptr(FigArena) arena = fig_arena_new();
    const FigTextBox *box = set(fonts, arena, "\U0010fffd\U0010fffd $\U0010fffd$");
    g_assert_cmpstr(box->plain, ==, "\U0010fffd\U0010fffd \U0010fffd");
    g_assert_cmpfloat(box->ink_right - box->ink_left, >, 4); /* a box is seen */
    int warnings;
    g_autofree char *said = report(fonts, &warnings);
    g_assert_cmpint(warnings, ==, 1); /* once a character */
    set(fonts, arena, "\U0010fff0\U0010fff1\U0010fff2\U0010fff3\U0010fff4\U0010fff5");
    g_autofree char *many = report(fonts, &warnings);
    g_assert_cmpint(warnings, ==, 1); /* and one for all that met the same fate */
    g_assert_nonnull(strstr(many, "‘\U0010fffd’ (U+10FFFD), "));
    g_assert_nonnull(
        strstr(many, "(U+10FFF3) and 2 more are in no font here: drawn as a box"));
    g_assert_nonnull(strstr(said, "(U+10FFFD) is in no font here: drawn as a box"));
    g_autoptr(FigDiag) strict = fig_diag_new();
    fig_diag_set_strict(strict, true);
    fig_fonts_report(fonts, strict);
    g_assert_cmpint(fig_diag_errors(strict), ==, 1);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/fonts/word", check_word);
    g_test_add_func("/fonts/faces", check_faces);
    g_test_add_func("/fonts/no-math", check_no_math);
    g_test_add_func("/fonts/bad-file", check_bad_file);
    g_test_add_func("/fonts/no-words", check_no_words);
    g_test_add_func("/fonts/math-sign", check_math_sign);
    g_test_add_func("/fonts/no-character", check_no_character);
    return g_test_run();
}
