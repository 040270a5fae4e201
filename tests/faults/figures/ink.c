/* SPDX-License-Identifier: MIT
 *
 * Faults of ink: covered, pale, tiny, off the page, moved by what a viewer does and a
 * reader might overlook; hints and metadata that lie.
 */
#include "tests/faults/figures/broken.h"

#include <string.h>

static const FigSvgItem *
leaf(const Try *try, guint i)
{
    return try->figure->leaves->pdata[i];
}

static const char *
line_of(const Try *try, const FigSvgItem *item)
{
    return try->figure->lines[item->line - 1];
}

static char *
paper(const Try *try)
{
    FigColour c = try->figure->scene->palette[FIG_INK_PAPER];
    return g_strdup_printf("#%02x%02x%02x", c.r, c.g, c.b);
}

static char *
rectangle(const Try *try, FigBounds b)
{
    g_autofree char *colour = paper(try);
    const struct {
        const char *name;
        double value;
    } rows[] = {{"x", b.left},
                {"y", b.top},
                {"width", b.right - b.left},
                {"height", b.bottom - b.top}};
    GString *out = g_string_new("<rect");
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_string_append_printf(out, " %s=\"", rows[i].name);
        fault_number(out, rows[i].value);
        g_string_append_c(out, '"');
    }
    g_string_append_printf(out, " fill=\"%s\" stroke=\"none\"/>\n", colour);
    return g_string_free(out, FALSE);
}

/* ---- covered ---- */

/* The paper, or a panel, may be drawn under everything: what is on it is looked at. */
static bool
is_ground(const Try *try, const FigSvgItem *item)
{
    return item == leaf(try, 0) ||
           (item->kind == FIG_ITEM_RECT && item->hint[FIG_HINT_PANEL]);
}

static void
white_over(Try *try)
{
    static const double part[][4] = {{0, 0, 1, 1},   {0, 0, 0.5, 1}, {0.5, 0, 1, 1},
                                     {0, 0, 1, 0.6}, {0, 0.4, 1, 1}, {0.3, 0, 0.6, 1}};
    for (guint i = 0; i < try->figure->leaves->len; i++) {
        const FigSvgItem *item = leaf(try, i);
        FigBounds b = item->bounds;
        double width = b.right - b.left, height = b.bottom - b.top;
        for (size_t p = 0; p < G_N_ELEMENTS(part) && !is_ground(try, item); p++) {
            if (!fault_turn(try))
                continue;
            FigBounds over = {
                b.left + part[p][0] * width - 0.5, b.top + part[p][1] * height - 0.5,
                b.left + part[p][2] * width + 0.5, b.top + part[p][3] * height + 0.5};
            g_autofree char *rect = rectangle(try, over);
            fault_insert(try, try->figure->n_lines, rect);
            fault_attempt(try, line_of(try, item));
        }
    }
}

/* Drawn first, under the paper; panels drawn last, over everything. */
static void
under_paper(Try *try)
{
    int first = leaf(try, 0)->line;
    for (guint i = 1; i < try->figure->leaves->len; i++) {
        const FigSvgItem *item = leaf(try, i);
        if (!fault_turn(try))
            continue;
        fault_drop(try, item->line, item->line);
        fault_insert(try, first, line_of(try, item));
        fault_attempt(try, line_of(try, item));
    }
}

static void
panels_last(Try *try)
{
    g_autoptr(GPtrArray) panels = fault_all(try->figure, FIG_HINT_PANEL);
    for (guint i = 0; i < panels->len; i++) {
        const FigSvgItem *panel = panels->pdata[i];
        if (!fault_turn(try))
            continue;
        fault_drop(try, panel->first->line, panel->first->line);
        fault_insert(try, try->figure->n_lines, line_of(try, panel->first));
        fault_attempt(try, panel->hint[FIG_HINT_PANEL]);
    }
}

/* ---- unseen ---- */

static bool
is_stroke(const FigSvgItem *item)
{
    return item->kind == FIG_ITEM_PATH && !fig_svg_closed(item) &&
           fig_svg_hint(item, FIG_HINT_EDGE);
}

