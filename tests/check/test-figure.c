/* SPDX-License-Identifier: MIT
 *
 * The proof of a figure on the real block: a real.svg figure has no finding, also without
 * its hints; every edit that changes what it says is named; edits without meaning are
 * not.
 */
#include "base/num.h"
#include "tests/check/real-figure.h"

#include <math.h>
#include <string.h>

static void
expect_sound(const char *text, bool with_fresh)
{
    FigFigureReport *report = real_check(text, with_fresh);
    g_autofree char *all = real_findings(report);
    g_assert_cmpstr(all, ==, "");
    fig_figure_report_free(report);
}

/* A finding of that kind whose words hold all the given ones. */
static bool
has(const FigFigureReport *report, const char *kind, const char *first,
    const char *second)
{
    for (int i = 0; i < report->n_findings; i++) {
        const FigFinding *f = &report->findings[i];
        g_autofree char *words = g_strconcat(f->says, " | ", f->did, NULL);
        if (strcmp(f->kind, kind) == 0 && strstr(words, first) && strstr(words, second))
            return true;
    }
    return false;
}

static void
expect_in(const char *text, bool with_fresh, const char *kind, const char *first,
          const char *second)
{
    FigFigureReport *report = real_check(text, with_fresh);
    if (!has(report, kind, first, second)) {
        g_autofree char *all = real_findings(report);
        g_error("no %s finding with ‘%s’ and ‘%s’ among\n%s", kind, first, second, all);
    }
    fig_figure_report_free(report);
}

/* ---- edits ---- */

/* The finding must be there with hints and without, with a fresh drawing and without. */
static void
expect(const char *text, const char *kind, const char *first, const char *second)
{
    g_assert_cmpstr(text, !=, real.svg);
    g_autofree char *bare = real_without_hints(text);
    expect_in(text, false, kind, first, second);
    expect_in(text, true, kind, first, second);
    expect_in(bare, false, kind, first, second);
    expect_in(bare, true, kind, first, second);
}

/* Put text in the place of lines first to last (none when last < first). */
static char *
replace_lines(const char *text, int first, int last, const char *with)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    g_autoptr(GString) out = g_string_new(NULL);
    for (int i = 0; lines[i]; i++) {
        if (i == first - 1)
            g_string_append(out, with);
        if (i < first - 1 || i > last - 1)
            g_string_append_printf(out, "%s%s", lines[i], lines[i + 1] ? "\n" : "");
    }
    return g_strdup(out->str);
}

static char *
line_text(const char *text, int line)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    return g_strdup(lines[line - 1]);
}

static const FigSvgItem *
find(const FigSvgItem *group, FigHint hint, const char *value)
{
    for (const FigSvgItem *item = group->first; item; item = item->next) {
        if (item->hint[hint] && strcmp(item->hint[hint], value) == 0)
            return item;
        if (item->kind == FIG_ITEM_GROUP) {
            const FigSvgItem *found = find(item, hint, value);
            if (found)
                return found;
        }
    }
    return NULL;
}

static const FigSvgItem *
find_sure(const FigSvg *svg, FigHint hint, const char *value)
{
    const FigSvgItem *item = find(svg->root, hint, value);
    if (!item)
        g_error("nothing has %s=\"%s\"", fig_hint_name(hint), value);
    return item;
}

/* The line after the last of an item. */
static int
end_of(const FigSvgItem *group)
{
    int line = group->line;
    for (const FigSvgItem *item = group->first; item; item = item->next)
        line = MAX(line, end_of(item) - 1);
    return line + (group->kind == FIG_ITEM_GROUP ? 2 : 1);
}

