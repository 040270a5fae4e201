/* SPDX-License-Identifier: MIT
 *
 * What is printed in and beside marks and edges, as set text, and the room it takes: all
 * that the arranging code needs to know of words.
 */
#include "layouts/plan.h"

#include "base/num.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const FigTextBox *
fig_plan_text(FigPlan *plan, const char *source, FigFace face, double size)
{
    FigTextStyle style = {.face = face, .size = size};

    return fig_text_set(plan->fonts, plan->arena, source, &style, (FigSpan){0},
                        plan->diag);
}

/* Lines about equally long: as few as the width allows, then as narrow as that many can
 * be. */
const FigTextBox *const *
fig_plan_wrap(FigPlan *plan, const char *source, const FigTextStyle *style,
              double width, int *n_lines)
{
    const FigTextBox *const *lines =
        fig_text_wrap(plan->fonts, plan->arena, source, style, width, n_lines,
                      (FigSpan){0}, plan->diag);
    double low = width / 2, high = width;

    while (lines && *n_lines > 1 && high - low > 2) {
        double middle = (low + high) / 2, widest = 0;
        int n;
        const FigTextBox *const *tried =
            fig_text_wrap(plan->fonts, plan->arena, source, style, middle, &n,
                          (FigSpan){0}, plan->diag);

        for (int i = 0; i < n; i++)
            widest = MAX(widest, tried[i]->width);
        if (n > *n_lines || widest > middle + 0.01) {
            low = middle;
        } else {
            high = middle;
            lines = tried;
        }
    }
    return lines;
}

double
fig_plan_leading(const FigTextBox *const *lines, int i, double least)
{
    return MAX(least, lines[i - 1]->ink_bottom - lines[i]->ink_top + 0.8);
}

const char *
fig_plan_sentence(FigPlan *plan, const FigSentence *sentence)
{
    g_autofree char *text = fig_sentence_text(sentence);

    return fig_arena_strdup(plan->arena, text);
}

/* ---- expressions ---- */

/* A power as TeX; gives the first character after it. */
static const char *
append_power(GString *out, const char *at)
{
    const char *end = at + 1;

    while (*end == '-' || g_ascii_isalnum(*end))
        end++;
    g_string_append_printf(out, "^{%.*s}", (int)(end - at - 1), at + 1);
    return end;
}

const char *
fig_plan_tex(FigPlan *plan, const char *expression)
{
    g_autoptr(GString) out = g_string_new(NULL);
    bool after_name = false;

    for (const char *at = expression; *at;) {
        if (g_ascii_isalpha(*at) || *at == '_') {
            const char *end = at;
            g_autofree char *id = NULL;
            const FigRecordDim *dim;

            while (g_ascii_isalnum(*end) || *end == '_')
                end++;
            id = g_strndup(at, (gsize)(end - at));
            dim = fig_record_dim(plan->record, id);
            if (after_name)
                g_string_append(out, "\\,");
            if (dim)
                g_string_append(out, dim->label);
            else
                g_string_append_printf(out, "\\mathrm{%s}", id);
            after_name = true;
            at = end;
            continue;
        }
        if (*at == '^') {
            at = append_power(out, at);
            continue;
        }
        /* names beside each other need no sign; numbers do */
        if (*at == '*' && !(g_ascii_isalpha(at[1]) || at[1] == '(')) {
            g_string_append(out, "\\cdot ");
            after_name = false;
        } else if (*at != '*') {
            g_string_append_c(out, *at);
            if (*at != ' ')
                after_name = false;
        }
        at++;
    }
    return fig_arena_strdup(plan->arena, out->str);
}

/* A number as a person writes it: "5e5" as 5·10⁵. */
static const char *
number_tex(FigPlan *plan, const char *text)
{
    const char *e = strpbrk(text, "eE");
    long exponent;

    if (!e)
        return text;
    exponent = strtol(e + 1, NULL, 10);
    if (e - text == 1 && *text == '1')
        return fig_arena_printf(plan->arena, "10^{%ld}", exponent);
    return fig_arena_printf(plan->arena, "%.*s \\cdot 10^{%ld}", (int)(e - text), text,
                            exponent);
}

