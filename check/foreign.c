/* SPDX-License-Identifier: MIT
 *
 * An edge list against the run. An edge stands for one operand: a read of its op of a
 * value that its start wrote, or that comes from there over ops which the figure leaves
 * out. Operands that no edge stands for are missing, edges that stand for none are wrong.
 */
#include "check/foreign.h"

#include "check/shape-text.h"

#include <string.h>

typedef struct Look {
    const FigRecord *record;
    const FigForeign *foreign;
    FigForeignReport *report;
    GArray *findings; /* FigFinding */
    bool *drawn;      /* [ops]: an edge names it */
    bool **taken;     /* [ops][reads]: an edge stands for it */
    bool *left;       /* [outputs]: an edge leads out of it */
} Look;

static void G_GNUC_PRINTF(5, 0) add(Look *look, const char *kind, int line,
                                    const char *did, const char *format, va_list args)
{
    g_autofree char *says = g_strdup_vprintf(format, args);
    FigFinding finding = {kind, line, fig_arena_strdup(look->report->arena, says),
                          fig_arena_strdup(look->report->arena, did)};
    g_array_append_val(look->findings, finding);
}

static void G_GNUC_PRINTF(5, 6) finding(Look *look, const char *kind, int line,
                                        const char *did, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add(look, kind, line, did, format, args);
    va_end(args);
}

/* ---- names ---- */

static bool
is_output(const FigForeignCell *to)
{
    return strcmp(to->text, "output") == 0;
}

static void
unknown(const FigRecord *record, const FigForeignCell *cell, const char *what, bool ops,
        FigDiag *diag)
{
    g_autoptr(GPtrArray) words = g_ptr_array_new();
    for (int i = 0; i < record->n_ops; i++)
        g_ptr_array_add(words, (gpointer)record->ops[i].id);
    for (int i = 0; !ops && i < record->n_values; i++)
        g_ptr_array_add(words, (gpointer)record->values[i].id);
    g_ptr_array_add(words, NULL);
    FigMessage *message = fig_diag_error(diag, cell->span, "%s ‘%s’", what, cell->text);
    fig_message_suggest(message, cell->text, (const char *const *)words->pdata);
}

static void
check_port(const FigRecordOp *op, const FigForeignCell *port, FigDiag *diag)
{
    g_autoptr(GPtrArray) words = g_ptr_array_new();
    for (int i = 0; i < op->n_reads; i++) {
        if (strcmp(op->reads[i].port, port->text) == 0)
            return;
        g_ptr_array_add(words, (gpointer)op->reads[i].port);
    }
    g_ptr_array_add(words, NULL);
    g_autofree char *all = g_strjoinv(", ", (char **)words->pdata);
    FigMessage *message = fig_diag_error(diag, port->span, "‘%s’ has no operand ‘%s’",
                                         op->id, port->text);
    fig_message_note(message, "its operands are %s", all);
}

static void
check_class(const FigForeignCell *cell, FigDiag *diag)
{
    const char *words[FIG_CLASSES + 1] = {NULL};
    for (int c = 0; c < FIG_CLASSES; c++)
        words[c] = fig_class_name((FigClass)c);
    if (g_strv_contains(words, cell->text))
        return;
    FigMessage *message = fig_diag_error(diag, cell->span, "no class ‘%s’", cell->text);
    g_autofree char *all = g_strjoinv(", ", (char **)words);
    fig_message_note(message, "classes are %s", all);
    fig_message_suggest(message, cell->text, words);
}

static bool
check_names(const FigForeign *foreign, const FigRecord *record, FigDiag *diag)
{
    int before = fig_diag_errors(diag);
    for (int i = 0; i < foreign->n_edges; i++) {
        const FigForeignCell *cell = foreign->edges[i].cell;
        const FigForeignCell *from = &cell[FIG_FOREIGN_FROM],
                             *to = &cell[FIG_FOREIGN_TO];
        if (!fig_record_op(record, from->text) && !fig_record_value(record, from->text))
            unknown(record, from, "no op, input or value is called", false, diag);
        const FigRecordOp *op = fig_record_op(record, to->text);
        if (!op && !is_output(to))
            unknown(record, to, "no op is called", true, diag);
        if (op && cell[FIG_FOREIGN_PORT].text)
            check_port(op, &cell[FIG_FOREIGN_PORT], diag);
        if (cell[FIG_FOREIGN_CLASS].text)
            check_class(&cell[FIG_FOREIGN_CLASS], diag);
    }
    return fig_diag_errors(diag) == before;
}

