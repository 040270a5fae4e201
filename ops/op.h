/* SPDX-License-Identifier: MIT
 *
 * The row of the op table. One file per op holds its equation, its kernel and one FigOp;
 * adding an op is that file and one word in ops/meson.build. Nothing else in the program
 * knows an op by its name: inference binds the signature, the executor calls the kernel,
 * the figure draws label and mark, the documentation prints the row.
 */
#ifndef FIG_OPS_OP_H
#define FIG_OPS_OP_H

#include "base/arena.h"
#include "base/limit.h"
#include "base/poly.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct FigOp FigOp;

/* A target that there is not, as PyTorch's cross entropy ignores it. */
enum { FIG_NO_TARGET = -100 };

/* What an op does to numbers: the legend counts by it, the class follows from it. */
typedef enum FigKind {
    FIG_KIND_MATMUL,
    FIG_KIND_NORM,
    FIG_KIND_POINTWISE,
    FIG_KIND_ROTATION,
    FIG_KIND_MASK,
    FIG_KIND_SOFTMAX,
    FIG_KIND_RESHAPE,
    FIG_KIND_GATHER,
    FIG_KINDS,
} FigKind;

/* How an op is drawn. */
typedef enum FigMark {
    FIG_MARK_BOX,
    FIG_MARK_CIRCLE, /* with the op's sign in it */
    FIG_MARK_FORK,   /* a dot with named branches */
    FIG_MARK_FRAME,
    FIG_MARKS,
} FigMark;

const char *fig_kind_name(FigKind kind); /* "matmul", "norm", … */
const char *fig_mark_name(FigMark mark); /* "box", "circle", … */

typedef enum FigType {
    FIG_F32,
    FIG_F64,
    FIG_U8,  /* masks */
    FIG_I64, /* token ids */
} FigType;

size_t fig_type_size(FigType type);      /* bytes of one element */
const char *fig_type_name(FigType type); /* "float32", "float64", "uint8", "int64" */

/* A tensor as a kernel sees it: element (i, j, …) is at data + i·stride[0] + j·stride[1] +
 * …, strides in elements. Sizes are at least 0. */
typedef struct FigView {
    void *data;
    FigType type;
    int rank;
    int64_t size[FIG_LIMIT_RANK];
    int64_t stride[FIG_LIMIT_RANK];
} FigView;

/* Row-major view of data. */
FigView fig_view_dense(void *data, FigType type, int rank, const int64_t *size);
int64_t fig_view_count(const FigView *view); /* product of the sizes */
bool fig_view_is_dense(const FigView *view);

/* Copy the entries of a view to another of the same sizes and type. */
void fig_view_copy(const FigView *from, const FigView *to);

/* ---- attributes ---- */

typedef enum FigAttrType {
    FIG_ATTR_REAL, /* an expression over constants and dims: eps, theta, scale */
    FIG_ATTR_DIM,  /* a size: heads; with the default 0, a position: from */
    FIG_ATTR_DIMS, /* a list of sizes: sizes of a split */
    FIG_ATTR_WORD, /* one of `words`: layout: half|interleaved */
    FIG_ATTR_AXIS, /* the name of an axis of the first operand: over */
    FIG_ATTR_BOOL,
} FigAttrType;

/* Which numbers a FIG_ATTR_REAL may be. */
typedef enum FigRange {
    FIG_ANY_NUMBER,
    FIG_FROM_ZERO,  /* at least 0: eps */
    FIG_ABOVE_ZERO, /* theta */
} FigRange;

/* How the attribute shows in a figure. */
typedef enum FigShows {
    FIG_SHOWS_IN_LABEL,     /* in the mark's label, or printed beside the mark */
    FIG_SHOWS_IN_SHAPES,    /* in the shapes printed at the results */
    FIG_COMPUTED_NOT_DRAWN, /* listed by check and in the figure's description */
} FigShows;