static void
unseen(Try *try)
{
    g_autofree char *colour = paper(try);
    const struct {
        const char *name, *value;
        bool text;
    } rows[] = {
        {"fill", colour, true},          {"fill", "none", true},
        {"font-size", "1", true},        {"font-size", "0.01", true},
        {"stroke", colour, false},       {"stroke", "none", false},
        {"stroke-width", "0.05", false}, {"stroke-width", "0", false},
        {"stroke-width", "40", false},   {"stroke-dasharray", "0.1 30", false},
    };
    for (guint i = 0; i < try->figure->leaves->len; i++) {
        const FigSvgItem *item = leaf(try, i);
        for (size_t r = 0; r < G_N_ELEMENTS(rows); r++) {
            if (!(rows[r].text ? item->kind == FIG_ITEM_TEXT : is_stroke(item)) ||
                (rows[r].text && strstr(line_of(try, item), "<tspan")) ||
                !fault_turn(try))
                continue;
            g_autofree char *line =
                fault_with(line_of(try, item), rows[r].name, rows[r].value);
            fault_set(try, item->line, line);
            fault_attempt(try, line);
        }
    }
}

/* An outline around the letters of a text, or of one span of it. */
static void
outlined(Try *try)
{
    g_autofree char *colour = paper(try);
    const char *const colours[] = {colour, "#000", "#c00"};
    for (guint i = 0; i < try->figure->leaves->len; i++) {
        const FigSvgItem *item = leaf(try, i);
        if (item->kind != FIG_ITEM_TEXT)
            continue;
        for (size_t c = 0; c < G_N_ELEMENTS(colours); c++) {
            g_auto(GStrv) spans = g_strsplit(line_of(try, item), "<tspan ", -1);
            if (fault_turn(try)) {
                g_autofree char *line =
                    fault_with(line_of(try, item), "stroke", colours[c]);
                fault_set(try, item->line, line);
                fault_attempt(try, line);
            }
            for (guint s = 1; spans[0] && s < g_strv_length(spans); s++) {
                if (!fault_turn(try))
                    continue;
                g_autoptr(GString) line = g_string_new(spans[0]);
                for (guint k = 1; spans[k]; k++) {
                    g_string_append(line, "<tspan ");
                    if (k == s)
                        g_string_append_printf(line, "stroke=\"%s\" ", colours[c]);
                    g_string_append(line, spans[k]);
                }
                fault_set(try, item->line, line->str);
                fault_attempt(try, line->str);
            }
        }
    }
}

static void
off_page(Try *try)
{
    for (guint i = 1; i < try->figure->leaves->len; i++) {
        const FigSvgItem *item = leaf(try, i);
        for (int way = 0; way < 2; way++) {
            if (!fault_turn(try))
                continue;
            g_autofree char *line =
                fault_moved(line_of(try, item), way ? 0 : 3000, way ? -3000 : 0);
            fault_set(try, item->line, line);
            fault_attempt(try, line);
        }
    }
}

/* ---- what we never write ---- */

/* On every element that is drawn, and on groups. */
static void
attributes(Try *try)
{
    static const char *const rows[][2] = {
        {"opacity", "0"},
        {"opacity", "0.99"},
        {"fill-opacity", "0"},
        {"stroke-opacity", "0.1"},
        {"transform", "translate(0 20)"},
        {"transform", "scale(-1 1)"},
        {"style", "display:none"},
        {"style", "fill:#fff!important"},
        {"style", "fill-opacity:0.2"},
        {"style", "transform:scale(0)"},
        {"style", "clip-path:inset(50%)"},
        {"class", "a"},
        {"visibility", "hidden"},
        {"display", "none"},
        {"clip-path", "url(#a)"},
        {"mask", "url(#a)"},
        {"filter", "url(#a)"},
        {"textLength", "3"},
        {"letter-spacing", "-3"},
        {"font-stretch", "condensed"},
        {"font-variant", "small-caps"},
        {"text-decoration", "line-through"},
        {"text-anchor", "end"},
        {"writing-mode", "tb"},
        {"direction", "rtl"},
        {"dx", "5"},
        {"rotate", "180"},
        {"fill", "url(#a)"},
        {"fill", "currentColor"},
        {"fill", "#fff0"},
        {"stroke-dashoffset", "4"},
        {"stroke-linejoin", "round"},
        {"marker-end", "url(#a)"},
        {"paint-order", "stroke"},
        {"vector-effect", "non-scaling-stroke"},
        {"color", "red"},
        {"onclick", "alert(1)"},
        {"mix-blend-mode", "difference"},
        {"xlink:href", "#a"},
    };
    g_autoptr(GPtrArray) items = fault_items(try->figure);
    for (guint i = 0; i < items->len; i++) {
        const FigSvgItem *item = items->pdata[i];
        for (size_t r = 0; r < G_N_ELEMENTS(rows); r++) {
            if (!fault_turn(try))
                continue;
            g_autofree char *line =
                fault_with(line_of(try, item), rows[r][0], rows[r][1]);
            fault_set(try, item->line, line);
            fault_attempt(try, line);
        }
    }
}

