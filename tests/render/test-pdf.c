/* SPDX-License-Identifier: MIT
 *
 * PDF as other programs read it: poppler extracts what a person would type, finds every
 * font embedded and none of Type 3, and gets the spec back; the bytes do not depend on
 * when and where they are written.
 */
#include "render/output.h"

#include <glib/gstdio.h>
#include <string.h>

static FigFonts *fonts;

static const char spec[] = "opfig: 1\nname: tiny # endstream endobj θ\n";

/* two sentences that fit into the short subject, and one that does not */
static const char description[] =
    "One op <&>. Reads θ. 1 matmul reads what is left of a long, long list of values "
    "that "
    "somebody wrote down, one after another, and gives what nobody needs to know here.";

static const struct {
    const char *source, *typed;
} labels[] = {
    {"matmul $W_{qkv} : C \\to 3C$", "matmul W_qkv : C → 3C"},
    {"matmul $S = q\\,k^\\top/\\sqrt{h_d}$", "matmul S = q k⊤/√h_d"},
    {"$\\theta = 10^5$", "θ = 10⁵"},
    {"θ = 5·10⁵", "θ = 5·10⁵"},
    {"matmul $W_3 : C \\to h_{ff}$", "matmul W_3 : C → h_ff"},
    {"RMSNorm$_{attn}$", "RMSNorm_attn"},
    {"QK-norm acts on $q$ and $k$", "QK-norm acts on q and k"},
    {"The scale $1/\\sqrt{h_d}$ is folded into $S$.",
     "The scale 1/√h_d is folded into S."},
    {"$h_{ff} = 1408$ is $8C/3$ rounded up", "h_ff = 1408 is 8C/3 rounded up"},
    {"$z'$ and $z''$", "z′ and z″"},
    {"efficient fluff, fi ffl", "efficient fluff, fi ffl"},
    {"1,050,112 parameters", "1,050,112 parameters"},
    {"$(B, H, T, h_d)$", "(B, H, T, h_d)"},
    {"$y = A\\,v$, $f_l$, end", "y = A v, f_l, end"},
    {"$\\theta = 5 \\cdot 10^5$", "θ = 5·10⁵"},
    {"$(x^2 + \\varepsilon)$", "(x² + ε)"},
};

static FigScene *
scene_new(void)
{
    FigScene *scene = fig_scene_new();
    FigTextStyle style = {.face = FIG_FACE_SANS, .size = 8};
    scene->width = 300.5;
    scene->height = 320;
    scene->id = "tiny-block";
    scene->title = "Tiny (a \\ b) – θ";
    scene->author = "A. Author";
    scene->description = description;
    scene->spec_text = spec;
    scene->digest = "00ff00ff";
    scene->options = "--theme light";
    scene->palette[FIG_INK_PAPER] = (FigColour){255, 255, 255};
    scene->palette[FIG_INK_TEXT] = (FigColour){0, 0, 0};
    for (size_t i = 0; i < G_N_ELEMENTS(labels); i++) {
        const FigTextBox *box = fig_text_set(fonts, scene->arena, labels[i].source,
                                             &style, (FigSpan){0}, NULL);
        g_assert_cmpstr(box->plain, ==, labels[i].typed);
        fig_scene_text(scene, NULL, "label", box, 20, 20 + 18 * (double)i,
                       FIG_INK_TEXT);
    }
    FigItem *panel = fig_scene_group(scene, NULL, "panel");
    panel->means.panel = "attn";
    panel->title = "attention sublayer";
    FigItem *frame = fig_scene_rect(scene, panel, "frame", 200, 40, 50, 50, 3);
    frame->stroke = FIG_INK_TEXT;
    frame->stroke_width = 1;
    return scene;
}

static GString *
write_pdf(const FigScene *scene)
{
    g_autoptr(GError) error = NULL;
    GString *out = g_string_new(NULL);
    g_assert_true(fig_output_lookup("a.pdf")->write(scene, NULL, out, &error));
    g_assert_no_error(error);
    return out;
}

/* What a program says about the file; {} in an argument is its name.
 *
 * owns     the caller
 */
static char *
ask(const GString *pdf, const char *command)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *folder = g_dir_make_tmp("opfig-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "a.pdf", NULL);
    g_autofree char *saved = g_build_filename(folder, "saved", NULL);
    g_assert_true(g_file_set_contents(path, pdf->str, (gssize)pdf->len, NULL));
    g_autoptr(GString) line = g_string_new(command);
    g_string_replace(line, "{}", path, 0);
    g_string_replace(line, "{saved}", saved, 0);
    char *out = NULL, *errors = NULL;
    int status = 1;
    g_spawn_command_line_sync(line->str, &out, &errors, &status, &error);
    g_assert_no_error(error);
    g_assert_cmpstr(errors, ==, "");
    g_assert_cmpint(status, ==, 0);
    g_free(errors);
    if (strstr(command, "{saved}")) {
        g_free(out);
        g_assert_true(g_file_get_contents(saved, &out, NULL, NULL));
        g_unlink(saved);
    }
    g_unlink(path);
    g_rmdir(folder);
    return out;
}

