/* SPDX-License-Identifier: MIT
 *
 * Arrays that NumPy saved (.npy), as a file of one tensor.
 */
#ifndef FIG_EXEC_NPY_H
#define FIG_EXEC_NPY_H

#include "exec/safetensors.h"

/* Does a path end in .npy? */
bool fig_npy_is(const char *path);

/* Read an array, whose tensor gets the name. Reals of 16, 32 and 64 bits, whole numbers of
 * 32 and 64, bytes and truths, in C order; 16 bits are read as F32, whole numbers as I64.
 *
 * owns     the caller; free with fig_tensor_file_free
 * errors   not readable, or not sound: what and where
 */
FigTensorFile *fig_npy_open(const char *path, const char *name, GError **error);

#endif
