/* SPDX-License-Identifier: MIT
 *
 * SVG, for every viewer there is: what one of them misplaces or drops is not used. A
 * label is one <text> with a <tspan> at an absolute place for each change of font or
 * baseline (LibreOffice misplaces centred text and dx/dy); arrow heads and radicals are
 * paths; all looks are presentation attributes, so nothing turns black where CSS is
 * ignored. One element a line, so that a finding can name the line.
 *
 * A group says what it stands for in data-* attributes. The file carries the spec, the
 * options and the digest of the record in <metadata>, so that it can be checked and
 * drawn again from itself.
 */
#include "base/num.h"
#include "base/xml.h"
#include "render/output.h"
#include "render/svg-fonts.h"
#include "render/svg-ink.h"

#include <math.h>
#include <string.h>

enum { DECIMALS = 2 }; /* of a point: 3.5 µm */

typedef struct Writer {
    const FigScene *scene;
    FigSvgInks *inks;
    GString *out;
    char *id; /* of the root, and before a dot the prefix of every other */
} Writer;

static void
append_number(GString *out, const char *name, double value)
{
    g_string_append_printf(out, " %s=\"", name);
    fig_num_fixed(out, value, DECIMALS);
    g_string_append_c(out, '"');
}

static void
append_text(GString *out, const char *name, const char *value)
{
    if (!value)
        return;
    g_string_append_printf(out, " %s=\"", name);
    fig_escape_text(out, value);
    g_string_append_c(out, '"');
}

static void
append_meaning(GString *out, const FigMeaning *means)
{
    append_text(out, "data-op", means->op);
    append_text(out, "data-class", means->class_);
    append_text(out, "data-input", means->input);
    append_text(out, "data-output", means->output);
    append_text(out, "data-edge", means->edge);
    append_text(out, "data-value", means->value);
    append_text(out, "data-fork", means->fork);
    append_text(out, "data-shape", means->shape);
    append_text(out, "data-name", means->name);
    append_text(out, "data-claim", means->claim);
    append_text(out, "data-callout", means->callout);
    append_text(out, "data-number", means->number);
    append_text(out, "data-panel", means->panel);
    append_text(out, "data-legend", means->legend);
    append_text(out, "data-part", means->part);
}

/* Append a name as part of an id: letters, digits, - and _ stay. */
static void
append_id(GString *out, const char *name)
{
    for (; *name; name++)
        g_string_append_c(out, g_ascii_isalnum(*name) || *name == '-' ? *name : '_');
}

/* ---- shapes ---- */

static void
append_dash(GString *out, const FigItem *item)
{
    if (item->n_dash == 0)
        return;
    g_string_append(out, " stroke-dasharray=\"");
    for (int i = 0; i < item->n_dash; i++) {
        if (i > 0)
            g_string_append_c(out, ' ');
        fig_num_fixed(out, item->dash[i], DECIMALS);
    }
    g_string_append_c(out, '"');
}

static void
append_point(GString *out, const double point[2], double x, double y)
{
    fig_num_fixed(out, x + point[0], DECIMALS);
    g_string_append_c(out, ' ');
    fig_num_fixed(out, y + point[1], DECIMALS);
}

static void
append_path(GString *out, const FigPath *path, double x, double y)
{
    static const struct {
        char letter;
        int points;
    } verbs[] = {[FIG_MOVE] = {'M', 1},
                 [FIG_LINE] = {'L', 1},
                 [FIG_CURVE] = {'C', 3},
                 [FIG_CLOSE] = {'Z', 0}};
    const double(*point)[2] = path->points;

    for (int v = 0; v < path->n_verbs; v++) {
        g_string_append_c(out, verbs[path->verbs[v]].letter);
        for (int i = 0; i < verbs[path->verbs[v]].points; i++) {
            if (i > 0)
                g_string_append_c(out, ' ');
            append_point(out, *point++, x, y);
        }
    }
}

static void
append_data(GString *out, const FigPath *path, double x, double y)
{
    g_string_append(out, " d=\"");
    append_path(out, path, x, y);
    g_string_append_c(out, '"');
}

static void
write_rect(Writer *w, const FigItem *item, FigSvgInk around)
{
    FigSvgInk ink = fig_svg_ink_shape(w->inks, item);
    g_string_append(w->out, "<rect");
    append_meaning(w->out, &item->means);
    append_number(w->out, "x", item->x);
    append_number(w->out, "y", item->y);
    append_number(w->out, "width", item->width);
    append_number(w->out, "height", item->height);
    if (item->radius > 0)
        append_number(w->out, "rx", item->radius);
    fig_svg_ink_write(w->out, &ink, &around);
    append_dash(w->out, item);
    g_string_append(w->out, "/>\n");
}