static void
check_text(void)
{
    g_autoptr(FigScene) scene = scene_new();
    g_autoptr(GString) pdf = write_pdf(scene);
    g_autofree char *text = ask(pdf, "pdftotext -raw {} -");
    g_auto(GStrv) lines = g_strsplit(g_strchomp(text), "\n", -1);
    for (size_t i = 0; i < G_N_ELEMENTS(labels); i++)
        g_assert_cmpstr(g_strchomp(lines[i]), ==, labels[i].typed);
    g_assert_cmpint((int)g_strv_length(lines), ==, (int)G_N_ELEMENTS(labels));
}

static void
check_place(void)
{
    g_autoptr(FigScene) scene = scene_new();
    g_autoptr(GString) pdf = write_pdf(scene);
    g_autofree char *words = ask(pdf, "pdftotext -bbox {} -");
    /* the twelfth label starts at 20, on the baseline 218: its box holds that line */
    const char *word = strstr(words, ">1,050,112</word>");
    g_assert_nonnull(word);
    while (*word != '<')
        word--;
    double x = g_ascii_strtod(strstr(word, "xMin=\"") + 6, NULL);
    double top = g_ascii_strtod(strstr(word, "yMin=\"") + 6, NULL);
    double bottom = g_ascii_strtod(strstr(word, "yMax=\"") + 6, NULL);
    g_assert_cmpfloat_with_epsilon(x, 20, 0.05);
    g_assert_cmpfloat(top, <, 218 - 5.8); /* digits are 0.737 em high */
    g_assert_cmpfloat(bottom, >, 218);
}

static void
check_fonts(void)
{
    g_autoptr(FigScene) scene = scene_new();
    g_autoptr(GString) pdf = write_pdf(scene);
    g_autofree char *said = ask(pdf, "pdffonts {}");
    g_auto(GStrv) lines = g_strsplit(g_strchomp(said), "\n", -1);
    g_assert_cmpint((int)g_strv_length(lines), >=, 2 + 3);
    for (int i = 2; lines[i]; i++) {
        g_assert_null(strstr(lines[i], "Type 3"));
        g_assert_nonnull(
            strstr(lines[i], " yes yes yes ")); /* embedded, subset, named */
    }
    g_assert_nonnull(strstr(said, "+Inter-Regular"));
    g_assert_nonnull(strstr(said, "+LMRoman10-Italic"));
    g_assert_nonnull(strstr(said, "+LatinModernMath-Regular"));
}

static void
check_metadata(void)
{
    g_autoptr(FigScene) scene = scene_new();
    g_autoptr(GString) pdf = write_pdf(scene);
    g_autofree char *said = ask(pdf, "pdfinfo -isodates {}");
    static const char *const wanted[] = {
        "Title:           Tiny (a \\ b) – θ\n",
        "Author:          A. Author\n",
        "Subject:         One op <&>. Reads θ.\n",
        "Keywords:        opfig:digest=00ff00ff, opfig:options=--theme light\n",
        "Creator:         opfig " OPFIG_VERSION "\n",
        "CreationDate:    2020-01-01T00:00:00Z\n",
        "Page size:       300.5 x 320 pts\n",
        "Pages:           1\n",
        "PDF version:     1.5\n",
    };
    for (size_t i = 0; i < G_N_ELEMENTS(wanted); i++)
        g_assert_nonnull(strstr(said, wanted[i]));
    g_autofree char *attached = ask(pdf, "pdfdetach -list {}");
    g_assert_nonnull(strstr(attached, "1: tiny-block.yaml"));
    g_autofree char *back = ask(pdf, "pdfdetach -save 1 -o {saved} {}");
    g_assert_cmpstr(back, ==, spec);
    /* the whole description, as XMP */
    g_autofree char *xmp = ask(pdf, "pdfinfo -meta {}");
    g_autofree char *escaped = g_markup_escape_text(description, -1);
    g_assert_nonnull(strstr(xmp, escaped));
    g_assert_nonnull(strstr(xmp, ">Tiny (a \\ b) – θ</rdf:li></rdf:Alt></dc:title>"));
    g_assert_nonnull(strstr(xmp, "<dc:creator><rdf:Seq><rdf:li>A. Author<"));
    /* no box is larger or smaller than the page */
    g_autofree char *boxes = ask(pdf, "pdfinfo -box {}");
    g_assert_nonnull(
        strstr(boxes, "MediaBox:            0.00     0.00   300.50   320.00\n"));
    g_assert_nonnull(
        strstr(boxes, "CropBox:             0.00     0.00   300.50   320.00\n"));
}

