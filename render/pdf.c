/* SPDX-License-Identifier: MIT
 *
 * PDF by cairo: the page is the figure, fonts are subset and embedded, text is text, and
 * the same scene gives the same bytes: the date is SOURCE_DATE_EPOCH or a fixed one, and
 * never now.
 */
#include "render/output.h"
#include "render/paint-cairo.h"
#include "render/pdf-attach.h"

#include <cairo-pdf.h>
#include <math.h>
#include <string.h>

static cairo_status_t
append(void *out, const unsigned char *bytes, unsigned length)
{
    g_string_append_len(out, (const char *)bytes, length);
    return CAIRO_STATUS_SUCCESS;
}

static void
set(cairo_surface_t *surface, cairo_pdf_metadata_t which, const char *text)
{
    if (text && *text)
        cairo_pdf_surface_set_metadata(surface, which, text);
}

/* The date that reproducible builds ask for, else a fixed one.
 *
 * owns     the caller
 */
static char *
date(void)
{
    const char *epoch = g_getenv("SOURCE_DATE_EPOCH");
    gint64 seconds = 0;
    if (!epoch || !g_ascii_string_to_signed(epoch, 10, 0, G_MAXINT32, &seconds, NULL))
        seconds = 1577836800; /* 2020-01-01 */
    g_autoptr(GDateTime) when = g_date_time_new_from_unix_utc(seconds);
    return g_date_time_format(when, "%Y-%m-%dT%H:%M:%SZ");
}

/* The first sentences of the description: the rest is in the XMP (render/pdf-attach.c).
 *
 * owns     the caller
 */
static char *
subject(const FigScene *scene)
{
    enum { ENOUGH = 160 }; /* bytes */
    const char *text = scene->description ? scene->description : "";
    size_t length = strlen(text), end = 0;
    for (size_t i = 0; i < length; i++)
        if (text[i] == '.' && (text[i + 1] == ' ' || !text[i + 1]) &&
            (end == 0 || i < ENOUGH))
            end = i + 1;
    return g_strndup(text, end ? end : length);
}

static void
describe(cairo_surface_t *surface, const FigScene *scene)
{
    g_autoptr(GString) keywords = g_string_new(scene->keywords ? scene->keywords : "");
    if (scene->digest && *scene->digest)
        g_string_append_printf(keywords, "%sopfig:digest=%s", keywords->len ? ", " : "",
                               scene->digest);
    if (scene->fonts)
        g_string_append_printf(keywords, "%sopfig:fonts=%s", keywords->len ? ", " : "",
                               scene->fonts);
    if (scene->options && *scene->options)
        g_string_append_printf(keywords, "%sopfig:options=%s",
                               keywords->len ? ", " : "", scene->options);
    g_autofree char *when = date();
    set(surface, CAIRO_PDF_METADATA_TITLE, scene->title);
    set(surface, CAIRO_PDF_METADATA_AUTHOR, scene->author);
    g_autofree char *about = subject(scene);
    set(surface, CAIRO_PDF_METADATA_SUBJECT, about);
    set(surface, CAIRO_PDF_METADATA_KEYWORDS, keywords->str);
    set(surface, CAIRO_PDF_METADATA_CREATOR, "opfig " OPFIG_VERSION);
    set(surface, CAIRO_PDF_METADATA_CREATE_DATE, when);
    set(surface, CAIRO_PDF_METADATA_MOD_DATE, when);
}

/* A panel that has its bookmark. */
typedef struct Marked {
    const FigItem *frame;
    int bookmark;
} Marked;

static const FigItem *
child_of(const FigItem *group, FigItemKind kind)
{
    const FigItem *item = group->first;
    while (item && item->kind != kind)
        item = item->next;
    return item;
}

static bool
holds(const FigItem *outer, const FigItem *inner)
{
    return inner->x >= outer->x && inner->y >= outer->y &&
           inner->x + inner->width <= outer->x + outer->width &&
           inner->y + inner->height <= outer->y + outer->height;
}

/* A bookmark for a panel: its title, or the words in it; below that of the last panel
 * around it. */
