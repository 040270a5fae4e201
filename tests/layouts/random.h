/* SPDX-License-Identifier: MIT
 *
 * Random records, as a run of some spec could have left them: chains, wide and narrow
 * graphs, residual streams, hubs that many ops read, skips over many rows, splits into
 * two to six, ops with up to five operands, groups in groups, labels of up to sixty
 * characters. A record follows from its seed alone; `names` changes all ids and nothing
 * else.
 */
#ifndef FIG_TESTS_LAYOUTS_RANDOM_H
#define FIG_TESTS_LAYOUTS_RANDOM_H

#include "exec/record.h"

#include <string.h>

typedef struct Maker {
    GRand *rand;
    FigArena *arena;
    guint32 names;  /* ids follow from it */
    GArray *values; /* FigRecordValue */
    GArray *ops;    /* FigRecordOp */
    GArray *groups; /* FigRecordGroup */
    GArray *claims; /* FigRecordClaim */
    GArray *reads;  /* int, by value: how often it is read; -1: a weight */
    GArray *open;   /* int: groups */
    int near, hub;  /* in percent: how often an op reads what is near, or the hub */
    int hub_value, floor;
} Maker;

static int
chance(Maker *maker, int low, int high) /* both may come */
{
    return g_rand_int_range(maker->rand, low, high + 1);
}

static bool
odds(Maker *maker, int percent)
{
    return chance(maker, 0, 99) < percent;
}

/* ---- names ---- */

static const char *
id_of(Maker *maker, const char *kind, guint number)
{
    guint32 mixed = (maker->names + number) * 2654435761u ^ g_str_hash(kind);

    return maker->names
               ? fig_arena_printf(maker->arena, "%c%x_%s%u", 'a' + (char)(mixed % 26),
                                  mixed >> 8, kind, number)
               : fig_arena_printf(maker->arena, "%s%u", kind, number);
}

static const char *
words(Maker *maker, int most)
{
    static const char *const WORDS[] = {
        "norm",   "gate",    "scores",  "projection", "a",          "head", "of",
        "window", "softmax", "$W_{q}$", "rotary",     "$C \\to D$", "mix"};
    g_autoptr(GString) out = g_string_new(NULL);
    int wanted = chance(maker, 1, most);

    for (int i = 0; i < 30; i++) {
        const char *word = WORDS[chance(maker, 0, G_N_ELEMENTS(WORDS) - 1)];

        if (out->len && (int)(out->len + 1 + strlen(word)) > wanted)
            break;
        if (out->len)
            g_string_append_c(out, ' ');
        g_string_append(out, word);
    }
    return fig_arena_strdup(maker->arena, out->str);
}

/* ---- values ---- */

static int
add_value(Maker *maker, const char *kind)
{
    static const char *const SHAPES[][5] = {{"B", "T", "C"},   {"B", "H", "T", "h"},
                                            {"B", "T", "3*C"}, {"B", "H", "T", "T"},
                                            {"C", "C"},        {"T"}};
    static const int64_t SIZES[4] = {2, 3, 5, 7};
    FigRecordValue value = {.kind = kind};
    guint number = maker->values->len;
    int shape = chance(maker, 0, G_N_ELEMENTS(SHAPES) - 1), unread = 0;

    while (SHAPES[shape][value.rank])
        value.rank++;
    value.id = id_of(maker, "v", number);
    value.label = fig_arena_printf(maker->arena, "x_{%u}", number);
    value.labelled = strcmp(kind, "input") ? odds(maker, 30) : true;
    value.shape = fig_arena_copy(maker->arena, SHAPES[shape], sizeof SHAPES[shape]);
    value.axes = value.shape;
    value.size = fig_arena_copy(maker->arena, SIZES, sizeof SIZES);
    if (!strcmp(kind, "weight"))
        unread = -1;
    g_array_append_val(maker->values, value);
    g_array_append_val(maker->reads, unread);
    return (int)number;
}

/* The last but `back` of the values that nothing reads yet, or -1. */
static int
unread(const Maker *maker, int back)
{
    for (int v = (int)maker->reads->len - 1; v >= maker->floor; v--)
        if (g_array_index(maker->reads, int, v) == 0 && back-- == 0)
            return v;
    return -1;
}

static int
pick(Maker *maker)
{
    int n = (int)maker->reads->len, value = -1;

    if (odds(maker, maker->hub))
        return maker->hub_value;
    if (odds(maker, maker->near))
        value = unread(maker, chance(maker, 0, 2));
    else if (odds(maker, 60))
        value = chance(maker, MAX(maker->floor, n - 9), n - 1);
    while (value < 0 || g_array_index(maker->reads, int, value) < 0)
        value = chance(maker, 0, n - 1);
    return value;
}

/* ---- ops ---- */

