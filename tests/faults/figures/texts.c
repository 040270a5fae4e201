/* SPDX-License-Identifier: MIT
 *
 * Faults of texts: each symbol of each shape, each digit, each letter, words at other
 * places, ticks at sentences that have none.
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

/* Put one character in the place of another. */
static void
set_character(Try *try, const FigSvgItem *text, size_t at, char with)
{
    g_autofree char *line = g_strdup(line_of(try, text));
    line[at] = with;
    fault_set(try, text->line, line);
    if (!try->kind->finding)
        fault_expect(try, fault_finding_of(text));
    fault_attempt(try, text->text);
}

/* The next character of a text's line that is seen, from *at on: not in a tag, an escape
 * or a span without ink. */
static bool
next_character(const char *line, size_t *at)
{
    bool tag = false;
    size_t start = *at;
    for (size_t c = 0; line[c]; c++) {
        if (line[c] == '<')
            tag = true;
        if (line[c] == '&')
            c += strcspn(line + c, ";");
        if (g_str_has_prefix(line + c, "<tspan fill=\"none\">"))
            c += strcspn(line + c, "/");
        if (!tag && c >= start && g_ascii_isalnum(line[c])) {
            *at = c;
            return true;
        }
        if (line[c] == '>')
            tag = false;
    }
    return false;
}

/* ---- shapes ---- */

static void
symbols(Try *try)
{
    static const char other[] = "BTCHGhd";
    for (guint i = 0; i < try->figure->leaves->len; i++) {
        const FigSvgItem *text = leaf(try, i);
        if (!text->hint[FIG_HINT_SHAPE])
            continue;
        for (size_t c = 0; next_character(line_of(try, text), &c); c++) {
            char was = line_of(try, text)[c];
            for (size_t o = 0; g_ascii_isalpha(was) && other[o]; o++)
                if (other[o] != was && fault_turn(try))
                    set_character(try, text, c, other[o]);
        }
    }
}

/* ---- characters ---- */

/* Digits (all others) or letters (the next one) of the texts that are under a hint. */
static void
characters(Try *try, bool digits, bool (*chosen)(const FigSvgItem *text))
{
    for (guint i = 0; i < try->figure->leaves->len; i++) {
        const FigSvgItem *text = leaf(try, i);
        if (text->kind != FIG_ITEM_TEXT || !chosen(text))
            continue;
        for (size_t c = 0; next_character(line_of(try, text), &c); c++) {
            char was = line_of(try, text)[c];
            if (g_ascii_isdigit(was) != digits)
                continue;
            for (char with = '0'; digits && with <= '9'; with++)
                if (with != was && fault_turn(try))
                    set_character(try, text, c, with);
            char next = was == 'z' || was == 'Z' ? 'a' : (char)(was + 1);
            if (!digits && fault_turn(try))
                set_character(try, text, c, next);
        }
    }
}

static bool
of_number(const FigSvgItem *text)
{
    return text->hint[FIG_HINT_NUMBER];
}

static bool
of_shape(const FigSvgItem *text)
{
    return text->hint[FIG_HINT_SHAPE];
}

static bool
of_name(const FigSvgItem *text)
{
    return text->hint[FIG_HINT_NAME];
}

static bool
of_mark(const FigSvgItem *text)
{
    return fig_svg_hint(text, FIG_HINT_OP) && !of_number(text);
}

static bool
of_claim(const FigSvgItem *text)
{
    return (fig_svg_hint(text, FIG_HINT_CLAIM) ||
            fig_svg_hint(text, FIG_HINT_CALLOUT)) &&
           !of_number(text);
}

static bool
of_legend(const FigSvgItem *text)
{
    return fig_svg_hint(text, FIG_HINT_LEGEND) && !of_number(text);
}

static bool
of_panel(const FigSvgItem *text)
{
    return fig_svg_hint(text, FIG_HINT_PANEL) && !of_number(text);
}

static bool
of_terminal(const FigSvgItem *text)
{
    return (fig_svg_hint(text, FIG_HINT_INPUT) ||
            fig_svg_hint(text, FIG_HINT_OUTPUT)) &&
           !of_shape(text);
}

static bool
of_words(const FigSvgItem *text)
{
    return fig_svg_hint(text, FIG_HINT_PART) && !of_number(text);
}

