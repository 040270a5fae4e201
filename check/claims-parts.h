/* SPDX-License-Identifier: MIT
 *
 * What the files of the claim language share: its values, one evaluation, and the table of
 * functions.
 *
 *   claims.c            every claim and text of a graph, into the record
 *   claims-eval.c       names and operators
 *   claims-call.c       functions and their arguments
 *   claims-array.c      arrays with named axes
 *   claims-fold.c       functions of numbers and arrays
 *   claims-structure.c  functions about the graph
 *   claims-cost.c       functions that count: ops, parameters, FLOPs, bytes
 *   claims-run.c        the runs behind claims about numbers
 *   claims-single.c     functions that run single ops
 *   claims-again.c      functions that run again: edited, disturbed, another spec
 *   claims-docs.c       the reference of the language, from the table
 *   claims-pieces.c     a claim as a tree of what `and`, `or` and `not` join
 *   claims-otherwise.c  answers that the model did not give
 *   claims-try.c        whether small changes of the model break a claim, and each piece
 *   claims-text.c       numbers as text, placeholders, digits
 *   claims-why.c        why a claim does not hold
 */
#ifndef FIG_CHECK_CLAIMS_PARTS_H
#define FIG_CHECK_CLAIMS_PARTS_H

#include "check/claims.h"
#include "spec/load.h"

typedef enum FigClaimKind {
    FIG_CLAIM_NUMBER,
    FIG_CLAIM_TRUTH,
    FIG_CLAIM_WORD,  /* the name of an axis, of a layout, … */
    FIG_CLAIM_REF,   /* an op or a value of the graph */
    FIG_CLAIM_SET,   /* ops, or values */
    FIG_CLAIM_ARRAY, /* numbers or truths along named axes */
} FigClaimKind;

typedef enum FigClaimFormat {
    FIG_FORMAT_PLAIN,   /* 1408 */
    FIG_FORMAT_COMMAS,  /* 3,213,312 */
    FIG_FORMAT_PERCENT, /* 92.5 */
} FigClaimFormat;

typedef struct FigClaimArray {
    int rank;
    const char *axis[FIG_LIMIT_RANK]; /* names */
    int64_t size[FIG_LIMIT_RANK];
    const double *data; /* row-major; truths are 0 and 1 */
    bool truth;
} FigClaimArray;

typedef struct FigClaimValue {
    FigClaimKind kind;
    bool executed; /* made of numbers that a run computed */
    /* NUMBER */
    bool exact;
    FigRational rational; /* exact */
    double real;          /* always */
    FigClaimFormat format;
    const char *text; /* as the spec writes it: a constant's "5e5"; else NULL */
    /* TRUTH */
    bool truth;
    /* WORD */
    const char *word;
    /* REF */
    int node, value;     /* -1: the name is none */
    const FigPart *part; /* of the value; NULL: all of it */
    /* SET: the ops and what they write, or the values and what writes them */
    bool of_values;
    int n_nodes;
    const int *nodes; /* in execution order; -1, first: inputs and weights */
    int n_values;
    const int *values;
    /* ARRAY */
    FigClaimArray array;
} FigClaimValue;

/* The run behind all claims of one graph, made when the first needs it. */
typedef struct FigClaimRun FigClaimRun;

struct FigClaims {
    const FigGraph *graph;
    const FigRecord *record;
    const FigClaimOptions *options; /* may be NULL */
    FigArena *arena;                /* for all claims */
    const char *const *names;       /* everything a name may mean, for suggestions */
    const FigRecordOp **op;         /* [n_nodes] what was executed; NULL: was not */
    const int **reads;              /* [n_nodes][op->n_reads] values, -1: none */
    FigClaimRun *run;
};

/* An edit that holds in a part of an expression. */
typedef struct FigClaimEdit FigClaimEdit;
struct FigClaimEdit {
    FigEdit edit;
    const char *text;
    const FigClaimEdit *outer; /* made before; NULL: none */
};