/* ---- values ---- */

static bool
same_shape(const FigRecordRead *read, const FigRecordWrite *write)
{
    if (read->rank != write->rank)
        return false;
    for (int i = 0; i < read->rank; i++)
        if (strcmp(read->shape[i], write->shape[i]))
            return false;
    return true;
}

/* Does the shape change here along the chain (against the first operand drawn)? */
static bool
changes_shape(const FigRecordOp *op, const FigRecordWrite *write)
{
    for (int r = 0; r < op->n_reads; r++)
        if (fig_plan_is_edge(&op->reads[r]))
            return !same_shape(&op->reads[r], write);
    return true;
}

const FigTextBox *
fig_plan_shape(FigPlan *plan, const FigRecordValue *value)
{
    g_autoptr(GString) out = g_string_new("$(");

    for (int i = 0; i < value->rank; i++)
        g_string_append_printf(out, "%s%s", i ? ", " : "",
                               fig_plan_tex(plan, value->shape[i]));
    g_string_append(out, ")$");
    return fig_plan_text(plan, out->str, FIG_FACE_SANS, FIG_TYPE_SHAPE);
}

static FigNote *
make_note(FigPlan *plan, const char *id, bool shape, bool at_reader, bool named)
{
    const FigRecordValue *value = fig_plan_value(plan, id);
    FigNote *note;

    named = named || (value && value->labelled);
    if (!value || (!shape && !named))
        return NULL;
    note = fig_arena_new0(plan->arena, FigNote);
    note->value = value;
    note->at_reader = at_reader;
    if (named)
        note->name =
            fig_plan_text(plan, fig_arena_printf(plan->arena, "$%s$", value->label),
                          FIG_FACE_SANS, FIG_TYPE_LABEL);
    if (shape)
        note->shape = fig_plan_shape(plan, value);
    note->left = note->name ? FIG_NOTE_GAP + note->name->width : 0;
    note->right = note->shape ? FIG_NOTE_GAP + note->shape->width : 0;
    g_hash_table_insert(plan->note_of, (char *)id, note);
    return note;
}

static void
measure_values(FigPlan *plan)
{
    const FigRecord *record = plan->record;

    for (int v = 0; v < record->n_values; v++)
        if (!strcmp(record->values[v].kind, "input"))
            make_note(plan, record->values[v].id, true, false, true);
    for (int i = 0; i < record->n_ops; i++) {
        const FigRecordOp *op = &record->ops[i];

        for (int w = 0; w < op->n_writes; w++)
            make_note(plan, op->writes[w].value, changes_shape(op, &op->writes[w]),
                      !strcmp(op->mark, "fork") && op->n_writes > 1, false);
    }
}

/* ---- marks ---- */

/* An attribute worth a text beside the mark: shown, given, a constant by name, and not
 * in the label. */
static void
find_beside(FigPlan *plan, const FigRecordOp *op, FigMarkText *text)
{
    for (int i = 0; i < op->n_attributes && !text->beside; i++) {
        const FigRecordAttribute *attribute = &op->attributes[i];

        if (!attribute->drawn || !attribute->given)
            continue;
        for (int c = 0; c < plan->record->n_constants; c++) {
            const FigRecordConstant *constant = &plan->record->constants[c];

            if (strcmp(constant->id, attribute->text) || !constant->label ||
                strstr(op->label, constant->label))
                continue;
            text->beside_name = fig_plan_text(
                plan, fig_arena_printf(plan->arena, "$%s ={}$", constant->label),
                FIG_FACE_SANS, FIG_TYPE_SHAPE);
            text->beside = fig_plan_text(
                plan,
                fig_arena_printf(plan->arena, "$%s$", number_tex(plan, constant->text)),
                FIG_FACE_SANS, FIG_TYPE_SHAPE);
            text->beside_expr = constant->id;
            break;
        }
    }
}

