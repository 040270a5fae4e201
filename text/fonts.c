/* SPDX-License-Identifier: MIT
 *
 * Fonts are files with known names in known folders, so that a figure never depends on
 * what fontconfig thinks of the day and starting costs no scan. Only when a file lies
 * elsewhere is a private fontconfig configuration built over the usual roots; only when a
 * family is missing altogether, or a character is in none of ours, is the system asked
 * (text/fallback.c), and then the person is told.
 */
#include "text/fonts.h"

#include "base/file.h"
#include "text/fallback.h"

#include <fontconfig/fontconfig.h>
#include <hb-ot.h>
#include <string.h>
#include <unistd.h>

typedef struct Named {
    const char *file, *family, *css, *package;
    int weight;
    bool italic;
    bool vital; /* nothing can stand in for it */
} Named;

#define SANS_CSS "Inter,sans-serif"
#define ROMAN_CSS "'LM Roman 10','Latin Modern Roman',serif"

/* clang-format off */
static const Named named[FIG_FACE_FALLBACK] = {
    [FIG_FACE_SANS] = {"Inter-Regular.otf", "Inter", SANS_CSS, "fonts-inter", 400, false, false},
    [FIG_FACE_SANS_STRONG] = {"Inter-SemiBold.otf", "Inter", SANS_CSS, "fonts-inter", 600, false, false},
    [FIG_FACE_SANS_ITALIC] = {"Inter-Italic.otf", "Inter", SANS_CSS, "fonts-inter", 400, true, false},
    [FIG_FACE_SANS_LIGHT] = {"Inter-Light.otf", "Inter", SANS_CSS, "fonts-inter", 300, false, false},
    [FIG_FACE_MATH] = {"latinmodern-math.otf", "Latin Modern Math",
        "'Latin Modern Math',serif", "fonts-lmodern", 400, false, true},
    [FIG_FACE_MATH_ITALIC] = {"lmroman10-italic.otf", "LM Roman 10", ROMAN_CSS, "fonts-lmodern", 400, true, false},
    [FIG_FACE_ROMAN] = {"lmroman10-regular.otf", "LM Roman 10", ROMAN_CSS, "fonts-lmodern", 400, false, false},
    [FIG_FACE_ROMAN_STRONG] = {"lmroman10-bold.otf", "LM Roman 10", ROMAN_CSS, "fonts-lmodern", 700, false, false},
};
/* clang-format on */

/* The families that words can be set in, and their faces. */
static const char *const families[] = {"Inter", "LM Roman 10", NULL};

enum { N_FAMILIES = G_N_ELEMENTS(families) - 1 };

static const FigFace words_face[N_FAMILIES][FIG_FACE_SANS_ITALIC + 1] = {
    {FIG_FACE_SANS, FIG_FACE_SANS_STRONG, FIG_FACE_SANS_ITALIC},
    {FIG_FACE_ROMAN, FIG_FACE_ROMAN_STRONG, FIG_FACE_MATH_ITALIC},
};

/* Where distributions put them; the first that has the file is taken. */
static const char *const folders[] = {
    "/usr/share/fonts/opentype/inter",
    "/usr/share/texmf/fonts/opentype/public/lm",
    "/usr/share/texmf/fonts/opentype/public/lm-math",
    "/usr/share/fonts/opentype/lmodern",
    "/usr/local/share/fonts",
    "/usr/share/fonts/inter",
    "/usr/share/fonts/lmodern",
    "/usr/share/texmf-dist/fonts/opentype/public/lm",
    "/usr/share/texmf-dist/fonts/opentype/public/lm-math",
    "/usr/share/texlive/texmf-dist/fonts/opentype/public/lm",
    "/usr/share/texlive/texmf-dist/fonts/opentype/public/lm-math",
};

/* Below these fontconfig looks when no folder has the file. */
static const char *const roots[] = {
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "/usr/share/texmf/fonts/opentype",
    "/usr/share/texmf-dist/fonts/opentype",
    "/usr/share/texlive/texmf-dist/fonts/opentype",
};

struct FigFonts {
    int words;                     /* of families */
    char *path[FIG_FACE_FALLBACK]; /* NULL: missing */
    int index[FIG_FACE_FALLBACK];
    FigFont *open[FIG_FACE_FALLBACK];
    GPtrArray *extra;   /* FigFont: from the system */
    GHashTable *chosen; /* character → FigFont for those that the face lacks */
    FigFallback *fallback;
    hb_buffer_t *buffer;
};

static void
font_free(void *data)
{
    FigFont *font = data;
    if (!font)
        return;
    hb_font_destroy(font->hb);
    g_free(font->file);
    g_free(font->family);
    g_free(font->css);
    g_free(font->digest);
    g_free(font);
}

