/* SPDX-License-Identifier: MIT
 *
 * What a model is: plain data, complete and checked. Ops are in execution order, every
 * value has its symbolic shape and its sizes at the dims drawn, and each element keeps
 * its place in the file. `when` is decided, bypassed ops are gone, joins are made.
 */
#ifndef FIG_SPEC_GRAPH_H
#define FIG_SPEC_GRAPH_H

#include "base/arena.h"
#include "base/diag.h"
#include "ops/op.h"
#include "ops/signature.h"
#include "spec/expr.h"

/* Words with $…$ math and <expr> placeholders, as the spec has them. */
typedef struct FigText {
    const char *text;  /* NULL: not given */
    const FigYaml *at; /* the scalar, for places inside it */
} FigText;

struct FigAka;

typedef struct FigDim {
    const char *id;
    const char *what;  /* "model width"; may be NULL */
    const char *label; /* TeX: "h_{ff}" */
    FigSpan span;
    const FigExpr *is;   /* as in the spec; NULL where overridden */
    bool derived;        /* by an expression over other dims, not overridden */
    bool overridden;     /* by --dims or a config */
    const FigPoly *poly; /* in the graph's algebra */
    int symbol;   /* number of its symbol when it is free (not derived), else -1 */
    int64_t size; /* at the dims drawn */
    int n_aka;
    const struct FigAka *aka;
} FigDim;

typedef enum FigConstantKind {
    FIG_CONSTANT_NUMBER,
    FIG_CONSTANT_WORD, /* one of its `one_of:`, or a word in a map */
    FIG_CONSTANT_NONE,
    FIG_CONSTANT_MAP,
} FigConstantKind;

typedef struct FigConstant FigConstant;
struct FigConstant {
    const char *id;
    FigConstantKind kind;
    const char *label; /* TeX: "\theta" */
    bool labelled;     /* the label is the spec's own, not made from the id */
    const char *what;
    FigSpan span;
    /* as written, "5e5", "full", "none", "{type: yarn, factor: 8}", or as overridden */
    const char *text;
    bool overridden;           /* by --set or a config */
    double real;               /* NUMBER */
    const FigYaml *node;       /* MAP: as written */
    int n_members;             /* MAP */
    const FigConstant *member; /* MAP: NUMBER, WORD or NONE each */
    const FigYaml *one_of;     /* the words it may be, or NULL */
};

typedef enum FigFrom {
    FIG_FROM_INPUT,
    FIG_FROM_WEIGHT,
    FIG_FROM_ACTIVATION,
} FigFrom;

/* Another library's name of a value. */
typedef struct FigAka {
    const char *library; /* "golden", "hf" */
    const char *name;    /* may hold {layer} */
    const char *side;    /* "input" or "output" of a module of that name; or NULL */
    const FigYaml *axes; /* its axes there, where they are others; or NULL */
    const struct FigAxes *lay; /* the same, read */
} FigAka;

typedef struct FigValue {
    const char *id;
    const char *label; /* TeX: "q", "W_{qkv}" */
    bool labelled;     /* the spec gives a label (or the op's out: names it) */
    const char *what;  /* may be NULL */
    FigSpan span;
    FigFrom from;
    FigShape shape;               /* symbolic, with axis names */
    int64_t size[FIG_LIMIT_RANK]; /* at the dims drawn */
    int node;                     /* ACTIVATION: the op that writes it, else -1 */
    int port;                     /* ACTIVATION: which of its results */
    int n_readers;                /* how many operands of ops read it */
    bool is_output;
    int n_aka;
    const FigAka *aka;
    /* INPUT */
    bool whole;           /* whole numbers (token ids, a mask), by who reads it: … */
    FigType whole_type;   /* … stored so … */
    const FigPoly *below; /* … from 0, below this; … */
    bool may_lack;        /* … or FIG_NO_TARGET, where there is none */
    /* WEIGHT */
    const char *init;       /* "normal" (the default), "ones", "zeros" */
    const char *checkpoint; /* tensor name, may hold {layer}; NULL: none */
    bool stored_out_in;     /* the checkpoint stores (out, in) */
    int n_members;          /* a join: how many; else 0 */
    const int *members;     /* values joined, in order */
    int join_axis;
    int joined_in; /* the join this weight is a member of, or -1 */
    bool used;     /* read by an op itself or as a member */
    /* ACTIVATION, WEIGHT: the innermost repeated group it is in: it is another tensor in
     * each pass. -1: it is one */
    int repeat;
} FigValue;

