/* SPDX-License-Identifier: MIT
 *
 * A scene painted with cairo. Glyphs are placed where text/ placed them, unhinted. Where
 * the surface keeps text (PDF) each glyph carries its characters; what is typed but not
 * seen (the _ of W_qkv) is a blank glyph, so that copying gives what a person would type.
 */
#include "render/paint-cairo.h"

#include <cairo-ft.h>
#include <ft2build.h>
#include FT_FREETYPE_H
#include <math.h>
#include <string.h>

typedef struct Painter {
    const FigScene *scene;
    cairo_t *cairo;
    GHashTable *faces; /* FigFont → cairo_font_face_t */
    bool keeps_text;   /* the surface */
    GError **error;
    bool failed;
} Painter;

static const cairo_user_data_key_t face_key;

/* FreeType's library outlives its faces, and cairo keeps faces in caches of its own. */
typedef struct Held {
    FT_Library library;
    FT_Face face;
} Held;

static void
held_free(void *data)
{
    Held *held = data;
    FT_Done_Face(held->face);
    FT_Done_FreeType(held->library);
    g_free(held);
}

static const Held *
held_of(cairo_font_face_t *face)
{
    return cairo_font_face_get_user_data(face, &face_key);
}

static cairo_font_face_t *
face_of(Painter *painter, const FigFont *font)
{
    cairo_font_face_t *known = g_hash_table_lookup(painter->faces, font);
    if (known)
        return known;
    Held *held = g_new0(Held, 1);
    bool opened = FT_Init_FreeType(&held->library) == 0;
    if (!opened || FT_New_Face(held->library, fig_font_file(font), fig_font_index(font),
                               &held->face) != 0) {
        if (opened)
            FT_Done_FreeType(held->library);
        g_free(held);
        if (!painter->failed)
            g_set_error(painter->error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
                        "%s: this font cannot be read", fig_font_file(font));
        painter->failed = true;
        return NULL;
    }
    known = cairo_ft_font_face_create_for_ft_face(held->face, FT_LOAD_NO_HINTING);
    if (cairo_font_face_set_user_data(known, &face_key, held, held_free) !=
        CAIRO_STATUS_SUCCESS)
        g_error("out of memory");
    g_hash_table_insert(painter->faces, (void *)font, known);
    return known;
}

const char *
fig_paint_freetype(void)
{
    static char text[32];
    FT_Library library;
    int major = 0, minor = 0, patch = 0;
    if (!*text && FT_Init_FreeType(&library) == 0) {
        FT_Library_Version(library, &major, &minor, &patch);
        FT_Done_FreeType(library);
        g_snprintf(text, sizeof text, "%d.%d.%d", major, minor, patch);
    }
    return text;
}

static bool
use_ink(Painter *painter, FigInk ink)
{
    if (ink == FIG_INK_NONE)
        return false;
    FigColour colour = painter->scene->palette[ink];
    cairo_set_source_rgb(painter->cairo, colour.r / 255.0, colour.g / 255.0,
                         colour.b / 255.0);
    return true;
}

static void
trace(cairo_t *cairo, const FigPath *path, double x, double y)
{
    const double(*point)[2] = path->points;
    cairo_new_path(cairo);
    for (int i = 0; i < path->n_verbs; i++) {
        switch (path->verbs[i]) {
        case FIG_MOVE:
            cairo_move_to(cairo, x + point[0][0], y + point[0][1]);
            point += 1;
            break;
        case FIG_LINE:
            cairo_line_to(cairo, x + point[0][0], y + point[0][1]);
            point += 1;
            break;
        case FIG_CURVE:
            cairo_curve_to(cairo, x + point[0][0], y + point[0][1], x + point[1][0],
                           y + point[1][1], x + point[2][0], y + point[2][1]);
            point += 3;
            break;
        case FIG_CLOSE:
            cairo_close_path(cairo);
            break;
        }
    }
}