static double
metric(hb_font_t *hb, hb_ot_metrics_tag_t tag, double upem, double otherwise)
{
    hb_position_t value;
    if (!hb_ot_metrics_get_position(hb, tag, &value) || value == 0)
        return otherwise;
    return value / upem;
}

static FigFont *
font_open(const char *file, int index, FigFace face)
{
    hb_blob_t *blob = hb_blob_create_from_file_or_fail(file);
    if (!blob)
        return NULL;
    hb_face_t *hb_face = hb_face_create(blob, (unsigned)index);
    hb_blob_destroy(blob);
    if (hb_face_get_glyph_count(hb_face) == 0) {
        hb_face_destroy(hb_face);
        return NULL;
    }
    FigFont *font = g_new0(FigFont, 1);
    font->face = face;
    font->file = g_strdup(file);
    font->index = index;
    font->hb = hb_font_create(hb_face);
    hb_face_destroy(hb_face);
    font->upem = hb_face_get_upem(hb_face);
    hb_font_set_scale(font->hb, (int)font->upem, (int)font->upem);
    font->x_height = metric(font->hb, HB_OT_METRICS_TAG_X_HEIGHT, font->upem, 0.5);
    font->cap_height = metric(font->hb, HB_OT_METRICS_TAG_CAP_HEIGHT, font->upem, 0.7);
    font->ascender =
        metric(font->hb, HB_OT_METRICS_TAG_HORIZONTAL_ASCENDER, font->upem, 0.95);
    font->descender =
        -metric(font->hb, HB_OT_METRICS_TAG_HORIZONTAL_DESCENDER, font->upem, -0.25);
    return font;
}

static char *
find_in(const char *folder, const char *file)
{
    char *path = g_build_filename(folder, file, NULL);
    if (access(path, R_OK) == 0)
        return path;
    g_free(path);
    return NULL;
}

/* The folders of OPFIG_FONTS, as in PATH; a last element «-» says: and nowhere else. */
static char *
find_named(const char *file, bool *only)
{
    const char *own = g_getenv("OPFIG_FONTS");
    char *path = NULL;
    *only = false;
    if (own) {
        g_auto(GStrv) list = g_strsplit(own, ":", -1);
        for (int i = 0; list[i] && !path; i++) {
            if (strcmp(list[i], "-") == 0)
                *only = true;
            else if (*list[i])
                path = find_in(list[i], file);
        }
        if (path || *only)
            return path;
    }
    for (size_t i = 0; i < G_N_ELEMENTS(folders) && !path; i++)
        path = find_in(folders[i], file);
    if (!path) {
        g_autofree char *data = g_build_filename("fonts", file, NULL);
        path = fig_data_path(data);
    }
    return path;
}

/* Look for what is still missing in a configuration of our own: by file name, then by
 * family, weight and slant. Variable fonts are passed over: their default instance is
 * not the face we want. */
static void
find_below_roots(FigFonts *fonts)
{
    FcConfig *config = FcConfigCreate();
    for (size_t i = 0; i < G_N_ELEMENTS(roots); i++)
        FcConfigAppFontAddDir(config, (const FcChar8 *)roots[i]);
    g_autofree char *home = g_build_filename(g_get_user_data_dir(), "fonts", NULL);
    FcConfigAppFontAddDir(config, (const FcChar8 *)home);
    FcFontSet *set = FcConfigGetFonts(config, FcSetApplication);
    for (int face = 0; face < FIG_FACE_FALLBACK; face++) {
        for (int i = 0; set && i < set->nfont && !fonts->path[face]; i++) {
            FcChar8 *file;
            if (FcPatternGetString(set->fonts[i], FC_FILE, 0, &file) != FcResultMatch)
                continue;
            g_autofree char *base = g_path_get_basename((const char *)file);
            if (strcmp(base, named[face].file) == 0)
                fonts->path[face] = g_strdup((const char *)file);
        }
        FcPattern *want = FcPatternBuild(
            NULL, FC_FAMILY, FcTypeString, named[face].family, FC_WEIGHT, FcTypeInteger,
            FcWeightFromOpenType(named[face].weight), FC_SLANT, FcTypeInteger,
            named[face].italic ? FC_SLANT_ITALIC : FC_SLANT_ROMAN, FC_VARIABLE,
            FcTypeBool, FcFalse, NULL);
        FcObjectSet *what = FcObjectSetBuild(FC_FILE, FC_INDEX, NULL);
        FcFontSet *found = fonts->path[face] ? NULL : FcFontList(config, want, what);
        FcChar8 *file;
        if (found && found->nfont > 0 &&
            FcPatternGetString(found->fonts[0], FC_FILE, 0, &file) == FcResultMatch) {
            fonts->path[face] = g_strdup((const char *)file);
            FcPatternGetInteger(found->fonts[0], FC_INDEX, 0, &fonts->index[face]);
        }
        if (found)
            FcFontSetDestroy(found);
        FcObjectSetDestroy(what);
        FcPatternDestroy(want);
    }
    FcConfigDestroy(config);
}