static FigRecordRead
reading(Maker *maker, const char *port, int value)
{
    const FigRecordValue *the = &g_array_index(maker->values, FigRecordValue, value);
    FigRecordRead read = {.port = port,
                          .value = the->id,
                          .from = the->kind,
                          .rank = the->rank,
                          .shape = the->shape,
                          .size = the->size};

    if (strcmp(the->kind, "weight"))
        g_array_index(maker->reads, int, value)++;
    return read;
}

static void
add_op(Maker *maker, FigRecordOp op, const int *operands, int n_operands, bool weight)
{
    static const char *const PORTS[] = {"a", "b", "c", "d", "e", "f"};
    FigRecordRead *reads =
        fig_arena_new_array(maker->arena, FigRecordRead, n_operands + 1);
    FigRecordWrite *writes =
        fig_arena_new_array(maker->arena, FigRecordWrite, op.n_writes);
    const char **groups =
        fig_arena_new_array(maker->arena, const char *, maker->open->len + 1);

    op.step = (int)maker->ops->len + 1;
    op.id = id_of(maker, "op", maker->ops->len);
    op.title = op.full_name = op.op;
    op.equation = op.flops = op.bytes = "0";
    op.flops_number = 1000;
    for (int i = 0; i < n_operands; i++)
        reads[op.n_reads++] = reading(maker, PORTS[i], operands[i]);
    if (weight)
        reads[op.n_reads++] = reading(maker, "w", add_value(maker, "weight"));
    for (int w = 0; w < op.n_writes; w++) {
        int made = add_value(maker, "activation");
        const FigRecordValue *value =
            &g_array_index(maker->values, FigRecordValue, made);

        writes[w] = (FigRecordWrite){value->id, value->rank, value->shape, value->size};
    }
    op.reads = reads;
    op.writes = writes;
    op.groups = groups;
    for (guint i = 0; i < maker->open->len; i++)
        groups[op.n_groups++] = g_array_index(maker->groups, FigRecordGroup,
                                              g_array_index(maker->open, int, i))
                                    .id;
    g_array_append_val(maker->ops, op);
}

static void
add_sum(Maker *maker, int a, int b)
{
    const FigRecordOp op = {.op = "add",
                            .kind = "pointwise",
                            .class = FIG_CLASS_OTHER,
                            .mark = "circle",
                            .sign = "+",
                            .commutes = true,
                            .label = "add",
                            .n_writes = 1};

    add_op(maker, op, (int[]){a, b}, 2, false);
}

static void
add_any(Maker *maker)
{
    static const FigRecordAttribute THETA = {.name = "theta",
                                             .text = "theta",
                                             .value = "5e5",
                                             .label = "\\theta",
                                             .drawn = true,
                                             .given = true};
    int operands[6], what = chance(maker, 0, 99), n = 1;
    bool weight = false;
    FigRecordOp op = {.op = "silu",
                      .kind = "pointwise",
                      .class = FIG_CLASS_OTHER,
                      .mark = "box",
                      .n_writes = 1};

    for (int i = 0; i < 6; i++)
        operands[i] = pick(maker);
    op.label = words(maker, odds(maker, 8) ? 60 : 18);
    if (what < 12) {
        add_sum(maker, operands[0], operands[1]);
        return;
    }
    if (what < 18) {
        op.op = "mul";
        op.mark = "circle";
        op.sign = "\\odot";
        op.commutes = true;
        n = 2;
    } else if (what < 30) {
        op.op = "split";
        op.kind = "reshape";
        op.mark = "fork";
        op.label = "split";
        op.n_writes = odds(maker, 70) ? chance(maker, 2, 3) : chance(maker, 4, 6);
    } else if (what < 45) {
        op.op = "matmul";
        op.kind = "matmul";
        op.class = FIG_CLASS_ACTIVATION_MATMUL;
        n = 2;
    } else if (what < 60) {
        op.op = "matmul";
        op.kind = "matmul";
        op.class = FIG_CLASS_WEIGHT_MATMUL;
        weight = true;
    } else if (what < 70) {
        op.op = "rmsnorm";
        op.kind = "norm";
        op.class = FIG_CLASS_NORM;
        weight = true;
    } else if (what < 75) {
        op.op = "rope";
        op.kind = "rotation";
        op.n_attributes = 1;
        op.attributes = &THETA;
    } else if (what < 80) {
        op.op = "join";
        n = chance(maker, 3, 5);
    }
    add_op(maker, op, operands, n, weight);
    if (odds(maker, 3) && maker->claims->len < 4) {
        FigRecordClaim claim = {.id = id_of(maker, "claim", maker->claims->len),
                                .that = "1 < 2",
                                .must = true,
                                .holds = true,
                                .by = "structure"};

        claim.say.text = words(maker, 80);
        claim.at = g_array_index(maker->ops, FigRecordOp, maker->ops->len - 1).id;
        g_array_append_val(maker->claims, claim);
    }
}