/* The passes of repeats that a claim is evaluated in: it is to hold in each. */
typedef struct FigClaimPasses {
    const FigClaims *of;
    int64_t *pass; /* [n_groups] */
    bool *asked;   /* [n_groups] values of this repeat were looked at */
} FigClaimPasses;

/* One evaluation. */
typedef struct FigClaimEval {
    FigClaims *claims;
    FigDiag *diag;
    FigArena *arena; /* scratch */
    bool running;    /* at the sizes of the run; else at the dims drawn */
    bool wants_run;  /* stopped because it needs the run */
    bool ran;        /* some part was settled by running */
    int otherwise;   /* not 0: answers are others, in one of so many ways (a trial) */
    const FigClaimEdit *edits; /* that hold here, the last first */
    FigClaimPasses *passes;    /* NULL: a value in a repeat is that of the last pass */
    bool has_number;
    double bound, number; /* of the comparison with executed numbers that decided … */
    bool decided;         /* … against the claim; else of the first */
    GString *found;       /* "count() is 3" for each part that fails; may be NULL */
} FigClaimEval;

void fig_claims_open(FigClaims *claims, const FigGraph *graph, const FigRecord *record,
                     const FigClaimOptions *options);
void fig_claims_close(FigClaims *claims);

/* ---- evaluation ---- */

/* Evaluate a sentence that is true or false, each comparison of it by structure if it can
 * be and else by the run. */
bool fig_claim_truth(FigClaimEval *e, const FigExpr *expr, bool *truth);

/* Note in part->found what a part was that is not as wanted: the sides of its comparison,
 * or the worst entry. alone: it is the whole claim. */
void fig_claim_explain(FigClaimEval *part, const FigExpr *expr, bool wanted,
                       bool alone);

/* Evaluate anything, by structure or by the run. */
bool fig_claim_any(FigClaimEval *e, const FigExpr *expr, FigClaimValue *out);

/* Evaluate a part of the expression under evaluation. */
bool fig_claim_eval(FigClaimEval *e, const FigExpr *expr, FigClaimValue *out);

/* Evaluate a call. */
bool fig_claim_call(FigClaimEval *e, const FigExpr *expr, FigClaimValue *out);

/* An op or value where numbers are wanted means the numbers of the value. */
bool fig_claim_to_numbers(FigClaimEval *e, const FigExpr *expr, FigClaimValue *value);
bool fig_claim_is_numeric(const FigClaimValue *value); /* a number or many */
bool fig_claim_is_truth(const FigClaimValue *value);   /* a truth or many */

/* What the model could have answered in place of what it did, where e->otherwise says so;
 * the same to the same question. */
void fig_claim_otherwise(FigClaimEval *e, const char *question, FigClaimValue *answer);

/* Report that expr is of the wrong kind; false. */
bool fig_claim_wrong_kind(FigClaimEval *e, const FigExpr *expr,
                          const FigClaimValue *value, const char *wanted);

/* Note what a comparison measured, and against which bound; the first one counts. */
void fig_claim_note(FigClaimEval *e, double bound, double number);

FigClaimValue fig_claim_exact(FigRational rational);
FigClaimValue fig_claim_whole(int64_t number);
FigClaimValue fig_claim_real(double real);
FigClaimValue fig_claim_bool(bool truth);

/* Ops, in execution order, with what they write; values, with what writes them. */
FigClaimValue fig_claim_ops(FigClaimEval *e, const int *nodes, int n);
FigClaimValue fig_claim_values(FigClaimEval *e, const int *values, int n);

/* "a number", "an array", …: for messages. */
const char *fig_claim_kind_name(const FigClaimValue *value);

/* A table that an op exposes, by the name "q_rope.cos": the numbers of the run. False,
 * reported, or because it needs the run. */
bool fig_claim_table(FigClaimEval *e, const FigExpr *expr, FigClaimValue *out);

/* Is it the name of an op, a dot and a word? */
bool fig_claim_is_table(const FigClaims *claims, const char *name);

