/* SPDX-License-Identifier: MIT
 *
 * Texts side by side on one baseline, where a computed number is a text of its own, and
 * the numbers that a figure computes: parameters, FLOPs, counts and shares.
 */
#include "layouts/texts.h"

#include "base/num.h"

#include <string.h>

void
fig_line_add(FigLine *line, const char *source, FigFace face, FigInk ink,
             const char *number)
{
    FigPiece piece = {.number = number, .ink = ink, .x = line->width};

    piece.text = fig_plan_text(line->plan, source, face,
                               line->size > 0 ? line->size : FIG_TYPE_SHAPE);
    if (!piece.text)
        return;
    if (!line->pieces)
        line->pieces = g_array_new(FALSE, FALSE, sizeof(FigPiece));
    g_array_append_val(line->pieces, piece);
    line->width += piece.text->width;
}

void
fig_line_words(FigLine *line, const char *words)
{
    fig_line_add(line, words, FIG_FACE_SANS, line->ink ? line->ink : FIG_INK_MUTED,
                 NULL);
}

void
fig_line_number(FigLine *line, const char *text, const char *expression)
{
    fig_line_add(line, text, FIG_FACE_SANS, line->ink ? line->ink : FIG_INK_MUTED,
                 expression);
}

void
fig_line_space(FigLine *line, double width)
{
    line->width += width;
}

void
fig_line_draw(FigLine *line, double x, double baseline)
{
    for (guint i = 0; line->pieces && i < line->pieces->len; i++) {
        const FigPiece *piece = &g_array_index(line->pieces, FigPiece, i);
        FigItem *item = fig_scene_text(line->plan->scene, line->group,
                                       piece->number ? "number" : "words", piece->text,
                                       x + piece->x, baseline, piece->ink);

        item->means.number = piece->number;
    }
    if (line->pieces)
        g_array_unref(line->pieces);
    line->pieces = NULL;
    line->width = 0;
}

/* ---- numbers ---- */

static const char *
integer(FigPlan *plan, int64_t value, bool grouped)
{
    g_autoptr(GString) out = g_string_new(NULL);

    fig_num_integer(out, value, grouped);
    return fig_arena_strdup(plan->arena, out->str);
}

const char *
fig_plain_digits(FigPlan *plan, int64_t value)
{
    return integer(plan, value, false);
}

const char *
fig_plain_integer(FigPlan *plan, int64_t value)
{
    return integer(plan, value, true);
}

const char *
fig_by_unit(FigPlan *plan, int64_t value)
{
    g_autoptr(GString) out = g_string_new(NULL);

    fig_num_unit(out, value);
    return fig_arena_strdup(plan->arena, out->str);
}

static void
count_weight(const FigPlan *plan, const char *id, GHashTable *seen, int64_t *sum)
{
    const FigRecordValue *value = fig_plan_value(plan, id);

    if (!value || !g_hash_table_add(seen, (char *)id))
        return;
    *sum = value->parameters > INT64_MAX - *sum ? INT64_MAX : *sum + value->parameters;
    for (int m = 0; m < value->n_members; m++)
        count_weight(plan, value->members[m], seen, sum);
}

void
fig_group_totals(FigPlan *plan, const char *group, int64_t *parameters, int64_t *flops)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    const GPtrArray *ops =
        group ? g_hash_table_lookup(plan->ops_of, group) : plan->order;

    *parameters = *flops = 0;
    for (guint i = 0; ops && i < ops->len; i++) {
        const FigRecordOp *op = ops->pdata[i];

        *flops = op->flops_number > INT64_MAX - *flops ? INT64_MAX
                                                       : *flops + op->flops_number;
        for (int r = 0; r < op->n_reads; r++)
            if (!fig_plan_is_edge(&op->reads[r]) && op->reads[r].value)
                count_weight(plan, op->reads[r].value, seen, parameters);
    }
}
