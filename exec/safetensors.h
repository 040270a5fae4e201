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

/* How a file holds numbers. */
typedef enum FigStored {
    FIG_STORED_PLAIN, /* as their type says */
    FIG_STORED_F16,   /* type F32 */
    FIG_STORED_BF16,  /* type F32 */
    FIG_STORED_I32,   /* type I64 */
    FIG_STORED_BOOL,  /* type U8: 0 or 1 */
} FigStored;

typedef struct FigFileTensor {
    const char *name;
    const char *dtype; /* as the file says: "F32", "F64", "F16", "BF16", "I64", … */
    FigType type;      /* what its numbers become; the data may be stored otherwise */
    FigStored stored;
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

/* Several files as one, which takes them over; names differ.
 *
 * owns     the caller; free with fig_tensor_file_free, which frees all
 */
FigTensorFile *fig_tensor_file_join(int count, FigTensorFile **files);

/* Element `index`, row-major, of a tensor of real numbers; every one is exact. */
double fig_file_tensor_real(const FigFileTensor *tensor, int64_t index);

/* The same of whole numbers. */
int64_t fig_file_tensor_whole(const FigFileTensor *tensor, int64_t index);

/* Tensors in memory as a file: each is copied; names differ.
 *
 * owns     the caller; free with fig_tensor_file_free
 */
FigTensorFile *fig_tensor_file_new(int count, const char *const *names,
                                   const FigView *tensors);
void fig_tensor_file_free(FigTensorFile *file);

/* The path it was opened by, of several their folder, for messages; of one in memory words.
 *
 * owns     file
 */
const char *fig_tensor_file_path(const FigTensorFile *file);

/* Number of tensors; one by index (in order of name); one by name or NULL. */
int fig_tensor_file_count(const FigTensorFile *file);
const FigFileTensor *fig_tensor_file_at(const FigTensorFile *file, int index);
const FigFileTensor *fig_tensor_file_lookup(const FigTensorFile *file,
                                            const char *name);

/* Write tensors (dense or strided) as one file, in order of name.
 *
 * errors   as fig_file_write
 */
bool fig_tensor_file_write(const char *path, int count, const char *const *names,
                           const FigView *tensors, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(FigTensorFile, fig_tensor_file_free)

#endif