static void
write_path(Writer *w, const FigItem *item, FigSvgInk around)
{
    FigSvgInk ink = fig_svg_ink_shape(w->inks, item);
    g_string_append(w->out, "<path");
    append_meaning(w->out, &item->means);
    append_data(w->out, &item->path, 0, 0);
    fig_svg_ink_write(w->out, &ink, &around);
    append_dash(w->out, item);
    g_string_append(w->out, "/>\n");
}

/* ---- text ---- */

/* The pen of one <text>: where the next character would stand by itself, and the look of
 * the <tspan> that is open. */
typedef struct Pen {
    FigSvgInk look;
    double x, y;
    bool known;  /* false after a ghost: the next run must say where it stands */
    bool fresh;  /* nothing has been written: it stands where the <text> does */
    bool open;   /* a <tspan> */
    bool spaced; /* before it is a space or nothing: another space would be dropped */
} Pen;

static bool
same_look(const FigSvgInk *a, const FigSvgInk *b)
{
    for (int i = 0; i < FIG_SVG_ATTRIBUTES; i++)
        if (b->value[i] && a->value[i] != b->value[i])
            return false;
    return true;
}

static void
close_span(Writer *w, Pen *pen, const FigSvgInk *text)
{
    if (pen->open)
        g_string_append(w->out, "</tspan>");
    pen->open = false;
    pen->look = *text;
}

static void
write_span(Writer *w, const FigSvgInk *look, const FigSvgInk *text, Pen *pen, double x,
           double y, const char *characters, double advance)
{
    bool level = fabs(pen->y - y) < 0.005;
    bool follows = pen->known && level && fabs(pen->x - x) < 0.005;
    if (!follows || !same_look(&pen->look, look)) {
        FigSvgInk around = *text;
        close_span(w, pen, text);
        g_string_append(w->out, "<tspan");
        if (!follows || !pen->fresh)
            append_number(w->out, "x", x);
        if (!level)
            append_number(w->out, "y", y);
        fig_svg_ink_write(w->out, look, &around);
        g_string_append_c(w->out, '>');
        pen->look = around;
        pen->open = true;
    }
    fig_escape_text(w->out, characters);
    if (!level)
        pen->y = y;
    pen->x = x + advance;
    pen->known = true;
    pen->fresh = false;
}

/* A ghost is text for those who copy, search or listen: a space after what came before,
 * anything else without ink. */
static void
write_ghost(Writer *w, const FigSvgInk *text, Pen *pen, const char *characters)
{
    pen->known = false;
    if (strspn(characters, " ") != strlen(characters)) {
        close_span(w, pen, text);
        g_string_append(w->out, "<tspan fill=\"none\">");
        fig_escape_text(w->out, characters);
        g_string_append(w->out, "</tspan>");
        pen->spaced = false;
        return;
    }
    if (!pen->spaced)
        g_string_append_c(w->out, ' ');
    pen->spaced = true;
}

/* Where the character at that byte of a run stands, from the run's origin. */
static double
place_of(const FigTextRun *run, size_t byte)
{
    for (int g = 0; g < run->n_glyphs; g++)
        if ((size_t)run->glyphs[g].cluster >= byte)
            return run->glyphs[g].x;
    return run->advance;
}

/* Would a viewer join two of these letters to one glyph although the run has not? The
 * letters of a formula stand for themselves: h_ff is no ligature. Such runs have no
 * spaces, and as many glyphs as characters. */
static bool
wants_single_letters(const FigTextRun *run)
{
    if (!fig_font_italic(run->font) || strchr(run->text, ' ') ||
        run->n_glyphs != g_utf8_strlen(run->text, -1))
        return false;
    return strstr(run->text, "ff") || strstr(run->text, "fi") ||
           strstr(run->text, "fl");
}

/* Browsers drop a space that begins a text or follows a space, xml:space or not; what
 * comes after such ones is placed by itself. */
static void
write_words_of(Writer *w, const FigTextRun *run, const FigSvgInk *look,
               const FigSvgInk *text, Pen *pen, double x, double y)
{
    for (size_t from = 0, to; run->text[from]; from = to) {
        if (pen->spaced)
            from += strspn(run->text + from, " ");
        for (to = from; run->text[to]; to++)
            if (run->text[to] == ' ' && run->text[to + 1] == ' ')
                break;
        if (to == from && !run->text[to])
            break;
        to += run->text[to] != '\0'; /* the first of the spaces */
        double at = place_of(run, from);
        g_autofree char *words = g_strndup(run->text + from, to - from);
        write_span(w, look, text, pen, x + at, y, words, place_of(run, to) - at);
        pen->spaced = run->text[to - 1] == ' ';
    }
}

