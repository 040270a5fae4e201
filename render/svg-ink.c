/* SPDX-License-Identifier: MIT
 *
 * Presentation attributes, inherited as far as it pays. A figure is a hundred boxes and
 * arrows of few kinds, and naming font and colour at each would be half of the file; so
 * a group states, for each attribute, the value that most leaves below it want, if that
 * saves anything, and a leaf states what differs from what it inherits.
 *
 * Two inks that look alike on white paper but not on dark are spelled differently
 * (#abc, #aabbcc, rgb(…)), so that a rule for the dark page can select by the attribute.
 */
#include "render/svg-ink.h"

#include "base/num.h"
#include "base/xml.h"

#include <string.h>

static const char *const attribute_name[FIG_SVG_ATTRIBUTES] = {
    [FIG_SVG_FILL] = "fill",
    [FIG_SVG_STROKE] = "stroke",
    [FIG_SVG_STROKE_WIDTH] = "stroke-width",
    [FIG_SVG_LINECAP] = "stroke-linecap",
    [FIG_SVG_FAMILY] = "font-family",
    [FIG_SVG_SIZE] = "font-size",
    [FIG_SVG_WEIGHT] = "font-weight",
    [FIG_SVG_STYLE] = "font-style",
};

struct FigSvgInks {
    const FigScene *scene;
    GStringChunk *chunk;
    const char *colour[FIG_INKS];
};

static const char *
intern(FigSvgInks *inks, const char *text)
{
    return g_string_chunk_insert_const(inks->chunk, text);
}

static const char *
intern_number(FigSvgInks *inks, double value, int decimals)
{
    g_autoptr(GString) text = g_string_new(NULL);
    fig_num_fixed(text, value, decimals);
    return intern(inks, text->str);
}

static bool
same_colour(FigColour a, FigColour b)
{
    return a.r == b.r && a.g == b.g && a.b == b.b;
}

/* The spellings of a colour, shortest first; NULL when there are no more. */
static char *
spell(FigColour c, int spelling)
{
    bool is_short = c.r % 17 == 0 && c.g % 17 == 0 && c.b % 17 == 0;
    switch (is_short ? spelling : spelling + 1) {
    case 0:
        return g_strdup_printf("#%x%x%x", c.r / 17u, c.g / 17u, c.b / 17u);
    case 1:
        return g_strdup_printf("#%02x%02x%02x", c.r, c.g, c.b);
    case 2:
        return g_strdup_printf("rgb(%u,%u,%u)", c.r, c.g, c.b);
    case 3:
        return g_strdup_printf("rgb(%u, %u, %u)", c.r, c.g, c.b);
    default:
        return NULL;
    }
}

static const char *
spell_apart(FigSvgInks *inks, FigInk ink)
{
    const FigScene *scene = inks->scene;
    for (int spelling = 0;; spelling++) {
        g_autofree char *text = spell(scene->palette[ink], spelling);
        if (!text) { /* more alike than there are spellings: the first rule holds */
            text = spell(scene->palette[ink], 0);
            return intern(inks, text);
        }
        bool taken = false;
        for (int other = FIG_INK_PAPER; other < (int)ink; other++)
            taken |= strcmp(inks->colour[other], text) == 0 &&
                     !same_colour(scene->dark[other], scene->dark[ink]);
        if (!taken)
            return intern(inks, text);
    }
}

FigSvgInks *
fig_svg_inks_new(const FigScene *scene)
{
    FigSvgInks *inks = g_new0(FigSvgInks, 1);
    inks->scene = scene;
    inks->chunk = g_string_chunk_new(1024);
    inks->colour[FIG_INK_NONE] = intern(inks, "none");
    for (int ink = FIG_INK_PAPER; ink < FIG_INKS; ink++) {
        if (scene->has_dark) {
            inks->colour[ink] = spell_apart(inks, (FigInk)ink);
        } else {
            g_autofree char *text = spell(scene->palette[ink], 0);
            inks->colour[ink] = intern(inks, text);
        }
    }
    return inks;
}

void
fig_svg_inks_free(FigSvgInks *inks)
{
    if (!inks)
        return;
    g_string_chunk_free(inks->chunk);
    g_free(inks);
}

FigSvgInk
fig_svg_ink_initial(FigSvgInks *inks)
{
    FigSvgInk ink = {{0}};
    /* fill is always stated: a rule for the dark page selects by the attribute */
    ink.value[FIG_SVG_STROKE] = intern(inks, "none");
    ink.value[FIG_SVG_STROKE_WIDTH] = intern(inks, "1");
    ink.value[FIG_SVG_LINECAP] = intern(inks, "butt");
    ink.value[FIG_SVG_WEIGHT] = intern(inks, "400");
    ink.value[FIG_SVG_STYLE] = intern(inks, "normal");
    return ink;
}