static void
add_bookmark(cairo_surface_t *surface, const FigItem *panel, GArray *marked)
{
    const FigItem *frame = child_of(panel, FIG_ITEM_RECT);
    const FigItem *words = child_of(panel, FIG_ITEM_TEXT);
    const char *title = panel->title ? panel->title : words ? words->text->plain : NULL;
    if (!frame || !title)
        return;
    int parent = CAIRO_PDF_OUTLINE_ROOT;
    for (guint i = marked->len; i-- > 0 && parent == CAIRO_PDF_OUTLINE_ROOT;)
        if (holds(g_array_index(marked, Marked, i).frame, frame))
            parent = g_array_index(marked, Marked, i).bookmark;
    /* in whole points: cairo reads the number with the locale's decimal sign */
    g_autofree char *where =
        g_strdup_printf("page=1 pos=[%d %d]", (int)frame->x, (int)frame->y);
    Marked made = {frame, cairo_pdf_surface_add_outline(surface, parent, title, where,
                                                        CAIRO_PDF_OUTLINE_FLAG_OPEN)};
    g_array_append_val(marked, made);
}

static void
add_bookmarks(cairo_surface_t *surface, const FigItem *group, GArray *marked)
{
    for (const FigItem *item = group->first; item; item = item->next) {
        if (item->kind != FIG_ITEM_GROUP)
            continue;
        if (item->means.panel)
            add_bookmark(surface, item, marked);
        add_bookmarks(surface, item, marked);
    }
}

/* The corner of the first shape of a group; false: it has none. */
static bool
corner_of(const FigItem *group, int corner[2])
{
    for (const FigItem *item = group->first; item; item = item->next) {
        double x = item->x, y = item->y;
        if (item->kind != FIG_ITEM_RECT && item->kind != FIG_ITEM_PATH)
            continue;
        for (int i = 0; item->kind == FIG_ITEM_PATH && i < item->path.n_points; i++) {
            x = i ? fmin(x, item->path.points[i][0]) : item->path.points[i][0];
            y = i ? fmin(y, item->path.points[i][1]) : item->path.points[i][1];
        }
        corner[0] = (int)x;
        corner[1] = (int)y;
        return true;
    }
    return false;
}

/* A named destination for each op and group, as an SVG has ids: f.pdf#op.scores. */
static void
add_destinations(cairo_t *cairo, const FigItem *group)
{
    for (const FigItem *item = group->first; item; item = item->next) {
        const char *id = item->means.op ? item->means.op : item->means.panel;
        int corner[2];
        if (item->kind != FIG_ITEM_GROUP)
            continue;
        if (id && corner_of(item, corner)) {
            /* in whole points, as bookmarks */
            g_autofree char *where = g_strdup_printf("name='%s.%s' x=%d y=%d",
                                                     item->means.op ? "op" : "group",
                                                     id, corner[0], corner[1]);
            cairo_tag_begin(cairo, CAIRO_TAG_DEST, where);
            cairo_tag_end(cairo, CAIRO_TAG_DEST);
        }
        add_destinations(cairo, item);
    }
}

static bool
write_pdf(const FigScene *scene, const FigWriteOptions *options, GString *out,
          GError **error)
{
    g_autoptr(GString) bytes = g_string_new(NULL);
    cairo_surface_t *surface =
        cairo_pdf_surface_create_for_stream(append, bytes, scene->width, scene->height);
    cairo_pdf_surface_restrict_to_version(surface, CAIRO_PDF_VERSION_1_5);
    describe(surface, scene);
    cairo_t *cairo = cairo_create(surface);
    bool painted = fig_paint_scene(scene, cairo, error);
    g_autoptr(GArray) marked = g_array_new(FALSE, FALSE, sizeof(Marked));
    add_bookmarks(surface, scene->root, marked);
    add_destinations(cairo, scene->root);
    cairo_show_page(cairo);
    cairo_destroy(cairo);
    cairo_surface_finish(surface);
    cairo_status_t status = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    if (painted && status != CAIRO_STATUS_SUCCESS) {
        g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "cairo: %s",
                    cairo_status_to_string(status));
        painted = false;
    }
    if (!painted)
        return false;
    fig_pdf_attach(bytes, scene);
    g_string_append_len(out, bytes->str, (gssize)bytes->len);
    return true;
}

const FigOutput fig_output_pdf = {
    .name = "pdf",
    .suffix = ".pdf",
    .help = "page of the figure's size, fonts embedded, text selectable",
    .write = write_pdf,
};