/* Open the file a face was found in; NULL when there is none or it is no font. */
static FigFont *
open_named(FigFonts *fonts, FigFace face)
{
    const Named *name = &named[face];
    if (!fonts->path[face])
        return NULL;
    FigFont *font = font_open(fonts->path[face], fonts->index[face], face);
    if (!font)
        return NULL;
    font->family = g_strdup(name->family);
    font->css = g_strdup(name->css);
    font->weight = name->weight;
    font->italic = name->italic;
    return fonts->open[face] = font;
}

/* Stand in for a face that is missing: the system's serif or sans-serif, else the math
 * font, which was found at the start. */
static FigFont *
open_substitute(FigFonts *fonts, FigFace face)
{
    const Named *name = &named[face];
    bool serif = strcmp(name->css, ROMAN_CSS) == 0;
    g_auto(FigFallbackFont) from = {0};
    FigFont *font = NULL;
    if (fig_fallback_family(fonts->fallback, serif ? "serif" : "sans-serif",
                            name->weight, name->italic, &from))
        font = font_open(from.file, from.index, face);
    fig_fallback_note_family(fonts->fallback, name->family, name->file, name->package,
                             font ? from.family : NULL);
    if (font) {
        font->family = g_strdup(from.family);
        font->css = g_strdup_printf("'%s', %s", from.family, name->css);
        font->weight = from.weight;
        font->italic = from.italic;
    } else {
        name = &named[FIG_FACE_MATH];
        font = font_open(fonts->path[FIG_FACE_MATH], fonts->index[FIG_FACE_MATH], face);
        g_assert(font);
        font->family = g_strdup(name->family);
        font->css = g_strdup(name->css);
        font->weight = name->weight;
    }
    return fonts->open[face] = font;
}

FigFonts *
fig_fonts_new(GError **error)
{
    FigFonts *fonts = g_new0(FigFonts, 1);
    fonts->extra = g_ptr_array_new_with_free_func(font_free);
    fonts->chosen = g_hash_table_new(NULL, NULL);
    fonts->buffer = hb_buffer_create();
    fonts->fallback = fig_fallback_new();
    bool only = false, all = true;
    for (int face = 0; face < FIG_FACE_FALLBACK; face++) {
        fonts->path[face] = find_named(named[face].file, &only);
        all = all && fonts->path[face];
    }
    if (!all && !only)
        find_below_roots(fonts);
    for (int face = 0; face < FIG_FACE_FALLBACK; face++) {
        if (!fonts->path[face] && named[face].vital) {
            g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_NOENT,
                        "font ‘%s’ (%s) not found: install %s, or name its folder in "
                        "OPFIG_FONTS",
                        named[face].family, named[face].file, named[face].package);
            fig_fonts_free(fonts);
            return NULL;
        }
    }
    /* Every label with math needs this one, so what is wrong with it is said here. */
    if (!open_named(fonts, FIG_FACE_MATH)) {
        g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
                    "%s is no font that can be read", fonts->path[FIG_FACE_MATH]);
        fig_fonts_free(fonts);
        return NULL;
    }
    return fonts;
}

void
fig_fonts_free(FigFonts *fonts)
{
    if (!fonts)
        return;
    for (int face = 0; face < FIG_FACE_FALLBACK; face++) {
        g_free(fonts->path[face]);
        font_free(fonts->open[face]);
    }
    g_ptr_array_unref(fonts->extra);
    g_hash_table_unref(fonts->chosen);
    fig_fallback_free(fonts->fallback);
    hb_buffer_destroy(fonts->buffer);
    g_free(fonts);
}

/* A file of the system as one of our fonts, opened once. */
static FigFont *
extra(FigFonts *fonts, const FigFallbackFont *from)
{
    for (guint i = 0; i < fonts->extra->len; i++) {
        FigFont *font = fonts->extra->pdata[i];
        if (font->index == from->index && strcmp(font->file, from->file) == 0)
            return font;
    }
    FigFont *font = font_open(from->file, from->index, FIG_FACE_FALLBACK);
    if (!font)
        return NULL;
    font->family = g_strdup(from->family);
    font->css = g_strdup_printf("'%s', sans-serif", from->family);
    g_strdelimit(font->family, "\"'<>&", ' ');
    font->weight = from->weight;
    font->italic = from->italic;
    g_ptr_array_add(fonts->extra, font);
    return font;
}

