/* SPDX-License-Identifier: MIT
 *
 * The safetensors format: a length, a JSON header, raw little-endian tensors. Files come
 * from strangers: every number of the header is distrusted (lengths, overlaps, overflow,
 * duplicate names, unknown types, deep or huge JSON). The data is memory-mapped.
 */
#ifndef FIG_EXEC_SAFETENSORS_H
#define FIG_EXEC_SAFETENSORS_H

#include "ops/op.h"

#include <glib.h>

typedef struct FigTensorFile FigTensorFile;

typedef struct FigFileTensor {
    const char *name;
    const char *dtype; /* as the file says: "F32", "F64", "I64", "U8" */
    FigType type;
    int rank;
    int64_t size[FIG_LIMIT_RANK];
    const void *data; /* row-major, in the mapping; may be unaligned */
    size_t bytes;
} FigFileTensor;

/* Open and check a file.
 *
 * owns     the caller; free with fig_tensor_file_free, which unmaps
 * errors   not readable, or not sound: what and where
 */
FigTensorFile *fig_tensor_file_open(const char *path, GError **error);

/* Tensors in memory as a file: each is copied; names differ.
 *
 * owns     the caller; free with fig_tensor_file_free
 */
FigTensorFile *fig_tensor_file_new(int count, const char *const *names,
                                   const FigView *tensors);
void fig_tensor_file_free(FigTensorFile *file);

/* Number of tensors; one by index (in order of name); one by name or NULL. */
int fig_tensor_file_count(const FigTensorFile *file);
const FigFileTensor *fig_tensor_file_at(const FigTensorFile *file, int index);
const FigFileTensor *fig_tensor_file_lookup(const FigTensorFile *file, const char *name);

/* Write tensors (dense or strided) as one file, in order of name.
 *
 * errors   as fig_file_write
 */
bool fig_tensor_file_write(const char *path, int count, const char *const *names,
                           const FigView *tensors, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(FigTensorFile, fig_tensor_file_free)

#endif
