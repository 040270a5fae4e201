/* SPDX-License-Identifier: MIT
 *
 * Edits at random, most without a meaning that anybody thought of: attributes given other
 * values, added, dropped, put into a style; elements doubled, exchanged, wrapped; words
 * broken up. Nobody knows what each comes to. What is held: a figure in which nothing is
 * found looks, in librsvg, as it did.
 */
#include "tests/faults/figures/broken.h"

#include "base/num.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

enum { TRIES = 20000 }; /* of a figure */

static guint
below(GRand *random, guint n)
{
    return n ? (guint)g_rand_int_range(random, 0, (gint32)n) : 0;
}

#define PICK(random, list) ((list)[below((random), G_N_ELEMENTS(list))])

/* Values that some attribute may have somewhere, in forms that readers may take otherwise. */
/* clang-format off */
static const char *const values[] = {
    "none", "inherit", "initial", "currentColor", "context-fill", "transparent", "#fff",
    "#FFF", "#ffff", "#ffffff00", "#000", "white", "black", "rgb(255,255,255)",
    "rgb(100%,100%,100%)", "rgb(255 255 255)", "rgb(0,0,0)", "rgba(0,0,0,0)",
    "hsl(0,0%,100%)", "url(#a)", "url(#a) #000", " #fff", "#fff ", "0", "0.0", "-0",
    "00", "1", "+1", "1.", ".5", "1e0", "1E0", "1e-9", "-1", "400", "+400", "4e2",
    "400.0", "600", "0600", "6e2", "1000", "bolder", "lighter", "bold", "normal",
    "italic", "oblique", "1px", "1PX", "1pt", "1em", "1ex", "1mm", "1%", "100%", "1 px",
    "0 0", "0,0", "1 2 3", "auto", "butt", "round", "square", "miter", "bevel",
    "hidden", "visible", "collapse", "default", "preserve", "end", "middle", "start",
    "Inter", "'Inter'", "Inter, sans-serif", "inter,sans-serif", "Inter sans-serif",
    "'Inter,sans-serif'", "\"Inter\",sans-serif", "Inter,serif", "sans-serif", "",
    "calc(1px)", "var(--x)", "1!important", "/**/1", "1/**/", "M0 0", "M0 0Z", "m0,0",
    "M0 0h1v1H0z", "translate(0)", "translate(9)", "scale(1)", "blur(1px)",
};
/* clang-format on */

