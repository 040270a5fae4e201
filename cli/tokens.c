/* SPDX-License-Identifier: MIT
 *
 * --tokens: the ids themselves, or a file of them. What a network reads are tokens and the
 * token after each; where the latter are not given, they are the former, one place on, and
 * the last token has none.
 */
#include "cli/tokens.h"

#include "base/num.h"
#include "exec/npy.h"

#include <string.h>

#define IDS "input_ids"
#define TARGETS "targets"
#define MASK "attention_mask"

static bool fault(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);

static bool
fault(GError **error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *what = g_strdup_vprintf(format, args);
    va_end(args);
    g_set_error_literal(error, g_quark_from_static_string("fig-tokens"), 1, what);
    return false;
}

/* Whole numbers of a tensor, [B][T]. owns: the caller; NULL, reported */
static int64_t *
whole_numbers(const FigFileTensor *tensor, int64_t *size, GError **error)
{
    if (tensor->type != FIG_I64 && tensor->type != FIG_U8) {
        fault(error, "tensor ‘%s’ is %s, where whole numbers are wanted", tensor->name,
              tensor->dtype);
        return NULL;
    }
    if (tensor->rank < 1 || tensor->rank > 2) {
        fault(error, "tensor ‘%s’ has %d axes; tokens, or rows of tokens, are wanted",
              tensor->name, tensor->rank);
        return NULL;
    }
    size[0] = tensor->rank == 2 ? tensor->size[0] : 1;
    size[1] = tensor->size[tensor->rank - 1];
    /* only a mask may say it by true and false */
    if (tensor->stored == FIG_STORED_BOOL && strcmp(tensor->name, MASK) != 0) {
        fault(error, "tensor ‘%s’ is BOOL, where whole numbers are wanted",
              tensor->name);
        return NULL;
    }
    int64_t count = size[0] * size[1];
    if (count == 0) {
        fault(error, "tensor ‘%s’ is empty", tensor->name);
        return NULL;
    }
    int64_t *numbers = g_new(int64_t, (gsize)count);
    for (int64_t i = 0; i < count; i++)
        numbers[i] = fig_file_tensor_whole(tensor, i);
    return numbers;
}

/* The token after each, where neither is padding. owns: the caller */
static int64_t *
next_of(const int64_t *ids, const uint8_t *mask, const int64_t *size)
{
    int64_t count = size[0] * size[1];
    int64_t *next = g_new(int64_t, (gsize)count);
    for (int64_t i = 0; i < count; i++) {
        bool last = (i + 1) % size[1] == 0;
        next[i] =
            last || (mask && !(mask[i] && mask[i + 1])) ? FIG_NO_TARGET : ids[i + 1];
    }
    return next;
}

/* mask: NULL where no token is padding. */
static FigTensorFile *
gather(const int64_t *ids, const int64_t *targets, const uint8_t *mask,
       const int64_t *size)
{
    g_autofree int64_t *next = targets ? NULL : next_of(ids, mask, size);
    g_autofree uint8_t *all = g_malloc((gsize)(size[0] * size[1]));
    memset(all, 1, (gsize)(size[0] * size[1]));
    const char *const names[] = {IDS, TARGETS, MASK};
    const FigView views[] = {
        fig_view_dense((void *)ids, FIG_I64, 2, size),
        fig_view_dense((void *)(targets ? targets : next), FIG_I64, 2, size),
        fig_view_dense((void *)(mask ? mask : all), FIG_U8, 2, size)};
    return fig_tensor_file_new((int)G_N_ELEMENTS(views), names, views);
}

static FigTensorFile *
from_list(const char *text, GError **error)
{
    g_auto(GStrv) words = g_strsplit(text, ",", -1);
    int64_t size[] = {1, (int64_t)g_strv_length(words)};
    g_autofree int64_t *ids = g_new(int64_t, (gsize)size[1]);
    for (int64_t i = 0; i < size[1]; i++)
        if (!fig_num_read_integer(g_strstrip(words[i]), &ids[i])) {
            fault(error, "--tokens: ‘%s’ is no token id", words[i]);
            return NULL;
        }
    return gather(ids, NULL, NULL, size);
}