FigFont *
fig_fonts_open(FigFonts *fonts, FigFace face)
{
    if (face >= FIG_FACE_FALLBACK)
        face = FIG_FACE_SANS;
    if (face <= FIG_FACE_SANS_ITALIC)
        face = words_face[fonts->words][face];
    FigFont *font = fonts->open[face];
    if (!font)
        font = open_named(fonts, face);
    if (!font)
        font = open_substitute(fonts, face);
    font->used = true;
    return font;
}

hb_buffer_t *
fig_fonts_buffer(FigFonts *fonts)
{
    hb_buffer_clear_contents(fonts->buffer);
    return fonts->buffer;
}

bool
fig_font_has(const FigFont *font, gunichar character)
{
    hb_codepoint_t glyph;
    return hb_font_get_nominal_glyph(font->hb, character, &glyph);
}

FigFont *
fig_fonts_for(FigFonts *fonts, FigFace face, gunichar character)
{
    FigFont *own = fig_fonts_open(fonts, face);
    if (fig_font_has(own, character))
        return own;
    FigFont *math = fig_fonts_open(fonts, FIG_FACE_MATH);
    if (fig_font_has(math, character))
        return math;
    FigFont *sans = fig_fonts_open(fonts, FIG_FACE_SANS);
    if (fig_font_has(sans, character))
        return sans;
    FigFont *found = g_hash_table_lookup(fonts->chosen, GUINT_TO_POINTER(character));
    if (found) {
        found->used = true;
        return found;
    }
    g_auto(FigFallbackFont) from = {0};
    if (fig_fallback_character(fonts->fallback, character, own->weight, own->italic,
                               &from))
        found = extra(fonts, &from);
    if (found && !fig_font_has(found, character))
        found = NULL;
    fig_fallback_note_character(fonts->fallback, character,
                                found ? found->family : NULL);
    if (!found)
        found = own;
    found->used = true;
    g_hash_table_insert(fonts->chosen, GUINT_TO_POINTER(character), found);
    return found;
}

double
fig_fonts_math_scale(FigFonts *fonts, FigFace words)
{
    const FigFont *beside = fig_fonts_open(fonts, words);
    const FigFont *math = fig_fonts_open(fonts, FIG_FACE_MATH);
    double capitals = beside->cap_height / math->cap_height;
    double small = beside->x_height / math->x_height;
    return (2 * capitals + small) / 3;
}

void
fig_fonts_begin(FigFonts *fonts)
{
    for (int face = 0; face < FIG_FACE_FALLBACK; face++)
        if (fonts->open[face])
            fonts->open[face]->used = false;
    for (guint i = 0; i < fonts->extra->len; i++)
        ((FigFont *)fonts->extra->pdata[i])->used = false;
}

static int
by_file(gconstpointer a, gconstpointer b)
{
    const FigFont *x = *(FigFont *const *)a, *y = *(FigFont *const *)b;
    int family = strcmp(x->family, y->family);
    return family ? family : strcmp(x->file, y->file);
}

GPtrArray *
fig_fonts_used(const FigFonts *fonts)
{
    GPtrArray *used = g_ptr_array_new();
    for (int face = 0; face < FIG_FACE_FALLBACK; face++)
        if (fonts->open[face] && fonts->open[face]->used)
            g_ptr_array_add(used, fonts->open[face]);
    g_autoptr(GPtrArray) extra = g_ptr_array_new();
    for (guint i = 0; i < fonts->extra->len; i++)
        if (((FigFont *)fonts->extra->pdata[i])->used)
            g_ptr_array_add(extra, fonts->extra->pdata[i]);
    g_ptr_array_sort(extra, by_file);
    g_ptr_array_extend(used, extra, NULL, NULL);
    return used;
}

const char *const *
fig_fonts_families(void)
{
    return families;
}

bool
fig_fonts_set_words(FigFonts *fonts, const char *family)
{
    for (int i = 0; i < N_FAMILIES; i++) {
        if (strcmp(families[i], family) != 0)
            continue;
        fonts->words = i;
        return true;
    }
    return false;
}

const FigFont *
fig_fonts_face(FigFonts *fonts, FigFace face)
{
    return fig_fonts_open(fonts, face);
}

const char *
fig_font_family(const FigFont *font)
{
    return font->family;
}

const char *
fig_font_css_family(const FigFont *font)
{
    return font->css;
}

int
fig_font_weight(const FigFont *font)
{
    return font->weight;
}

bool
fig_font_italic(const FigFont *font)
{
    return font->italic;
}

const char *
fig_font_file(const FigFont *font)
{
    return font->file;
}

int
fig_font_index(const FigFont *font)
{
    return font->index;
}

void
fig_fonts_report(const FigFonts *fonts, FigDiag *diag)
{
    fig_fallback_report(fonts->fallback, diag);
}