static void
fill_and_stroke(Painter *painter, const FigItem *item)
{
    cairo_t *cairo = painter->cairo;
    if (use_ink(painter, item->fill))
        cairo_fill_preserve(cairo);
    if (item->stroke_width > 0 && use_ink(painter, item->stroke)) {
        cairo_set_line_width(cairo, item->stroke_width);
        cairo_set_line_cap(cairo, item->round_caps ? CAIRO_LINE_CAP_ROUND
                                                   : CAIRO_LINE_CAP_BUTT);
        cairo_set_line_join(cairo, item->round_caps ? CAIRO_LINE_JOIN_ROUND
                                                    : CAIRO_LINE_JOIN_MITER);
        cairo_set_dash(cairo, item->dash, item->n_dash, 0);
        cairo_stroke_preserve(cairo);
    }
    cairo_new_path(cairo);
}

static void
paint_rect(Painter *painter, const FigItem *item)
{
    cairo_t *cairo = painter->cairo;
    double x = item->x, y = item->y, w = item->width, h = item->height;
    double r = fmin(item->radius, fmin(w, h) / 2);
    cairo_new_path(cairo);
    if (r > 0) {
        cairo_arc(cairo, x + w - r, y + r, r, -G_PI_2, 0);
        cairo_arc(cairo, x + w - r, y + h - r, r, 0, G_PI_2);
        cairo_arc(cairo, x + r, y + h - r, r, G_PI_2, G_PI);
        cairo_arc(cairo, x + r, y + r, r, G_PI, 3 * G_PI_2);
        cairo_close_path(cairo);
    } else {
        cairo_rectangle(cairo, x, y, w, h);
    }
    fill_and_stroke(painter, item);
}

/* The characters of each glyph of a run as cairo wants them. Glyphs that share a cluster
 * are one; false for text that runs from right to left in part. */
static bool
make_clusters(const FigTextRun *run, GArray *clusters, bool *backward)
{
    int n = run->n_glyphs;
    *backward = n > 1 && run->glyphs[0].cluster > run->glyphs[n - 1].cluster;
    int step = *backward ? -1 : 1, first = *backward ? n - 1 : 0;
    for (int k = 0; k < n;) {
        int at = run->glyphs[first + step * k].cluster, count = 1;
        while (k + count < n && run->glyphs[first + step * (k + count)].cluster == at)
            count++;
        int next = k + count < n ? run->glyphs[first + step * (k + count)].cluster
                                 : (int)strlen(run->text);
        if (next < at || (k == 0 && at != 0))
            return false;
        cairo_text_cluster_t cluster = {next - at, count};
        g_array_append_val(clusters, cluster);
        k += count;
    }
    return true;
}

/* cairo drops a glyph whose box, rounded outwards to whole points, is empty: one without
 * ink is kept if it stands between them. */
static double
off_grid(double at)
{
    double least = 0.02, rest = at - floor(at);
    return rest < least || rest > 1 - least ? round(at) + least : at;
}

/* Where a run of text ends, for programs that read a PDF and guess spaces from gaps. */
typedef enum RunEnd {
    END_AS_SET, /* its gap says what was typed */
    END_SPACED, /* a space was typed into a narrow gap: it goes with the last glyph,
                   which ends where the next begins */
    END_FILLED, /* nothing was typed into a wide gap: the last glyph ends likewise */
} RunEnd;

static RunEnd
end_of(const FigTextRun *run, const FigTextRun *next)
{
    static const double seen = 0.15; /* em: a gap that is read as a space */
    static const double word = 0.1;  /* em: one that may be */
    size_t length = strlen(run->text);
    if (run->n_glyphs == 0 || !next || next->ghost || *next->text == ' ')
        return END_AS_SET;
    const FigGlyph *last = &run->glyphs[run->n_glyphs - 1];
    bool spaced = length > 1 && run->text[length - 1] == ' ' &&
                  (size_t)last->cluster == length - 1;
    double end = run->x + last->x + (spaced ? 0 : last->advance);
    if (spaced)
        return next->x - end < seen * run->size ? END_SPACED : END_AS_SET;
    return next->x - end > word * run->size ? END_FILLED : END_AS_SET;
}