/* One operand of an op. */
typedef struct FigRead {
    int value;
    const char *port; /* the signature's name: "a" */
    FigSpan span;
} FigRead;

/* What other libraries call an inner table that an op exposes. */
typedef struct FigTableName {
    const char *table; /* "cos" */
    int n_aka;
    const FigAka *aka;
} FigTableName;

typedef struct FigNode {
    const char *id;
    const FigOp *op;
    FigSpan span;    /* of the op's mapping */
    FigSpan op_span; /* of the word after op: */
    int n_reads;
    const FigRead *reads;
    int n_writes;
    const int *writes;
    const FigAttrValue *attrs; /* at the dims drawn, with their symbolic forms */
    const FigExpr *const
        *attr_exprs; /* per attribute; NULL: default or not an expression */
    const FigExpr *const *const *attr_lists; /* per attribute, DIMS: one each */
    const char *label; /* words with math: of the op row, or of `title:` in the spec */
    const char *title; /* `title:` as written, NULL if none */
    int group;         /* index, -1: none */
    int repeat;        /* the innermost group around it that is repeated, -1: none */
    FigMark mark;      /* of the row, or as asked by `mark:` */
    int n_tables;
    const FigTableName *tables;         /* of those in `tables:` that hold here */
    unsigned in_mixed[FIG_LIMIT_PORTS]; /* bits: the axes each operand mixes */
} FigNode;

typedef struct FigGroup {
    const char *id;
    const char *title; /* may be NULL */
    FigSpan span;
    int parent; /* index, -1 */
    /* `repeat:`: how often its ops run; NULL: once */
    const FigPoly *count;
    FigSpan count_span;
    const char *index; /* what `{l}` in names counts: the pass, from 0 */
    int64_t passes;    /* at the dims drawn; 1 where it is not repeated */
    int repeat;        /* the next group around it that is repeated, -1: none */
    bool kinds;        /* its passes are of several kinds, see FigLayers */
    bool broken;    /* while loading: it was to be repeated, and why not is reported */
    int first, end; /* its nodes are first … end − 1 */
} FigGroup;

typedef struct FigClaim {
    const char *id;
    FigSpan span;
    FigText say;
    const FigYaml *that; /* scalar; NULL: a sentence that is not checked */
    const FigExpr *expr; /* of `that` */
    int at;              /* node beside which it is drawn, -1: none */
    const int *also;     /* more nodes that it is about */
    int n_also;
    bool must;
} FigClaim;

/* The name of a bypassed op's result: it means what the op would have read. */
typedef struct FigAlias {
    const char *id;
    int value;
} FigAlias;

/* Layers of a repeat that differ from others in a constant, and so in some ops. */
typedef struct FigLayers {
    const char *word;             /* what the constant is in them */
    const struct FigGraph *graph; /* the same nodes and values as in the whole, with the
                                     ops that these layers have */
} FigLayers;

/* A text that was read, before anything was laid over it. */
typedef struct FigParsed {
    const FigSource *source;
    const FigYaml *root;
} FigParsed;

typedef struct FigGraph {
    FigArena *arena;
    const FigSource *source; /* the spec's file */
    /* the same with what it extends behind it: what a figure carries */
    const char *text;
    size_t text_length;
    const FigYaml *root; /* its nodes, with what it extends and `edit:` says */
    int n_parsed;
    const FigParsed *parsed; /* it, and what it extends and uses, each by itself */
    FigAlgebra *algebra;
    const char *name, *family; /* family may be NULL */
    const char *conforms;      /* the shipped spec that proves the family, or NULL */
    FigText title, subtitle;
    bool shipped; /* byte for byte one of the program's own specs */
    int n_dims;
    FigDim *dims;
    int n_constants;
    FigConstant *constants;
    int n_values;
    FigValue *values;
    int n_aliases;
    FigAlias *aliases;
    int n_nodes;
    FigNode *nodes; /* in execution order: step i + 1 */
    int n_groups;
    FigGroup *groups;   /* parents first */
    int kinds_group;    /* whose passes are of several kinds, -1: none … */
    int kinds_constant; /* … which this constant says */
    int n_kinds;
    FigLayers *kinds; /* the first is this graph itself */
    int *kind_of;     /* [its passes] index into kinds */
    int period;       /* they come round again after so many */
    int n_outputs;
    const int *outputs; /* values */
    int n_claims;
    FigClaim *claims;
    int n_notes; /* `notes:` sentences that are not claims; drawn as unchecked */
    FigText *notes;
    /* per symbol of the algebra: its size at the dims drawn; [fig_algebra_symbols] */
    const int64_t *symbol_size;
    /* conditions of `when:` and how they came out, for the search of probe dims */
    int n_conditions;
    const FigExpr *const *conditions;
    const bool *condition_holds;
    int n_probe; /* `probe:` — dims fixed for the numeric run */
    const int *probe_dim;
    const int64_t *probe_size;
} FigGraph;