/* The figure with an edge led to another mark, its head on the right border there. */
static char *
move_edge(const char *edge, const char *to)
{
    FigSvg *svg = real_read(real.svg);
    const FigSvgItem *group = find_sure(svg, FIG_HINT_EDGE, edge);
    const FigSvgItem *line = group->first, *head = line->next;
    const FigSvgItem *mark = find_sure(svg, FIG_HINT_OP, to)->first;
    int x0 = (int)(line->path.points[0][0] * 100 + 0.5);
    int y0 = (int)(line->path.points[0][1] * 100 + 0.5);
    int x = (int)(mark->bounds.right * 100 + 0.5) + 40;
    int y = (int)(mark->bounds.bottom + mark->bounds.top) * 50;
    g_autofree char *old_line = line_text(real.svg, line->line);
    g_autofree char *old_head = line_text(real.svg, head->line);
    g_autofree char *d1 = g_strdup_printf(
        "d=\"M%d.%02d %d.%02dL%d.%02d %d.%02dL%d.%02d %d.%02d\"", x0 / 100, x0 % 100,
        y0 / 100, y0 % 100, x0 / 100, x0 % 100, y / 100, y % 100, (x + 300) / 100,
        (x + 300) % 100, y / 100, y % 100);
    g_autofree char *d2 = g_strdup_printf(
        "d=\"M%d.%02d %d.%02dL%d.%02d %d.%02dL%d.%02d %d.%02dZ\"", x / 100, x % 100,
        y / 100, y % 100, (x + 440) / 100, (x + 440) % 100, (y - 195) / 100,
        (y - 195) % 100, (x + 440) / 100, (x + 440) % 100, (y + 195) / 100,
        (y + 195) % 100);
    g_autoptr(GRegex) d = g_regex_new("d=\"[^\"]*\"", 0, 0, NULL);
    g_autofree char *new_line =
        g_regex_replace_literal(d, old_line, -1, 0, d1, 0, NULL);
    g_autofree char *new_head =
        g_regex_replace_literal(d, old_head, -1, 0, d2, 0, NULL);
    g_autofree char *half = real_replace(real.svg, old_line, new_line);
    fig_svg_free(svg);
    return real_replace(half, old_head, new_head);
}

static void
test_sound(void)
{
    expect_sound(real.svg, false);
    expect_sound(real.svg, true);
    g_assert_cmpuint(strlen(real.svg), <, 60000); /* as DESIGN wants a block */
    FigFigureReport *report = real_check(real.svg, true);
    g_assert_cmpint(report->ops, ==, 24);
    g_assert_cmpint(report->ops_found, ==, 24);
    g_assert_cmpint(report->edges, ==, 30);
    g_assert_cmpint(report->edges_found, ==, 30);
    g_assert_cmpint(report->weights, ==, 9);
    g_assert_cmpint(report->weights_named, ==, 9);
    g_assert_cmpint(report->labels, ==, 24);
    g_assert_cmpint(report->claims, ==, 14);
    g_assert_cmpint(report->shapes, >=, 12);
    g_assert_cmpint(report->numbers, >=, 10);
    fig_figure_report_free(report);
}

static void
test_sound_stripped(void)
{
    g_autofree char *bare = real_without_hints(real.svg);
    g_assert_null(strstr(bare, "data-op"));
    expect_sound(bare, true);
}

static void
test_v_edge(void)
{
    g_autofree char *moved = move_edge("v_heads mix.b", "scores");
    expect(moved, "edge", "no edge from ‘v_heads’ to ‘mix’", "v_heads as b");
    expect(moved, "edge", "an edge from ‘v_heads’ to ‘scores’",
           "q_rope as a, k_rope as b");
    g_autofree char *hinted = real_replace(moved, "v_heads mix.b", "v_heads scores.b");
    expect(hinted, "edge", "no edge from ‘v_heads’ to ‘mix’", "v_heads as b");
    expect(hinted, "edge", "an edge from ‘v_heads’ to ‘scores’",
           "q_rope as a, k_rope as b");
}

