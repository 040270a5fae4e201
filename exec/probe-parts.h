/* SPDX-License-Identifier: MIT
 *
 * The search of probe dims as a problem: variables, what follows from them and what is to
 * hold. probe-set-up.c makes it from a graph, probe.c solves it; private to both.
 */
#ifndef FIG_EXEC_PROBE_PARTS_H
#define FIG_EXEC_PROBE_PARTS_H

#include "exec/run.h"

enum {
    FIG_PROBE_SMALLEST = 3, /* T×T with fewer says little */
    FIG_PROBE_PASSES = 2,   /* of a repeat: the second reads what the first left */
};

/* Free dims of one size at the dims drawn. */
typedef struct FigProbeVariable {
    int64_t drawn;
    int count; /* the dim that is a number of passes and nothing else; -1: a size */
    int dim;   /* the first of them */
    enum {
        FIG_PROBE_FREE,
        FIG_PROBE_CONDITION,
        FIG_PROBE_DERIVED
    } role;        /* what depends on it */
    int64_t least; /* smallest size that leaves room for the smaller ones */
    int64_t room;  /* how many variables are larger */
} FigProbeVariable;

/* A size that follows from others: a derived dim or an attribute. */
typedef struct FigProbeDerived {
    const FigPoly *poly;
    int dim; /* -1: an attribute, of which only its being whole matters */
    int64_t least;
    int level; /* after how many assignments it is known */
} FigProbeDerived;

typedef struct FigProbe {
    const FigGraph *graph;
    int n_variables;
    FigProbeVariable *variables;
    int *order;      /* [n_variables] order of assignment */
    int *variable;   /* [n_dims] the variable of a free dim, -1: fixed or derived */
    int *level;      /* [n_dims] after how many assignments the dim is known */
    bool *compared;  /* [n_dims] its order among the dims is to be kept */
    bool apart;      /* positions keep no order with widths */
    bool *position;  /* [n_dims] no weight and no derived size is made of it */
    int64_t *size;   /* [n_dims] */
    int64_t *wanted; /* [n_dims] as `probe:` fixes it, or 0 */
    int64_t *symbol; /* [symbols] */
    GArray *derived; /* of FigProbeDerived */
    int *decided;    /* [n_conditions] after how many assignments each is known */
    int64_t cap;
    int64_t *best; /* [symbols] the best assignment so far */
    bool found;
    /* sizes in the order they are tried; NULL: the smallest … */
    const int64_t *candidates;
    int n_candidates; /* … that keep what is equal and what is larger */
    char *alone; /* [n_variables][n_candidates] see refused_alone; NULL: not asked */
    int64_t steps, runs;
    int failed; /* runs, since a size changed that derived ones hang on */
} FigProbe;

/* The problem of a graph; candidates: sizes in the order they are tried, NULL for the
 * smallest that keep what is equal and what is larger; apart: positions keep no order with
 * widths.
 *
 * owns     scratch, but for its list of derived sizes
 */
FigProbe fig_probe_set_up(const FigGraph *graph, const int64_t *candidates,
                          int n_candidates, bool apart, FigArena *scratch);

/* Does a polynomial depend on a variable? */
bool fig_probe_depends(const FigProbe *s, const FigPoly *poly, int variable);

#endif