/* Make the last of the clusters, and the glyphs, end so, where they can. */
static void
end_clusters(GArray *clusters, GArray *glyphs, RunEnd end, FT_Face ft, double size,
             double next_x)
{
    cairo_text_cluster_t *last =
        &g_array_index(clusters, cairo_text_cluster_t, clusters->len - 1);
    if (end == END_SPACED) {
        if (clusters->len < 2 || last->num_bytes != 1 || last->num_glyphs != 1)
            return;
        last[-1].num_bytes++;
        g_array_set_size(clusters, clusters->len - 1);
        g_array_set_size(glyphs, glyphs->len - 1);
        last--;
    }
    unsigned space = FT_Get_Char_Index(ft, ' ');
    if (end == END_AS_SET || !space || FT_Load_Glyph(ft, space, FT_LOAD_NO_SCALE) != 0)
        return;
    double width = (double)ft->glyph->advance.x / ft->units_per_EM * size;
    double y = g_array_index(glyphs, cairo_glyph_t, glyphs->len - 1).y;
    cairo_glyph_t blank = {space, off_grid(next_x - width), off_grid(y)};
    g_array_append_val(glyphs, blank);
    last->num_glyphs++;
}

/* A run of text; next is what follows it in its line, or NULL. */
static void
paint_run(Painter *painter, const FigTextRun *run, const FigTextRun *next, double x,
          double y)
{
    cairo_t *cairo = painter->cairo;
    cairo_font_face_t *face = face_of(painter, run->font);
    if (!face || run->n_glyphs == 0)
        return;
    cairo_set_font_face(cairo, face);
    cairo_set_font_size(cairo, run->size);
    g_autoptr(GArray) glyphs = g_array_new(FALSE, FALSE, sizeof(cairo_glyph_t));
    for (int i = 0; i < run->n_glyphs; i++) {
        cairo_glyph_t glyph = {run->glyphs[i].id, x + run->x + run->glyphs[i].x,
                               y + run->y + run->glyphs[i].y};
        g_array_append_val(glyphs, glyph);
    }
    g_autoptr(GArray) clusters =
        g_array_new(FALSE, FALSE, sizeof(cairo_text_cluster_t));
    bool backward = false;
    if (!painter->keeps_text || !make_clusters(run, clusters, &backward)) {
        cairo_show_glyphs(cairo, (cairo_glyph_t *)(void *)glyphs->data,
                          (int)glyphs->len);
        return;
    }
    if (!backward)
        end_clusters(clusters, glyphs, end_of(run, next), held_of(face)->face,
                     run->size, x + (next ? next->x : 0));
    cairo_show_text_glyphs(
        cairo, run->text, -1, (cairo_glyph_t *)(void *)glyphs->data, (int)glyphs->len,
        (cairo_text_cluster_t *)(void *)clusters->data, (int)clusters->len,
        backward ? CAIRO_TEXT_CLUSTER_FLAG_BACKWARD : 0);
}

/* What is typed but not seen is a blank glyph that fills the room it stands in, so that
 * programs which guess spaces and lines from gaps read on. Not the space: a PDF maps each
 * glyph to one text, and a space must stay a space. */
static void
paint_ghost(Painter *painter, const FigTextRun *run, double x, double y, double width)
{
    static const gunichar blanks[] = {0x2003, 0x2001, 0x2002, 0x2007, 0x3000};
    cairo_font_face_t *face = face_of(painter, run->font);
    if (!face || !painter->keeps_text)
        return;
    FT_Face ft = held_of(face)->face;
    unsigned glyph = 0, space = FT_Get_Char_Index(ft, ' ');
    for (size_t i = 0; i < G_N_ELEMENTS(blanks) && (!glyph || glyph == space); i++)
        glyph = FT_Get_Char_Index(ft, blanks[i]);
    if (!glyph || glyph == space || FT_Load_Glyph(ft, glyph, FT_LOAD_NO_SCALE) != 0 ||
        ft->glyph->advance.x <= 0)
        return;
    double em = (double)ft->glyph->advance.x / ft->units_per_EM;
    cairo_matrix_t matrix;
    cairo_matrix_init_scale(&matrix, width / em, run->size);
    cairo_set_font_face(painter->cairo, face);
    cairo_set_font_matrix(painter->cairo, &matrix);
    cairo_glyph_t at = {glyph, off_grid(x), off_grid(y)};
    cairo_text_cluster_t cluster = {(int)strlen(run->text), 1};
    cairo_show_text_glyphs(painter->cairo, run->text, -1, &at, 1, &cluster, 1, 0);
}