/* Attributes that our writer does not give where they are put, with a value. */
/* clang-format off */
static const char *const more[][2] = {
    {"opacity", "1"}, {"opacity", ".5"}, {"fill-opacity", "1"}, {"fill-opacity", "0.4"},
    {"stroke-opacity", "0"}, {"display", "none"}, {"display", "inline"},
    {"visibility", "hidden"}, {"visibility", "visible"},
    {"transform", "translate(0 0)"}, {"transform", "translate(3 0)"},
    {"clip-path", "url(#c)"}, {"clip-path", "inset(9px)"}, {"mask", "url(#m)"},
    {"filter", "url(#f)"}, {"fill-rule", "evenodd"}, {"stroke-linejoin", "round"},
    {"stroke-linecap", "square"}, {"stroke-linecap", "round"},
    {"stroke-linecap", "butt"}, {"stroke-miterlimit", "1"}, {"stroke-dasharray", "1 1"},
    {"stroke-dasharray", "0"}, {"stroke-dasharray", "none"}, {"stroke-dashoffset", "1"},
    {"paint-order", "stroke"}, {"vector-effect", "non-scaling-stroke"},
    {"shape-rendering", "crispEdges"}, {"text-rendering", "optimizeSpeed"},
    {"font-variant", "small-caps"}, {"font-stretch", "condensed"},
    {"font-size-adjust", ".9"}, {"font-kerning", "none"}, {"font", "9px serif"},
    {"letter-spacing", "1"}, {"word-spacing", "1"}, {"textLength", "10"},
    {"lengthAdjust", "spacing"}, {"text-anchor", "end"}, {"text-anchor", "start"},
    {"text-decoration", "line-through"}, {"dominant-baseline", "hanging"},
    {"baseline-shift", "super"}, {"direction", "rtl"},
    {"unicode-bidi", "bidi-override"}, {"writing-mode", "tb"}, {"rotate", "9"},
    {"dx", "1"}, {"dy", "1"}, {"x", "1"}, {"y", "1"}, {"rx", "1"}, {"ry", "1"},
    {"width", "1"}, {"height", "1"}, {"color", "#fff"}, {"fill", "#fff"},
    {"stroke", "none"}, {"stroke", "#000"}, {"stroke-width", "0"},
    {"font-weight", "600"}, {"font-style", "normal"}, {"xml:space", "default"},
    {"xml:space", "preserve"}, {"xml:lang", "ar"}, {"lang", "en"},
    {"xml:base", "http://example.org/"}, {"xmlns", "http://www.w3.org/1999/xhtml"},
    {"xmlns", "http://www.w3.org/2000/svg"},
    {"xmlns:svg", "http://www.w3.org/2000/svg"},
    {"xmlns:inkscape", "http://www.inkscape.org/namespaces/inkscape"},
    {"xmlns:sodipodi", "http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd"},
    {"systemLanguage", "xx"}, {"requiredExtensions", "x"}, {"requiredFeatures", ""},
    {"class", "a"}, {"id", "a"}, {"id", ""}, {"role", "none"}, {"viewBox", "0 0 9 9"},
    {"preserveAspectRatio", "none"}, {"overflow", "hidden"},
    {"enable-background", "new"}, {"inkscape:label", "a"}, {"inkscape:version", "1"},
    {"sodipodi:role", "line"}, {"sodipodi:nodetypes", "cc"},
    {"inkscape:groupmode", "layer"}, {"version", "1.1"}, {"href", "#a"},
    {"tabindex", "0"}, {"onload", "x()"}, {"data-x", "1"},
};
/* clang-format on */

/* Declarations of a style, also such as end or swallow others. */
/* clang-format off */
static const char *const declarations[] = {
    "fill:#fff", "fill:none", "stroke:none", "opacity:1", "opacity:0", "display:inline",
    "display:none", "visibility:visible", "font-size:9px", "font-size:7",
    "font-weight:600", "font-style:normal", "stroke-width:1", "stroke-width:1px",
    "stroke-dasharray:none", "stroke-dasharray:1,1", "stroke-linejoin:miter",
    "stroke-linecap:butt", "text-anchor:start", "font-variant:normal",
    "font-stretch:normal", "-inkscape-stroke:none",
    "-inkscape-font-specification:Inter", "-inkscape-x:'", "-inkscape-x:\"",
    "-inkscape-x:(", "-inkscape-x:[", "-inkscape-x:{", "-inkscape-x:/*",
    "-inkscape-x:\\", "-inkscape-x:url(", "-inkscape-x:<!--", "-inkscape-x:)",
    "-inkscape-x:}", "-inkscape-x:a!important", ";", ":", "x", "/*", "*/", "/* a */",
    "'", "}", "{", "fill:#fff!important", "all:initial", "fill :#fff", "FILL:#fff",
    "f\\69ll:#fff", "stroke-width:+1e0", "font-weight:6e2", "font-weight:+600",
    "font-weight:600.0", "font-size:1e1px", "font-family:Inter",
    "font-family:'Inter',sans-serif", "white-space:pre", "line-height:2", "color:#fff",
    "transform:none", "transform:translate(9px)", "mix-blend-mode:screen", "--x:1",
};
/* clang-format on */