/* ---- functions ---- */

typedef enum FigParamType {
    FIG_PARAM_OP,      /* the name of an op, or of the value it writes */
    FIG_PARAM_VALUE,   /* the name of a value, or of an op with one result */
    FIG_PARAM_REF,     /* either */
    FIG_PARAM_OPS,     /* one or a set of ops */
    FIG_PARAM_VALUES,  /* one or a set of values; a set of ops is what they write */
    FIG_PARAM_REFS,    /* either */
    FIG_PARAM_SET,     /* a set of ops, an op or a group */
    FIG_PARAM_COUNTED, /* the same, or a set of values */
    FIG_PARAM_PLACE,   /* a value or a part of it: z, z[:, 0] */
    FIG_PARAM_TEXT,    /* in quotes */
    FIG_PARAM_EXPR,    /* not evaluated: the function does */
    FIG_PARAM_WORD,    /* a bare word or a string */
    FIG_PARAM_AXIS,    /* the name or the number of an axis */
    FIG_PARAM_ARRAY,   /* an array or a number */
    FIG_PARAM_NUMBER,
} FigParamType;

typedef struct FigParam {
    const char *name;
    FigParamType type;
    bool optional;
} FigParam;

enum { FIG_CLAIM_PARAMS = 8 };

typedef struct FigClaimCall {
    const FigExpr *expr;
    const FigExpr *arg[FIG_CLAIM_PARAMS]; /* NULL: not given */
    FigClaimValue value[FIG_CLAIM_PARAMS];
} FigClaimCall;

/* How what a function says is settled. */
typedef enum FigClaimBy {
    FIG_BY_STRUCTURE,
    FIG_BY_ARGUMENTS, /* by running if one of them is */
    FIG_BY_RUN,
} FigClaimBy;

typedef struct FigClaimFunction {
    const char *name;
    FigParam params[FIG_CLAIM_PARAMS]; /* ended by a NULL name */
    bool (*eval)(FigClaimEval *e, const FigClaimCall *call, FigClaimValue *out);
    const char *doc;     /* what it is, in one or two sentences */
    const char *example; /* a claim about olmo2-block that holds */
    FigClaimBy by;
} FigClaimFunction;

/* conforms(), in a file of its own.
 *
 * errors   no such spec, no repeated group, dims the spec does not have; with a message,
 *          false
 */
bool fig_claim_conforms(FigClaimEval *e, const FigClaimCall *call, FigClaimValue *out);

/* Tables ended by a NULL name. */
extern const FigClaimFunction fig_claim_structure_functions[];
extern const FigClaimFunction fig_claim_cost_functions[];
extern const FigClaimFunction fig_claim_array_functions[];
extern const FigClaimFunction fig_claim_single_functions[];
extern const FigClaimFunction fig_claim_again_functions[];

/* All of them, by what they speak of; ended by a NULL title. */
typedef struct FigClaimTable {
    const char *title;
    const FigClaimFunction *functions;
} FigClaimTable;
extern const FigClaimTable fig_claim_tables[];

/* How a call is written, for messages and the docs: "path(from, to, [through])".
 *
 * owns     the caller
 */
char *fig_claim_usage(const FigClaimFunction *function);

/* The parameters by which a function selects ops, from `at` on: a set, kind, class, op
 * and group; all that hold. */
#define FIG_PARAMS_SELECT                                                              \
    {"set", FIG_PARAM_SET, true}, {"kind", FIG_PARAM_WORD, true},                      \
        {"class", FIG_PARAM_WORD, true}, {"op", FIG_PARAM_WORD, true},                 \
    {                                                                                  \
        "group", FIG_PARAM_WORD, true                                                  \
    }
bool fig_claim_select(FigClaimEval *e, const FigClaimCall *call, int at,
                      FigClaimValue *out);

/* Is it the name of a class of ops? Else a message. */
bool fig_claim_is_class(FigClaimEval *e, const FigExpr *arg, const char *word);