FigSvgInk
fig_svg_ink_shape(FigSvgInks *inks, const FigItem *item)
{
    FigSvgInk ink = {{0}};
    ink.value[FIG_SVG_FILL] = inks->colour[item->fill];
    ink.value[FIG_SVG_STROKE] = inks->colour[item->stroke];
    if (item->stroke != FIG_INK_NONE) {
        ink.value[FIG_SVG_STROKE_WIDTH] = intern_number(inks, item->stroke_width, 3);
        if (item->kind == FIG_ITEM_PATH)
            ink.value[FIG_SVG_LINECAP] =
                intern(inks, item->round_caps ? "round" : "butt");
    }
    return ink;
}

FigSvgInk
fig_svg_ink_outline(FigSvgInks *inks, const FigItem *text)
{
    FigSvgInk ink = {{0}};
    ink.value[FIG_SVG_FILL] = inks->colour[text->fill];
    ink.value[FIG_SVG_STROKE] = inks->colour[FIG_INK_NONE];
    return ink;
}

FigSvgInk
fig_svg_ink_run(FigSvgInks *inks, const FigItem *text, const FigTextRun *run)
{
    FigSvgInk ink = fig_svg_ink_outline(inks, text);
    g_autofree char *weight = g_strdup_printf("%d", fig_font_weight(run->font));
    if (run->ghost)
        ink.value[FIG_SVG_FILL] = inks->colour[FIG_INK_NONE];
    ink.value[FIG_SVG_FAMILY] = intern(inks, fig_font_css_family(run->font));
    ink.value[FIG_SVG_SIZE] = intern_number(inks, run->size, 2);
    ink.value[FIG_SVG_WEIGHT] = intern(inks, weight);
    ink.value[FIG_SVG_STYLE] =
        intern(inks, fig_font_italic(run->font) ? "italic" : "normal");
    return ink;
}

/* ---- what a group states ---- */

typedef struct Counts {
    GHashTable *of[FIG_SVG_ATTRIBUTES]; /* value → number of leaves that want it */
} Counts;

static void
count(Counts *counts, const FigSvgInk *ink)
{
    for (int a = 0; a < FIG_SVG_ATTRIBUTES; a++) {
        if (!ink->value[a])
            continue;
        gpointer key = (gpointer)ink->value[a];
        int n = GPOINTER_TO_INT(g_hash_table_lookup(counts->of[a], key));
        g_hash_table_insert(counts->of[a], key, GINT_TO_POINTER(n + 1));
    }
}

/* A text states a value once, however many of its runs want it. */
static void
count_text(FigSvgInks *inks, Counts *counts, const FigItem *item)
{
    const FigTextBox *box = item->text;
    /* those that say something new: few, also of a text of very many runs */
    g_autofree FigSvgInk *said = g_new(FigSvgInk, (gsize)box->n_runs + 1);
    int n = 0;
    for (int i = 0; i < box->n_runs; i++) {
        if (box->runs[i].ghost)
            continue;
        FigSvgInk ink = fig_svg_ink_run(inks, item, &box->runs[i]), fresh = ink;
        bool any = false;
        for (int k = 0; k < n; k++)
            for (int a = 0; a < FIG_SVG_ATTRIBUTES; a++)
                if (said[k].value[a] == ink.value[a])
                    fresh.value[a] = NULL;
        for (int a = 0; a < FIG_SVG_ATTRIBUTES; a++)
            any = any || fresh.value[a];
        if (any)
            said[n++] = ink;
        count(counts, &fresh);
    }
}

static void
count_item(FigSvgInks *inks, Counts *counts, const FigItem *item)
{
    FigSvgInk ink;
    switch (item->kind) {
    case FIG_ITEM_GROUP:
        for (const FigItem *child = item->first; child; child = child->next)
            count_item(inks, counts, child);
        break;
    case FIG_ITEM_RECT:
    case FIG_ITEM_PATH:
        ink = fig_svg_ink_shape(inks, item);
        count(counts, &ink);
        break;
    case FIG_ITEM_TEXT:
        if (inks->scene->text_mode == FIG_TEXT_OUTLINE) {
            ink = fig_svg_ink_outline(inks, item);
            count(counts, &ink);
            break;
        }
        count_text(inks, counts, item);
        break;
    }
}