/* The ghosts from first to before last stand between the runs around them. */
static void
paint_ghosts(Painter *painter, const FigItem *item, int first, int last)
{
    const FigTextBox *box = item->text;
    const FigTextRun *before = first > 0 ? &box->runs[first - 1] : NULL;
    const FigTextRun *after = last < box->n_runs ? &box->runs[last] : NULL;
    double least = 0.05 * box->runs[first].size;
    double end = before ? before->x + before->advance : box->runs[first].x;
    double start = after ? after->x : end + least * (last - first);
    double width = fmax((start - end) / (last - first), least);
    if (start - end < least * (last - first))
        end = start - width * (last - first);
    double y = after ? after->y : before ? before->y : box->runs[first].y;
    for (int i = first; i < last; i++)
        paint_ghost(painter, &box->runs[i], item->text_x + end + width * (i - first),
                    item->text_y + y, width);
}

static void
paint_text(Painter *painter, const FigItem *item)
{
    const FigTextBox *box = item->text;
    if (!use_ink(painter, item->fill))
        return;
    for (int i = 0, next; i < box->n_runs; i = next) {
        next = i + 1;
        if (!box->runs[i].ghost) {
            paint_run(painter, &box->runs[i],
                      next < box->n_runs ? &box->runs[next] : NULL, item->text_x,
                      item->text_y);
            continue;
        }
        while (next < box->n_runs && box->runs[next].ghost)
            next++;
        if (painter->keeps_text)
            paint_ghosts(painter, item, i, next);
    }
    for (int i = 0; i < box->n_paths; i++) {
        trace(painter->cairo, &box->paths[i], item->text_x, item->text_y);
        cairo_fill(painter->cairo);
    }
}

static void
paint_item(Painter *painter, const FigItem *item)
{
    switch (item->kind) {
    case FIG_ITEM_GROUP:
        for (const FigItem *child = item->first; child; child = child->next)
            paint_item(painter, child);
        break;
    case FIG_ITEM_RECT:
        paint_rect(painter, item);
        break;
    case FIG_ITEM_PATH:
        trace(painter->cairo, &item->path, 0, 0);
        fill_and_stroke(painter, item);
        break;
    case FIG_ITEM_TEXT:
        paint_text(painter, item);
        break;
    }
}

bool
fig_paint_scene(const FigScene *scene, cairo_t *cairo, GError **error)
{
    g_autoptr(GHashTable) faces = g_hash_table_new_full(
        NULL, NULL, NULL, (GDestroyNotify)cairo_font_face_destroy);
    Painter painter = {.scene = scene, .cairo = cairo, .faces = faces, .error = error};
    painter.keeps_text = cairo_surface_has_show_text_glyphs(cairo_get_target(cairo));
    cairo_save(cairo);
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_set_font_options(cairo, options);
    cairo_font_options_destroy(options);
    if (!scene->transparent && use_ink(&painter, FIG_INK_PAPER))
        cairo_paint(cairo);
    paint_item(&painter, scene->root);
    /* the font must go before its face does */
    cairo_set_font_face(cairo, NULL);
    cairo_restore(cairo);
    cairo_status_t status = cairo_status(cairo);
    if (!painter.failed && status != CAIRO_STATUS_SUCCESS) {
        g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "cairo: %s",
                    cairo_status_to_string(status));
        painter.failed = true;
    }
    return !painter.failed;
}