static void
write_run(Writer *w, const FigItem *item, const FigTextRun *run, const FigSvgInk *text,
          Pen *pen)
{
    FigSvgInk look = fig_svg_ink_run(w->inks, item, run);
    double x = item->text_x + run->x, y = item->text_y + run->y;

    if (!wants_single_letters(run)) {
        write_words_of(w, run, &look, text, pen, x, y);
        return;
    }
    pen->spaced = false;
    for (int g = 0; g < run->n_glyphs; g++) {
        const char *start = run->text + run->glyphs[g].cluster;
        g_autofree char *letter = g_strndup(start, g_utf8_next_char(start) - start);
        write_span(w, &look, text, pen, x + run->glyphs[g].x, y, letter,
                   run->glyphs[g].advance);
        pen->known = false;
    }
}

/* All of a label as one shape, with its words for who cannot see it. */
static void
write_outline(Writer *w, const FigItem *item, FigSvgInk around)
{
    const FigTextBox *box = item->text;
    FigSvgInk ink = fig_svg_ink_outline(w->inks, item);
    g_autoptr(FigArena) arena = fig_arena_new();

    g_string_append(w->out, "<path role=\"img\"");
    append_text(w->out, "aria-label", box->plain);
    append_meaning(w->out, &item->means);
    fig_svg_ink_write(w->out, &ink, &around);
    g_string_append(w->out, " d=\"");
    for (int i = 0; i < box->n_runs; i++) {
        const FigTextRun *run = &box->runs[i];
        for (int g = 0; g < run->n_glyphs; g++) {
            const FigGlyph *glyph = &run->glyphs[g];
            FigPath path = fig_font_outline(run->font, arena, glyph->id, run->size);
            append_path(w->out, &path, item->text_x + run->x + glyph->x,
                        item->text_y + run->y + glyph->y);
        }
    }
    for (int i = 0; i < box->n_paths; i++)
        append_path(w->out, &box->paths[i], item->text_x, item->text_y);
    g_string_append(w->out, "\"/>\n");
}

static void
write_text(Writer *w, const FigItem *item, FigSvgInk around)
{
    const FigTextBox *box = item->text;
    FigSvgInk text = fig_svg_ink_common(w->inks, item, &around);
    FigSvgInk outline = fig_svg_ink_outline(w->inks, item);
    FigSvgInk inherited = around;
    Pen pen = {.known = true, .fresh = true, .spaced = true};

    if (box->n_runs > 0) {
        g_string_append(w->out, "<text");
        append_meaning(w->out, &item->means);
        const FigTextRun *first = &box->runs[0];
        pen.x = item->text_x + first->x + place_of(first, strspn(first->text, " "));
        pen.y = item->text_y + box->runs[0].y;
        append_number(w->out, "x", pen.x);
        append_number(w->out, "y", pen.y);
        fig_svg_ink_write(w->out, &text, &inherited);
        pen.look = inherited;
        g_string_append_c(w->out, '>');
        for (int i = 0; i < box->n_runs; i++) {
            if (box->runs[i].ghost)
                write_ghost(w, &inherited, &pen, box->runs[i].text);
            else
                write_run(w, item, &box->runs[i], &inherited, &pen);
        }
        close_span(w, &pen, &inherited);
        g_string_append(w->out, "</text>\n");
    }
    for (int i = 0; i < box->n_paths; i++) {
        inherited = around;
        g_string_append(w->out, "<path");
        append_data(w->out, &box->paths[i], item->text_x, item->text_y);
        fig_svg_ink_write(w->out, &outline, &inherited);
        g_string_append(w->out, "/>\n");
    }
}

/* ---- groups ---- */

static void write_item(Writer *w, const FigItem *item, FigSvgInk around);

static void
write_group(Writer *w, const FigItem *item, FigSvgInk around)
{
    FigSvgInk common = fig_svg_ink_common(w->inks, item, &around);
    if (!item->first)
        return;
    g_string_append(w->out, "<g");
    if (item->means.op) {
        g_string_append_printf(w->out, " id=\"%s.", w->id);
        append_id(w->out, item->means.op);
        g_string_append_c(w->out, '"');
    }
    append_meaning(w->out, &item->means);
    fig_svg_ink_write(w->out, &common, &around);
    g_string_append(w->out, ">\n");
    if (item->title) {
        g_string_append(w->out, "<title>");
        fig_escape_text(w->out, item->title);
        g_string_append(w->out, "</title>\n");
    }
    for (const FigItem *child = item->first; child; child = child->next)
        write_item(w, child, around);
    g_string_append(w->out, "</g>\n");
}

