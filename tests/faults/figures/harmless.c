/* SPDX-License-Identifier: MIT
 *
 * Edits without meaning, as other programs and people make them: none may raise an alarm.
 */
#include "tests/faults/figures/broken.h"

#include <string.h>

static char *
text_of(const Try *try)
{
    return fault_lines(try->figure, 1, try->figure->n_lines);
}

/* The whole text with each match of a pattern replaced. */
static void
rewritten(Try *try, const char *pattern, const char *with, const char *what)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GRegex) regex = g_regex_new(pattern, G_REGEX_MULTILINE, 0, &error);
    g_assert_no_error(error);
    if (!fault_turn(try))
        return;
    g_autofree char *text = text_of(try);
    g_autofree char *other = g_regex_replace(regex, text, -1, 0, with, 0, &error);
    g_assert_no_error(error);
    if (strcmp(text, other) != 0) /* there are figures without that */
        fault_attempt_text(try, other, what);
}

/* Rewritings of the whole file. */
static void
whole(Try *try)
{
    static const char *const rows[][2] = {
        {"^<\\?xml[^\\n]*\\n", ""},
        {"<(rect|path|text|g|tspan) ", "<\\1   "},
        {"<(rect|path) ", "<\\1\\n  "},
        {"\"/>", "\" />"},
        {"<(rect|path)( [^>]*)/>", "<\\1\\2></\\1>"},
        {"#fff\"", "#ffffff\""},
        {"#fff\"", "#FFF\""},
        {"#fff\"", "rgb(255,255,255)\""},
        {"^<g data-edge", "<!-- an edge -->\\n<g data-edge"},
        {"^<(rect|path) ", "    <\\1 "},
        {"(\\d)L", "\\1 L "},
        {"M(\\S+) (\\S+?)L", "M\\1,\\2L"},
        {"Z\"", " Z\""},
        {"width=\"396\"", "width=\"396.0\""},
        {"x=\"(\\d+)\"", "x=\"\\1.00\""},
        {"ops", "&#111;ps"},
        {"matmul ", "mat&#x6d;ul "},
        {"<rect x=(\"[^\"]*\") y=(\"[^\"]*\")", "<rect y=\\2 x=\\1"},
        {"<text x=(\"[^\"]*\") y=(\"[^\"]*\")", "<text y=\\2 x=\\1"},
        {"<path d=(\"[^\"]*\") ([^>]*)/>", "<path \\2 d=\\1/>"},
        {" fill=\"([^\"]*)\"", " fill='\\1'"},
        {"</svg>\\n", "</svg>\\n\\n<!-- end -->\\n"},
        {"\\n", "\\r\\n"},
        {"^</g>$", "\\n</g>"},
    };
    for (size_t r = 0; r < G_N_ELEMENTS(rows); r++) {
        if (try->figure->bare && strstr(rows[r][0], "data-"))
            continue;
        if (*rows[r][0] == '#' && try->figure->svg->style) /* rules go by the letters */
            continue;
        if (r == 22 &&
            !try->figure->bare) /* line ends of the spec inside are the spec's */
            continue;
        rewritten(try, rows[r][0], rows[r][1], rows[r][0]);
    }
}

/* Another prefix of all ids. */
static void
prefix(Try *try)
{
    g_autofree char *id = fault_value(try->figure->lines[1], "id");
    if (!id)
        return;
    static const char *const others[] = {"a", "figure-7", "olmo2-block-1"};
    for (size_t i = 0; i < G_N_ELEMENTS(others); i++) {
        if (!fault_turn(try))
            continue;
        g_autofree char *text = text_of(try);
        g_autoptr(GString) out = g_string_new(text);
        g_autofree char *whole_id = g_strdup_printf(" id=\"%s\"", id);
        g_autofree char *part = g_strdup_printf("\"%s.", id);
        g_autofree char *after = g_strdup_printf(" %s..", id);
        g_autofree char *new_id = g_strdup_printf(" id=\"%s\"", others[i]);
        g_autofree char *new_part = g_strdup_printf("\"%s.", others[i]);
        g_autofree char *new_after = g_strdup_printf(" %s..", others[i]);
        g_string_replace(out, whole_id, new_id, 0);
        g_string_replace(out, part, new_part, 0);
        g_string_replace(out, after, new_after, 0);
        g_autofree char *rule = g_strdup_printf("#%s [", id);
        g_autofree char *new_rule = g_strdup_printf("#%s [", others[i]);
        g_string_replace(out, rule, new_rule, 0);
        fault_attempt_text(try, out->str, others[i]);
    }
}