/* The value wanted most; of equally wanted ones the first in the alphabet, for the order
 * of a hash table means nothing. */
static const char *
most(GHashTable *counts, int *n)
{
    GHashTableIter iter;
    gpointer key, value;
    const char *best = NULL;
    *n = 0;
    g_hash_table_iter_init(&iter, counts);
    while (g_hash_table_iter_next(&iter, &key, &value)) {
        int wanted = GPOINTER_TO_INT(value);
        if (wanted > *n || (wanted == *n && strcmp(key, best) < 0)) {
            best = key;
            *n = wanted;
        }
    }
    return best;
}

/* Bytes to write the attributes in which wanted differs from around. */
static size_t
cost(const FigSvgInk *wanted, const FigSvgInk *around)
{
    size_t bytes = 0;
    for (int a = 0; a < FIG_SVG_ATTRIBUTES; a++)
        if (wanted->value[a] && wanted->value[a] != around->value[a])
            bytes += strlen(attribute_name[a]) + strlen(wanted->value[a]) + 4;
    return bytes;
}

/* A text states the look of that run which makes the whole text shortest: looks of fonts
 * come together (italic is roman, digits are math). */
static FigSvgInk
common_of_text(FigSvgInks *inks, const FigItem *item, const FigSvgInk *around)
{
    const FigTextBox *box = item->text;
    FigSvgInk best = *around;
    size_t least = SIZE_MAX;
    for (int c = 0; c < box->n_runs; c++) {
        if (box->runs[c].ghost)
            continue;
        FigSvgInk chosen = fig_svg_ink_run(inks, item, &box->runs[c]);
        size_t bytes = cost(&chosen, around);
        for (int a = 0; a < FIG_SVG_ATTRIBUTES; a++)
            if (!chosen.value[a])
                chosen.value[a] = around->value[a];
        for (int i = 0; i < box->n_runs; i++) {
            FigSvgInk run = fig_svg_ink_run(inks, item, &box->runs[i]);
            if (!box->runs[i].ghost)
                bytes += cost(&run, &chosen);
        }
        if (bytes < least) {
            least = bytes;
            best = chosen;
        }
    }
    return best;
}

FigSvgInk
fig_svg_ink_common(FigSvgInks *inks, const FigItem *item, const FigSvgInk *around)
{
    enum { LEAST = 2 }; /* leaves that make it worth it */
    Counts counts;
    FigSvgInk common = *around;

    if (item->kind == FIG_ITEM_TEXT)
        return common_of_text(inks, item, around);
    for (int a = 0; a < FIG_SVG_ATTRIBUTES; a++)
        counts.of[a] = g_hash_table_new(NULL, NULL);
    count_item(inks, &counts, item);
    for (int a = 0; a < FIG_SVG_ATTRIBUTES; a++) {
        int n;
        const char *value = most(counts.of[a], &n);
        int kept =
            around->value[a]
                ? GPOINTER_TO_INT(g_hash_table_lookup(counts.of[a], around->value[a]))
                : 0;
        if (value && n - kept >= LEAST)
            common.value[a] = value;
        g_hash_table_unref(counts.of[a]);
    }
    return common;
}

void
fig_svg_ink_write(GString *out, const FigSvgInk *wanted, FigSvgInk *around)
{
    for (int a = 0; a < FIG_SVG_ATTRIBUTES; a++) {
        if (!wanted->value[a] || wanted->value[a] == around->value[a])
            continue;
        g_string_append_printf(out, " %s=\"", attribute_name[a]);
        fig_escape_text(out, wanted->value[a]);
        g_string_append_c(out, '"');
        around->value[a] = wanted->value[a];
    }
}

void
fig_svg_inks_dark(FigSvgInks *inks, const char *id, GString *out)
{
    const FigScene *scene = inks->scene;
    g_autoptr(GHashTable) done = g_hash_table_new(NULL, NULL);

    g_string_append(out, "@media (prefers-color-scheme:dark){");
    for (int ink = FIG_INK_PAPER; ink < FIG_INKS; ink++) {
        if (!g_hash_table_add(done, (gpointer)inks->colour[ink]))
            continue;
        g_autofree char *dark = spell(scene->dark[ink], 0);
        g_string_append_printf(out, "\n#%s [fill=\"%s\"]{fill:%s}", id,
                               inks->colour[ink], dark);
        g_string_append_printf(out, "#%s [stroke=\"%s\"]{stroke:%s}", id,
                               inks->colour[ink], dark);
    }
    g_string_append(out, "\n}");
}
