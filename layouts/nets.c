/* SPDX-License-Identifier: MIT
 *
 * Values into nets. A read whose writer lies in another box climbs out of the writer's
 * boxes by sinks, is a net of the innermost box that holds both, and climbs down to the
 * reader by sources. In every box a value is one net, so all its readers there share one
 * trunk.
 */
#include "layouts/arrange.h"

#include <string.h>

FigNet *
fig_box_net(const FigBox *box, const char *value)
{
    return g_hash_table_lookup(box->net_of, value);
}

FigPin *
fig_net_pin(const FigNet *net, const FigNode *to, int port)
{
    for (guint i = 0; net && i < to->reads->len; i++) {
        FigPin *pin = to->reads->pdata[i];

        if (pin->net == net && pin->port == port)
            return pin;
    }
    return NULL;
}

static FigNet *
ensure_net(FigPlan *plan, FigBox *box, const char *value, FigNode *from, int port)
{
    FigNet *net = fig_box_net(box, value);

    if (net)
        return net;
    net = fig_arena_new0(plan->arena, FigNet);
    net->index = (int)box->nets->len;
    net->value = value;
    net->from = from;
    net->port = port;
    net->pins = fig_plan_list(plan);
    net->rail = box->stack && (from->on_rail || !strcmp(value, box->rail_value));
    g_ptr_array_add(box->nets, net);
    g_ptr_array_add(from->writes, net);
    g_hash_table_insert(box->net_of, (char *)value, net);
    return net;
}

static void
ensure_pin(FigPlan *plan, FigNet *net, FigNode *to, int port)
{
    FigPin *pin = fig_net_pin(net, to, port);

    if (pin)
        return;
    pin = fig_arena_new0(plan->arena, FigPin);
    pin->net = net;
    pin->to = to;
    pin->port = port;
    pin->way = g_array_new(FALSE, FALSE, sizeof(FigPoint));
    g_ptr_array_add(plan->garbage,
                    g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref));
    g_ptr_array_add(plan->garbage->pdata[plan->garbage->len - 1], pin->way);
    g_ptr_array_add(net->pins, pin);
    g_ptr_array_add(to->reads, pin);
}

/* The source or sink of a value in a box, made when there is none. */
static FigNode *
border_node(FigPlan *plan, FigBox *box, FigNodeKind kind, const char *value, int *port)
{
    GPtrArray *list = kind == FIG_NODE_SOURCE ? box->sources : box->sinks;
    FigNode *node;

    for (guint i = 0; i < list->len; i++) {
        node = list->pdata[i];
        if (!strcmp(node->value, value)) {
            *port = (int)i;
            return node;
        }
    }
    node = fig_plan_node(plan, box, kind);
    node->value = value;
    node->hollow = true;
    *port = (int)list->len;
    g_ptr_array_add(list, node);
    return node;
}

static bool
holds(const FigBox *box, const FigNode *node)
{
    for (const FigBox *at = node->in; at; at = at->parent)
        if (at == box)
            return true;
    return false;
}

static int
write_port(const FigRecordOp *op, const char *value)
{
    for (int w = 0; op && w < op->n_writes; w++)
        if (!strcmp(op->writes[w].value, value))
            return w;
    return 0;
}

static void
connect(FigPlan *plan, const char *value, FigNode *reader, int read)
{
    FigNode *from = g_hash_table_lookup(plan->writer, value);
    FigNode *to = reader;
    int port = read, out;

    if (!from)
        return;
    out = write_port(from->op, value);
    /* out of the writer's boxes */
    while (!holds(from->in, reader)) {
        FigBox *box = from->in;
        FigNet *net = ensure_net(plan, box, value, from, out);
        FigNode *sink = border_node(plan, box, FIG_NODE_SINK, value, &out);

        ensure_pin(plan, net, sink, 0);
        from = box->node;
    }
    /* into the reader's */
    while (to->in != from->in) {
        FigBox *box = to->in;
        int source_port;
        FigNode *source = border_node(plan, box, FIG_NODE_SOURCE, value, &source_port);

        ensure_pin(plan, ensure_net(plan, box, value, source, 0), to, port);
        to = box->node;
        port = source_port;
    }
    ensure_pin(plan, ensure_net(plan, to->in, value, from, out), to, port);
}