/* Elements that may be put between others. */
/* clang-format off */
static const char *const elements[] = {
    "<!-- -->", "<!-- <rect/> -->", "<?x y?>", "<?xml-stylesheet href=\"a.css\"?>",
    "<g/>", "<g></g>", "<g><g></g></g>", "<defs/>", "<defs></defs>",
    "<defs><g/></defs>", "<style>*{fill:#fff}</style>", "<style/>", "<title>a</title>",
    "<desc>a</desc>", "<metadata/>", "<metadata>a</metadata>",
    "<text x=\"9\" y=\"9\">a</text>", "<text x=\"9\" y=\"9\"/>",
    "<text x=\"9\" y=\"9\"> </text>", "<tspan>a</tspan>", "<path d=\"M0 0\"/>",
    "<path d=\"\"/>", "<path/>", "<rect/>",
    "<rect x=\"0\" y=\"0\" width=\"9\" height=\"9\" fill=\"#fff\"/>",
    "<rect x=\"0\" y=\"0\" width=\"999\" height=\"999\" fill=\"none\"/>",
    "<rect x=\"-99\" y=\"-99\" width=\"9\" height=\"9\" fill=\"#fff\"/>", "<svg/>",
    "<use href=\"#a\"/>", "<a/>", "<switch/>", "<circle r=\"9\"/>",
    "<line x2=\"9\" y2=\"9\" stroke=\"#000\"/>", "<image/>", "<foreignObject/>",
    "<animate attributeName=\"x\" to=\"9\"/>",
    "<set attributeName=\"fill\" to=\"#fff\"/>", "<sodipodi:namedview/>",
    "<sodipodi:namedview><rect width=\"9\" height=\"9\"/></sodipodi:namedview>",
    "<inkscape:grid/>", "<inkscape:x xmlns:inkscape=\"http://www.w3.org/2000/svg\"/>",
    "<svg:rect width=\"9\" height=\"9\"/>", "<x/>", "&#32;", "a", "<![CDATA[ ]]>",
    "<![CDATA[a]]>",
};
/* clang-format on */

/* What may be put among the words of a text. */
/* clang-format off */
static const char *const broken[] = {
    "<!-- -->", "<!---->", "<![CDATA[]]>", "<?x?>", "&#32;", " ", "  ", "\n", "\t", "\r\n",
    "&#10;", "&#9;", "&#13;", "&#160;", "&#8203;", "&#8205;", "&#173;", "&#8238;",
    "&#769;", "&#xfeff;", "&#xfe0e;", "<tspan></tspan>", "<tspan/>", "<tspan> </tspan>",
    "&amp;", "a", "</text><text x=\"9\" y=\"9\">", "<tspan font-weight=\"600\"/>",
    "<tspan fill=\"none\">a</tspan>", "<title>a</title>", "<tspan x=\"9\"/>",
    "<tspan dy=\"9\"/>",
};
/* clang-format on */

/* ---- one edit of one line ---- */

typedef struct Part { /* name="value" in a line, its quotes included */
    gsize name, value, end;
} Part;

static GArray *
parts_of(const char *line)
{
    GArray *parts = g_array_new(FALSE, FALSE, sizeof(Part));
    gsize at = *line == '<' ? strcspn(line, " >") : strlen(line);
    while (line[at] == ' ') {
        Part part = {.name = at};
        at += strcspn(line + at, "=>");
        if (line[at] != '=' || (line[at + 1] != '"' && line[at + 1] != '\''))
            break;
        part.value = at + 1;
        const char *end = strchr(line + part.value + 1, line[part.value]);
        if (!end)
            break;
        part.end = (gsize)(end - line) + 1;
        g_array_append_val(parts, part);
        at = part.end;
    }
    return parts;
}

/* A number nearby, or the same in another form. */
static void
other_number(GRand *random, const char *text, GString *out)
{
    static const double steps[] = {0,    0, 0.001,  0.005, 0.01,   0.019,
                                   0.03, 1, -0.001, -0.01, -0.019, 10};
    static const char *const formats[] = {"%.2f", "%.4f",  "%.9f",
                                          "%.3e", "%+.2f", "%.0f"};
    char digits[G_ASCII_DTOSTR_BUF_SIZE];
    double value = g_ascii_strtod(text, NULL) + PICK(random, steps);
    g_string_append(
        out, g_ascii_formatd(digits, sizeof digits, PICK(random, formats), value));
    if (below(random, 8) == 0)
        g_string_append(
            out, PICK(random, ((const char *const[]){"px", "pt", " ", "e0", "."})));
}