void fig_graph_free(FigGraph *graph);

/* The index of a dim, constant, value, node, group by id; -1: none. A node's id is also
 * the id of its only result, unless `out:` says otherwise; the id of a bypassed op is that
 * of the value it would have read. */
int fig_graph_dim(const FigGraph *graph, const char *id);
int fig_graph_constant(const FigGraph *graph, const char *id);

/* A constant, or by "scaling.factor" the member of one; a member of `none` is none. NULL:
 * there is no such constant. */
const FigConstant *fig_constant_find(const FigConstant *constants, int n,
                                     const char *id);
int fig_graph_value(const FigGraph *graph, const char *id);
int fig_graph_node(const FigGraph *graph, const char *id);
int fig_graph_group(const FigGraph *graph, const char *id);

/* How many elements of the spec have an id, those switched off too: an edit finds one. */
int fig_graph_elements(const FigGraph *graph, const char *id);

/* An op as the spec has it, a map. */
const FigYaml *fig_graph_op_yaml(const FigGraph *graph, int node);

/* Is node's group the given one or nested in it? */
bool fig_graph_in_group(const FigGraph *graph, int node, int group);

/* Does one repeated group lie in another, or is it the same? -1 holds all. */
bool fig_graph_repeat_in(const FigGraph *graph, int repeat, int outer);

/* The innermost repeated group (or -1) that holds both. */
int fig_graph_repeat_common(const FigGraph *graph, int a, int b);

/* Every number of a graph at given sizes of the symbols. */
typedef struct FigSizes {
    const int64_t *symbol;                  /* [fig_algebra_symbols] */
    const int64_t *dim;                     /* [n_dims] */
    const int64_t (*value)[FIG_LIMIT_RANK]; /* [n_values] */
    const FigAttrValue *const *attr;        /* [n_nodes][attributes of the op] */
    const int64_t *passes; /* [n_groups] 1 where a group is not repeated */
} FigSizes;

/* Evaluate shapes and attributes at the sizes of the symbols (NULL: the dims drawn).
 *
 * owns     arena
 * errors   a size that is not whole, not positive, or overflows, at the dim's place;
 *          NULL. diag may be NULL: silent (the search of probe dims).
 */
const FigSizes *fig_graph_sizes(const FigGraph *graph, const int64_t *symbol_size,
                                FigArena *arena, FigDiag *diag);

/* Does a `when:` or any expression over dims and constants hold at sizes? */
bool fig_graph_condition(const FigGraph *graph, const FigExpr *expr,
                         const FigSizes *sizes, bool *holds);

/* How often what is in a repeated group (-1: in none) runs in all: its passes times
 * those around it. sizes may be NULL: at the dims drawn. */
int64_t fig_graph_passes(const FigGraph *graph, const FigSizes *sizes, int repeat);

/* The graph with the ops that a node has in the pass that `pass` [n_groups] says: this one
 * or that of a kind of layers. *kind may be NULL. */
const FigGraph *fig_graph_in_pass(const FigGraph *graph, int node, const int64_t *pass,
                                  int *kind);

/* How many passes a run makes at least, so that each kind of layer is among them. */
int64_t fig_graph_least_passes(const FigGraph *graph, int group);

/* The kinds of layers, one after the other, until they come round again: "window, window,
 * full".
 *
 * owns     the caller
 */
char *fig_graph_pattern(const FigGraph *graph);

/* What the costs of one pass in a repeated group are multiplied by: "L"; NULL where that
 * is too large.
 *
 * owns     the graph's algebra
 */
const FigPoly *fig_graph_count(const FigGraph *graph, int repeat);

/* Facts of a node for its label and cost.
 *
 * owns     arena
 */
const FigOpFacts *fig_graph_facts(const FigGraph *graph, int node, FigArena *arena);

/* A polynomial in the notation of the figure, in TeX: "3C".
 *
 * owns     the caller
 */
char *fig_graph_tex(const FigGraph *graph, const FigPoly *poly);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(FigGraph, fig_graph_free)

#endif