static bool
reads_weight(const FigRecordOp *op)
{
    for (int r = 0; r < op->n_reads; r++)
        if (!fig_plan_is_edge(&op->reads[r]))
            return true;
    return false;
}

double
fig_bar_width(int branches)
{
    return (branches - 1) * FIG_PORT_GAP + 14;
}

/* The room that arrow ends take on the upper border of a box. */
static double
width_of_ends(const FigRecordOp *op)
{
    int ends = 0;

    for (int r = 0; r < op->n_reads; r++)
        ends += fig_plan_is_edge(&op->reads[r]);
    return MAX(ends, op->n_writes) * FIG_PORT_GAP + 6;
}

/* The words in a box, in two lines when they are long. */
static void
set_label(FigPlan *plan, const FigRecordOp *op, FigMarkText *text)
{
    const FigTextStyle style = {.face = FIG_FACE_SANS, .size = FIG_TYPE_LABEL};
    const FigTextBox *const *lines;
    int n = 0;

    text->label = fig_plan_text(plan, op->label, FIG_FACE_SANS, FIG_TYPE_LABEL);
    text->second = NULL;
    if (!text->label || text->label->width <= FIG_LABEL_MOST)
        return;
    /* half of it and a word: two lines, if there is a place to break at all */
    for (double width = text->label->width / 2; width < text->label->width;
         width += 10) {
        lines = fig_plan_wrap(plan, op->label, &style, width, &n);
        if (n == 2) {
            text->label = lines[0];
            text->second = lines[1];
            text->line_gap = fig_plan_leading(lines, 1, FIG_LABEL_LINE);
            return;
        }
    }
}

static void
measure_mark(FigPlan *plan, FigNode *node)
{
    const FigRecordOp *op = node->op;
    FigMarkText *text = &plan->marks[fig_plan_op_index(plan, op)];
    const char *step = fig_arena_printf(plan->arena, "%d", op->step);

    text->circle = !strcmp(op->mark, "circle");
    text->fork = !strcmp(op->mark, "fork");
    text->corner = reads_weight(op) && !text->circle && !text->fork;
    text->step = fig_plan_text(plan, step, FIG_FACE_SANS, FIG_TYPE_SMALL);
    find_beside(plan, op, text);
    if (text->circle) {
        text->label = fig_plan_text(
            plan, fig_arena_printf(plan->arena, "$%s$", op->sign ? op->sign : "?"),
            FIG_FACE_SANS, FIG_TYPE_LABEL);
        /* an addition needs no words; what else a circle does is written beside it */
        if (strcmp(op->sign ? op->sign : "", "+") || reads_weight(op))
            text->beside_name =
                fig_plan_text(plan, op->label, FIG_FACE_SANS, FIG_TYPE_SHAPE);
        node->width = node->height = 2 * FIG_CIRCLE_RADIUS;
    } else if (text->fork) {
        text->label = fig_plan_text(plan, op->label, FIG_FACE_SANS, FIG_TYPE_SHAPE);
        node->height = 2 * FIG_FORK_RADIUS;
        text->bar = text->bar || op->n_writes > 3;
        node->width = text->bar ? fig_bar_width(op->n_writes) : node->height;
    } else {
        double edge = MAX(plan->step_width, text->corner ? 2 * FIG_CORNER : 0);

        set_label(plan, op, text);
        node->width = MAX(text->label ? text->label->width : 0,
                          text->second ? text->second->width : 0) +
                      2 * (edge + 2 * FIG_BOX_PAD);
        node->width = MAX(FIG_BOX_LEAST, ceil(node->width / 2) * 2);
        node->width = MAX(node->width, width_of_ends(op));
        node->height = FIG_BOX_HEIGHT;
        if (op->class == FIG_CLASS_ACTIVATION_MATMUL)
            node->height += FIG_DOUBLE;
        if (text->second)
            node->height += text->line_gap;
    }
    node->left = node->right = node->width / 2;
    /* what stands over the edges at the sides of a circle or dot */
    if (text->fork)
        node->left += 3 + plan->step_width + 3 + (text->label ? text->label->width : 0);
    if (text->circle) {
        node->left += 5 + plan->step_width;
        node->right += text->beside_name ? 5.5 + text->beside_name->width : 0;
    }
}

