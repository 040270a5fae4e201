/* SPDX-License-Identifier: MIT
 *
 * How PNG and PDF files are packed: chunks with checksums, deflated streams.
 */
#ifndef FIG_CHECK_PACK_H
#define FIG_CHECK_PACK_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

/* Inflate at most `most` bytes; a NUL follows them. inflated (may be NULL) gets how many
 * there are, also of what is broken or more.
 *
 * owns     the caller
 * errors   broken, or more: NULL
 */
char *fig_inflate(const char *bytes, size_t length, size_t most, size_t *inflated);

typedef struct FigPngChunk {
    char type[4];
    const char *data;
    size_t length;
} FigPngChunk;

/* The next chunk of a PNG from *at (0: the first) on; false at the end, and before a chunk
 * that is cut short or whose checksum is wrong. */
bool fig_png_chunk(const char *bytes, size_t length, size_t *at, FigPngChunk *chunk);

/* A number of a PNG, of four bytes, the highest first. */
guint32 fig_png_number(const char *bytes);

/* The text of an iTXt chunk, of which we leave the names of languages empty; *key, of the
 * chunk, is what it is about.
 *
 * owns     the caller
 * errors   no such chunk, or broken: NULL
 */
char *fig_png_text(const FigPngChunk *chunk, const char **key);

/* The last place of a word in bytes of any value, or NULL. owns: bytes */
const char *fig_bytes_last(const char *bytes, size_t length, const char *word);

/* The bytes of the first stream of a piece of PDF. owns: bytes; NULL: none */
const char *fig_pdf_stream(const char *bytes, size_t length, size_t *size);

#endif
