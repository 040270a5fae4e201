/* SPDX-License-Identifier: MIT
 *
 * The weights of a model as they are published: one file of safetensors, or several with
 * an index that says which tensor is in which.
 */
#ifndef FIG_EXEC_CHECKPOINT_H
#define FIG_EXEC_CHECKPOINT_H

#include "base/diag.h"
#include "exec/safetensors.h"

/* Open a file, the index of several (….index.json), which lie beside it, or the folder in
 * which either is called model.safetensors.
 *
 * owns     the caller; free with fig_tensor_file_free
 * errors   what cannot be read or is not sound; tensors that the index and the files do
 *          not agree on, all of them; NULL
 */
FigTensorFile *fig_checkpoint_open(const char *path, FigDiag *diag);

#endif