static void
test_every_edge_to_every_mark(void)
{
    for (int r = 0; r < real.shown.record->n_ops; r++) {
        const FigRecordOp *op = &real.shown.record->ops[r];
        for (int p = 0; p < op->n_reads; p++) {
            if (strcmp(op->reads[p].from, "weight") == 0)
                continue;
            const FigRecordOp *writer =
                fig_record_writer(real.shown.record, op->reads[p].value);
            const char *from = writer ? writer->id : op->reads[p].value;
            g_autofree char *edge =
                g_strdup_printf("%s %s.%s", from, op->id, op->reads[p].port);
            g_autofree char *no =
                g_strdup_printf("no edge from ‘%s’ to ‘%s’", from, op->id);
            for (int t = 0; t < real.shown.record->n_ops; t++) {
                if (t == r)
                    continue;
                g_autofree char *moved = move_edge(edge, real.shown.record->ops[t].id);
                expect_in(moved, false, "edge", no, "");
            }
        }
    }
}

static void
test_edges(void)
{
    FigSvg *svg = real_read(real.svg);
    const FigSvgItem *edge = find_sure(svg, FIG_HINT_EDGE, "v_heads mix.b");
    const FigSvgItem *line = edge->first, *head = line->next;
    /* taken out, whole, without its line, without its head */
    g_autofree char *out = replace_lines(real.svg, edge->line, end_of(edge) - 1, "");
    expect(out, "edge", "no edge from ‘v_heads’ to ‘mix’", "");
    g_autofree char *headless = replace_lines(real.svg, head->line, head->line, "");
    expect(headless, "edge", "no edge from ‘v_heads’ to ‘mix’", "");
    g_autofree char *lineless = replace_lines(real.svg, line->line, line->line, "");
    expect(lineless, "edge", "no edge from ‘v_heads’ to ‘mix’", "");
    expect(lineless, "path", "a filled shape", "");
    /* twice */
    g_autoptr(GString) again = g_string_new(NULL);
    for (int i = edge->line; i < end_of(edge); i++) {
        g_autofree char *text = line_text(real.svg, i);
        g_string_append_printf(again, "%s\n", text);
    }
    g_autofree char *doubled =
        replace_lines(real.svg, end_of(edge), end_of(edge) - 1, again->str);
    expect(doubled, "edge", "a second edge from ‘v_heads’ to ‘mix’", "");
    /* hints that lie */
    g_autofree char *lie = real_replace(real.svg, "data-edge=\"v_heads mix.b\"",
                                        "data-edge=\"v_heads scores.b\"");
    expect_in(lie, false, "hint", "v_heads scores.b", "v_heads mix.b");
    g_autofree char *value =
        real_replace(real.svg, "data-edge=\"v_heads mix.b\" data-value=\"v_heads\"",
                     "data-edge=\"v_heads mix.b\" data-value=\"q_rope\"");
    expect_in(value, false, "hint", "data-value=\"q_rope\"", "‘v_heads’");
    fig_svg_free(svg);
}

/* An edge drawn the other way round: its line from end to start, its head at the start. */
static void
test_reversed(void)
{
    FigSvg *svg = real_read(real.svg);
    const FigSvgItem *edge = find_sure(svg, FIG_HINT_EDGE, "mask probs.x");
    const FigSvgItem *line = edge->first;
    const double *a = line->path.points[0];
    g_autofree char *text = g_strdup_printf(
        "<path fill=\"none\" stroke=\"#20252c\" stroke-width=\"0.85\" d=\"M%d %dL%d "
        "%d\"/>\n"
        "<path fill=\"#20252c\" stroke=\"none\" d=\"M%d %dL%d %dL%d %dZ\"/>\n",
        (int)a[0], (int)(line->bounds.bottom + 4), (int)a[0], (int)a[1] + 3, (int)a[0],
        (int)(a[1] + 1), (int)a[0] - 2, (int)a[1] + 5, (int)a[0] + 2, (int)a[1] + 5);
    g_autofree char *reversed =
        replace_lines(real.svg, line->line, line->next->line, text);
    expect(reversed, "edge", "no edge from ‘mask’ to ‘probs’", "");
    fig_svg_free(svg);
}