/* The numbers of a tensor that goes with the ids; *numbers is NULL where there is none. */
static bool
beside(const FigTensorFile *file, const char *name, const int64_t *size,
       int64_t **numbers, GError **error)
{
    const FigFileTensor *tensor = fig_tensor_file_lookup(file, name);
    int64_t own[2];
    *numbers = NULL;
    if (!tensor)
        return true;
    *numbers = whole_numbers(tensor, own, error);
    if (!*numbers)
        return false;
    return (own[0] == size[0] && own[1] == size[1]) ||
           fault(error, "‘%s’ has other sizes than ‘" IDS "’", name);
}

/* The mask in bytes: 0 or 1, and in each text some 1. owns: the caller; NULL, reported */
static uint8_t *
mask_bytes(const int64_t *mask, const int64_t *size, GError **error)
{
    g_autofree uint8_t *bytes = g_new(uint8_t, (gsize)(size[0] * size[1]));
    for (int64_t text = 0; text < size[0]; text++) {
        bool any = false;
        for (int64_t i = text * size[1]; i < (text + 1) * size[1]; i++) {
            if (mask[i] != 0 && mask[i] != 1) {
                fault(error,
                      "‘" MASK "’ holds %" G_GINT64_FORMAT " at [%" G_GINT64_FORMAT
                      ",%" G_GINT64_FORMAT "]; it must be 0, for padding, or 1",
                      mask[i], text, i % size[1]);
                return NULL;
            }
            bytes[i] = (uint8_t)mask[i];
            any = any || mask[i];
        }
        if (!any) {
            fault(error,
                  "‘" MASK "’ of text %" G_GINT64_FORMAT
                  " is 0 throughout: a text of padding alone has nothing to read",
                  text);
            return NULL;
        }
    }
    return g_steal_pointer(&bytes);
}

static FigTensorFile *
from_file(const char *path, GError **error)
{
    g_autoptr(FigTensorFile) file = fig_npy_is(path)
                                        ? fig_npy_open(path, IDS, error)
                                        : fig_tensor_file_open(path, error);
    if (!file)
        return NULL;
    const FigFileTensor *tensor = fig_tensor_file_lookup(file, IDS);
    if (!tensor) {
        fault(error, "%s: there is no tensor ‘" IDS "’ in it", path);
        return NULL;
    }
    int64_t size[2];
    g_autofree int64_t *ids = whole_numbers(tensor, size, error);
    g_autofree int64_t *targets = NULL;
    g_autofree int64_t *mask = NULL;
    g_autofree uint8_t *bytes = NULL;
    FigTensorFile *tokens = NULL;
    if (ids && beside(file, TARGETS, size, &targets, error) &&
        beside(file, MASK, size, &mask, error)) {
        bytes = mask ? mask_bytes(mask, size, error) : NULL;
        tokens = mask && !bytes ? NULL : gather(ids, targets, bytes, size);
    }
    if (!tokens && error && *error)
        g_prefix_error(error, "%s: ", path);
    return tokens;
}

bool
fig_tokens_padded(const FigTensorFile *tokens)
{
    const FigFileTensor *mask = fig_tensor_file_lookup(tokens, MASK);
    return memchr(mask->data, 0, mask->bytes) != NULL;
}

FigTensorFile *
fig_tokens_open(const char *given, GError **error)
{
    if (!*given) {
        fault(error, "--tokens is empty; ids, as 5,17,42, or a file are wanted");
        return NULL;
    }
    bool list = strspn(given, "0123456789, -") == strlen(given);
    if (!list && !g_file_test(given, G_FILE_TEST_EXISTS)) {
        fault(error,
              "--tokens is ‘%s’, which is no file; ids, as 5,17,42, or a .safetensors "
              "or .npy are wanted",
              given);
        return NULL;
    }
    return list ? from_list(given, error) : from_file(given, error);
}