/* A panel, one inside it that has words and no title, one outside. */
static void
check_bookmarks(void)
{
    static const struct {
        const char *words;
        double x, y, size;
    } panels[] = {{"inner $h_d$", 210, 45.5, 30}, {"below", 200, 100, 50}};
    g_autoptr(FigScene) scene = scene_new();
    FigTextStyle style = {.face = FIG_FACE_SANS, .size = 8};
    for (size_t i = 0; i < G_N_ELEMENTS(panels); i++) {
        FigItem *panel = fig_scene_group(scene, NULL, "panel");
        panel->means.panel = "p";
        fig_scene_rect(scene, panel, "frame", panels[i].x, panels[i].y, panels[i].size,
                       panels[i].size, 3);
        fig_scene_text(scene, panel, "title",
                       fig_text_set(fonts, scene->arena, panels[i].words, &style,
                                    (FigSpan){0}, NULL),
                       panels[i].x, panels[i].y + 9, FIG_INK_TEXT);
    }
    g_autoptr(GString) pdf = write_pdf(scene);
    g_autofree char *said = ask(pdf, "pdftohtml -xml -i -stdout {}");
    const char *outline = strstr(said, "<outline>\n");
    g_assert_nonnull(outline);
    g_assert_cmpstr(outline, ==,
                    "<outline>\n<item page=\"1\">attention sublayer</item>\n"
                    "<outline>\n<item page=\"1\">inner h_d</item>\n</outline>\n"
                    "<item page=\"1\">below</item>\n</outline>\n</pdf2xml>\n");
    /* the first leads to its upper left corner: 320 − 40 from below */
    bool found = false;
    for (gsize i = 0; i + 24 < pdf->len; i++)
        found = found || !memcmp(pdf->str + i, " 0 R /XYZ 200 280 0]", 20);
    g_assert_true(found);
}

/* Ops and groups can be linked to by name; the spec is attached all the same. */
static void
check_destinations(void)
{
    g_autoptr(FigScene) scene = scene_new();
    FigItem *mark = fig_scene_group(scene, NULL, "op");
    mark->means.op = "scores";
    fig_scene_rect(scene, mark, "mark", 30.7, 120.2, 20, 10, 3);
    g_autoptr(GString) pdf = write_pdf(scene);
    g_autofree char *said = ask(pdf, "pdfinfo -dests {}");
    g_assert_nonnull(strstr(said, "XYZ   30  200 null      ] \"op.scores\"\n"));
    g_assert_nonnull(strstr(said, "XYZ  200  280 null      ] \"group.attn\"\n"));
    g_autofree char *attached = ask(pdf, "pdfdetach -list {}");
    g_assert_nonnull(strstr(attached, "1: tiny-block.yaml"));
    scene->spec_text = NULL;
    g_autoptr(GString) bare = write_pdf(scene);
    g_autofree char *again = ask(bare, "pdfinfo -dests {}");
    g_assert_cmpstr(again, ==, said);
}

static void
check_same_bytes(void)
{
    g_autoptr(FigScene) one = scene_new(), two = scene_new();
    g_autoptr(GString) a = write_pdf(one);
    g_setenv("TZ", "Asia/Kolkata", TRUE);
    g_autoptr(GString) b = write_pdf(two);
    g_unsetenv("TZ");
    g_assert_cmpmem(a->str, a->len, b->str, b->len);
    g_setenv("SOURCE_DATE_EPOCH", "86400", TRUE);
    g_autoptr(GString) c = write_pdf(two);
    g_unsetenv("SOURCE_DATE_EPOCH");
    g_autofree char *said = ask(c, "pdfinfo -isodates {}");
    g_assert_nonnull(strstr(said, "CreationDate:    1970-01-02T00:00:00Z\n"));
}

static void
check_no_spec(void)
{
    g_autoptr(FigScene) scene = scene_new();
    scene->spec_text = NULL;
    scene->title = NULL;
    scene->author = NULL;
    scene->description = NULL;
    scene->digest = NULL;
    g_autoptr(GString) pdf = write_pdf(scene);
    g_autofree char *attached = ask(pdf, "pdfdetach -list {}");
    g_assert_nonnull(strstr(attached, "0 embedded files"));
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_unsetenv("SOURCE_DATE_EPOCH");
    fonts = fig_fonts_new(NULL);
    g_assert_nonnull(fonts);
    g_test_add_func("/pdf/text", check_text);
    g_test_add_func("/pdf/place", check_place);
    g_test_add_func("/pdf/fonts", check_fonts);
    g_test_add_func("/pdf/metadata", check_metadata);
    g_test_add_func("/pdf/bookmarks", check_bookmarks);
    g_test_add_func("/pdf/destinations", check_destinations);
    g_test_add_func("/pdf/same-bytes", check_same_bytes);
    g_test_add_func("/pdf/no-spec", check_no_spec);
    int result = g_test_run();
    fig_fonts_free(fonts);
    return result;
}