/* A point on a straight piece of a line says nothing new. */
static void
equal_path(Try *try)
{
    g_autoptr(GPtrArray) edges = fault_all(try->figure, FIG_HINT_EDGE);
    for (guint e = 0; e < edges->len; e++) {
        const FigSvgItem *line = ((const FigSvgItem *)edges->pdata[e])->first;
        g_autofree char *data = fault_value(try->figure->lines[line->line - 1], "d");
        const double *a = line->path.points[0], *b = line->path.points[1];
        if (!fault_turn(try))
            continue;
        g_autoptr(GString) d = g_string_new(NULL);
        const char *rest = strchr(data, 'L');
        g_string_append_len(d, data, rest - data);
        g_string_append_c(d, 'L');
        fault_number(d, (a[0] + b[0]) / 2);
        g_string_append_c(d, ' ');
        fault_number(d, (a[1] + b[1]) / 2);
        g_string_append(d, rest);
        g_autofree char *text =
            fault_with(try->figure->lines[line->line - 1], "d", d->str);
        fault_set(try, line->line, text);
        fault_attempt(try, text);
    }
}

/* An equal number in another form that SVG has. */
static char *
other_number(const char *text, int form)
{
    double value = g_ascii_strtod(text, NULL);
    char digits[G_ASCII_DTOSTR_BUF_SIZE];
    switch (form % 5) {
    case 0:
        return g_strdup(g_ascii_formatd(digits, sizeof digits, "%.9e", value));
    case 1:
        return g_strdup_printf("%s%sE+0", *text == '-' ? "" : "+", text);
    case 2:
        return g_strdup_printf("%s0%s", *text == '-' ? "-" : "", text + (*text == '-'));
    case 3:
        return g_strdup_printf("%s%s", text, strchr(text, '.') ? "0000" : ".0");
    default:
        return g_strdup_printf(
            "%se1", g_ascii_formatd(digits, sizeof digits, "%.9f", value / 10));
    }
}

/* Each number of each element in some other form; lengths also in px. */
static void
numbers(Try *try)
{
    static const char *const names[] = {
        "x", "y", "width", "height", "rx", "font-size", "stroke-width", "font-weight"};
    int form = 0;
    for (int n = 3; n <= try->figure->n_lines; n++) {
        const char *line = try->figure->lines[n - 1];
        bool element =
            g_str_has_prefix(line, "<rect") || g_str_has_prefix(line, "<g") ||
            g_str_has_prefix(line, "<path") || g_str_has_prefix(line, "<text");
        for (size_t i = 0; element && i < G_N_ELEMENTS(names); i++) {
            g_autofree char *value = fault_value(line, names[i]);
            if (!value || !fault_turn(try))
                continue;
            bool length = strcmp(names[i], "font-weight") != 0;
            g_autofree char *other =
                !length         ? g_strdup_printf("%s%s", form % 2 ? "+" : "0", value)
                : form % 6 == 5 ? g_strdup_printf("%spx", value)
                                : other_number(value, form % 6);
            g_autofree char *text = fault_with(line, names[i], other);
            form++;
            fault_set(try, n, text);
            fault_attempt(try, text);
        }
        g_autofree char *dash = element ? fault_value(line, "stroke-dasharray") : NULL;
        if (dash && fault_turn(try)) {
            g_autofree char *other = g_strdup_printf("%s,%s", dash, dash);
            g_autofree char *text =
                fault_with(line, "stroke-dasharray", g_strdelimit(other, " ", ','));
            fault_set(try, n, text);
            fault_attempt(try, text);
        }
    }
}

/* The page in px or in inches, in millimetres to a hundredth. */
static void
page_units(Try *try)
{
    static const struct {
        const char *unit;
        double points;
    } rows[] = {{"px", 0.75}, {"", 0.75}, {"in", 72}, {"pc", 12}, {"mm", 72 / 25.4}};
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        if (!fault_turn(try))
            continue;
        g_autofree char *line = g_strdup(try->figure->lines[1]);
        for (int k = 0; k < 2; k++) {
            const char *name = k ? "height" : "width";
            char digits[G_ASCII_DTOSTR_BUF_SIZE];
            double size = k ? try->figure->svg->height : try->figure->svg->width;
            g_autofree char *value = g_strdup_printf(
                "%s%s",
                g_ascii_formatd(digits, sizeof digits, i == 4 ? "%.2f" : "%.9f",
                                size / rows[i].points),
                rows[i].unit);
            char *with = fault_with(line, name, value);
            g_free(line);
            line = with;
        }
        fault_set(try, 2, line);
        fault_attempt(try, line);
    }
}