static void
write_item(Writer *w, const FigItem *item, FigSvgInk around)
{
    switch (item->kind) {
    case FIG_ITEM_GROUP:
        write_group(w, item, around);
        break;
    case FIG_ITEM_RECT:
        write_rect(w, item, around);
        break;
    case FIG_ITEM_PATH:
        write_path(w, item, around);
        break;
    case FIG_ITEM_TEXT:
        if (w->scene->text_mode == FIG_TEXT_OUTLINE)
            write_outline(w, item, around);
        else
            write_text(w, item, around);
        break;
    }
}

/* ---- the document ---- */

static void
write_root(Writer *w)
{
    GString *out = w->out;
    g_string_append(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                         "<svg xmlns=\"http://www.w3.org/2000/svg\"");
    g_string_append_printf(out, " id=\"%s\" width=\"", w->id);
    fig_num_fixed(out, w->scene->width, DECIMALS);
    g_string_append(out, "pt\" height=\"");
    fig_num_fixed(out, w->scene->height, DECIMALS);
    g_string_append(out, "pt\" viewBox=\"0 0 ");
    fig_num_fixed(out, w->scene->width, DECIMALS);
    g_string_append_c(out, ' ');
    fig_num_fixed(out, w->scene->height, DECIMALS);
    /* geometricPrecision: browsers round letters to pixels without, for fonts inside */
    g_string_append_printf(
        out,
        "\" role=\"img\" aria-labelledby=\"%s..title %s..desc\""
        " text-anchor=\"start\" text-rendering=\"geometricPrecision\""
        " xml:space=\"preserve\">\n",
        w->id, w->id);
}

static void
write_words(Writer *w, const char *element, const char *text)
{
    g_string_append_printf(w->out, "<%s id=\"%s..%s\">", element, w->id, element);
    fig_escape_text(w->out, text ? text : "");
    g_string_append_printf(w->out, "</%s>\n", element);
}

static void
append_carried(GString *out, const char *name, const char *value)
{
    if (!value)
        return;
    g_string_append_printf(out, " %s=\"", name);
    fig_escape_carried(out, value, true);
    g_string_append_c(out, '"');
}

static void
write_metadata(Writer *w)
{
    const FigScene *scene = w->scene;
    g_string_append(w->out, "<metadata");
    append_carried(w->out, "data-opfig", scene->version);
    append_carried(w->out, "data-fonts", scene->fonts);
    append_carried(w->out, "data-spec", scene->id);
    append_carried(w->out, "data-record", scene->digest);
    append_carried(w->out, "data-options", scene->options);
    g_string_append_c(w->out, '>');
    if (scene->spec_text)
        fig_escape_carried(w->out, scene->spec_text, false);
    g_string_append(w->out, "</metadata>\n");
}

/* The paper is a leaf of its own, below everything. */
static void
write_paper(Writer *w, FigSvgInk around)
{
    FigItem paper = {.kind = FIG_ITEM_RECT,
                     .fill = FIG_INK_PAPER,
                     .width = w->scene->width,
                     .height = w->scene->height};
    if (!w->scene->transparent)
        write_rect(w, &paper, around);
}

static bool
write_style(Writer *w, GError **error)
{
    bool embeds = w->scene->text_mode == FIG_TEXT_EMBED;
    if (!w->scene->has_dark && !embeds)
        return true;
    g_string_append(w->out, "<style>");
    if (embeds && !fig_svg_fonts(w->scene, w->out, error))
        return false;
    if (embeds && w->scene->has_dark)
        g_string_append_c(w->out, '\n');
    if (w->scene->has_dark)
        fig_svg_inks_dark(w->inks, w->id, w->out);
    g_string_append(w->out, "</style>\n");
    return true;
}

static bool
write_svg(const FigScene *scene, const FigWriteOptions *options, GString *out,
          GError **error)
{
    g_autoptr(FigSvgInks) inks = fig_svg_inks_new(scene);
    g_autoptr(GString) id = g_string_new(NULL);
    Writer w = {.scene = scene, .inks = inks, .out = out};
    const char *name = scene->id && *scene->id ? scene->id : "figure";

    if (!g_ascii_isalpha(*name))
        g_string_append_c(id, '_');
    append_id(id, name);
    if (scene->options && *scene->options) /* two figures of one spec on one page */
        g_string_append_printf(id, "-%08x", g_str_hash(scene->options));
    w.id = id->str;

    write_root(&w);
    write_words(&w, "title", scene->title);
    write_words(&w, "desc", scene->description);
    write_metadata(&w);
    if (!write_style(&w, error))
        return false;
    write_paper(&w, fig_svg_ink_initial(inks));
    write_item(&w, scene->root, fig_svg_ink_initial(inks));
    g_string_append(out, "</svg>\n");
    return true;
}

const FigOutput fig_output_svg = {
    .name = "svg",
    .suffix = ".svg",
    .help = "editable in Inkscape and PowerPoint, text as text, can be checked",
    .write = write_svg,
};
