/* SPDX-License-Identifier: MIT
 *
 * The golden sets, layer by layer: what a test needs to run one and to find in it what the
 * trace calls by its own names.
 */
#ifndef FIG_TESTS_EXEC_SETS_H
#define FIG_TESTS_EXEC_SETS_H

#include "exec/run.h"
#include "spec/load.h"

typedef struct Set {
    const char *name, *spec;
    int layers;
    int compared[2];   /* tensors of the layers and tables: float32, float64 */
    const char *kinds; /* OLMo 3: w or f for each layer */
} Set;

extern const Set sets[8];

/* How a set is run, and what its trace is. */
typedef struct Pass {
    const char *file;
    FigType type;
    bool naive;
    double tolerance; /* of max|diff| / rms */
} Pass;

/* The path of a file of the set. owns: the caller */
char *set_path(const Set *set, const char *name);

/* owns: the caller */
FigTensorFile *set_file(const Set *set, const char *name);

/* The input of a layer: by its name, or the same tensor under another. */
const FigFileTensor *layer_input(const FigTensorFile *trace, int layer);

/* A file that holds one tensor as `hidden_states`; it is gone from folder when this
 * returns. owns: the caller */
FigTensorFile *input_file(const FigFileTensor *tensor, const char *folder);

/* The block of one layer, of the set's spec or of another (NULL: the set's), at the sizes
 * of its config and its input. owns: the caller */
FigGraph *layer_graph(const Set *set, const char *spec, int layer,
                      const FigFileTensor *input);

/* Run it and keep everything, with the tables of RoPE and masks. owns: the caller */
FigRun *layer_run(const FigGraph *graph, const Pass *pass, FigTensorFile *weights,
                  FigTensorFile *input, int layer);

/* Whether a layer sees a window of keys. */
bool is_window(const Set *set, int layer);

/* Our name of a table of RoPE or a mask in a trace; NULL: another layer's, or no table.
 * owns: the caller */
char *table_of(const Set *set, int layer, const char *name);

/* Our tensor of a trace's name by `aka: golden`; NULL: none. */
const FigView *by_aka(const FigGraph *graph, const FigRun *run, int layer,
                      const char *name);

/* max|diff| / rms of a tensor against the trace's: masked scores must be masked on both
 * sides; tokens, masks and the zeros of probabilities be equal. */
double golden_difference(const FigFileTensor *want, const FigView *got);

/* What of a trace is no layer's: tokens, loss, what stands before and after the layers. */
bool is_of_the_model(const char *name);

#endif