/* The ops of one class (NULL: all). */
FigClaimValue fig_claim_class(FigClaimEval *e, const char *word);

/* ---- arrays ---- */

/* A number or a truth as an array without axes. */
FigClaimArray fig_claim_as_array(FigArena *arena, const FigClaimValue *value);

/* Apply a binary operator elementwise, axes matched by name. */
bool fig_claim_broadcast(FigClaimEval *e, const FigExpr *expr, FigOperator sign,
                         const FigClaimValue *a, const FigClaimValue *b,
                         FigClaimValue *out);
bool fig_claim_index(FigClaimEval *e, const FigExpr *expr, const FigClaimValue *array,
                     FigClaimValue *out);

/* A FigPartNumber: an index as the language evaluates it; data is a FigClaimEval. */
bool fig_claim_index_number(const FigExpr *expr, void *data, double *number);
int64_t fig_claim_count(const FigClaimArray *array);

/* The index of an axis named by a word or number, or -1 with a message. */
int fig_claim_axis(FigClaimEval *e, const FigExpr *at, const FigClaimValue *axis,
                   int rank, const char *const *names, const char *what);

/* ---- the run ---- */

/* Sizes of the run; NULL with a message when there are none. */
const FigSizes *fig_claim_sizes(FigClaimEval *e, const FigExpr *at);

/* The run at these sizes with the edits that hold; NULL with a message.
 *
 * owns     the claims
 */
FigRun *fig_claim_whole_run(FigClaimEval *e, const FigExpr *at);

/* The same made anew with one more edit, keeping one value.
 *
 * owns     the caller; NULL with a message
 */
FigRun *fig_claim_run_edited(FigClaimEval *e, const FigEdit *edit, const char *keep);

/* A value in a run: in a repeat that of the pass the claim is evaluated in. NULL: the run
 * did not keep it.
 *
 * owns     the run
 */
const FigView *fig_claim_view(FigClaimEval *e, const FigRun *run, int value);

/* The numbers of a value in the run. */
bool fig_claim_load(FigClaimEval *e, const FigExpr *at, int value, FigClaimValue *out);

/* Another shipped spec with its own run, at the sizes of this one; NULL with a message.
 *
 * owns     the claims
 */
FigClaims *fig_claim_other(FigClaimEval *e, const FigExpr *at, const char *name);

/* The path of a shipped spec.
 *
 * owns     the caller; NULL with a message
 */
char *fig_claim_other_path(FigClaimEval *e, const FigExpr *at, const char *name);

/* Load another spec with the dims of this one that it has too, and at the sizes that they
 * have here, without its claims and names in other libraries; set: constants of it.
 *
 * owns     the caller, to be freed before graph; *there in arena; NULL with a message
 */
FigGraph *fig_claim_load_other(const FigGraph *graph, const char *path,
                               const FigSizes *here, const FigOverride *set,
                               FigArena *arena, const FigSizes **there, FigDiag *diag);

/* Report that another spec cannot run here, by the first error of diag. */
void fig_claim_report_other(FigClaimEval *e, const FigExpr *at, const char *name,
                            const FigDiag *diag);
void fig_claim_run_free(FigClaimRun *run);

/* How many runs were made for these claims. */
int fig_claim_runs(const FigClaims *claims);

/* The names of a value's axes, as the record has them. */
const char *const *fig_claim_axis_names(const FigClaims *claims, int value);

/* ---- text ---- */

/* A value as a figure prints it. owns: the caller */
char *fig_claim_print(const FigClaimValue *value);

/* Fill the placeholders of a text; false with messages. */
bool fig_claim_sentence(FigClaims *claims, const FigText *text, FigArena *arena,
                        FigDiag *diag, FigSentence *out);

/* Warn of digits that neither a placeholder nor the claim's expression (may be NULL)
 * covers. */
void fig_claim_digits(const FigClaims *claims, const FigText *text, const FigExpr *expr,
                      FigDiag *diag);

#endif