static void
test_marks(void)
{
    FigSvg *svg = real_read(real.svg);
    const FigSvgItem *mark = find_sure(svg, FIG_HINT_OP, "mask");
    g_autofree char *out = replace_lines(real.svg, mark->line, end_of(mark) - 1, "");
    expect(out, "mark", "no mark for step 11", "‘mask’");
    g_autofree char *relabelled = real_replace(real.svg, ">causal mask<", ">softmax<");
    expect(relabelled, "label", "softmax", "‘mask’: causal mask");
    /* a mark of its own */
    g_autoptr(GString) again = g_string_new(NULL);
    for (int i = mark->line; i < end_of(mark); i++) {
        g_autofree char *text = line_text(real.svg, i);
        g_string_append_printf(again, "%s\n", text);
    }
    g_autofree char *twice =
        replace_lines(real.svg, end_of(mark), end_of(mark) - 1, again->str);
    expect(twice, "label", "causal mask 11 causal mask", "‘mask’");
    g_autofree char *renumbered = real_replace(real.svg, ">11</text>", ">12</text>");
    expect(renumbered, "mark", "no mark for step 11", "‘mask’");
    expect(renumbered, "mark", "another mark of step 12", "‘probs’");
    g_autofree char *weight = real_replace(real.svg, ">attn</tspan>", ">q</tspan>");
    expect(weight, "label", "step 16", "RMSNorm_attn");
    expect(weight, "weight", "‘attn_norm’", "g_attn");
    fig_svg_free(svg);
}

static void
test_hints(void)
{
    g_autofree char *op =
        real_replace(real.svg, "data-op=\"mask\"", "data-op=\"probs\"");
    expect_in(op, false, "hint", "data-op=\"probs\"", "‘mask’");
    g_autofree char *class =
        real_replace(real.svg, "data-op=\"mask\" data-class=\"other\"",
                     "data-op=\"mask\" data-class=\"norm\"");
    expect_in(class, false, "hint", "data-class=\"norm\"", "other");
    g_autofree char *none = real_replace(
        real.svg, "data-op=\"mask\" data-class=\"other\"", "data-op=\"mask\"");
    expect_in(none, false, "hint", "no data-class of ‘mask’", "other");
}

/* Change the first match of a pattern inside the line of an item. */
static char *
edit_item(const FigSvgItem *item, const char *pattern, const char *with)
{
    g_autofree char *line = line_text(real.svg, item->line);
    g_autoptr(GRegex) regex = g_regex_new(pattern, 0, 0, NULL);
    if (!g_regex_match(regex, line, 0, NULL))
        g_error("‘%s’ is not in ‘%s’", pattern, line);
    g_autofree char *edited =
        g_regex_replace_literal(regex, line, -1, 0, with, 0, NULL);
    g_autofree char *whole = g_strconcat(edited, "\n", NULL);
    return replace_lines(real.svg, item->line, item->line, whole);
}

static void
test_shapes(void)
{
    FigSvg *svg = real_read(real.svg);
    const FigSvgItem *scores = find_sure(svg, FIG_HINT_SHAPE, "scores");
    g_autofree char *transposed = edit_item(scores, ">H<", ">B<");
    expect(transposed, "shape", "(B, B, T, T)", "‘scores’ has (B, H, T, T)");
    const FigSvgItem *qkv = find_sure(svg, FIG_HINT_SHAPE, "qkv");
    g_autofree char *digit = edit_item(qkv, ">3<", ">2<");
    expect(digit, "shape", "(B, T, 2C)", "‘qkv’ has (B, T, 3C)");
    g_autofree char *lie = edit_item(qkv, "data-shape=\"qkv\"", "data-shape=\"q\"");
    expect_in(lie, false, "hint", "data-shape=\"q\"", "‘qkv’");
    const FigSvgItem *name = find_sure(svg, FIG_HINT_NAME, "scores");
    g_autofree char *renamed = edit_item(name, ">S<", ">A<");
    expect(renamed, "name", "the name A", "‘scores’ is named S");
    fig_svg_free(svg);
}