static void
elements(Try *try)
{
    static const char *const rows[] = {
        "<image href=\"a.png\" x=\"0\" y=\"0\" width=\"400\" height=\"400\"/>",
        "<use href=\"#a\"/>",
        "<script>document.title = 1</script>",
        "<foreignObject width=\"100\" height=\"100\"><p>no</p></foreignObject>",
        "<animate attributeName=\"x\" from=\"0\" to=\"99\" dur=\"1s\"/>",
        "<set attributeName=\"fill\" to=\"#fff\"/>",
        "<svg width=\"100\" height=\"100\"><rect width=\"9\" height=\"9\"/></svg>",
        "<switch><text x=\"1\" y=\"1\">a</text></switch>",
        "<a href=\"b\"><text x=\"1\" y=\"1\">a</text></a>",
        "<circle cx=\"50\" cy=\"50\" r=\"40\"/>",
        "<ellipse cx=\"50\" cy=\"50\" rx=\"40\" ry=\"3\"/>",
        "<line x1=\"0\" y1=\"0\" x2=\"99\" y2=\"99\" stroke=\"#000\"/>",
        "<polygon points=\"0,0 9,9 0,9\"/>",
        "<polyline points=\"0,0 9,9 0,9\"/>",
        "<style>rect{fill:#fff}</style>",
        "<style>@import url(a.css);</style>",
        "<style>text{font-family:Wingdings}</style>",
        "<clipPath id=\"c\"><rect width=\"9\" height=\"9\"/></clipPath>",
        "<symbol id=\"c\"><rect width=\"9\" height=\"9\"/></symbol>",
        "<defs><g id=\"c\"/></defs>",
        "<x:rect xmlns:x=\"http://www.w3.org/2000/svg\" width=\"99\" height=\"99\"/>",
        "<rect xmlns=\"http://example.org/\" x=\"1\" y=\"1\" width=\"1\" "
        "height=\"1\"/>",
        "<sodipodi:rect xmlns:sodipodi=\"http://www.w3.org/2000/svg\" width=\"9\" "
        "height=\"9\"/>",
        "<sodipodi:namedview><rect width=\"99\" height=\"99\"/></sodipodi:namedview>",
        "<inkscape:page xmlns=\"http://www.w3.org/2000/svg\"><path d=\"M0 0L9 9\"/>"
        "</inkscape:page>",
        "<?xml-stylesheet href=\"a.css\"?>",
        "hello",
    };
    for (guint i = 0; i < try->figure->leaves->len; i++) {
        for (size_t r = 0; r < G_N_ELEMENTS(rows); r++) {
            if (!fault_turn(try))
                continue;
            fault_insert(try, leaf(try, i)->line, rows[r]);
            fault_attempt(try, rows[r]);
        }
    }
}

static void
page(Try *try)
{
    static const char *const rows[][2] = {{"width", "400pt"},
                                          {"height", "700pt"},
                                          {"width", "100%"},
                                          {"width", "396 pt"},
                                          {"height", " 807pt"},
                                          {"viewBox", "0 0 99 99"},
                                          {"viewBox", "9 0 396 839"},
                                          {"x", "5"},
                                          {"preserveAspectRatio", "none"},
                                          {"text-anchor", "middle"},
                                          {"xml:space", "default"},
                                          {"zoomAndPan", "disable"},
                                          {"xmlns", "http://example.org/"}};
    static const char *const needed[] = {"width", "height",         "viewBox",
                                         "xmlns", "text-rendering", "xml:space"};
    for (size_t r = 0; r < G_N_ELEMENTS(rows); r++) {
        if (!fault_turn(try))
            continue;
        g_autofree char *line =
            fault_with(try->figure->lines[1], rows[r][0], rows[r][1]);
        fault_set(try, 2, line);
        fault_attempt(try, line);
    }
    for (size_t n = 0; n < G_N_ELEMENTS(needed); n++) {
        if (!fault_turn(try))
            continue;
        g_autofree char *line = fault_without(try->figure->lines[1], needed[n]);
        fault_set(try, 2, line);
        fault_attempt(try, line);
    }
}

/* A page of another size that is sound in itself. */
static void
other_page(Try *try)
{
    static const double by[][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {72, 72}};
    for (size_t i = 0; i < G_N_ELEMENTS(by); i++) {
        double size[2] = {try->figure->svg->width + by[i][0],
                          try->figure->svg->height + by[i][1]};
        g_autofree char *line = g_strdup(try->figure->lines[1]);
        g_autoptr(GString) box = g_string_new("0 0");
        if (!fault_turn(try))
            continue;
        for (int k = 0; k < 2; k++) {
            g_autoptr(GString) value = g_string_new(NULL);
            fault_number(value, size[k]);
            g_string_append_printf(box, " %s", value->str);
            g_string_append(value, "pt");
            char *with = fault_with(line, k ? "height" : "width", value->str);
            g_free(line);
            line = with;
        }
        g_autofree char *text = fault_with(line, "viewBox", box->str);
        fault_set(try, 2, text);
        fault_attempt(try, text);
    }
}

