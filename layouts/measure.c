/* SPDX-License-Identifier: MIT
 *
 * What is printed in marks and beside edges, and the size it gives them: all that the
 * arranging code needs to know of words.
 */
#include "layouts/arrange.h"
#include "layouts/texts.h"

#include "base/num.h"

#include <math.h>
#include <string.h>

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

static bool
shows_shape(const FigPlan *plan, const FigRecordOp *op, const FigRecordWrite *write)
{
    switch (plan->style->shapes) {
    case FIG_SHAPES_ALL:
        return true;
    case FIG_SHAPES_NONE:
        return false;
    default:
        return changes_shape(op, write);
    }
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
            make_note(plan, record->values[v].id,
                      plan->style->shapes != FIG_SHAPES_NONE, false, true);
    for (int i = 0; i < record->n_ops; i++) {
        const FigRecordOp *op = &record->ops[i];

        for (int w = 0; w < op->n_writes; w++)
            make_note(plan, op->writes[w].value, shows_shape(plan, op, &op->writes[w]),
                      !strcmp(op->mark, "fork") && op->n_writes > 1, false);
    }
}

/* ---- marks ---- */

/* Does the label show the number, and not one that has it within? */
static bool
shows_number(const char *label, const char *number)
{
    for (const char *at = label; (at = strstr(at, number)); at++) {
        char before = at > label ? at[-1] : ' ', after = at[strlen(number)];
        if (!g_ascii_isdigit(before) && before != '.' && !g_ascii_isdigit(after) &&
            after != '.')
            return true;
    }
    return false;
}

static void
set_beside_text(FigPlan *plan, FigMarkText *text, const char *name, const char *number,
                const char *expr)
{
    text->beside_name = fig_plan_text(plan, name, FIG_FACE_SANS, FIG_TYPE_SHAPE);
    text->beside = fig_plan_text(
        plan, fig_arena_printf(plan->arena, "$%s$", fig_plan_number_tex(plan, number)),
        FIG_FACE_SANS, FIG_TYPE_SHAPE);
    text->beside_expr = expr;
}

/* Is it a constant by name? */
static const FigRecordConstant *
constant_of(const FigPlan *plan, const FigRecordAttribute *attribute)
{
    for (int c = 0; c < plan->record->n_constants; c++)
        if (strcmp(plan->record->constants[c].id, attribute->text) == 0)
            return &plan->record->constants[c];
    return NULL;
}

/* Is it a number as written, or one made of constants? Sizes show in shapes. */
static bool
is_number_of_its_own(const FigPlan *plan, const FigRecordAttribute *attribute)
{
    double number;
    if (!fig_num_read_real(attribute->value, &number))
        return false;
    bool own = fig_num_read_real(attribute->text, &number);
    for (int c = 0; c < plan->record->n_constants; c++) {
        const char *id = plan->record->constants[c].id;
        for (const char *at = attribute->text; (at = strstr(at, id)); at++)
            own = own || !g_ascii_isalnum(at[strlen(id)]);
    }
    return own;
}

/* The number as the same expression prints it in a sentence: as written, or rounded if it
 * is not whole. */
static const char *
number_as_claimed(const FigPlan *plan, const FigRecordAttribute *attribute)
{
    double number;
    g_autoptr(GString) text = g_string_new(NULL);
    if (fig_num_read_real(attribute->text, &number))
        return attribute->text;
    fig_num_read_real(attribute->value, &number);
    fig_num_significant(text, number, number == rint(number) ? 15 : 4);
    return fig_arena_strdup(plan->arena, text->str);
}

/* An attribute worth a text beside the mark: shown, given, a number that is no size, and
 * not in the label. */