const FigTextBox *
fig_plan_terminal(FigPlan *plan, const FigNode *node)
{
    const FigRecordValue *value = fig_plan_value(plan, node->value);

    return fig_plan_text(
        plan,
        fig_arena_printf(plan->arena, "%s $%s$",
                         node->kind == FIG_NODE_INPUT ? "input" : "output",
                         value->label),
        FIG_FACE_SANS_STRONG, FIG_TYPE_LABEL);
}

const FigTextBox *
fig_plan_title(FigPlan *plan, const FigBox *box)
{
    return fig_plan_text(plan, box->group->title ? box->group->title : box->group->id,
                         FIG_FACE_SANS_STRONG, FIG_TYPE_LABEL);
}

static void
measure_terminal(FigPlan *plan, FigNode *node)
{
    const FigRecordValue *value = fig_plan_value(plan, node->value);
    const FigTextBox *shape = value ? fig_plan_shape(plan, value) : NULL;

    node->width = FIG_TERMINAL_WIDTH;
    node->height = FIG_TERMINAL_HEIGHT;
    node->left = node->right = node->width / 2;
    if (!node->on_rail)
        node->right +=
            4 + fig_plan_terminal(plan, node)->width + 4 + (shape ? shape->width : 0);
}

static void
measure_box(FigPlan *plan, FigBox *box)
{
    for (guint i = 0; i < box->nodes->len; i++) {
        FigNode *node = box->nodes->pdata[i];

        if (node->box)
            measure_box(plan, node->box);
        else if (node->op)
            measure_mark(plan, node);
        else if (node->kind == FIG_NODE_INPUT || node->kind == FIG_NODE_OUTPUT)
            measure_terminal(plan, node);
    }
}

/* All step numbers take the room of the widest, so that no box depends on its number. */
static double
widest_step(FigPlan *plan)
{
    g_autofree char *digits = g_strdup_printf("%d", plan->record->n_ops);
    const FigTextBox *text;

    memset(digits, '0', strlen(digits));
    text = fig_plan_text(plan, digits, FIG_FACE_SANS, FIG_TYPE_SMALL);
    return text ? text->width : 0;
}

bool
fig_plan_measure(FigPlan *plan)
{
    int before = fig_diag_errors(plan->diag);

    plan->marks =
        fig_arena_new_array(plan->arena, FigMarkText, plan->record->n_ops + 1);
    plan->step_width = widest_step(plan);
    measure_values(plan);
    measure_box(plan, plan->root);
    for (int c = 0; c < plan->record->n_claims; c++) {
        const FigRecordClaim *claim = &plan->record->claims[c];
        const FigRecordOp *op =
            claim->at ? fig_record_op(plan->record, claim->at) : NULL;

        if (op && !plan->marks[fig_plan_op_index(plan, op)].callout &&
            (claim->holds || claim->must || !claim->that))
            plan->marks[fig_plan_op_index(plan, op)].callout = claim;
    }
    return fig_diag_errors(plan->diag) == before;
}

/* ---- room for texts, once rows are ordered ---- */

static void
keep_room(FigNode *node, const FigNote *note)
{
    node->note_left = MAX(node->note_left, note->left);
    node->note_right = MAX(node->note_right, note->right);
}