#define DIGITS(what)                                                                   \
    static void what##_digits(Try *try)                                                \
    {                                                                                  \
        characters(try, true, of_##what);                                              \
    }
#define LETTERS(what)                                                                  \
    static void what##_letters(Try *try)                                               \
    {                                                                                  \
        characters(try, false, of_##what);                                             \
    }
DIGITS(number)
DIGITS(shape)
DIGITS(mark)
DIGITS(claim)
DIGITS(words)
DIGITS(panel)
LETTERS(mark)
LETTERS(claim)
LETTERS(words)
LETTERS(name)
LETTERS(legend)
LETTERS(panel)
LETTERS(terminal)
#undef DIGITS
#undef LETTERS

/* ---- whole texts ---- */

static void
taken_out(Try *try)
{
    for (guint i = 0; i < try->figure->leaves->len; i++) {
        const FigSvgItem *text = leaf(try, i);
        if (text->kind != FIG_ITEM_TEXT || !fault_turn(try))
            continue;
        fault_drop(try, text->line, text->line);
        fault_expect(try, fault_finding_of(text));
        fault_attempt(try, text->text);
    }
}

static void
moved(Try *try)
{
    static const double way[][2] = {{45, 0},  {-45, 0}, {0, 30},
                                    {0, -30}, {1, 0},   {0, 1}};
    for (guint i = 0; i < try->figure->leaves->len; i++) {
        const FigSvgItem *text = leaf(try, i);
        for (size_t w = 0; w < G_N_ELEMENTS(way) && text->kind == FIG_ITEM_TEXT; w++) {
            if (!fault_turn(try))
                continue;
            g_autofree char *there =
                fault_moved(line_of(try, text), way[w][0], way[w][1]);
            fault_set(try, text->line, there);
            fault_expect(try, fault_finding_of(text));
            fault_attempt(try, text->text);
        }
    }
}

/* Each of two at the other's place. */
static void
exchanged(Try *try, bool (*chosen)(const FigSvgItem *text))
{
    for (guint a = 0; a < try->figure->leaves->len; a++) {
        for (guint b = a + 1; b < try->figure->leaves->len; b++) {
            const FigSvgItem *x = leaf(try, a), *y = leaf(try, b);
            if (x->kind != FIG_ITEM_TEXT || y->kind != FIG_ITEM_TEXT || !chosen(x) ||
                !chosen(y) || strcmp(x->text, y->text) == 0 || !fault_turn(try))
                continue;
            double dx = y->bounds.left - x->bounds.left;
            double dy = y->spans[0].y - x->spans[0].y;
            g_autofree char *to = fault_moved(line_of(try, x), dx, dy);
            g_autofree char *back = fault_moved(line_of(try, y), -dx, -dy);
            fault_set(try, x->line, to);
            fault_set(try, y->line, back);
            fault_attempt(try, x->text);
        }
    }
}

static void
shapes_exchanged(Try *try)
{
    exchanged(try, of_shape);
}

static void
names_exchanged(Try *try)
{
    exchanged(try, of_name);
}

static void
numbers_exchanged(Try *try)
{
    exchanged(try, of_number);
}

static void
claims_exchanged(Try *try)
{
    exchanged(try, of_claim);
}

/* ---- ticks ---- */

static const FigSvgItem *
tick_of(const FigSvgItem *claim)
{
    return claim->first->kind == FIG_ITEM_PATH ? claim->first : NULL;
}

static void
ticks_forged(Try *try)
{
    const FigSvgItem *claim = fault_find(try->figure, FIG_HINT_CLAIM, NULL);
    const FigSvgItem *tick = claim ? tick_of(claim) : NULL;
    if (!tick)
        return;
    double dx = tick->bounds.left - claim->first->next->bounds.left;
    double dy = tick->bounds.top - claim->first->next->spans[0].y;
    for (guint i = 0; i < try->figure->leaves->len; i++) {
        const FigSvgItem *text = leaf(try, i);
        if (text->kind != FIG_ITEM_TEXT || !fault_turn(try))
            continue;
        g_autofree char *forged =
            fault_moved(line_of(try, tick), text->bounds.left + dx - tick->bounds.left,
                        text->spans[0].y + dy - tick->bounds.top);
        fault_insert(try, text->line + 1, forged);
        fault_attempt(try, text->text);
    }
}

static void
ticks_gone(Try *try)
{
    g_autoptr(GPtrArray) claims = fault_all(try->figure, FIG_HINT_CLAIM);
    for (guint i = 0; i < claims->len; i++) {
        const FigSvgItem *tick = tick_of(claims->pdata[i]);
        if (!tick || !fault_turn(try))
            continue;
        fault_drop(try, tick->line, tick->line);
        fault_attempt(try,
                      ((const FigSvgItem *)claims->pdata[i])->hint[FIG_HINT_CLAIM]);
    }
}

/* A sentence that nobody checked, without saying so. */
static void
unchecked_gone(Try *try)
{
    for (guint i = 0; i < try->figure->leaves->len; i++) {
        const FigSvgItem *text = leaf(try, i);
        if (text->kind != FIG_ITEM_TEXT ||
            !strstr(line_of(try, text), " (unchecked)") || !fault_turn(try))
            continue;
        g_autoptr(GString) line = g_string_new(line_of(try, text));
        g_string_replace(line, " (unchecked)", "", 0);
        fault_set(try, text->line, line->str);
        fault_attempt(try, text->text);
    }
}

/* The line that leads from a bar to words away from it, or NULL. */
static const FigSvgItem *
leader_of(const FigSvgItem *callout)
{
    const FigSvgItem *bar = callout->first, *line = bar ? bar->next : NULL;
    return line && line->kind == FIG_ITEM_PATH ? line : NULL;
}

/* Words that nothing leads to, or a line that leads from elsewhere, or to elsewhere. */
static void
leaders(Try *try)
{
    static const double places[][2] = {{0, 0}, {0, 14}, {0, -14}, {14, 0}, {-14, 0}};
    g_autoptr(GPtrArray) callouts = fault_all(try->figure, FIG_HINT_CALLOUT);
    for (guint i = 0; i < callouts->len; i++) {
        const FigSvgItem *callout = callouts->pdata[i], *line = leader_of(callout);
        for (size_t p = 0; line && p < G_N_ELEMENTS(places); p++) {
            if (!fault_turn(try))
                continue;
            if (p == 0) {
                fault_drop(try, line->line, line->line);
            } else {
                g_autofree char *moved =
                    fault_moved(line_of(try, line), places[p][0], places[p][1]);
                fault_set(try, line->line, moved);
            }
            fault_attempt(try, callout->hint[FIG_HINT_CALLOUT]);
        }
    }
}

/* Words that nobody wrote, at the foot of the page. */
static void
made_up(Try *try)
{
    static const struct {
        const char *words, *finding;
    } rows[] = {{"Proved by the authors.", "drawing"},
                {"42", "drawing"},
                {"(B, T, C)", "shape"}, /* whose, is asked of each */
                {"q", "drawing"},
                {"checked", "drawing"},
                {"OLMo 3", "drawing"}};
    const FigSvgItem *title = leaf(try, 0); /* in whose ink they are written */
    for (guint i = 0; title->kind != FIG_ITEM_TEXT; i++)
        title = leaf(try, i);
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        for (int place = 0; place < 4; place++) {
            if (!fault_turn(try))
                continue;
            g_autofree char *line = g_strdup_printf(
                "<text x=\"%d\" y=\"%d\" fill=\"%s\" font-size=\"7\">%s</text>",
                12 + 90 * (place % 2),
                place < 2 ? 40 : (int)try->figure->svg->height - 60, title->look.fill,
                rows[i].words);
            fault_insert(try, try->figure->n_lines - 1, line);
            fault_expect(try, rows[i].finding);
            fault_attempt(try, rows[i].words);
        }
    }
}

const Kind fault_texts[] = {
    {"shape: another symbol", "shape", symbols, false},
    {"shape: another digit", "shape", shape_digits, false},
    {"number: another digit", "number", number_digits, false},
    {"mark: another digit", NULL, mark_digits, false},
    {"mark: another letter", "label", mark_letters, false},
    {"name: another letter", "name", name_letters, false},
    {"claim: another digit", "claim", claim_digits, false},
    {"claim: another letter", "claim", claim_letters, false},
    {"legend: another letter", "legend", legend_letters, false},
    {"panel: another digit", "panel", panel_digits, false},
    {"panel: another letter", "panel", panel_letters, false},
    {"input or output: another letter", "text", terminal_letters, false},
    {"words: another digit", "text", words_digits, false},
    {"words: another letter", "text", words_letters, false},
    {"text taken out", NULL, taken_out, false},
    {"text moved", NULL, moved, false},
    {"shapes exchanged", "shape", shapes_exchanged, false},
    {"names exchanged", "name", names_exchanged, false},
    {"numbers exchanged", "number", numbers_exchanged, false},
    {"sentences exchanged", "claim", claims_exchanged, false},
    {"tick forged", "claim", ticks_forged, false},
    {"tick gone", "claim", ticks_gone, false},
    {"“unchecked” gone", "text", unchecked_gone, false},
    {"leader gone or moved", "claim", leaders, false},
    {"words made up", NULL, made_up, false},
    {NULL, NULL, NULL, false},
};