typedef struct FigAttr {
    const char *name;
    FigAttrType type;
    const char *fallback; /* the default as one would write it; NULL: required */
    const char *words;    /* FIG_ATTR_WORD: "half|interleaved" */
    FigShows shows;
    const char *doc; /* one line of meaning */
    /* "scaling = llama3|yarn": it means something, and is required if it has no default,
     * only where that WORD attribute has one of these words; NULL: always. */
    const char *when;
    FigRange range;
} FigAttr;

/* The value of one attribute in one op of a graph. */
typedef struct FigAttrValue {
    bool given;          /* written in the spec, not the default */
    const char *text;    /* as written: "1/sqrt(h_d)"; for labels and the record */
    const char *tex;     /* the same in the TeX subset: "1/\sqrt{h_d}" */
    double real;         /* REAL, at the sizes of this call */
    int64_t dim;         /* DIM, at the sizes of this call; BOOL: 0 or 1 */
    int n_dims;          /* DIMS */
    const int64_t *dims; /* DIMS [n_dims], at the sizes of this call */
    int word;            /* WORD: index into words */
    int axis;            /* AXIS: index of the axis in the first operand */
    const FigPoly *poly; /* DIM: symbolic */
    const FigPoly *const *polys; /* DIMS [n_dims]: symbolic */
} FigAttrValue;

/* ---- one call of a kernel ---- */

typedef struct FigCall {
    const FigOp *op;
    FigType type; /* FIG_F32 or FIG_F64: of all floating operands and results */
    int n_in, n_out;
    const FigView *in;        /* [n_in] */
    const FigView *out;       /* [n_out]; every element is written, nothing else */
    const FigAttrValue *attr; /* [as many as op->attrs], in their order */
} FigCall;

typedef void (*FigKernel)(const FigCall *call);

/* What the label and the cost of an op are made of. */
typedef struct FigOpFacts {
    FigAlgebra *algebra;
    int n_in, n_out;
    const char *const *in_label;  /* TeX of each operand: "W_{qkv}", "q" */
    const char *const *out_label; /* TeX of each result */
    const bool *in_weight;        /* is the operand a weight? */
    const bool *out_named;        /* has the result a label of its own (S, A, y)? */
    const int *in_rank, *out_rank;
    const FigPoly *const *const *in; /* shapes: in[i][axis] */
    const FigPoly *const *const *out;
    const FigAttrValue *attr;
    const char *(*tex)(FigAlgebra *algebra, const FigPoly *poly, void *data);
    void *data;            /* for tex: a polynomial in the figure's notation, "3C" */
    const char *axis_name; /* the name of the AXIS attribute's axis ("key"), or NULL */
} FigOpFacts;

/* An inner table that a run can keep under NODE.NAME (rope's inv_freq, cos, sin; a mask's
 * visible set). */
typedef struct FigExpose {
    const char *name;
    const char *doc;
    /* The names of its axes, by spaces; NULL: it lies along the last axes of the first
     * result. */
    const char *axes;
    /* Fill view's rank, sizes and type for this call. */
    void (*shape)(const FigCall *call, FigView *view);
    /* Fill the dense view->data, which shape described. */
    void (*fill)(const FigCall *call, FigView *view);
} FigExpose;

struct FigOp {
    const char *name;      /* the YAML key, test name, anchor in docs/ops.md */
    const char *title;     /* the words in the box: "RMSNorm" */
    const char *full_name; /* spelled out: "root mean square normalization" */
    const char *source;    /* paper or source of the formula; NULL for plain ones */
    const char *signature; /* see ops/signature.h */
    const char *equation;  /* TeX subset; every port of the signature occurs in it */
    const FigAttr *attrs;  /* ended by a NULL name; NULL: none */
    FigKind kind;
    FigMark mark;
    const char *sign; /* circle: what stands in it, in TeX: "+", "\odot" */
    bool commutes;    /* the order of operands does not matter */
    /* It begins the passes of a repeat: its first operand is read in the first pass, its
     * second, which is written later in the repeat, in every other. The kernel is handed
     * the one that is read. */
    bool carries;

