/* SPDX-License-Identifier: MIT
 *
 * Versions in a figure and at hand, compared item by item and told in words.
 */
#include "check/versions.h"

#include "render/paint-cairo.h"

#include <cairo.h>
#include <string.h>

enum {
    DIGEST = 8,
    MOST_ITEM = 60,  /* characters */
    MOST_ITEMS = 64, /* of a word from a stranger: each is looked for among all */
};

/* "Latin Modern Math 1.959 8117935e" */
typedef struct Item {
    char *name, *version, *digest; /* NULL: not said */
} Item;

static void
item_clear(void *data)
{
    Item *item = data;
    g_free(item->name);
    g_free(item->version);
    g_free(item->digest);
}

/* Cut what stands behind the last space off, if it may be that. owns: the caller; or NULL */
static char *
cut_last(char *text, const char *characters, size_t length)
{
    char *space = strrchr(text, ' ');
    if (!space || !space[1] || strspn(space + 1, characters) != strlen(space + 1) ||
        (length && strlen(space + 1) != length))
        return NULL;
    *space = '\0';
    return g_strdup(space + 1);
}

/* The items of a word. owns: the caller */
static GArray *
items_of(const char *word)
{
    GArray *items = g_array_new(FALSE, FALSE, sizeof(Item));
    g_array_set_clear_func(items, item_clear);
    g_auto(GStrv) list = g_strsplit(word, ";", MOST_ITEMS);
    for (int i = 0; list[i]; i++) {
        g_autofree char *text = g_strdup(g_strstrip(list[i]));
        Item item = {NULL};
        item.digest = cut_last(text, "0123456789abcdef", DIGEST);
        item.version = cut_last(text, "0123456789.?", 0);
        item.name = g_strndup(text, MOST_ITEM);
        g_strdelimit(item.name, "\n\r\t", ' ');
        g_array_append_val(items, item);
    }
    return items;
}

static const Item *
named(const GArray *items, const char *name)
{
    for (guint i = 0; i < items->len; i++)
        if (strcmp(g_array_index(items, Item, i).name, name) == 0)
            return &g_array_index(items, Item, i);
    return NULL;
}

static void
add(GString *list, const char *name, const char *version, const char *digest)
{
    g_string_append_printf(list, "%s%s %.20s", list->len ? ", " : "", name,
                           version ? version : "?");
    if (digest)
        g_string_append_printf(list, " (%s)", digest);
}

/* Name those items of one word that the other has not; digests where all else is equal. */
static bool
others(const GArray *items, const GArray *among, GString *list, GPtrArray *names,
       FigArena *arena)
{
    bool any = false;
    for (guint i = 0; i < items->len; i++) {
        const Item *item = &g_array_index(items, Item, i);
        const Item *like = named(among, item->name);
        bool same = like && g_strcmp0(like->version, item->version) == 0;
        if (same && g_strcmp0(like->digest, item->digest) == 0)
            continue;
        add(list, item->name, item->version, same ? item->digest : NULL);
        g_ptr_array_add(names, (gpointer)fig_arena_strdup(arena, item->name));
        any = true;
    }
    return any;
}

static bool
compare_one(const char *there, const char *here, const char *name, GString *theirs,
            GString *ours)
{
    if (!there || !here || strcmp(there, here) == 0)
        return false;
    add(theirs, name, there, NULL);
    add(ours, name, here, NULL);
    return true;
}

FigVersions
fig_versions_compare(const FigCarried *carried, const char *opfig, const char *fonts,
                     FigArena *arena)
{
    FigVersions versions = {false};
    g_autoptr(GString) theirs = g_string_new(NULL);
    g_autoptr(GString) ours = g_string_new(NULL);
    versions.opfig = compare_one(carried->version, opfig, "opfig", theirs, ours);
    if (carried->fonts && fonts && strcmp(carried->fonts, fonts) != 0) {
        g_autoptr(GArray) there = items_of(carried->fonts);
        g_autoptr(GArray) here = items_of(fonts);
        g_autoptr(GPtrArray) names = g_ptr_array_new();
        bool any = others(there, here, theirs, names, arena);
        versions.fonts = others(here, there, ours, names, arena) || any;
        bool shaper = false;
        for (guint i = 0; i < names->len; i++)
            shaper = shaper || strcmp(names->pdata[i], "HarfBuzz") == 0;
        g_ptr_array_add(names, NULL);
        if (!shaper)
            versions.families =
                fig_arena_copy(arena, names->pdata, names->len * sizeof(char *));
    }
    versions.cairo =
        compare_one(carried->cairo, cairo_version_string(), "cairo", theirs, ours);
    compare_one(carried->freetype, fig_paint_freetype(), "FreeType", theirs, ours);
    if (theirs->len || ours->len)
        versions.differ = fig_arena_printf(arena, "drawn with %s; here is %s",
                                           theirs->len ? theirs->str : "less",
                                           ours->len ? ours->str : "less");
    return versions;
}