static void
find_beside(FigPlan *plan, const FigRecordOp *op, FigMarkText *text)
{
    for (int i = 0; i < op->n_attributes && !text->beside; i++) {
        const FigRecordAttribute *attribute = &op->attributes[i];
        const FigRecordConstant *constant = constant_of(plan, attribute);

        if (!attribute->drawn || !attribute->given)
            continue;
        /* a label that names a constant does not say what it is */
        if (constant && constant->label &&
            !shows_number(op->label, fig_plan_number_tex(plan, constant->text)))
            set_beside_text(plan, text,
                            fig_arena_printf(plan->arena, "$%s ={}$", constant->label),
                            constant->text, constant->id);
        else if (!constant && is_number_of_its_own(plan, attribute) &&
                 !shows_number(op->label, fig_plan_number_tex(plan, attribute->value)))
            set_beside_text(plan, text,
                            fig_arena_printf(plan->arena, "%s $={}$", attribute->name),
                            number_as_claimed(plan, attribute), attribute->text);
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

/* Words before a parenthesis and from it on, or NULL: no other place to break is as good,
 * unless it makes much shorter lines. */
static const char *
parenthesis(const char *label)
{
    bool math = false;

    for (const char *at = label; *at; at++) {
        math = *at == '$' ? !math : math;
        if (!math && at > label && at[-1] == ' ' && *at == '(')
            return at;
    }
    return NULL;
}

/* A label in two lines about equally long; none if there is no place to break. */
static void
find_break(FigPlan *plan, const char *label, const FigTextBox *best[2])
{
    const FigTextStyle style = {.face = FIG_FACE_SANS, .size = FIG_TYPE_LABEL};
    const double whole = fig_plan_text(plan, label, style.face, style.size)->width;
    const char *at = parenthesis(label);
    double least = whole;

    /* half of it and a word */
    for (double width = whole / 2; width < whole && !best[0]; width += 10) {
        int n = 0;
        const FigTextBox *const *lines = fig_plan_wrap(plan, label, &style, width, &n);

        if (n != 2)
            continue;
        best[0] = lines[0];
        best[1] = lines[1];
        least = MAX(lines[0]->width, lines[1]->width);
    }
    if (at) {
        const char *before =
            fig_arena_strndup(plan->arena, label, (size_t)(at - label - 1));
        const FigTextBox *first = fig_plan_text(plan, before, style.face, style.size);
        const FigTextBox *second = fig_plan_text(plan, at, style.face, style.size);

        if (first && second && MAX(first->width, second->width) < 1.3 * least) {
            best[0] = first;
            best[1] = second;
        }
    }
}

/* Does another mark stand in its row, so that its width counts? */
static bool
is_beside_others(const FigNode *node)
{
    const GPtrArray *rank = node->in->rank ? node->in->rank[node->rank] : NULL;
    int marks = 0;

    for (guint i = 0; rank && i < rank->len; i++)
        marks += !((FigNode *)rank->pdata[i])->hollow;
    return marks > 1;
}

/* The words in a box, in two lines when they are long. */
static void
set_label(FigPlan *plan, const FigNode *node, FigMarkText *text)
{
    const FigRecordOp *op = node->op;
    bool narrow = fig_box_wraps(node->in) && is_beside_others(node);
    text->label = text->whole;
    text->second = NULL;
    if (!text->label ||
        text->label->width <= (narrow ? FIG_LABEL_NARROW : FIG_LABEL_MOST))
        return;
    if (!text->tried)
        find_break(plan, op->label, text->broken);
    text->tried = true;
    if (!text->broken[0])
        return;
    text->label = text->broken[0];
    text->second = text->broken[1];
    text->line_gap = fig_plan_leading(text->broken, 1, FIG_LABEL_LINE);
}

/* The texts of a mark; only their lines depend on the room there is. */
static void
set_texts(FigPlan *plan, const FigRecordOp *op, FigMarkText *text)
{
    const char *step = fig_plain_digits(plan, op->step);

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
    } else {
        text->label = text->whole =
            fig_plan_text(plan, op->label, FIG_FACE_SANS,
                          text->fork ? FIG_TYPE_SHAPE : FIG_TYPE_LABEL);
    }
}

/* What a mark with two borders needs so that no index of its label meets the inner one. */
static double
height_in_frame(const FigMarkText *text)
{
    const FigTextBox *last = text->second ? text->second : text->label;
    double gap = text->second ? text->line_gap : 0;
    double over, under;

    if (!text->label)
        return 0;
    /* from the middle of the mark to the ends of the ink */
    under = FIG_SINK * FIG_TYPE_LABEL + gap / 2 + last->ink_bottom;
    over = gap / 2 - FIG_SINK * FIG_TYPE_LABEL - text->label->ink_top;
    return 2 * (MAX(over, under) + FIG_DOUBLE + FIG_FRAME_CLEAR);
}

static void
measure_mark(FigPlan *plan, FigNode *node)
{
    const FigRecordOp *op = node->op;
    FigMarkText *text = &plan->marks[fig_plan_op_index(plan, op)];

    if (text->circle) {
        node->width = node->height = 2 * FIG_CIRCLE_RADIUS;
    } else if (text->fork) {
        node->height = 2 * FIG_FORK_RADIUS;
        text->bar = text->bar || op->n_writes > 3;
        node->width = text->bar ? fig_bar_width(op->n_writes) : node->height;
    } else {
        double edge = MAX(plan->step_width, text->corner ? 2 * FIG_CORNER : 0);

        set_label(plan, node, text);
        node->width = MAX(text->label ? text->label->width : 0,
                          text->second ? text->second->width : 0) +
                      2 * (edge + FIG_BOX_PAD +
                           (fig_box_close(node->in) ? FIG_BOX_PAD_CLOSE : FIG_BOX_PAD));
        node->width = MAX(FIG_BOX_LEAST, ceil(node->width / 2) * 2);
        node->width = MAX(node->width, width_of_ends(op));
        node->height = FIG_BOX_HEIGHT;
        if (op->class == FIG_CLASS_ACTIVATION_MATMUL)
            node->height += FIG_DOUBLE;
        if (text->second)
            node->height += text->line_gap;
        if (op->class == FIG_CLASS_ACTIVATION_MATMUL)
            node->height = MAX(node->height, height_in_frame(text));
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

const FigTextBox *
fig_plan_times(FigPlan *plan, const FigBox *box)
{
    if (!box->loop)
        return NULL;
    return fig_plan_text(plan, fig_plain_digits(plan, box->group->passes),
                         FIG_FACE_SANS_STRONG, FIG_TYPE_LABEL);
}

const FigTextBox *
fig_plan_kinds(FigPlan *plan, const FigBox *box)
{
    g_autofree char *pattern = box->loop ? fig_record_pattern(box->group) : NULL;

    return pattern ? fig_plan_text(plan, pattern, FIG_FACE_SANS, FIG_TYPE_SHAPE) : NULL;
}

double
fig_plan_title_width(FigPlan *plan, const FigBox *box)
{
    const FigTextBox *kinds = fig_plan_kinds(plan, box);
    const FigTextBox *title = fig_plan_title(plan, box);
    const FigTextBox *times = fig_plan_times(plan, box);

    double behind = 0, strip = 0;

    if (fig_strip_has(box))
        strip = fig_strip_width(plan, box, &behind);
    behind = behind > 0 ? FIG_TIMES_GAP + behind
             : kinds    ? FIG_TIMES_GAP + kinds->width
                        : 0;
    return MAX(strip, (title ? title->width : 0) + behind +
                          (times ? FIG_TIMES_GAP + FIG_TIMES_SIGN + times->width : 0));
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
            4 + fig_plan_terminal(plan, node)->width + 4 + (shape ? shape->width : 0) +
            4; /* so that the next one, in its row, is twice as far from the words */
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

void
fig_plan_measure_again(FigPlan *plan)
{
    plan->main_width = 0;
    for (int i = 0; i < plan->record->n_ops; i++) {
        plan->marks[i].beside_room = 0;
        plan->marks[i].beside_away = false;
        plan->marks[i].bar = false;
    }
    measure_box(plan, plan->root);
}

/* The first claim about an op stands beside it; all of its ops bear the accent. */
static void
accent_marks(FigPlan *plan, const FigRecordClaim *claim, const FigRecordOp *op)
{
    FigMarkText *text = &plan->marks[fig_plan_op_index(plan, op)];

    if (!text->callout)
        text->callout = claim;
    for (int i = 0; i < claim->n_also; i++) {
        const FigRecordOp *other = fig_record_op(plan->record, claim->also[i]);

        text = other ? &plan->marks[fig_plan_op_index(plan, other)] : NULL;
        if (text && !text->accent)
            text->accent = claim;
    }
}

bool
fig_plan_measure(FigPlan *plan)
{
    int before = fig_diag_errors(plan->diag);

    plan->marks =
        fig_arena_new_array(plan->arena, FigMarkText, plan->record->n_ops + 1);
    plan->step_width = widest_step(plan);
    measure_values(plan);
    for (int i = 0; i < plan->record->n_ops; i++)
        set_texts(plan, &plan->record->ops[i], &plan->marks[i]);
    measure_box(plan, plan->root);
    for (int c = 0; c < plan->record->n_claims; c++) {
        const FigRecordClaim *claim = &plan->record->claims[c];
        const FigRecordOp *op =
            claim->at ? fig_record_op(plan->record, claim->at) : NULL;

        if (op && (claim->holds || claim->must || !claim->that) &&
            fig_overrides_accent(plan->style, claim))
            accent_marks(plan, claim, op);
    }
    return fig_diag_errors(plan->diag) == before;
}
