/* SPDX-License-Identifier: MIT
 *
 * Figures that claim to be of another opfig or of other fonts. Such a claim excuses places;
 * made up, it must not excuse what is wrong: a mark moved, a digit changed, an edge led
 * elsewhere are found as ever. Made up and nothing else, it is found where the file
 * contradicts itself.
 */
#include "tests/faults/figures/broken.h"

#include <string.h>

typedef enum Claim {
    CLAIM_FONTS,   /* other fonts */
    CLAIM_VERSION, /* another opfig: in the metadata, the digest and the footer */
    CLAIM_BOTH,
    CLAIMS,
} Claim;

static const char other_digest[] =
    "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

static int
metadata_of(const Figure *figure)
{
    int line = 0;
    while (!g_str_has_prefix(figure->lines[line], "<metadata"))
        line++;
    return line;
}

/* The line of the footer, from 0. */
static int
footer_of(const Figure *figure)
{
    int line = 0;
    while (!strstr(figure->lines[line], ">opfig "))
        line++;
    return line;
}

/* "Inter 3.019 1f2e3d4c; …" with another version and digest of the first family. */
static char *
other_fonts(const Figure *figure)
{
    const char *word = figure->svg->carried.fonts, *end = strchr(word, ';');
    size_t name = strcspn(word, "0123456789");
    return g_strdup_printf("%.*s9.999 00000000%s", (int)name, word, end);
}

static void
claim(Try *try, Claim what)
{
    const Figure *figure = try->figure;
    int line = metadata_of(figure), footer = footer_of(figure);
    g_autofree char *text = g_strdup(figure->lines[line]);
    if (what != CLAIM_VERSION) {
        g_autofree char *fonts = other_fonts(figure);
        char *with = fault_with(text, "data-fonts", fonts);
        g_free(text);
        text = with;
    }
    if (what != CLAIM_FONTS) {
        g_autofree char *version = fault_with(text, "data-opfig", "0.0.9");
        g_autofree char *ours =
            g_strdup_printf(">opfig %s", figure->svg->carried.version);
        g_autoptr(GString) foot = g_string_new(figure->lines[footer]);
        g_string_replace(foot, ours, ">opfig 0.0.9", 1);
        fault_set(try, footer + 1, foot->str);
        g_free(text);
        text = fault_with(version, "data-record", other_digest);
    }
    fault_set(try, line + 1, text);
}

/* ---- the claim alone ---- */

static void
alone(Try *try)
{
    for (int what = 0; what < CLAIMS; what++) {
        if (!fault_turn(try))
            continue;
        claim(try, what);
        fault_attempt(try, "all else as it was");
    }
}

static void
contradicted(Try *try)
{
    const Figure *figure = try->figure;
    int line = metadata_of(figure);
    g_autofree char *version = fault_with(figure->lines[line], "data-opfig", "0.0.9");
    g_autofree char *digest = fault_with(version, "data-record", other_digest);
    if (fault_turn(try)) {
        fault_set(try, line + 1, version);
        fault_attempt(try, "the digest of our own run");
    }
    if (fault_turn(try)) {
        fault_set(try, line + 1, digest);
        fault_attempt(try, "our own version in the footer");
    }
}

/* ---- the claim and something wrong ---- */

static void
moved(Try *try)
{
    static const double way[][2] = {{11, 0}, {-11, 0}, {0, 11}, {0, -11}};
    for (guint i = 0; i < try->figure->groups->len; i++) {
        const FigSvgItem *mark = try->figure->groups->pdata[i];
        for (int what = 0; mark->hint[FIG_HINT_OP] && what < CLAIMS; what++) {
            for (size_t w = 0; w < G_N_ELEMENTS(way); w++) {
                if (!fault_turn(try))
                    continue;
                int last = fault_last_line(mark);
                g_autofree char *lines = fault_lines(try->figure, mark->line, last);
                g_autofree char *there = fault_moved(lines, way[w][0], way[w][1]);
                claim(try, what);
                fault_drop(try, mark->line, last);
                fault_insert(try, mark->line, there);
                fault_attempt(try, mark->hint[FIG_HINT_OP]);
            }
        }
    }
}

