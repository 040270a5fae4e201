/* SPDX-License-Identifier: MIT
 *
 * Chunks and streams of files from strangers: every length is distrusted.
 */
#include "check/pack.h"

#include "base/limit.h"

#include <gio/gio.h>
#include <string.h>

char *
fig_inflate(const char *bytes, size_t length, size_t most, size_t *inflated)
{
    g_autoptr(GZlibDecompressor) zlib =
        g_zlib_decompressor_new(G_ZLIB_COMPRESSOR_FORMAT_ZLIB);
    g_autoptr(GString) out = g_string_new(NULL);
    GConverterResult result = G_CONVERTER_CONVERTED;
    char room[1 << 14];
    while (result == G_CONVERTER_CONVERTED) {
        gsize taken = 0, given = 0;
        result =
            g_converter_convert(G_CONVERTER(zlib), bytes, length, room, sizeof room,
                                G_CONVERTER_INPUT_AT_END, &taken, &given, NULL);
        g_string_append_len(out, room, (gssize)given);
        if (inflated)
            *inflated = out->len;
        if (result == G_CONVERTER_ERROR || out->len > most)
            return NULL;
        bytes += taken;
        length -= taken;
    }
    return g_string_free(g_steal_pointer(&out), FALSE);
}

guint32
fig_png_number(const char *bytes)
{
    guint32 number;
    memcpy(&number, bytes, sizeof number);
    return GUINT32_FROM_BE(number);
}

/* The checksum that PNG ends a chunk with (CRC-32 of ISO 3309). */
static guint32
checksum(const char *bytes, size_t length)
{
    guint32 crc = 0xffffffff;
    for (size_t i = 0; i < length; i++) {
        crc ^= (guint8)bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
    }
    return ~crc;
}

bool
fig_png_chunk(const char *bytes, size_t length, size_t *at, FigPngChunk *chunk)
{
    static const char signature[8] = "\x89PNG\r\n\x1a\n";
    if (*at == 0) {
        if (length < 8 || memcmp(bytes, signature, 8) != 0)
            return false;
        *at = 8;
    }
    if (length - *at < 12 || fig_png_number(bytes + *at) > length - *at - 12)
        return false;
    chunk->length = fig_png_number(bytes + *at);
    chunk->data = bytes + *at + 8;
    memcpy(chunk->type, bytes + *at + 4, 4);
    *at += 12 + chunk->length;
    return checksum(chunk->data - 4, chunk->length + 4) ==
           fig_png_number(chunk->data + chunk->length);
}

char *
fig_png_text(const FigPngChunk *chunk, const char **key)
{
    const char *end = chunk->data + chunk->length;
    const char *flags = memchr(chunk->data, '\0', chunk->length);
    *key = chunk->data;
    if (memcmp(chunk->type, "iTXt", 4) != 0 || !flags || end - flags < 5 || flags[3] ||
        flags[4])
        return NULL;
    size_t length = (size_t)(end - flags - 5);
    return flags[1] ? fig_inflate(flags + 5, length, FIG_LIMIT_FILE, NULL)
                    : g_strndup(flags + 5, length);
}

const char *
fig_bytes_last(const char *bytes, size_t length, const char *word)
{
    size_t size = strlen(word);
    for (size_t i = length < size ? 0 : length - size + 1; i-- > 0;)
        if (memcmp(bytes + i, word, size) == 0)
            return bytes + i;
    return NULL;
}

const char *
fig_pdf_stream(const char *bytes, size_t length, size_t *size)
{
    static const char begin[] = "stream\n", end[] = "endstream";
    const char *start = memmem(bytes, length, begin, strlen(begin));
    if (!start)
        return NULL;
    start += strlen(begin);
    const char *stop =
        memmem(start, (size_t)(bytes + length - start), end, strlen(end));
    if (!stop)
        return NULL;
    *size = (size_t)(stop - start);
    return start;
}