static void
test_numbers(void)
{
    FigSvg *svg = real_read(real.svg);
    const FigSvgItem *count =
        find_sure(svg, FIG_HINT_NUMBER, "count(class = weight_matmul)");
    g_autofree char *more = edit_item(count, ">7<", ">8<");
    expect_in(more, false, "number", "8 for count(class = weight_matmul)", "7");
    expect_in(more, true, "number", "8 for count(class = weight_matmul)", "7");
    g_autofree char *bare = real_without_hints(more);
    expect_in(bare, true, "number", "‘8’", "‘7’");
    const FigSvgItem *width = find_sure(svg, FIG_HINT_NUMBER, "C");
    g_autofree char *wide = edit_item(width, ">512<", ">521<");
    expect_in(wide, false, "number", "521 for C", "512");
    g_autofree char *made_up =
        edit_item(width, "data-number=\"C\"", "data-number=\"521\"");
    expect_in(made_up, false, "number", "512 for 521", "521");
    fig_svg_free(svg);
}

static void
test_classes(void)
{
    FigSvg *svg = real_read(real.svg);
    const FigSvgItem *mask = find_sure(svg, FIG_HINT_OP, "mask")->first;
    const FigSvgItem *norm = find_sure(svg, FIG_HINT_OP, "q_norm")->first;
    g_autofree char *look = g_strdup_printf(" fill=\"%s\" stroke=\"%s\"",
                                            norm->look.fill, norm->look.stroke);
    g_autofree char *painted =
        edit_item(mask, " fill=\"[^\"]*\" stroke=\"[^\"]*\"", look);
    expect(painted, "class", "‘mask’", "other");
    g_autofree char *border =
        edit_item(norm, "stroke=\"#[0-9a-f]*\"", "stroke=\"#123456\"");
    expect(border, "class", "‘q_norm’", "norm");
    /* the corner mark of a norm, taken out */
    g_autofree char *corner =
        replace_lines(real.svg, norm->next->line, norm->next->line, "");
    expect(corner, "class", "‘q_norm’", "norm");
    const FigSvgItem *chip = find_sure(svg, FIG_HINT_LEGEND, "norm")->first;
    g_autofree char *legend =
        edit_item(chip, "fill=\"#[0-9a-f]*\"", "fill=\"#123456\"");
    expect_in(legend, false, "class", "legend shows norm", "");
    expect_in(legend, true, "class", "legend shows norm", "");
    fig_svg_free(svg);
}

static void
test_claims(void)
{
    FigSvg *svg = real_read(real.svg);
    /* a tick at a sentence that nobody checked */
    const FigSvgItem *claim = find_sure(svg, FIG_HINT_CLAIM, "no_bias");
    const FigSvgItem *tick = claim->first,
                     *notes = find_sure(svg, FIG_HINT_PART, "notes");
    const FigSvgItem *note =
        notes->first->kind == FIG_ITEM_TEXT ? notes->first : notes->first->next;
    double dx = note->bounds.left - tick->next->bounds.left;
    double dy = note->spans[0].y - tick->next->spans[0].y;
    g_autoptr(GString) forged =
        g_string_new("<path fill=\"none\" stroke=\"#000\" d=\"");
    for (int i = 0; i < 3; i++) {
        g_string_append_c(forged, i ? 'L' : 'M');
        fig_num_fixed(forged, tick->path.points[i][0] + dx, 2);
        g_string_append_c(forged, ' ');
        fig_num_fixed(forged, tick->path.points[i][1] + dy, 2);
    }
    g_string_append(forged, "\"/>\n");
    g_autofree char *ticked =
        replace_lines(real.svg, note->line, note->line - 1, forged->str);
    expect(ticked, "claim", "a tick at", "no claim that was checked");
    /* a claim without its tick, without its words, with other words */
    g_autofree char *bare = replace_lines(real.svg, tick->line, tick->line, "");
    expect(bare, "claim", "no tick at ‘no_bias’", "it was checked and holds");
    g_autofree char *gone = replace_lines(real.svg, claim->line, end_of(claim) - 1, "");
    expect(gone, "claim", "the sentence of ‘no_bias’ is not there", "No biases");
    g_autofree char *other =
        real_replace(real.svg, ">No biases anywhere", ">Biases anywhere");
    expect(other, "claim", "the sentence of ‘no_bias’ is not there", "No biases");
    fig_svg_free(svg);
}