/* The text of a line with its first digit one more, or NULL. owns: the caller */
static char *
other_digit(const char *line)
{
    g_autofree char *words = fault_words(line);
    size_t at = words ? strcspn(words, "0123456789") : 0;
    if (!words || !words[at] || strchr(words, '<'))
        return NULL;
    words[at] = words[at] == '9' ? '8' : (char)(words[at] + 1);
    return fault_with_words(line, words);
}

static void
digit(Try *try)
{
    int footer = footer_of(try->figure);
    for (guint i = 0; i < try->figure->leaves->len; i++) {
        const FigSvgItem *text = try->figure->leaves->pdata[i];
        if (text->kind != FIG_ITEM_TEXT || text->line == footer + 1)
            continue;
        g_autofree char *other = other_digit(try->figure->lines[text->line - 1]);
        for (int what = 0; other && what < CLAIMS; what++) {
            if (!fault_turn(try))
                continue;
            claim(try, what);
            fault_set(try, text->line, other);
            fault_expect(try, fault_finding_of(text));
            fault_attempt(try, other);
        }
    }
}

/* The end of an edge set upon another mark: its whole line and head moved there. */
static void
led(Try *try)
{
    g_autoptr(GPtrArray) edges = fault_all(try->figure, FIG_HINT_EDGE);
    g_autoptr(GPtrArray) marks = fault_all(try->figure, FIG_HINT_OP);
    for (guint i = 0; i < edges->len; i++) {
        const FigSvgItem *edge = edges->pdata[i], *line = edge->first;
        const FigSvgItem *mark = marks->pdata[(i * 7 + 3) % marks->len];
        if (!line || line->kind != FIG_ITEM_PATH || line->path.n_points < 2)
            continue;
        const FigBounds *to = &mark->first->bounds;
        const double *start = line->path.points[0];
        double y = (to->top + to->bottom) / 2;
        if (strstr(edge->hint[FIG_HINT_EDGE], mark->hint[FIG_HINT_OP]))
            continue;
        g_autoptr(GString) d = g_string_new("M");
        fault_number(d, start[0]);
        g_string_append_c(d, ' ');
        fault_number(d, start[1]);
        g_string_append_c(d, 'L');
        fault_number(d, to->right);
        g_string_append_c(d, ' ');
        fault_number(d, y);
        g_autofree char *text =
            fault_with(try->figure->lines[line->line - 1], "d", d->str);
        for (int what = 0; what < CLAIMS; what++) {
            if (!fault_turn(try))
                continue;
            claim(try, what);
            fault_set(try, line->line, text);
            fault_attempt(try, text);
        }
    }
}

/* Letters of a label pulled apart, so that a digit no longer stands with its word. */
static void
apart(Try *try)
{
    for (guint i = 0; i < try->figure->leaves->len; i++) {
        const FigSvgItem *text = try->figure->leaves->pdata[i];
        const char *line = try->figure->lines[text->line - 1], *span;
        if (text->kind != FIG_ITEM_TEXT || text->n_spans < 2 ||
            !(span = strstr(line, "<tspan x=\"")))
            continue;
        const char *value = span + strlen("<tspan x=\"");
        g_autoptr(GString) other = g_string_new_len(line, value - line);
        fault_number(other, g_ascii_strtod(value, NULL) + 40);
        g_string_append(other, value + strcspn(value, "\""));
        for (int what = 0; what < CLAIMS; what++) {
            if (!fault_turn(try))
                continue;
            claim(try, what);
            fault_set(try, text->line, other->str);
            fault_attempt(try, other->str);
        }
    }
}

const Kind fault_versions[] = {
    {"versions made up, all else as it was", "", alone, true},
    {"versions made up, which the file contradicts", "record", contradicted, true},
    {"versions made up, a mark moved", "mark", moved, true},
    {"versions made up, a digit changed", NULL, digit, true},
    {"versions made up, an edge led elsewhere", "edge", led, true},
    {"versions made up, letters pulled apart", "hidden", apart, true},
    {NULL, NULL, NULL, false},
};
