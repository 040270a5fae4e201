/* SPDX-License-Identifier: MIT
 *
 * The system's fonts, for what ours lack: asked late, and never silently.
 */
#ifndef FIG_TEXT_FALLBACK_H
#define FIG_TEXT_FALLBACK_H

#include "base/diag.h"

typedef struct FigFallback FigFallback;

typedef struct FigFallbackFont {
    char *file, *family;
    int index;
    int weight; /* 400, 600 */
    bool italic;
} FigFallbackFont;

/* owns     the caller; free with fig_fallback_free. Loads nothing until asked. */
FigFallback *fig_fallback_new(void);
void fig_fallback_free(FigFallback *fallback);

/* Let pango choose a font for a character, as it would itemise a line of text.
 *
 * owns     *font's strings are the caller's (g_auto)
 */
bool fig_fallback_character(FigFallback *fallback, gunichar character, int weight,
                            bool italic, FigFallbackFont *font);

/* The system's choice for a generic family ("sans-serif"). owns: as above */
bool fig_fallback_family(FigFallback *fallback, const char *generic, int weight,
                         bool italic, FigFallbackFont *font);

/* Remember what was replaced; by is NULL when nothing could. */
void fig_fallback_note_family(FigFallback *fallback, const char *family,
                              const char *file, const char *package, const char *by);
void fig_fallback_note_character(FigFallback *fallback, gunichar character,
                                 const char *by);

void fig_fallback_report(const FigFallback *fallback, FigDiag *diag);

void fig_fallback_font_clear(FigFallbackFont *font);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(FigFallbackFont, fig_fallback_font_clear)

#endif