/* A path by relative commands, by H and V, or without letters that may be left out. */
static void
rewritten_path(GString *d, const FigPath *path, int form)
{
    bool relative = form % 2 == 0, shortened = form % 3 == 0;
    double at[2] = {0, 0}, first[2] = {0, 0};
    const double(*p)[2] = path->points;
    FigPathVerb before = FIG_CLOSE;
    for (int v = 0; v < path->n_verbs; v++) {
        FigPathVerb verb = path->verbs[v];
        int n = verb == FIG_CLOSE ? 0 : verb == FIG_CURVE ? 3 : 1;
        int axis = verb == FIG_LINE && p[0][0] == at[0];
        bool straight = shortened && verb == FIG_LINE && p[0][1 - axis] == at[1 - axis];
        bool again = !shortened && verb == before && verb != FIG_MOVE && n > 0;
        char letter = straight ? (axis ? 'V' : 'H') : "MLCZ"[verb];
        if (!again)
            g_string_append_c(d, relative ? g_ascii_tolower(letter) : letter);
        for (int i = 0; i < n; i++)
            for (int k = 0; k < 2; k++) {
                char digits[G_ASCII_DTOSTR_BUF_SIZE];
                if (straight && k != axis)
                    continue;
                g_string_append_c(d,
                                  again || i > 0 || (k > 0 && !straight) ? ',' : ' ');
                again = false;
                g_string_append(d, g_ascii_formatd(digits, sizeof digits, "%.9f",
                                                   p[i][k] - (relative ? at[k] : 0)));
            }
        if (n > 0)
            memcpy(at, p[n - 1], sizeof at);
        if (verb == FIG_MOVE)
            memcpy(first, at, sizeof first);
        if (verb == FIG_CLOSE)
            memcpy(at, first, sizeof at);
        before = straight ? FIG_CLOSE : verb;
        p += n;
    }
}

static void
paths(Try *try)
{
    for (guint i = 0; i < try->figure->leaves->len; i++) {
        const FigSvgItem *item = try->figure->leaves->pdata[i];
        if (item->kind != FIG_ITEM_PATH || !fault_turn(try))
            continue;
        g_autoptr(GString) d = g_string_new(NULL);
        rewritten_path(d, &item->path, (int)i);
        g_autofree char *text =
            fault_with(try->figure->lines[item->line - 1], "d", d->str);
        fault_set(try, item->line, text);
        fault_attempt(try, text);
    }
}

/* What a viewer takes for granted, left out; white space kept by each text for itself. */
static void
shortened(Try *try)
{
    static const char *const names[] = {"role", "aria-labelledby", "text-anchor"};
    const char *root = try->figure->lines[1];
    for (size_t n = 0; n < G_N_ELEMENTS(names); n++) {
        g_autofree char *value = fault_value(root, names[n]);
        if (!value || !fault_turn(try))
            continue;
        g_autofree char *line = fault_without(root, names[n]);
        fault_set(try, 2, line);
        fault_attempt(try, line);
    }
    if (fault_turn(try)) {
        g_autofree char *more =
            fault_with(root, "xmlns:xlink", "http://www.w3.org/1999/xlink");
        fault_set(try, 2, more);
        fault_attempt(try, more);
    }
    if (!fault_turn(try))
        return;
    g_autofree char *line = fault_without(root, "xml:space");
    fault_set(try, 2, line);
    for (guint i = 0; i < try->figure->leaves->len; i++) {
        const FigSvgItem *item = try->figure->leaves->pdata[i];
        if (item->kind != FIG_ITEM_TEXT)
            continue;
        g_autofree char *text =
            fault_with(try->figure->lines[item->line - 1], "xml:space", "preserve");
        fault_set(try, item->line, text);
    }
    fault_attempt(try, line);
}

/* An element put into a group of its own; a look that its group gives said again. */
static void
regrouped(Try *try)
{
    for (guint i = 0; i < try->figure->leaves->len; i++) {
        const FigSvgItem *item = try->figure->leaves->pdata[i];
        const char *line = try->figure->lines[item->line - 1];
        if (fault_turn(try)) {
            g_autofree char *text = g_strdup_printf("<g>\n%s\n</g>\n", line);
            fault_set(try, item->line, text);
            fault_attempt(try, text);
        }
        if (item->kind != FIG_ITEM_TEXT && fault_turn(try)) {
            g_autofree char *text = fault_with(line, "fill", item->look.fill);
            g_autofree char *more = fault_with(text, "stroke", item->look.stroke);
            fault_set(try, item->line, more);
            fault_attempt(try, more);
        }
    }
}

/* A coordinate off by less than a printer shows. */
static void
rounded(Try *try)
{
    for (guint i = 1; i < try->figure->leaves->len; i++) {
        const FigSvgItem *item = try->figure->leaves->pdata[i];
        if (!fault_turn(try))
            continue;
        g_autofree char *line =
            fault_moved(try->figure->lines[item->line - 1], 0.01, -0.01);
        fault_set(try, item->line, line);
        fault_attempt(try, line);
    }
}

const Kind fault_harmless[] = {
    {"written otherwise: white space, order, colours, escapes", "", whole, false},
    {"another prefix of ids", "", prefix, true},
    {"an equal path", "", equal_path, false},
    {"numbers written otherwise", "", numbers, false},
    {"the page in another unit", "", page_units, false},
    {"paths written otherwise", "", paths, false},
    {"attributes that change nothing, left out", "", shortened, false},
    {"grouped otherwise", "", regrouped, false},
    {"rounded otherwise", "", rounded, false},
    {NULL, NULL, NULL, false},
};