/* ---- what the run read ---- */

static int
index_of(const FigRecord *record, const FigRecordOp *op)
{
    return (int)(op - record->ops);
}

/* "‘scores’ (step 12) read q_rope as a, k_rope as b". owns: the caller */
static char *
reads_words(const FigRecord *record, const FigRecordOp *op)
{
    GString *out = g_string_new(NULL);
    g_string_append_printf(out, "‘%s’ (step %d) read ", op->id, op->step);
    for (int i = 0, n = 0; i < op->n_reads; i++) {
        const FigRecordRead *read = &op->reads[i];
        const FigRecordOp *writer =
            read->value ? fig_record_writer(record, read->value) : NULL;
        if (strcmp(read->from, "weight") == 0)
            continue;
        g_string_append_printf(out, "%s%s as %s", n++ ? ", " : "",
                               writer        ? writer->id
                               : read->value ? read->value
                                             : "no value",
                               read->port);
    }
    return g_string_free(out, FALSE);
}

static bool
is_fork(const FigRecordOp *op)
{
    return strcmp(op->mark, "fork") == 0;
}

/* Does a value come from where an edge starts: written there, or made of it by ops that
 * may be passed over? An op that is drawn may not, unless it is a fork. */
static bool
comes_from(const Look *look, const char *value, const char *from, int steps)
{
    const FigRecord *record = look->record;
    const FigRecordOp *writer = value ? fig_record_writer(record, value) : NULL;
    if (value && strcmp(value, from) == 0)
        return true;
    if (!writer)
        return false;
    if (strcmp(writer->id, from) == 0)
        return true;
    if (steps == 0 || (look->drawn[index_of(record, writer)] && !is_fork(writer)))
        return false;
    for (int i = 0; i < writer->n_reads; i++)
        if (strcmp(writer->reads[i].from, "weight") != 0 &&
            comes_from(look, writer->reads[i].value, from, steps - 1))
            return true;
    return false;
}

enum { MOST_PASSED = 12 }; /* ops passed over by one edge */

/* How an edge starts at a value: without passing over anything is better. */
static int
match(const Look *look, const FigRecordRead *read, const FigForeignEdge *edge)
{
    const char *port = edge->cell[FIG_FOREIGN_PORT].text;
    const char *from = edge->cell[FIG_FOREIGN_FROM].text;
    if (port && strcmp(port, read->port) != 0)
        return -1;
    for (int steps = 0; steps <= MOST_PASSED; steps++)
        if (comes_from(look, read->value, from, steps))
            return steps;
    return -1;
}

/* ---- edges ---- */

static void
prove_shape(Look *look, const FigForeignEdge *edge, const char *id)
{
    const FigForeignCell *shape = &edge->cell[FIG_FOREIGN_SHAPE];
    const FigRecordValue *value = id ? fig_record_value(look->record, id) : NULL;
    if (!shape->text || !value)
        return;
    g_autofree char *symbols = fig_shape_print(look->record, value, false);
    FigShapeSame same = fig_shape_compare(look->record, value, shape->text);
    if (same == FIG_SHAPE_SAME) {
        look->report->shapes++;
        return;
    }
    g_autofree char *did = g_strdup_printf(
        "‘%s’ has %s%s", id, symbols,
        same == FIG_SHAPE_HERE ? ", which is as large at these dims alone" : "");
    finding(look, "shape", shape->span.line, did, "the shape %s from ‘%s’ to ‘%s’",
            shape->text, edge->cell[FIG_FOREIGN_FROM].text,
            edge->cell[FIG_FOREIGN_TO].text);
}

static void
prove_class(Look *look, const FigForeignEdge *edge, const FigRecordOp *op)
{
    const FigForeignCell *class = &edge->cell[FIG_FOREIGN_CLASS];
    if (!class->text)
        return;
    if (strcmp(class->text, fig_class_name(op->class)) == 0) {
        look->report->classes++;
        return;
    }
    g_autofree char *did =
        g_strdup_printf("its class is %s", fig_class_name(op->class));
    finding(look, "class", class->span.line, did, "‘%s’ looks like %s", op->id,
            class->text);
}

/* The value that a wrong edge would carry: what its start writes, if that is one. */
static const char *
value_of(const FigRecord *record, const char *from)
{
    const FigRecordOp *op = fig_record_op(record, from);
    return op ? (op->n_writes == 1 ? op->writes[0].value : NULL) : from;
}