/* ---- groups ---- */

static void
open_group(Maker *maker)
{
    int index = (int)maker->groups->len, last = (int)maker->open->len - 1;
    FigRecordGroup group = {.id = id_of(maker, "group", maker->groups->len)};

    group.title = words(maker, 40);
    if (last >= 0)
        group.parent = g_array_index(maker->groups, FigRecordGroup,
                                     g_array_index(maker->open, int, last))
                           .id;
    g_array_append_val(maker->groups, group);
    g_array_append_val(maker->open, index);
}

static void
move_between_groups(Maker *maker, int percent)
{
    guint depth = maker->open->len;

    if (depth < 3 && odds(maker, percent))
        open_group(maker);
    else if (depth > 0 && odds(maker, 2 * percent))
        g_array_set_size(maker->open, depth - 1);
}

/* ---- the record ---- */

/* Sublayers beside a residual stream. */
static void
add_stream(Maker *maker, int n_ops, int grouping)
{
    int stream = 0;

    while ((int)maker->ops->len < n_ops) {
        int length = chance(maker, 1, 12);

        g_array_set_size(maker->open, 0);
        if (odds(maker, grouping > 0 ? 70 : 0))
            open_group(maker);
        maker->hub_value = stream;
        maker->floor = (int)maker->values->len;
        add_op(maker,
               (FigRecordOp){.op = "silu",
                             .kind = "pointwise",
                             .class = FIG_CLASS_OTHER,
                             .mark = "box",
                             .label = words(maker, 20),
                             .n_writes = 1},
               &stream, 1, false);
        for (int i = 1; i < length; i++) {
            move_between_groups(maker, grouping);
            add_any(maker);
        }
        g_array_set_size(maker->open, 0);
        while (unread(maker, 1) >= 0)
            add_sum(maker, unread(maker, 1), unread(maker, 0));
        if (unread(maker, 0) < 0)
            continue;
        add_sum(maker, stream, unread(maker, 0));
        stream = (int)maker->values->len - 1;
    }
    maker->floor = 0;
}

static int
size_of(Maker *maker)
{
    int kind = chance(maker, 0, 99);

    return kind < 60   ? chance(maker, 1, 24)
           : kind < 85 ? chance(maker, 25, 60)
           : kind < 96 ? chance(maker, 61, 120)
                       : chance(maker, 121, 290);
}

static void
fill_record(Maker *maker, FigRecord *record)
{
    static const FigRecordDim DIMS[] = {{"B", "B", "batch", NULL, 2},
                                        {"T", "T", "tokens", NULL, 3},
                                        {"C", "C", "model width", NULL, 5},
                                        {"H", "H", "heads", NULL, 7},
                                        {"h", "h_d", NULL, NULL, 7}};
    static const FigRecordConstant THETA = {"theta", "\\theta", "5e5"};
    g_autoptr(GPtrArray) outputs = g_ptr_array_new();
    int most = odds(maker, 30) ? chance(maker, 2, 5) : 1;

    /* what is left over: outputs, or added up until few are left */
    while (unread(maker, most) >= 0)
        add_sum(maker, unread(maker, most), unread(maker, most - 1));
    for (int v = 0; v < (int)maker->values->len; v++) {
        FigRecordValue *value = &g_array_index(maker->values, FigRecordValue, v);

        if (g_array_index(maker->reads, int, v) == 0 && !strcmp(value->kind, "input"))
            add_op(maker,
                   (FigRecordOp){.op = "silu",
                                 .kind = "pointwise",
                                 .class = FIG_CLASS_OTHER,
                                 .mark = "box",
                                 .label = words(maker, 20),
                                 .n_writes = 1},
                   &v, 1, false);
    }
    for (int v = 0; v < (int)maker->values->len; v++) {
        FigRecordValue *value = &g_array_index(maker->values, FigRecordValue, v);

        if (g_array_index(maker->reads, int, v) == 0) {
            value->output = true;
            g_ptr_array_add(outputs, (void *)value->id);
        }
    }
#define TAKE(field, from, type)                                                        \
    record->n_##field = (int)from->len;                                                \
    record->field = fig_arena_copy(maker->arena, from->data, from->len * sizeof(type))
    TAKE(values, maker->values, FigRecordValue);
    TAKE(ops, maker->ops, FigRecordOp);
    TAKE(groups, maker->groups, FigRecordGroup);
    TAKE(claims, maker->claims, FigRecordClaim);
#undef TAKE
    record->n_outputs = (int)outputs->len;
    record->outputs =
        fig_arena_copy(maker->arena, outputs->pdata, outputs->len * sizeof(char *));
    record->n_dims = G_N_ELEMENTS(DIMS);
    record->dims = DIMS;
    record->n_constants = 1;
    record->constants = &THETA;
    record->version = "0";
    record->spec_digest = "0123456789";
    record->spec_text = "";
    record->title.text = words(maker, 90);
    record->subtitle.text = odds(maker, 50) ? words(maker, 120) : NULL;
}

