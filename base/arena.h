/* SPDX-License-Identifier: MIT
 *
 * Memory that dies together. Each product of a stage (graph, record, scene, run)
 * owns one arena; what lives in it is never freed singly, so pointers inside need no
 * owner and an error path is `return false`. Running out of memory ends the program,
 * as in GLib; tensor data, whose size a person chooses, does not live here.
 */
#ifndef FIG_BASE_ARENA_H
#define FIG_BASE_ARENA_H

#include <glib.h>
#include <stddef.h>

typedef struct FigArena FigArena;

/* Make an empty arena.
 *
 * owns     the caller; free with fig_arena_free
 */
FigArena *fig_arena_new(void);

/* Free an arena and all that was allocated in it; NULL is accepted. */
void fig_arena_free(FigArena *arena);

/* Allocate bytes of zeroed memory, aligned for any type (and for 16-byte vectors).
 *
 * owns     the arena
 */
void *fig_arena_alloc(FigArena *arena, size_t bytes);

/* Allocate count zeroed items of the type. */
#define fig_arena_new_array(arena, type, count)                                        \
    ((type *)fig_arena_alloc_array((arena), sizeof(type), (size_t)(count)))
#define fig_arena_new0(arena, type) fig_arena_new_array((arena), type, 1)

/* Allocate count × size zeroed bytes in the arena; a product that overflows ends the
 * program. */
void *fig_arena_alloc_array(FigArena *arena, size_t size, size_t count);

/* Copy a string into the arena; NULL gives NULL. */
char *fig_arena_strdup(FigArena *arena, const char *text);

/* Copy length bytes of text into the arena and end them with NUL. */
char *fig_arena_strndup(FigArena *arena, const char *text, size_t length);

/* Format a string into the arena. Never for floats in output: see base/num.h. */
char *fig_arena_printf(FigArena *arena, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Copy bytes into the arena. */
void *fig_arena_copy(FigArena *arena, const void *data, size_t bytes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(FigArena, fig_arena_free)

#endif