static void
append_value(GRand *random, GString *out, const char *value)
{
    char quote = below(random, 8) || strchr(value, '"') ? '\'' : '"';
    if (!strchr(value, '"') && strchr(value, '\''))
        quote = '"';
    g_string_append_c(out, quote);
    g_string_append(out, value);
    g_string_append_c(out, quote);
}

/* Give an attribute of the line another value. */
static void
change_value(GRand *random, GString *line, const Part *part, const char *other)
{
    g_autofree char *old =
        g_strndup(line->str + part->value + 1, part->end - part->value - 2);
    g_autoptr(GString) value = g_string_new(NULL);
    gsize numbers = strcspn(old, "0123456789");
    switch (below(random, 6)) {
    case 0:
        g_string_append(value, PICK(random, values));
        break;
    case 1: /* that of the same attribute somewhere else */
        if (other) {
            g_autofree char *name =
                g_strndup(line->str + part->name + 1, part->value - part->name - 2);
            g_autofree char *theirs = fault_value(other, name);
            g_string_append(value, theirs ? theirs : old);
            break;
        }
        G_GNUC_FALLTHROUGH;
    case 2: /* upper case, spaces */
        g_string_append(value, old);
        if (below(random, 2))
            g_string_ascii_up(value);
        else
            g_string_insert_c(value, (gssize)below(random, (guint)value->len + 1), ' ');
        break;
    default: /* one of its numbers */
        for (guint skip = below(random, 4); skip > 0; skip--) {
            gsize next = numbers + strspn(old + numbers, "0123456789.");
            next += strcspn(old + next, "0123456789");
            numbers = old[next] ? next : numbers;
        }
        if (old[numbers] && !strchr("#&", old[numbers ? numbers - 1 : 0])) {
            gsize end = numbers + strspn(old + numbers, "0123456789.");
            g_autofree char *number = g_strndup(old + numbers, end - numbers);
            g_string_append_len(value, old, (gssize)numbers);
            other_number(random, number, value);
            g_string_append(value, old + end);
        } else {
            g_string_append(value, PICK(random, values));
        }
    }
    g_autoptr(GString) quoted = g_string_new(NULL);
    append_value(random, quoted, value->str);
    g_string_erase(line, (gssize)part->value, (gssize)(part->end - part->value));
    g_string_insert(line, (gssize)part->value, quoted->str);
}

/* Put an attribute's value into the style of its element, or some declaration. */
static void
add_style(GRand *random, GString *line, const GArray *parts)
{
    g_autoptr(GString) style = g_string_new(" style=");
    g_autoptr(GString) value = g_string_new(NULL);
    for (guint n = 1 + below(random, 3); n > 0; n--) {
        if (below(random, 2)) {
            const Part *part = &g_array_index(parts, Part, below(random, parts->len));
            g_string_append_len(value, line->str + part->name + 1,
                                (gssize)(part->value - part->name - 2));
            g_string_append_c(value, ':');
            g_string_append_len(value, line->str + part->value + 1,
                                (gssize)(part->end - part->value - 2));
            if (below(random, 2))
                g_string_append(value, "px");
        } else {
            g_string_append(value, PICK(random, declarations));
        }
        if (n > 1)
            g_string_append_c(value, ';');
    }
    g_string_replace(value, "\"", "&quot;", 0);
    g_string_append_printf(style, "\"%s\"", value->str);
    g_string_insert(line, (gssize)g_array_index(parts, Part, 0).name, style->str);
}

/* Break a text, or put its words into a span. */
static void
change_words(GRand *random, GString *line)
{
    const char *start = strchr(line->str, '>'), *end = g_strrstr(line->str, "</text>");
    if (!start || !end || end <= start)
        return;
    gsize from = (gsize)(start + 1 - line->str), to = (gsize)(end - line->str);
    gsize at = from + below(random, (guint)(to - from) + 1);
    while (at < to && (line->str[at] & 0xc0) == 0x80)
        at++;
    switch (below(random, 4)) {
    case 0: /* the rest in a span */
        g_string_insert(line, (gssize)to, "</tspan>");
        g_string_insert(line, (gssize)at, "<tspan>");
        break;
    case 1: /* a character by its number */
        if (at < to && g_ascii_isalnum(line->str[at])) {
            g_autofree char *code = g_strdup_printf("&#%d;", line->str[at]);
            g_string_erase(line, (gssize)at, 1);
            g_string_insert(line, (gssize)at, code);
        }
        break;
    default:
        g_string_insert(line, (gssize)at, PICK(random, broken));
    }
}