/* A mark right beside a node, to whose row its texts lie as near as to its own? */
static bool
has_neighbour(const GPtrArray *rank, const FigNode *node, bool left)
{
    int at = node->order + (left ? -1 : 1);
    const FigNode *other = at >= 0 && at < (int)rank->len ? rank->pdata[at] : NULL;

    return other && (!other->hollow || other->kind == FIG_NODE_STUB);
}

/* The step number of a fork stands left of its words: a mark further left keeps off. */
static void
set_fork_room(const GPtrArray *rank, FigNode *node, FigMarkText *text)
{
    double room = text->label ? text->label->width + 8 : 0;

    if (text->beside_room || !has_neighbour(rank, node, true))
        return;
    text->beside_room = room;
    node->left += room;
}

/* An attribute is said once in a row of likes: at the outer end if one of them stands
 * there, so that it lies beside nothing else. */
static void
set_beside(const FigPlan *plan, const FigBox *box, FigNode *node, FigMarkText *text)
{
    const GPtrArray *rank = box->rank[node->rank];
    const FigNode *chosen = NULL;
    double words;

    for (guint k = 0; k < rank->len; k++) {
        const FigNode *other = rank->pdata[k];
        const FigMarkText *its =
            other->op ? &plan->marks[fig_plan_op_index(plan, other->op)] : NULL;

        if (its && !its->circle && its->beside &&
            its->beside_expr == text->beside_expr &&
            (!chosen || (chosen->order > 0 && k + 1 == rank->len)))
            chosen = other;
    }
    text->beside_hidden = chosen != node;
    if (text->beside_hidden || text->beside_room)
        return;
    words = text->beside_name->width;
    text->beside_room = 5 + words + text->beside->width;
    text->beside_side = node->order == 0 || fig_node_gives_right(box, node)
                            ? FIG_SIDE_LEFT
                            : FIG_SIDE_RIGHT;
    if (has_neighbour(rank, node, text->beside_side == FIG_SIDE_LEFT))
        text->beside_room += words + 8;
    if (text->beside_side == FIG_SIDE_LEFT)
        node->left += text->beside_room;
    else
        node->right += text->beside_room;
}

/* Room beside a node for what is printed beside the edges under or over it. */
void
fig_box_note_room(FigPlan *plan, FigBox *box)
{
    for (int r = 0; r < box->n_ranks; r++) {
        GPtrArray *rank = box->rank[r];

        for (guint i = 0; i < rank->len; i++) {
            FigNode *node = rank->pdata[i];
            FigMarkText *text =
                node->op ? &plan->marks[fig_plan_op_index(plan, node->op)] : NULL;

            node->note_left = node->note_right = 0;
            for (guint k = 0; k < node->down->len; k++) {
                const FigNote *note = g_hash_table_lookup(
                    plan->note_of, ((FigHop *)node->down->pdata[k])->net->value);

                if (note && node->kind == FIG_NODE_OP && !note->at_reader)
                    keep_room(node, note);
            }
            for (guint k = 0; k < node->up->len; k++) {
                const FigHop *hop = node->up->pdata[k];
                const FigNote *note =
                    g_hash_table_lookup(plan->note_of, hop->net->value);

                if (note && hop->a->kind == FIG_NODE_OP && note->at_reader)
                    keep_room(node, note);
            }
            if (text && text->fork)
                set_fork_room(rank, node, text);
            if (!text || text->circle || !text->beside)
                continue;
            set_beside(plan, box, node, text);
        }
    }
}

/* ---- callouts, once the page has its width ---- */

enum { MOST_LINES = 4 }; /* of a callout; what takes more is listed under the figure */

/* Between a node and the next in its row: room for words only if that is an edge which
 * passes, for beside another mark they would be of both. */
static double
room_to(const FigNode *node, const FigNode *next)
{
    double between = fabs(next->x - node->x);
    bool left = next->x < node->x;

    if (next->kind != FIG_NODE_DUMMY)
        return 0;
    return between - (left ? node->left + next->right : node->right + next->left) -
           FIG_GAP_LANE;
}

