/* SPDX-License-Identifier: MIT
 *
 * The run: every op of a graph, in order, on numbers (or on shapes alone). What an op
 * read and wrote is noted from the buffers its kernel was handed, never from the graph:
 * that is what a record is made of.
 */
#ifndef FIG_EXEC_RUN_H
#define FIG_EXEC_RUN_H

#include "exec/edit.h"
#include "exec/safetensors.h"

typedef struct FigRun FigRun;

/* The tensor of an --input file that fills the graph's input. */
#define FIG_INPUT_TENSOR "hidden_states"

/* Called before and after each kernel; `before` may exchange what call hands it (a test
 * does, and sees the record change). */
typedef struct FigRunHook {
    void (*before)(int node, FigCall *call, FigView *in, void *data);
    void (*after)(int node, const FigCall *call, void *data);
    void *data;
} FigRunHook;

typedef struct FigRunOptions {
    bool numeric; /* false: a shape run, nothing is allocated */
    FigType type; /* FIG_F32 or FIG_F64 */
    bool naive;   /* the plain twins, in fixed order: the same bits everywhere */
    const FigSizes *sizes;  /* NULL: the dims drawn; must outlive the run */
    uint64_t seed;          /* of weights and inputs that are not given */
    FigTensorFile *weights; /* --weights; NULL: random */
    FigTensorFile *input;   /* --input: holds `hidden_states`; NULL: random */
    int layer;              /* for {layer} in checkpoint names */
    bool keep_all; /* keep every value to the end (else freed after its last reader) */
    /* Values ("q"; in a repeat its numbers of all passes) and exposed tables
     * ("q_rope.cos") to keep; NULL-ended */
    const char *const *keep;
    /* run only the ops that what is kept hangs on; the others' steps stay empty */
    bool only_kept;
    const FigRun *from; /* a run with the same options but keep_all and the edits from
                           n_edits_from on: what these do not reach is taken from it, and it
                           must outlive this one; NULL: all is run */
    int n_edits_from;
    bool statistics; /* min, max, mean, rms, non-finite counts of every result */
    size_t memory;   /* bytes this run may take; 0: what the machine has free */
    const FigRunHook *hook;
    int n_edits;
    /* made in this order, at the same sizes; must outlive the run */
    const FigEdit *edits;
} FigRunOptions;

typedef struct FigStatistics {
    double min, max, mean, rms; /* of the finite entries, in double */
    int64_t count, nonfinite;
} FigStatistics;

/* What one op was handed and gave, by value; -1: a buffer no value of the graph owns. In a
 * repeat: in all passes; the time is that of all, the statistics are those of the last. */
typedef struct FigStep {
    int node;
    int n_reads;
    const int *reads;    /* values [n_reads], from the buffers handed to the kernel */
    const FigView *read; /* the views handed (data pointers are no longer valid) */
    int n_writes;
    const int *writes;
    const FigView *written;
    double seconds;
    const FigStatistics *statistics; /* [n_writes], or NULL */
} FigStep;

/* The bytes a run needs at most at one time, from sizes and the life of each value, and
 * what takes most of it. Overflow gives SIZE_MAX.
 *
 * owns     *largest (a value's index) may be NULL
 */
size_t fig_run_memory(const FigGraph *graph, const FigRunOptions *options,
                      int *largest);

/* Execute graph.
 *
 * owns     the caller; free with fig_run_free before graph; files may be closed after this
 * errors   needs more memory than there is (with the dims that cause it); weights
 *          missing, surplus, misshapen (all at once, at the weight's place); NULL
 */
FigRun *fig_run_new(const FigGraph *graph, const FigRunOptions *options, FigDiag *diag);
void fig_run_free(FigRun *run);

int fig_run_steps(const FigRun *run);
const FigStep *fig_run_step(const FigRun *run, int step);

/* A value that was kept (or an input or weight), or NULL; an exposed table as
 * "q_rope.cos". A value in a repeat is that of the last pass, or by "layers.0.q" of
 * another.
 *
 * owns     run
 */
const FigView *fig_run_value(const FigRun *run, const char *id);

/* The numbers of a kept value in a repeat, in one of its passes (exec/passes.h); -1: the
 * last. NULL: it was not kept.
 *
 * owns     run
 */
const FigView *fig_run_pass(const FigRun *run, int value, int64_t number);

/* How the run is named as evidence: "numeric at B 3 T 7 C 24 …", "shape at B 1 T 256 …". */
const char *fig_run_evidence(const FigRun *run);

/* The smallest sizes, at least 3 (passes of a repeat: 2), at which every `when` comes out as at the dims drawn,
 * the same dims are equal and the same are larger, every derived dim is whole and every
 * op can run; `probe:` fixes some.
 *
 * owns     arena
 * errors   none found within the search's bound: NULL, with the reason in diag
 */
const FigSizes *fig_run_probe(const FigGraph *graph, FigArena *arena, FigDiag *diag);

/* Sizes at which no two dims are equal that are not one by a rule, primes as far as derived
 * dims and `when` allow; which: 0, 1, 2 … for others. NULL: none were found.
 *
 * owns     arena
 */
const FigSizes *fig_run_distinct(const FigGraph *graph, int which, FigArena *arena);

/* Element of a view as a double, at a row-major index. */
double fig_view_number(const FigView *view, int64_t index);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(FigRun, fig_run_free)

#endif