static void
wrong_edge(Look *look, const FigForeignEdge *edge, const FigRecordOp *op)
{
    const char *port = edge->cell[FIG_FOREIGN_PORT].text;
    bool second = false;
    for (int i = 0; i < op->n_reads; i++) {
        FigForeignEdge any = *edge;
        any.cell[FIG_FOREIGN_PORT].text = NULL;
        second |= look->taken[index_of(look->record, op)][i] &&
                  match(look, &op->reads[i], &any) >= 0;
    }
    g_autofree char *did = reads_words(look->record, op);
    finding(look, "edge", edge->cell[FIG_FOREIGN_FROM].span.line, did,
            "%s edge from ‘%s’ to ‘%s’%s%s", second ? "a second" : "an",
            edge->cell[FIG_FOREIGN_FROM].text, op->id, port ? " as " : "",
            port ? port : "");
}

static void
output_edge(Look *look, const FigForeignEdge *edge)
{
    const FigForeignCell *from = &edge->cell[FIG_FOREIGN_FROM];
    const int n = look->record->n_outputs;
    /* an output that no edge has yet goes before one that has */
    for (int i = 0; i < 2 * n; i++) {
        const char *output = look->record->outputs[i % n];
        if (look->left[i % n] != (i >= n) ||
            !comes_from(look, output, from->text, MOST_PASSED))
            continue;
        look->left[i % n] = true;
        look->report->edges++;
        look->report->edges_found++;
        prove_shape(look, edge, output);
        return;
    }
    g_autoptr(GString) did = g_string_new(
        look->record->n_outputs == 1 ? "the output is" : "the outputs are");
    for (int i = 0; i < look->record->n_outputs; i++)
        g_string_append_printf(did, "%s %s", i ? "," : "", look->record->outputs[i]);
    finding(look, "edge", from->span.line, did->str, "an edge from ‘%s’ to the output",
            from->text);
}

/* Does an edge lead from a member of a joined weight to where the join is read? Each member
 * may have an edge, so none of them takes the operand. */
static bool
is_member(const Look *look, const FigRecordRead *read, const FigForeignEdge *edge)
{
    const char *port = edge->cell[FIG_FOREIGN_PORT].text;
    const FigRecordValue *value =
        read->value ? fig_record_value(look->record, read->value) : NULL;
    for (int i = 0; value && i < value->n_members; i++)
        if (strcmp(value->members[i], edge->cell[FIG_FOREIGN_FROM].text) == 0)
            return !port || strcmp(port, read->port) == 0;
    return false;
}

/* Each edge takes the operand that it fits best: by passing over least, then the first.
 * Those that pass over nothing choose before the others. */
static void
take(Look *look, bool *used, int steps)
{
    for (int e = 0; e < look->foreign->n_edges; e++) {
        const FigForeignEdge *edge = &look->foreign->edges[e];
        const FigRecordOp *op =
            fig_record_op(look->record, edge->cell[FIG_FOREIGN_TO].text);
        if (used[e] || !op)
            continue;
        bool *taken = look->taken[index_of(look->record, op)];
        for (int i = 0; i < op->n_reads && !used[e]; i++) {
            used[e] = is_member(look, &op->reads[i], edge);
            if (used[e])
                prove_shape(look, edge, edge->cell[FIG_FOREIGN_FROM].text);
            if (used[e] || taken[i] || match(look, &op->reads[i], edge) != steps)
                continue;
            taken[i] = used[e] = true;
            prove_shape(look, edge, steps == 0 ? op->reads[i].value : NULL);
        }
    }
}

static void
prove_edges(Look *look)
{
    g_autofree bool *used = g_new0(bool, look->foreign->n_edges);
    for (int steps = 0; steps <= MOST_PASSED; steps++)
        take(look, used, steps);
    for (int e = 0; e < look->foreign->n_edges; e++) {
        const FigForeignEdge *edge = &look->foreign->edges[e];
        const FigRecordOp *op =
            fig_record_op(look->record, edge->cell[FIG_FOREIGN_TO].text);
        if (!op) {
            output_edge(look, edge);
            continue;
        }
        prove_class(look, edge, op);
        if (used[e])
            continue;
        wrong_edge(look, edge, op);
        prove_shape(look, edge,
                    value_of(look->record, edge->cell[FIG_FOREIGN_FROM].text));
    }
}