/* What a pass reads of the one before: from the writer out of the body of the repeat, and
 * from the frame into the body again, under another name. */
static void
connect_back(FigPlan *plan, const char *value, FigNode *reader, int read)
{
    FigNode *from = g_hash_table_lookup(plan->writer, value);
    const FigBox *frame = reader->in;
    const char *key = fig_loop_key(plan, value);
    FigNode *to = reader;
    int port = read, out;

    while (frame && !frame->loop)
        frame = frame->parent;
    if (!from || !frame || !holds(frame, from))
        return;
    out = write_port(from->op, value);
    while (from->in != frame) {
        FigBox *box = from->in;
        FigNet *net = ensure_net(plan, box, value, from, out);
        FigNode *sink = border_node(plan, box, FIG_NODE_SINK, value, &out);

        ensure_pin(plan, net, sink, 0);
        from = box->node;
    }
    while (to->in != frame) {
        FigBox *box = to->in;
        int source_port;
        FigNode *source = border_node(plan, box, FIG_NODE_SOURCE, key, &source_port);
        FigNet *net = ensure_net(plan, box, key, source, 0);

        net->back = true;
        ensure_pin(plan, net, to, port);
        to = box->node;
        port = source_port;
    }
    ensure_pin(plan, ensure_net(plan, to->in, value, from, out), to, port);
}

/* The op that writes the value of a net, or NULL. */
static const FigNode *
writer_inside(const FigNet *net)
{
    const FigNode *from = net->from;

    while (from && from->box)
        from = fig_box_net(from->box, net->value)->from;
    return from && from->op ? from : NULL;
}

/* Is a segment the one right above an add? */
static bool
is_beside(const FigBox *stack, const FigNode *segment, const FigNode *add)
{
    for (guint i = 0; i < stack->adds->len; i++)
        if (stack->adds->pdata[i] == add)
            return stack->segments->pdata[i + stack->has_head] == segment;
    return false;
}

/* A value that the add beside its segment reads, and nothing else outside its box, leaves
 * by the right side, all the way down to the op that writes it. */
static void
ask_for_sides(FigBox *box)
{
    for (guint i = 0; box->stack && !box->rail_left && i < box->nets->len; i++) {
        FigNet *net = box->nets->pdata[i];
        FigBox *inner = net->from->box;
        const FigPin *pin = net->pins->pdata[0];

        const FigNode *writer = writer_inside(net);

        if (net->rail || net->pins->len != 1 || !pin->to->on_rail || !writer ||
            writer->op->n_writes != 1 || !is_beside(box, net->from, pin->to))
            continue;
        while (inner && !inner->stack) {
            FigNet *within = fig_box_net(inner, net->value);

            if (within->pins->len != 1)
                break;
            ((FigPin *)within->pins->pdata[0])->to->side = true;
            inner = within->from->box;
        }
    }
    for (guint i = 0; i < box->nodes->len; i++) {
        FigNode *node = box->nodes->pdata[i];

        if (node->box)
            ask_for_sides(node->box);
    }
}

void
fig_plan_nets(FigPlan *plan)
{
    const FigRecord *record = plan->record;

    for (guint i = 0; i < plan->order->len; i++) {
        const FigRecordOp *op = plan->order->pdata[i];

        for (int r = 0; r < op->n_reads; r++)
            if (fig_plan_is_edge(&op->reads[r]))
                (op->reads[r].later ? connect_back : connect)(
                    plan, op->reads[r].value,
                    g_hash_table_lookup(plan->node_of, op->id), r);
    }
    for (int o = 0; o < record->n_outputs; o++)
        connect(plan, record->outputs[o],
                g_hash_table_lookup(plan->output_of, record->outputs[o]), 0);
    ask_for_sides(plan->root);
}
