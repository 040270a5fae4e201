/* SPDX-License-Identifier: MIT
 *
 * Fonts inside an SVG: each reduced to the characters it sets in this figure and named in
 * an @font-face rule, so that a browser without our fonts shows the same picture. Viewers
 * that ignore such rules (librsvg, Inkscape) show what they show without.
 */
#include "render/svg-fonts.h"

#include <string.h>

typedef struct Used {
    const FigFont *font;
    GString *characters;
} Used;

static void
used_clear(void *data)
{
    g_string_free(((Used *)data)->characters, TRUE);
}

static void
use_run(GArray *all, const FigTextRun *run)
{
    for (guint i = 0; i < all->len; i++) {
        Used *used = &g_array_index(all, Used, i);
        if (used->font == run->font) {
            g_string_append(used->characters, run->text);
            return;
        }
    }
    Used used = {run->font, g_string_new(run->text)};
    g_array_append_val(all, used);
}

static void
use_item(GArray *all, const FigItem *item)
{
    for (const FigItem *child = item->first; child; child = child->next)
        use_item(all, child);
    for (int i = 0; item->kind == FIG_ITEM_TEXT && i < item->text->n_runs; i++)
        if (!item->text->runs[i].ghost)
            use_run(all, &item->text->runs[i]);
}

bool
fig_svg_fonts(const FigScene *scene, GString *out, GError **error)
{
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(Used));
    g_array_set_clear_func(all, used_clear);
    use_item(all, scene->root);
    for (guint i = 0; i < all->len; i++) {
        const Used *used = &g_array_index(all, Used, i);
        g_autoptr(GBytes) bytes = fig_font_subset(used->font, used->characters->str);
        if (!bytes) {
            g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
                        "%s cannot be made smaller to go into the figure",
                        fig_font_file(used->font));
            return false;
        }
        gsize length;
        const guchar *data = g_bytes_get_data(bytes, &length);
        g_autofree char *base64 = g_base64_encode(data, length);
        g_string_append_printf(
            out,
            "\n@font-face{font-family:'%s';font-weight:%d;font-style:%s;"
            "src:url(data:font/otf;base64,%s)}",
            fig_font_family(used->font), fig_font_weight(used->font),
            fig_font_italic(used->font) ? "italic" : "normal", base64);
    }
    return true;
}