/* ---- what is said beside the picture ---- */

/* Each hint with another value of the same kind, and without. */
static void
hints(Try *try)
{
    g_autoptr(GPtrArray) items = fault_items(try->figure);
    for (int h = 0; h < FIG_HINTS; h++) {
        for (guint i = 0; i < items->len; i++) {
            const FigSvgItem *item = items->pdata[i];
            for (guint k = 0; k < items->len && item->hint[h]; k++) {
                const FigSvgItem *other = items->pdata[k];
                if (!other->hint[h] || strcmp(other->hint[h], item->hint[h]) == 0 ||
                    !fault_turn(try))
                    continue;
                g_autofree char *value =
                    fault_value(line_of(try, other), fig_hint_name((FigHint)h));
                g_autofree char *line =
                    fault_with(line_of(try, item), fig_hint_name((FigHint)h), value);
                fault_set(try, item->line, line);
                fault_attempt(try, line);
            }
            if (!item->hint[h] || !fault_turn(try))
                continue;
            g_autofree char *line =
                fault_without(line_of(try, item), fig_hint_name((FigHint)h));
            fault_set(try, item->line, line);
            fault_attempt(try, line);
        }
    }
}

/* The metadata's attributes, and each hundredth character of the spec it carries. */
static void
carried(Try *try)
{
    int line = 0, at = 0;
    while (!g_str_has_prefix(try->figure->lines[line], "<metadata"))
        line++;
    static const char *const names[] = {"data-spec", "data-record", "data-options",
                                        "data-opfig"};
    for (size_t n = 0; n < G_N_ELEMENTS(names); n++) {
        if (!fault_turn(try))
            continue;
        g_autofree char *value = fault_value(try->figure->lines[line], names[n]);
        g_autofree char *other = g_strconcat(value, "0", NULL);
        g_autofree char *text = fault_with(try->figure->lines[line], names[n], other);
        fault_set(try, line + 1, text);
        fault_attempt(try, text);
    }
    for (line++; !g_str_has_prefix(try->figure->lines[line], "</metadata"); line++) {
        const char *text = try->figure->lines[line];
        for (int c = 0; text[c]; c++) {
            if (!g_ascii_isdigit(text[c]) || at++ % 7 || !fault_turn(try))
                continue;
            g_autofree char *other = g_strdup(text);
            other[c] = text[c] == '9' ? '8' : (char)(text[c] + 1);
            fault_set(try, line + 1, other);
            fault_attempt(try, other);
        }
    }
}

/* What is read aloud. */
static void
aloud(Try *try)
{
    for (int line = 0; line < try->figure->n_lines; line++) {
        const char *text = try->figure->lines[line];
        const char *end = strstr(text, "</title>");
        end = end ? end : strstr(text, "</desc>");
        for (const char *c = strchr(text, '>'); end && c && c < end; c++) {
            if (!g_ascii_isalnum(*c) || (c - text) % 5 || !fault_turn(try))
                continue;
            g_autofree char *other = g_strdup(text);
            other[c - text] = *c == '9'                ? '8'
                              : *c == 'z' || *c == 'Z' ? 'a'
                                                       : (char)(*c + 1);
            fault_set(try, line + 1, other);
            fault_attempt(try, other);
        }
    }
}

/* What an editor shows in place of the file, or lists as its name; the root declares its
 * namespaces. */
static void
editors(Try *try)
{
    static const char *const rows[][2] = {
        {"inkscape:label", "softmax"},
        {"inkscape:original-d", "M1 2L3 4"},
        {"inkscape:path-effect", "#a"},
        {"inkscape:tile-cx", "1"},
        {"sodipodi:type", "arc"},
        {"sodipodi:role", "line"},
        {"sodipodi:linespacing", "125%"},
        {"sodipodi:absref", "a.png"},
        {"svg:fill", "#fff"},
        {"xml:space", "default"},
        {"xml:base", "http://a.example/"},
        {"xml:lang", "de"},
    };
    g_autoptr(GPtrArray) items = fault_items(try->figure);
    g_autofree char *some = fault_with(try->figure->lines[1], "xmlns:inkscape",
                                       "http://www.inkscape.org/namespaces/inkscape");
    g_autofree char *more = fault_with(
        some, "xmlns:sodipodi", "http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd");
    g_autofree char *root = fault_with(more, "xmlns:svg", "http://www.w3.org/2000/svg");
    for (guint i = 0; i < items->len; i++) {
        const FigSvgItem *item = items->pdata[i];
        for (size_t r = 0; r < G_N_ELEMENTS(rows); r++) {
            if (!fault_turn(try))
                continue;
            g_autofree char *line =
                fault_with(line_of(try, item), rows[r][0], rows[r][1]);
            fault_set(try, 2, root);
            fault_set(try, item->line, line);
            fault_attempt(try, line);
        }
    }
}