/* ---- what is missing ---- */

/* Who wrote a value, in the words of a figure that leaves forks out; NULL: it entered. */
static const FigRecordOp *
drawn_writer(const Look *look, const char *value)
{
    const FigRecordOp *writer = value ? fig_record_writer(look->record, value) : NULL;
    while (writer && is_fork(writer) && !look->drawn[index_of(look->record, writer)] &&
           writer->n_reads > 0 && writer->reads[0].value) {
        const FigRecordOp *before =
            fig_record_writer(look->record, writer->reads[0].value);
        if (!before)
            break;
        writer = before;
    }
    return writer;
}

static void
prove_operands(Look *look)
{
    const FigRecord *record = look->record;
    for (int o = 0; o < record->n_ops; o++) {
        const FigRecordOp *op = &record->ops[o];
        if (!look->drawn[o]) {
            g_autofree char *did = g_strdup_printf(
                "‘%s’ ran: %s", op->id, op->full_name ? op->full_name : op->op);
            look->report->ops_found += is_fork(op);
            if (!is_fork(op))
                finding(look, "mark", 0, did, "no edge comes to step %d", op->step);
            continue;
        }
        look->report->ops_found++;
        for (int i = 0; i < op->n_reads; i++) {
            const FigRecordRead *read = &op->reads[i];
            const FigRecordOp *writer = drawn_writer(look, read->value);
            if (strcmp(read->from, "weight") == 0)
                continue;
            look->report->edges++;
            look->report->edges_found += look->taken[o][i];
            if (look->taken[o][i])
                continue;
            g_autofree char *did = reads_words(record, op);
            finding(look, "edge", 0, did, "no edge from ‘%s’ to ‘%s’",
                    writer ? writer->id : read->value, op->id);
        }
    }
}

/* What leaves, where the op that wrote it is drawn. A list may keep to what is between ops:
 * then it has no edge to an output at all. */
static void
prove_outputs(Look *look)
{
    const FigRecord *record = look->record;
    bool any = false;
    for (int e = 0; !any && e < look->foreign->n_edges; e++)
        any = is_output(&look->foreign->edges[e].cell[FIG_FOREIGN_TO]);
    for (int i = 0; any && i < record->n_outputs; i++) {
        const char *output = record->outputs[i];
        const FigRecordOp *writer = drawn_writer(look, output);
        if (look->left[i] || (writer && !look->drawn[index_of(record, writer)]))
            continue;
        g_autofree char *did = g_strdup_printf("‘%s’ is an output", output);
        look->report->edges++;
        finding(look, "edge", 0, did, "no edge from ‘%s’ to the output",
                writer ? writer->id : output);
    }
}

FigForeignReport *
fig_foreign_check(const FigForeign *foreign, const FigRecord *record, FigDiag *diag)
{
    if (!check_names(foreign, record, diag))
        return NULL;
    FigArena *arena = fig_arena_new();
    FigForeignReport *report = fig_arena_new0(arena, FigForeignReport);
    g_autoptr(GArray) findings = g_array_new(FALSE, FALSE, sizeof(FigFinding));
    Look look = {record, foreign, report, findings, NULL, NULL, NULL};
    report->arena = arena;
    report->ops = record->n_ops;
    look.drawn = fig_arena_new_array(arena, bool, record->n_ops + 1);
    look.taken = fig_arena_new_array(arena, bool *, record->n_ops + 1);
    look.left = fig_arena_new_array(arena, bool, record->n_outputs + 1);
    for (int o = 0; o < record->n_ops; o++)
        look.taken[o] = fig_arena_new_array(arena, bool, record->ops[o].n_reads + 1);
    for (int e = 0; e < foreign->n_edges; e++) {
        for (int c = FIG_FOREIGN_FROM; c <= FIG_FOREIGN_TO; c++) {
            const FigRecordOp *op =
                fig_record_op(record, foreign->edges[e].cell[c].text);
            if (op)
                look.drawn[index_of(record, op)] = true;
        }
    }
    prove_edges(&look);
    prove_operands(&look);
    prove_outputs(&look);
    report->n_findings = (int)findings->len;
    report->findings =
        fig_arena_copy(arena, findings->data, findings->len * sizeof(FigFinding));
    return report;
}

void
fig_foreign_report_free(FigForeignReport *report)
{
    if (report)
        fig_arena_free(report->arena); /* report itself lives there */
}