static void
change_line(GRand *random, const Figure *figure, GString *line, const char *other)
{
    g_autoptr(GArray) parts = parts_of(line->str);
    const Part *part =
        parts->len ? &g_array_index(parts, Part, below(random, parts->len)) : NULL;
    switch (below(random, 12)) {
    case 0:
    case 1:
    case 2:
    case 3:
        if (part)
            change_value(random, line, part, other);
        break;
    case 4: /* an attribute dropped */
        if (part)
            g_string_erase(line, (gssize)part->name, (gssize)(part->end - part->name));
        break;
    case 5: /* … or added */
    case 6:
        if (part) {
            gsize at = part->name;
            const char *const *row = more[below(random, G_N_ELEMENTS(more))];
            g_autofree char *text = g_strdup_printf(" %s=\"%s\"", row[0], row[1]);
            g_string_insert(line, (gssize)at, text);
        }
        break;
    case 7:
        if (part)
            add_style(random, line, parts);
        break;
    case 8:
        change_words(random, line);
        break;
    case 9: /* other elements before, behind or around it */
        if (below(random, 4) == 0) {
            g_string_prepend(line, "<g>");
            g_string_append(line, "</g>");
        } else if (below(random, 2)) {
            g_string_prepend(line, PICK(random, elements));
        } else {
            g_string_append(line, PICK(random, elements));
        }
        break;
    case 10: /* the line of another, in its stead or besides */
        if (below(random, 2))
            g_string_truncate(line, 0);
        g_string_append(line, below(random, 4) ? other : line->str);
        break;
    default: {
        g_autofree char *before = g_strdup(line->str);
        g_string_truncate(line, 0);
        fuzz_mutate(random, before, strlen(before), other, strlen(other), line);
    }
    }
}

/* The lines that draw, and the root's. */
static int
some_line(GRand *random, const Figure *figure)
{
    if (below(random, 20) == 0)
        return 2;
    const FigSvgItem *first = figure->leaves->pdata[0];
    int line = first->line + (int)below(random, (guint)(figure->n_lines - first->line));
    for (int i = 0; i < 20 && *figure->lines[line - 1] != '<'; i++)
        line = first->line + (int)below(random, (guint)(figure->n_lines - first->line));
    return line;
}

static void
at_random(Try *try)
{
    const Figure *figure = try->figure;
    for (int i = 0; i < TRIES; i++) {
        if (!fault_turn(try))
            continue;
        g_autoptr(GRand) random =
            g_rand_new_with_seed((guint32)(i + (figure->bare ? TRIES : 0)));
        g_autoptr(GString) what = g_string_new(NULL);
        g_autoptr(GHashTable) done = g_hash_table_new(NULL, NULL);
        for (guint n = below(random, 4) ? 1 : 1 + below(random, 3); n > 0; n--) {
            int line = some_line(random, figure);
            if (!g_hash_table_add(done, GINT_TO_POINTER(line)))
                continue;
            g_autoptr(GString) text = g_string_new(figure->lines[line - 1]);
            const char *other = figure->lines[some_line(random, figure) - 1];
            for (guint k = below(random, 3) ? 1 : 1 + below(random, 3); k > 0; k--)
                change_line(random, figure, text, other);
            fault_set(try, line, text->str);
            g_string_append_printf(what, "%s%d: %s", what->len ? " | " : "", line,
                                   text->str);
        }
        fault_attempt(try, what->str);
    }
}

const Kind fault_random[] = {
    {"at random: what passes has the same pixels", "?", at_random, false},
    {NULL, NULL, NULL, false},
};
