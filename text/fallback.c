/* SPDX-License-Identifier: MIT
 *
 * What the named fonts lack comes from the system: pango itemises the character with the
 * system's fontconfig configuration, which is loaded here and only here, since reading it
 * costs more than the rest of setting a figure's text. Whatever is replaced is noted and
 * reported as a warning, because a figure whose font changed behind one's back is the
 * commonest fault of such programs.
 */
#include "text/fallback.h"

#include <fontconfig/fontconfig.h>
#include <pango/pangofc-font.h>
#include <pango/pangoft2.h>

enum { MOST_SHOWN = 5 }; /* characters named in one warning */

typedef struct Note {
    gunichar character; /* 0: a family */
    char *family, *file, *package;
    char *by; /* NULL: nothing */
} Note;

struct FigFallback {
    PangoFontMap *map; /* NULL until the first question */
    PangoContext *context;
    GPtrArray *notes;
};

static void
note_free(void *data)
{
    Note *note = data;
    g_free(note->family);
    g_free(note->file);
    g_free(note->package);
    g_free(note->by);
    g_free(note);
}

FigFallback *
fig_fallback_new(void)
{
    FigFallback *fallback = g_new0(FigFallback, 1);
    fallback->notes = g_ptr_array_new_with_free_func(note_free);
    return fallback;
}

void
fig_fallback_free(FigFallback *fallback)
{
    if (!fallback)
        return;
    g_clear_object(&fallback->context);
    g_clear_object(&fallback->map);
    g_ptr_array_unref(fallback->notes);
    g_free(fallback);
}

void
fig_fallback_font_clear(FigFallbackFont *font)
{
    g_clear_pointer(&font->file, g_free);
    g_clear_pointer(&font->family, g_free);
}

/* The file behind what pango chose. */
static bool
describe(PangoFont *chosen, FigFallbackFont *font)
{
    if (!chosen || !PANGO_IS_FC_FONT(chosen))
        return false;
    FcPattern *pattern = pango_fc_font_get_pattern(PANGO_FC_FONT(chosen));
    FcChar8 *file, *family;
    int weight = FC_WEIGHT_REGULAR, slant = FC_SLANT_ROMAN;
    if (FcPatternGetString(pattern, FC_FILE, 0, &file) != FcResultMatch ||
        FcPatternGetString(pattern, FC_FAMILY, 0, &family) != FcResultMatch)
        return false;
    font->index = 0;
    FcPatternGetInteger(pattern, FC_INDEX, 0, &font->index);
    FcPatternGetInteger(pattern, FC_WEIGHT, 0, &weight);
    FcPatternGetInteger(pattern, FC_SLANT, 0, &slant);
    font->index &= 0xffff; /* above are named instances of variable fonts */
    font->file = g_strdup((const char *)file);
    font->family = g_strdup((const char *)family);
    font->weight = FcWeightToOpenType(weight);
    font->italic = slant != FC_SLANT_ROMAN;
    return true;
}

/* Itemise text with the system's fonts and describe the first item's font. */
static bool
ask(FigFallback *fallback, const char *text, const char *generic, int weight,
    bool italic, FigFallbackFont *font)
{
    if (!fallback->map) {
        fallback->map = pango_ft2_font_map_new();
        fallback->context = pango_font_map_create_context(fallback->map);
    }
    PangoFontDescription *wanted = pango_font_description_new();
    pango_font_description_set_family(wanted, generic);
    pango_font_description_set_weight(wanted, (PangoWeight)weight);
    pango_font_description_set_style(wanted,
                                     italic ? PANGO_STYLE_ITALIC : PANGO_STYLE_NORMAL);
    pango_font_description_set_size(wanted, 10 * PANGO_SCALE);
    pango_context_set_font_description(fallback->context, wanted);
    PangoAttrList *attributes = pango_attr_list_new();
    GList *items =
        pango_itemize(fallback->context, text, 0, (int)strlen(text), attributes, NULL);
    bool found = items && describe(((PangoItem *)items->data)->analysis.font, font);
    g_list_free_full(items, (GDestroyNotify)pango_item_free);
    pango_attr_list_unref(attributes);
    pango_font_description_free(wanted);
    return found;
}

bool
fig_fallback_character(FigFallback *fallback, gunichar character, int weight,
                       bool italic, FigFallbackFont *font)
{
    char text[7] = {0};
    g_unichar_to_utf8(character, text);
    return ask(fallback, text, "sans-serif", weight, italic, font);
}

bool
fig_fallback_family(FigFallback *fallback, const char *generic, int weight, bool italic,
                    FigFallbackFont *font)
{
    return ask(fallback, "x", generic, weight, italic, font);
}

void
fig_fallback_note_family(FigFallback *fallback, const char *family, const char *file,
                         const char *package, const char *by)
{
    Note *note = g_new0(Note, 1);
    note->family = g_strdup(family);
    note->file = g_strdup(file);
    note->package = g_strdup(package);
    note->by = g_strdup(by);
    g_ptr_array_add(fallback->notes, note);
}

void
fig_fallback_note_character(FigFallback *fallback, gunichar character, const char *by)
{
    Note *note = g_new0(Note, 1);
    note->character = character;
    note->by = g_strdup(by);
    g_ptr_array_add(fallback->notes, note);
}

/* One warning for all characters that met the same fate: first is the first of them. */
static void
report_characters(const FigFallback *fallback, guint first, FigDiag *diag)
{
    const Note *note = fallback->notes->pdata[first];
    g_autoptr(GString) which = g_string_new(NULL);
    int n = 0;
    for (guint i = 0; i < fallback->notes->len; i++) {
        const Note *other = fallback->notes->pdata[i];
        if (!other->character || g_strcmp0(other->by, note->by) != 0)
            continue;
        if (i < first)
            return; /* told already */
        if (++n > MOST_SHOWN)
            continue;
        g_string_append(which, n > 1 ? ", ‘" : "‘");
        g_string_append_unichar(which, other->character);
        g_string_append_printf(which, "’ (U+%04X)", other->character);
    }
    if (n > MOST_SHOWN)
        g_string_append_printf(which, " and %d more", n - MOST_SHOWN);
    const char *be = n > 1 ? "are" : "is";
    FigMessage *message =
        note->by
            ? fig_diag_warning(diag, (FigSpan){0},
                               "%s %s not in the theme's fonts: set in %s", which->str,
                               be, note->by)
            : fig_diag_warning(diag, (FigSpan){0},
                               "%s %s in no font here: drawn as a box", which->str, be);
    fig_message_hint(message, "the figure looks the same elsewhere only with "
                              "characters of Inter and Latin Modern Math");
}

void
fig_fallback_report(const FigFallback *fallback, FigDiag *diag)
{
    for (guint i = 0; i < fallback->notes->len; i++) {
        const Note *note = fallback->notes->pdata[i];
        FigMessage *message;
        if (note->character) {
            report_characters(fallback, i, diag);
        } else {
            message = fig_diag_warning(
                diag, (FigSpan){0}, "font ‘%s’ (%s) not found: set in %s", note->family,
                note->file, note->by ? note->by : "Latin Modern Math");
            fig_message_hint(message, "install %s, or name its folder in OPFIG_FONTS",
                             note->package);
        }
    }
}