/* A claim that did not hold has no place in the figure, tick or none. */
static void
test_broken_claim(void)
{
    FigRecordClaim *claim = NULL;
    for (int i = 0; i < real.shown.record->n_claims; i++)
        if (strcmp(real.shown.record->claims[i].id, "rows_sum") == 0)
            claim = (FigRecordClaim *)&real.shown.record->claims[i];
    claim->holds = false;
    expect_in(real.svg, false, "claim", "with a tick", "‘rows_sum’ does not hold");
    claim->holds = true;
}

/* The accent of a claim stands at the marks that it is about. */
static void
test_accents(void)
{
    static const char *const wrong[] = {"v_heads"};
    FigRecordClaim *claim = NULL;
    for (int i = 0; i < real.shown.record->n_claims; i++)
        if (strcmp(real.shown.record->claims[i].id, "qk_norm") == 0)
            claim = (FigRecordClaim *)&real.shown.record->claims[i];
    const FigRecordClaim sound = *claim;
    g_autofree char *bare = real_without_hints(real.svg);
    g_assert_cmpint(claim->n_also, ==, 1);
    claim->n_also = 0;
    expect_in(real.svg, false, "claim", "an accent at ‘k_norm’", "not about it");
    expect_in(bare, false, "claim", "an accent at ‘k_norm’", "no claim");
    *claim = sound;
    claim->also = wrong;
    expect_in(real.svg, false, "claim", "an accent at ‘k_norm’", "not about it");
    *claim = sound;
    /* a callout's own bar is its accent as well */
    claim->at = "v_heads";
    expect_in(bare, false, "claim", "an accent at ‘q_norm’", "no claim");
    expect_in(bare, false, "claim", "stands beside ‘q_norm’", "about ‘v_heads’");
    *claim = sound;
}

static void
test_words(void)
{
    FigSvg *svg = real_read(real.svg);
    FigBounds panel = find_sure(svg, FIG_HINT_PANEL, "attn")->first->bounds;
    int x = (int)panel.left + 5, y = (int)(panel.top + panel.bottom) / 2;
    g_autofree char *words = g_strdup_printf(
        "<text x=\"%d\" y=\"%d\" font-family=\"serif\" font-size=\"8\" fill=\"#000\">"
        "v goes here</text>\n</svg>",
        x, y);
    g_autofree char *text = real_replace(real.svg, "</svg>", words);
    expect_in(text, false, "text", "‘v goes here’", "nothing");
    expect_in(text, true, "drawing", "‘v goes here’", "not in a fresh drawing");
    g_autofree char *path = g_strdup_printf(
        "<path d=\"M%d %dL%d %d\" fill=\"none\" stroke=\"#000\" stroke-width=\"1\"/>\n"
        "</svg>",
        x, y - 60, x, y + 60);
    g_autofree char *line = real_replace(real.svg, "</svg>", path);
    expect(line, "path", "a line that is no edge", "");
    fig_svg_free(svg);
    g_autofree char *name =
        real_replace(real.svg, ">One OLMo 2 block", ">Two OLMo 2 blocks");
    expect(name, "text", "the accessible name ‘Two OLMo 2 blocks", "");
    g_autofree char *title =
        real_replace(real.svg, "op by op</text>", "op after op</text>");
    expect(title, "text", "the title", "One OLMo 2 block");
    g_autofree char *larger =
        real_replace(real.svg, "font-size=\"8\" font-weight=\"600\">attention sublayer",
                     "font-size=\"8.01\" font-weight=\"600\">attention sublayer");
    expect_in(larger, true, "panel", "‘attention sublayer’", "otherwise set");
    g_autofree char *equal =
        real_replace(real.svg, "font-size=\"8\" font-weight=\"600\">attention sublayer",
                     "font-size=\"8.0001\" font-weight=\"600\">attention sublayer");
    expect_sound(equal, true);
    g_autofree char *group =
        real_replace(real.svg, ">attention sublayer<", ">SwiGLU sublayer<");
    expect(group, "panel", "‘mlp’", "");
}