/* A record of about n_ops ops (0: as the seed says). */
static FigRecord *
random_record(guint32 seed, guint32 names, int n_ops)
{
    FigRecord *record;
    Maker maker = {
        .rand = g_rand_new_with_seed(seed),
        .arena = fig_arena_new(),
        .names = names,
        .values = g_array_new(FALSE, TRUE, sizeof(FigRecordValue)),
        .ops = g_array_new(FALSE, TRUE, sizeof(FigRecordOp)),
        .groups = g_array_new(FALSE, TRUE, sizeof(FigRecordGroup)),
        .claims = g_array_new(FALSE, TRUE, sizeof(FigRecordClaim)),
        .reads = g_array_new(FALSE, TRUE, sizeof(int)),
        .open = g_array_new(FALSE, TRUE, sizeof(int)),
    };
    int size = size_of(&maker), inputs = odds(&maker, 50) ? 1 : chance(&maker, 2, 5);
    int grouping = odds(&maker, 50) ? chance(&maker, 5, 25) : 0;
    bool stream = odds(&maker, 40);

    record = fig_arena_new0(maker.arena, FigRecord); /* as fig_record_free has it */
    record->arena = maker.arena;
    record->name = fig_arena_printf(maker.arena, "random-%u", seed);
    maker.near = chance(&maker, 60, 95);
    maker.hub = odds(&maker, 40) ? chance(&maker, 2, 12) : 0;
    for (int i = 0; i < inputs; i++)
        add_value(&maker, "input");
    if (n_ops)
        size = n_ops;
    if (stream)
        add_stream(&maker, size, grouping);
    while ((int)maker.ops->len < size) {
        move_between_groups(&maker, grouping);
        add_any(&maker);
        if (odds(&maker, 2))
            maker.hub_value = chance(&maker, 0, (int)maker.values->len - 1);
        while (g_array_index(maker.reads, int, maker.hub_value) < 0)
            maker.hub_value--;
    }
    if (odds(&maker, 50))
        g_array_set_size(maker.open, 0);
    fill_record(&maker, record);
    g_rand_free(maker.rand);
    g_array_unref(maker.values);
    g_array_unref(maker.ops);
    g_array_unref(maker.groups);
    g_array_unref(maker.claims);
    g_array_unref(maker.reads);
    g_array_unref(maker.open);
    return record;
}

/* ---- what is in it ---- */

typedef struct Histogram {
    int records, fan_out, skips, inputs, nested, ops, most_ops;
} Histogram;

static G_GNUC_UNUSED void
count_record(const FigRecord *record, Histogram *histogram)
{
    g_autoptr(GHashTable) row = g_hash_table_new(g_str_hash, g_str_equal);
    g_autoptr(GHashTable) readers = g_hash_table_new(g_str_hash, g_str_equal);
    int inputs = 0, fan_out = 0, skip = 0, depth = 0;

    for (int v = 0; v < record->n_values; v++)
        inputs += !strcmp(record->values[v].kind, "input");
    for (int i = 0; i < record->n_ops; i++) {
        const FigRecordOp *op = &record->ops[i];
        int at = 0;

        for (int r = 0; r < op->n_reads; r++)
            at = MAX(at,
                     1 + GPOINTER_TO_INT(g_hash_table_lookup(row, op->reads[r].value)));
        for (int r = 0; r < op->n_reads; r++) {
            const char *value = op->reads[r].value;
            int n = GPOINTER_TO_INT(g_hash_table_lookup(readers, value)) + 1;

            if (!strcmp(op->reads[r].from, "weight"))
                continue;
            g_hash_table_insert(readers, (char *)value, GINT_TO_POINTER(n));
            fan_out = MAX(fan_out, n);
            skip = MAX(skip, at - 1 - GPOINTER_TO_INT(g_hash_table_lookup(row, value)));
        }
        for (int w = 0; w < op->n_writes; w++)
            g_hash_table_insert(row, (char *)op->writes[w].value, GINT_TO_POINTER(at));
        depth = MAX(depth, op->n_groups);
    }
    histogram->records++;
    histogram->fan_out += fan_out >= 4;
    histogram->skips += skip >= 10;
    histogram->inputs += inputs >= 3;
    histogram->nested += depth >= 2;
    histogram->ops += record->n_ops;
    histogram->most_ops = MAX(histogram->most_ops, record->n_ops);
}

#endif
