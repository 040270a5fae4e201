/* SPDX-License-Identifier: MIT
 *
 * The tokens of a run: --tokens 1,2,3 or --tokens FILE.
 */
#ifndef FIG_CLI_TOKENS_H
#define FIG_CLI_TOKENS_H

#include "exec/safetensors.h"

/* Read ids, "1,2,3", or the file of that name: a .safetensors with `input_ids` and, where
 * it has them, `targets` and `attention_mask`, or a .npy of ids. What comes of it holds
 * `input_ids` and `targets`, I64 [B, T]; a token without a target has FIG_NO_TARGET; and
 * `attention_mask`, U8 [B, T], 1 for each token that is no padding.
 *
 * owns     the caller; free with fig_tensor_file_free
 * errors   no ids, not readable, other sizes, a mask that is neither 0 nor 1, a text of padding
 *          alone; NULL
 */
FigTensorFile *fig_tokens_open(const char *given, GError **error);

/* Is some token of what fig_tokens_open gave padding? */
bool fig_tokens_padded(const FigTensorFile *tokens);

#endif