static void
test_panels(void)
{
    FigSvg *svg = real_read(real.svg);
    const FigSvgItem *panel = find_sure(svg, FIG_HINT_PANEL, "attn")->first;
    g_autofree char *cut = edit_item(panel, "height=\"[0-9.]*\"", "height=\"200\"");
    expect(cut, "panel", "stands outside the panel of ‘attn’", "");
    fig_svg_free(svg);
}

static void
test_hidden(void)
{
    FigSvg *svg = real_read(real.svg);
    FigBounds b = find_sure(svg, FIG_HINT_OP, "mask")->first->bounds;
    g_autofree char *rect =
        g_strdup_printf("<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" "
                        "fill=\"#fff\" stroke=\"none\"/>\n</svg>",
                        (int)b.left - 3, (int)b.top - 3, (int)(b.right - b.left) + 6,
                        (int)(b.bottom - b.top) + 6);
    g_autofree char *white = real_replace(real.svg, "</svg>", rect);
    expect(white, "hidden", "‘causal mask’", "");
    g_autofree char *opacity =
        real_replace(real.svg, "data-op=\"mask\"", "data-op=\"mask\" opacity=\"0\"");
    expect(opacity, "foreign", "opacity", "");
    g_autofree char *transform =
        real_replace(real.svg, "<g id=", "<g transform=\"translate(3,0)\" id=");
    expect(transform, "foreign", "transform", "");
    g_autofree char *style = real_replace(real.svg, "data-op=\"mask\"",
                                          "data-op=\"mask\" style=\"display:none\"");
    expect(style, "foreign", "style", "");
    const FigSvgItem *label = find_sure(svg, FIG_HINT_OP, "mask")->last;
    g_autofree char *label_line = line_text(real.svg, label->line);
    const bool own = strstr(label_line, " fill=");
    g_autofree char *pale = edit_item(label, own ? "fill=\"[^\"]*\"" : "<text",
                                      own ? "fill=\"#fff\"" : "<text fill=\"#fff\"");
    expect(pale, "hidden", "‘causal mask’", "colour");
    g_autofree char *small = edit_item(label, "font-size=\"8\"", "font-size=\"1\"");
    expect(small, "hidden", "‘causal mask’", "small");
    const FigSvgItem *line = find_sure(svg, FIG_HINT_EDGE, "v_heads mix.b")->first;
    g_autofree char *clear =
        edit_item(line, "stroke=\"#[0-9a-f]*\"", "stroke=\"#f8fafc\"");
    expect(clear, "hidden", "a path", "colour");
    g_autofree char *gaps =
        edit_item(line, "<path", "<path stroke-dasharray=\"0.1 90\"");
    expect(gaps, "hidden", "a path", "gaps");
    g_autofree char *away = edit_item(label, "x=\"[0-9.]*\"", "x=\"900\"");
    expect(away, "label", "step 11", "causal mask");
    g_autofree char *image = real_replace(
        real.svg, "</svg>", "<image width=\"9\" height=\"9\" href=\"a.png\"/>\n</svg>");
    expect(image, "foreign", "<image>", "");
    fig_svg_free(svg);
}