    FigKernel eval[2];  /* [FIG_F32], [FIG_F64] */
    FigKernel naive[2]; /* the plain twin where eval is fast (BLAS); else NULL */

    /* Optional: give each result as a view of the first operand without moving a byte;
     * false where these strides do not allow it. eval then is the copying twin. */
    bool (*view)(const FigCall *call, FigView *out);

    /* Optional: shapes that the signature cannot say (named in the docs). */
    const char *shape_note;

    /* What one run costs: multiply-add counts two, exp, sqrt and a division one each. In
     * words for the docs: "4 per element of y: …", "2k per element of y", "0". */
    const char *cost;
    const FigPoly *(*flops)(const FigOpFacts *facts);
    const FigPoly *(*bytes)(
        const FigOpFacts *facts); /* elements read and written; NULL:
                                                         all operands and results once */
    /* The label in the figure: words with $…$ math; NULL: the title.
     * owns     arena */
    const char *(*label)(const FigOpFacts *facts, FigArena *arena);

    /* one expression over port and attribute names: "x / np.sqrt(…)" */
    const char *numpy;
    const char *torch;

    const FigExpose *exposes; /* ended by a NULL name; NULL: none */
    /* The port of whole numbers that may be FIG_NO_TARGET where there is none, or NULL. */
    const char *may_lack;
    const char *example; /* "x = [3 4], g = [1 1], eps = 0 -> y = [0.848528 1.131371]";
                                 several are parted by "; ", see ops/example.h */
    const char *same_as; /* optional: a YAML list of ops that computes the same */
};

/* ---- the table ---- */

/* All ops, ended by NULL, in the order of ops/meson.build. */
const FigOp *const *fig_op_all(void);
const FigOp *fig_op_lookup(const char *name);

/* The number of attributes of an op, and the index of one by name or -1. */
int fig_op_attr_count(const FigOp *op);
int fig_op_attr_index(const FigOp *op, const char *name);

/* Does attribute number `index` mean something beside these values (see FigAttr.when)? */
bool fig_attr_applies(const FigOp *op, int index, const FigAttrValue *values);

/* "at least 0", "above 0": what a number of the range is; NULL: anything. */
const char *fig_range_words(FigRange range);
bool fig_range_has(FigRange range, double number);

/* The least value of a DIM attribute: 0 where it has a default (which then is 0), else 1. */
int64_t fig_attr_least(const FigAttr *attr);

/* The index of a word in attr->words, or of true and false for a BOOL; -1: none. */
int fig_attr_word(const FigAttr *attr, const char *word);

/* Label and cost of an op at facts, with the row's defaults where it has no function:
 * the title and the attributes that are to show in it ("soft cap, c $30$"); every operand
 * and result moved once.
 *
 * owns     the label is arena's or the table's; polynomials are the algebra's
 */
const char *fig_op_label(const FigOp *op, const FigOpFacts *facts, FigArena *arena);
const FigPoly *fig_op_flops(const FigOp *op, const FigOpFacts *facts);
const FigPoly *fig_op_bytes(const FigOp *op, const FigOpFacts *facts);

/* Do words with $…$ math name what is printed as `label` (TeX)? Norms may do so by its
 * subscript alone: RMSNorm$_{q}$ names g_{q}. */
bool fig_label_names(const char *words, const char *label);

/* What is seen of a label (TeX): the same for all ways to write what looks alike (W_3,
 * W_{3}, {W}_{3}\\,), for upright letters and others too.
 *
 * owns     the caller
 */
char *fig_label_seen(const char *label);

/* One value for each attribute of op at its default, with real, dim and word filled
 * (REAL defaults are numbers, a DIM has none or 0, DIMS have none).
 *
 * owns     arena
 */
FigAttrValue *fig_op_attr_defaults(const FigOp *op, FigArena *arena);

#endif