/* Level ways of forks in the row of a node leave less room on its sides. */
static void
keep_off_branches(const GPtrArray *rank, const FigNode *node, double *left,
                  double *right)
{
    for (guint i = 0; i < rank->len; i++) {
        const FigNode *fork = rank->pdata[i];

        for (guint k = 0; fork != node && k < fork->down->len; k++) {
            const FigHop *hop = fork->down->pdata[k];
            double end = fig_hop_enters_x(hop);

            if (hop->leaves == FIG_SIDE_LEFT && end > node->x)
                *right = MIN(*right, end - node->x - node->right - FIG_GAP_LANE);
            else if (hop->leaves == FIG_SIDE_RIGHT && end < node->x)
                *left = MIN(*left, node->x - node->left - end - FIG_GAP_LANE);
        }
    }
}

double
fig_callout_reach(const FigPlan *plan, const FigNode *node)
{
    const FigMarkText *text =
        node->op ? &plan->marks[fig_plan_op_index(plan, node->op)] : NULL;
    double widest = 0;

    if (!text || text->n_lines == 0)
        return 0;
    for (int i = 0; i < text->n_lines; i++)
        widest = MAX(widest, text->lines[i]->width);
    return FIG_CALLOUT_GAP + 4 + widest;
}

static void
set_callout(FigPlan *plan, FigBox *box, FigNode *node)
{
    FigMarkText *text = &plan->marks[fig_plan_op_index(plan, node->op)];
    const GPtrArray *rank = box->rank[node->rank];
    double left = node->x - node->left - box->left,
           right = box->right - node->x - node->right;
    double room;
    bool takes_left = false, takes_right = false;
    FigTextStyle style = {.face = FIG_FACE_SANS_STRONG, .size = FIG_TYPE_SHAPE};
    const char *say;

    node->callout_height = 0;
    text->n_lines = 0;
    if (!text->callout)
        return;
    for (guint i = 0; i < box->sinks->len; i++) {
        const FigNode *sink = box->sinks->pdata[i];

        takes_right = takes_right ||
                      (sink->took_side && fig_box_net(box, sink->value)->from == node);
    }
    for (guint i = 0; i < node->down->len; i++) { /* a fork's branches */
        const FigHop *hop = node->down->pdata[i];

        takes_left = takes_left || hop->leaves == FIG_SIDE_LEFT;
        takes_right = takes_right || hop->leaves == FIG_SIDE_RIGHT;
    }
    if (takes_left)
        left = 0;
    else if (node->order > 0)
        left = room_to(node, rank->pdata[node->order - 1]);
    if (takes_right)
        right = 0;
    else if (node->order + 1 < (int)rank->len)
        right = room_to(node, rank->pdata[node->order + 1]);
    keep_off_branches(rank, node, &left, &right);
    text->callout_side = left >= right ? FIG_SIDE_LEFT : FIG_SIDE_RIGHT;
    room = MIN(MAX(left, right) - FIG_PANEL_PAD - FIG_CALLOUT_GAP - 5,
               plan->style->callout_width);
    if (room < 40)
        return;
    say = fig_plan_sentence(plan, &text->callout->say);
    text->lines = fig_plan_wrap(plan, say, &style, room, &text->n_lines);
    if (text->n_lines > MOST_LINES) {
        text->n_lines = 0;
        return;
    }
    text->callout_height = FIG_CALLOUT_LINE;
    for (int i = 1; i < text->n_lines; i++)
        text->callout_height += fig_plan_leading(text->lines, i, FIG_CALLOUT_LINE);
    node->callout_height = text->callout_height + 1;
}

void
fig_plan_callouts(FigPlan *plan, FigBox *box)
{
    for (guint i = 0; i < box->nodes->len; i++) {
        FigNode *node = box->nodes->pdata[i];

        if (node->box)
            fig_plan_callouts(plan, node->box);
        else if (node->op && !box->stack)
            set_callout(plan, box, node);
    }
}