/* What a pointer over a mark shows is part of the figure; a heap of things is none. */
static void
test_more(void)
{
    g_autofree char *named =
        real_replace(real.svg, "<g data-part=\"dims\"",
                     "<g><title>no mask</title></g>\n<g data-part=\"dims\"");
    expect_in(named, true, "text", "other names of groups", "");
    g_autoptr(GString) heap = g_string_new(NULL);
    for (int i = 0; i < 20000; i++)
        g_string_append(heap, "<rect x=\"1\" y=\"1\" width=\"1\" height=\"1\"/>\n");
    g_string_append(heap, "</svg>");
    g_autofree char *heaped = real_replace(real.svg, "</svg>", heap->str);
    expect(heaped, "drawing", "are drawn", "24 ops ran");
    g_string_assign(heap, "<path fill=\"#20262e\" d=\"M1 1");
    for (int i = 0; i < 60000;
         i++) /* each is asked of every word that it could cover */
        g_string_append(heap, "C2 2 300 1 4 700");
    g_string_append(heap, "\"/></svg>");
    g_autofree char *wound = real_replace(real.svg, "</svg>", heap->str);
    expect(wound, "drawing", "things of", "24 ops ran");
}

static void
test_meaningless(void)
{
    g_autoptr(GRegex) space = g_regex_new("/>\n", 0, 0, NULL);
    g_autofree char *spaced =
        g_regex_replace_literal(space, real.svg, -1, 0, "  />\n\n \t", 0, NULL);
    expect_sound(spaced, true);
    g_autoptr(GRegex) order =
        g_regex_new("<rect( x=\"[^\"]*\")( y=\"[^\"]*\")(.*)/>", 0, 0, NULL);
    g_autofree char *ordered =
        g_regex_replace(order, real.svg, -1, 0, "<rect\\3\\2\n\\1/>", 0, NULL);
    g_assert_cmpstr(ordered, !=, real.svg);
    expect_sound(ordered, true);
    g_autoptr(GRegex) id = g_regex_new("olmo2-block-", 0, 0, NULL);
    g_autofree char *prefixed =
        g_regex_replace_literal(id, real.svg, -1, 0, "fig7-", 0, NULL);
    expect_sound(prefixed, true);
    g_autofree char *comment =
        real_replace(real.svg, "</svg>", "<!-- seen -->\n</svg>\n");
    expect_sound(comment, true);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    real_make();
    g_test_add_func("/figure/sound", test_sound);
    g_test_add_func("/figure/sound-stripped", test_sound_stripped);
    g_test_add_func("/figure/v-edge", test_v_edge);
    g_test_add_func("/figure/every-edge-to-every-mark", test_every_edge_to_every_mark);
    g_test_add_func("/figure/edges", test_edges);
    g_test_add_func("/figure/reversed", test_reversed);
    g_test_add_func("/figure/marks", test_marks);
    g_test_add_func("/figure/hints", test_hints);
    g_test_add_func("/figure/shapes", test_shapes);
    g_test_add_func("/figure/numbers", test_numbers);
    g_test_add_func("/figure/classes", test_classes);
    g_test_add_func("/figure/claims", test_claims);
    g_test_add_func("/figure/broken-claim", test_broken_claim);
    g_test_add_func("/figure/accents", test_accents);
    g_test_add_func("/figure/words", test_words);
    g_test_add_func("/figure/panels", test_panels);
    g_test_add_func("/figure/hidden", test_hidden);
    g_test_add_func("/figure/more", test_more);
    g_test_add_func("/figure/meaningless", test_meaningless);
    int result = g_test_run();
    real_free();
    return result;
}
