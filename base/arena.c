/* SPDX-License-Identifier: MIT
 *
 * Blocks that grow twofold up to a cap, freed as a list. Under the address sanitizer
 * every object is an allocation of its own, so that an overrun is still caught.
 */
#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#define ONE_BLOCK_EACH 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ONE_BLOCK_EACH 1
#endif
#endif
#ifndef ONE_BLOCK_EACH
#define ONE_BLOCK_EACH 0
#endif

enum {
    ALIGN = 16,
    FIRST_BLOCK = 4096,
    LARGEST_BLOCK = 1 << 20,
};

typedef struct Block Block;
struct Block {
    Block *next;
    size_t size; /* bytes of data that follow the header */
    size_t used;
    size_t pad; /* keeps the data aligned to 16 bytes */
};

struct FigArena {
    Block *blocks; /* newest first */
    size_t next_size;
};

FigArena *
fig_arena_new(void)
{
    FigArena *arena = g_new0(FigArena, 1);
    arena->next_size = FIRST_BLOCK;
    return arena;
}

void
fig_arena_free(FigArena *arena)
{
    if (!arena)
        return;
    for (Block *block = arena->blocks, *next; block; block = next) {
        next = block->next;
        g_free(block);
    }
    g_free(arena);
}

static Block *
add_block(FigArena *arena, size_t bytes)
{
    Block *block = g_malloc0(sizeof(Block) + bytes);
    block->size = bytes;
    block->next = arena->blocks;
    arena->blocks = block;
    return block;
}

void *
fig_arena_alloc(FigArena *arena, size_t bytes)
{
    g_assert(bytes <= SIZE_MAX - sizeof(Block) - ALIGN);
    if (ONE_BLOCK_EACH) {
        Block *block = add_block(arena, bytes ? bytes : 1);
        return block + 1;
    }
    bytes = (bytes + ALIGN - 1) / ALIGN * ALIGN;
    Block *block = arena->blocks;
    if (!block || block->size - block->used < bytes) {
        block = add_block(arena, MAX(bytes, arena->next_size));
        arena->next_size = MIN(arena->next_size * 2, (size_t)LARGEST_BLOCK);
    }
    void *data = (char *)(block + 1) + block->used;
    block->used += bytes;
    return data;
}

void *
fig_arena_alloc_array(FigArena *arena, size_t size, size_t count)
{
    g_assert(size == 0 || count <= SIZE_MAX / size);
    return fig_arena_alloc(arena, size * count);
}

void *
fig_arena_copy(FigArena *arena, const void *data, size_t bytes)
{
    void *copy = fig_arena_alloc(arena, bytes);
    if (bytes)
        memcpy(copy, data, bytes);
    return copy;
}

char *
fig_arena_strndup(FigArena *arena, const char *text, size_t length)
{
    char *copy = fig_arena_alloc(arena, length + 1);
    if (length)
        memcpy(copy, text, length);
    return copy;
}

char *
fig_arena_strdup(FigArena *arena, const char *text)
{
    return text ? fig_arena_strndup(arena, text, strlen(text)) : NULL;
}

char *
fig_arena_printf(FigArena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *text = g_strdup_vprintf(format, args);
    va_end(args);
    return fig_arena_strdup(arena, text);
}