/* Numbers that viewers refuse, or read as something else. */
static void
numbers(Try *try)
{
    static const char *const names[] = {"x",  "y",         "width",       "height",
                                        "rx", "font-size", "stroke-width"};
    static const char *const forms[][2] = {
        {"", "%"}, {"", "pt"},   {"", "em"},    {"", "."},  {"", "e"},
        {"", ","}, {"", " 5"},   {"", "e9"},    {"", "d"},  {" ", ""},
        {"", " "}, {"&#9;", ""}, {"&#10;", ""}, {"", " px"}};
    for (guint i = 0; i < try->figure->leaves->len; i++) {
        const FigSvgItem *item = try->figure->leaves->pdata[i];
        for (size_t n = 0; n < G_N_ELEMENTS(names); n++) {
            g_autofree char *value = fault_value(line_of(try, item), names[n]);
            for (size_t f = 0; value && f < G_N_ELEMENTS(forms); f++) {
                if (!fault_turn(try))
                    continue;
                g_autofree char *other =
                    g_strconcat(forms[f][0], value, forms[f][1], NULL);
                if (strcmp(value, "0") == 0 ||
                    (*forms[f][1] == '.' && strchr(value, '.')))
                    continue;
                g_autofree char *line = fault_with(line_of(try, item), names[n], other);
                fault_set(try, item->line, line);
                fault_attempt(try, line);
            }
        }
    }
}

/* An equal colour that no rule for a dark page has: there it keeps the ink of a white one. */
static void
dark(Try *try)
{
    static const char *const names[] = {"fill", "stroke"};
    if (!try->figure->svg->style || !strstr(try->figure->svg->style, "@media"))
        return;
    g_autoptr(GPtrArray) items = fault_items(try->figure);
    for (guint i = 0; i < items->len; i++) {
        const FigSvgItem *item = items->pdata[i];
        for (size_t n = 0; n < G_N_ELEMENTS(names); n++) {
            g_autofree char *value = fault_value(line_of(try, item), names[n]);
            const char *colour = n ? item->look.stroke : item->look.fill;
            unsigned rgb = (unsigned)g_ascii_strtoull(colour + 1, NULL, 16);
            char *others[] = {g_ascii_strup(value ? value : "", -1),
                              g_strdup_printf("rgb( %u,%u,%u)", rgb >> 16,
                                              rgb >> 8 & 0xff, rgb & 0xff)};
            for (size_t o = 0; o < G_N_ELEMENTS(others); o++) {
                bool other = value && *value == '#' && strcmp(value, others[o]) != 0;
                if (other && fault_turn(try)) {
                    g_autofree char *line =
                        fault_with(line_of(try, item), names[n], others[o]);
                    fault_set(try, item->line, line);
                    fault_attempt(try, line);
                }
                g_free(others[o]);
            }
        }
    }
}

const Kind fault_ink[] = {
    {"white over a whole or a part", "hidden", white_over, false},
    {"drawn under the paper", "hidden", under_paper, false},
    {"panel drawn last", "hidden", panels_last, false},
    {"colour of the paper, no ink, tiny, thin, mostly gaps", "hidden", unseen, false},
    {"letters outlined", "hidden", outlined, false},
    {"off the page", "hidden", off_page, false},
    {"attribute that could hide or move", "foreign", attributes, false},
    {"attribute of an editor, of another space", "foreign", editors, false},
    {"number that viewers refuse", "foreign", numbers, false},
    {"element that could hide or change", "foreign", elements, false},
    {"size and frame of the page", "foreign", page, false},
    {"page of another size", "drawing", other_page, false},
    {"hint that lies, or gone", "hint", hints, true},
    {"metadata that lies", "record", carried, true},
    {"name or description read aloud", "text", aloud, false},
    {NULL, NULL, NULL, false},
};

/* Only where --only names it: few figures have rules for a dark page. */
const Kind fault_dark[] = {
    {"colour that a dark page does not change", "foreign", dark, true},
    {NULL, NULL, NULL, false},
};
