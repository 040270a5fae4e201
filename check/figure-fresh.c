/* SPDX-License-Identifier: MIT
 *
 * A figure against a fresh drawing of the same record, mark by mark in order of drawing.
 * Where one has more than the other the two are brought into step again, so that one
 * thing taken away is one finding and not all that comes after it. A finding is of the kind
 * of what the thing is; what the proof has already named by that is not said twice.
 */
#include "check/figure-scan.h"

#include <math.h>
#include <string.h>

enum { LOOK_AHEAD = 64, MOST_FINDINGS = 40 };

static const double SAME = FIG_EXACT; /* of what is no place: widths, sizes */
/* … of letters: it adds up along a line, to SAME at sixty letters */
static const double SAME_SIZE = 0.0005;

static bool
same_bounds(FigBounds a, FigBounds b, double slack)
{
    return fabs(a.left - b.left) < slack && fabs(a.top - b.top) < slack &&
           fabs(a.right - b.right) < slack && fabs(a.bottom - b.bottom) < slack;
}

static bool
same_look(const FigScan *scan, const FigSvgLook *a, const FigSvgLook *b)
{
    bool stroked = fig_svg_inked(b->stroke);
    return strcmp(a->fill, b->fill) == 0 && strcmp(a->stroke, b->stroke) == 0 &&
           (!scan->svg->dark || (strcmp(a->dark_fill, b->dark_fill) == 0 &&
                                 strcmp(a->dark_stroke, b->dark_stroke) == 0)) &&
           (!stroked || (fabs(a->stroke_width - b->stroke_width) < SAME &&
                         strcmp(a->dash, b->dash) == 0 && strcmp(a->cap, b->cap) == 0));
}

static bool
same_path(const FigPath *a, const FigPath *b, double slack)
{
    if (a->n_verbs != b->n_verbs || a->n_points != b->n_points ||
        memcmp(a->verbs, b->verbs, (size_t)a->n_verbs * sizeof *a->verbs) != 0)
        return false;
    for (int i = 0; i < a->n_points; i++)
        if (fabs(a->points[i][0] - b->points[i][0]) >= slack ||
            fabs(a->points[i][1] - b->points[i][1]) >= slack)
            return false;
    return true;
}

/* The footer names the version: a figure of another says the same with its own. */
static bool
same_string(const FigScan *scan, const char *a, const char *b)
{
    const char *version = scan->svg->carried.version;
    if (strcmp(a, b) == 0 || !scan->versions.opfig || !strstr(a, version))
        return strcmp(a, b) == 0;
    g_autoptr(GString) ours = g_string_new(a);
    g_string_replace(ours, version, scan->record->version, 1);
    return strcmp(ours->str, b) == 0;
}

static bool
same_text(const FigScan *scan, const FigSvgItem *a, const FigSvgItem *b)
{
    /* what stands behind another version on its line */
    double slack = strcmp(a->text, b->text) == 0 ? scan->slack : FIG_NEAR;
    if (!same_string(scan, a->text, b->text) || a->n_spans != b->n_spans)
        return false;
    for (int i = 0; i < a->n_spans; i++) {
        const FigSvgSpan *s = &a->spans[i], *t = &b->spans[i];
        if (!same_string(scan, s->text, t->text) || s->placed != t->placed ||
            fabs(s->x - t->x) >= slack || fabs(s->y - t->y) >= slack ||
            !same_look(scan, &s->look, &t->look) ||
            fabs(s->look.size - t->look.size) >= SAME_SIZE ||
            s->look.weight != t->look.weight || s->look.italic != t->look.italic ||
            strcmp(s->look.family, t->look.family) != 0)
            return false;
    }
    return true;
}

static bool
same_item(const FigScan *scan, const FigSvgItem *a, const FigSvgItem *b)
{
    double slack = scan->slack;
    if (a->kind != b->kind || !same_look(scan, &a->look, &b->look))
        return false;
    switch (a->kind) {
    case FIG_ITEM_RECT:
        return same_bounds(a->bounds, b->bounds, slack) &&
               fabs(a->radius - b->radius) < SAME;
    case FIG_ITEM_PATH:
        return same_path(&a->path, &b->path, slack);
    case FIG_ITEM_TEXT:
        return same_text(scan, a, b);
    case FIG_ITEM_GROUP:
        break;
    }
    return true;
}

char *
fig_item_words(const FigSvgItem *item)
{
    static const FigHint hints[] = {FIG_HINT_NUMBER, FIG_HINT_OP,      FIG_HINT_EDGE,
                                    FIG_HINT_CLAIM,  FIG_HINT_CALLOUT, FIG_HINT_SHAPE,
                                    FIG_HINT_NAME,   FIG_HINT_PANEL,   FIG_HINT_FORK,
                                    FIG_HINT_LEGEND, FIG_HINT_PART};
    const char *kind = item->kind == FIG_ITEM_RECT ? "a rectangle" : "a path";
    const char *of = NULL;
    for (size_t i = 0; i < G_N_ELEMENTS(hints) && !of; i++)
        of = fig_svg_hint(item, hints[i]);
    if (item->kind == FIG_ITEM_TEXT)
        return of ? g_strdup_printf("‘%s’ at ‘%s’", item->text, of)
                  : g_strdup_printf("‘%s’", item->text);
    return of ? g_strdup_printf("%s of ‘%s’", kind, of) : g_strdup(kind);
}

/* Has something been found at a line: of that kind; NULL: of any? */
static bool
said(const FigScan *scan, int line, const char *kind)
{
    for (guint i = 0; i < scan->findings->len; i++) {
        const FigFinding *finding = &g_array_index(scan->findings, FigFinding, i);
        if (finding->line == line && (!kind || strcmp(finding->kind, kind) == 0))
            return true;
    }
    return false;
}

/* The names of all groups, in document order. */
static void
titles(GString *out, const FigSvgItem *group)
{
    for (const FigSvgItem *item = group->first; item; item = item->next) {
        if (item->title)
            g_string_append_printf(out, "%s\n", item->title);
        if (item->kind == FIG_ITEM_GROUP)
            titles(out, item);
    }
}

/* What kind of finding it is when an item of the fresh drawing is gone, or not as it should
 * be: by what it stands for. recoloured: only its look differs. */
static const char *
kind_of(const FigSvgItem *fresh, bool recoloured)
{
    static const struct {
        FigHint hint;
        const char *kind;
    } rows[] = {
        {FIG_HINT_NUMBER, "number"}, {FIG_HINT_SHAPE, "shape"},
        {FIG_HINT_NAME, "name"},     {FIG_HINT_CLAIM, "claim"},
        {FIG_HINT_CALLOUT, "claim"}, {FIG_HINT_LEGEND, "legend"},
        {FIG_HINT_PANEL, "panel"},   {FIG_HINT_EDGE, "edge"},
        {FIG_HINT_FORK, "dot"},      {FIG_HINT_INPUT, "text"},
        {FIG_HINT_OUTPUT, "text"},   {FIG_HINT_PART, "text"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
        if (fig_svg_hint(fresh, rows[i].hint))
            return rows[i].kind;
    if (!fig_svg_hint(fresh, FIG_HINT_OP))
        return "drawing";
    if (fresh->kind != FIG_ITEM_TEXT)
        return recoloured ? "class" : "mark";
    bool step = strspn(fresh->text, "0123456789") == strlen(fresh->text);
    return step ? "mark" : "label";
}

/* … when an item is not in the fresh drawing: by what it was taken for. */
static const char *
kind_of_role(FigRole role)
{
    switch (role) {
    case FIG_ROLE_MARK:
    case FIG_ROLE_STEP:
        return "mark";
    case FIG_ROLE_LABEL:
        return "label";
    case FIG_ROLE_PANEL:
        return "panel";
    case FIG_ROLE_DOT:
        return "dot";
    case FIG_ROLE_LINE:
    case FIG_ROLE_HEAD:
        return "edge";
    case FIG_ROLE_SHAPE:
        return "shape";
    case FIG_ROLE_NAME:
        return "name";
    case FIG_ROLE_TERMINAL:
    case FIG_ROLE_WORDS:
        return "text";
    default:
        return "drawing";
    }
}

/* Do two items of one kind stand at the same place, whatever they look like? */
static bool
same_place(const FigSvgItem *a, const FigSvgItem *b, double slack)
{
    if (a->kind == FIG_ITEM_TEXT)
        return a->n_spans > 0 && b->n_spans > 0 &&
               fabs(a->spans[0].x - b->spans[0].x) < slack &&
               fabs(a->spans[0].y - b->spans[0].y) < slack;
    return same_bounds(a->bounds, b->bounds, slack);
}

/* How an item differs that is in both. */
static void
changed(FigScan *scan, const FigSvgItem *seen, const FigSvgItem *fresh)
{
    bool recoloured =
        seen->kind == fresh->kind && !same_look(scan, &seen->look, &fresh->look);
    const char *kind = kind_of(fresh, recoloured);
    if (said(scan, seen->line, kind) ||
        (seen->kind == fresh->kind && same_place(seen, fresh, scan->slack) &&
         said(scan, seen->line, "hidden")))
        return;
    char *says = fig_item_words(seen), *did = fig_item_words(fresh);
    if (strcmp(says, did) == 0) {
        const char *how = seen->kind == FIG_ITEM_TEXT && !same_text(scan, seen, fresh)
                              ? "otherwise set, placed or coloured"
                          : recoloured ? "of other colour, width or dash"
                                       : "elsewhere or of another form";
        char *longer = g_strdup_printf("%s, %s", says, how);
        g_free(says);
        says = longer;
    }
    fig_scan_finding(scan, kind, seen->line, says,
                     g_strdup_printf("a fresh drawing has %s", did));
    g_free(did);
}

static void
prove_hints(FigScan *scan, const FigSvgItem *seen, const FigSvgItem *fresh)
{
    for (int h = 0; h < FIG_HINTS; h++) {
        const char *a = fig_svg_hint(seen, (FigHint)h);
        const char *b = fig_svg_hint(fresh, (FigHint)h);
        if (g_strcmp0(a, b) == 0 || said(scan, seen->line, "hint"))
            continue;
        fig_scan_finding(scan, "hint", seen->line, fig_hint_words((FigHint)h, a),
                         b ? g_strdup_printf("a fresh drawing has \"%s\"", b)
                           : g_strdup("a fresh drawing has none"));
    }
}

/* How far ahead an item's like stands in a list, or -1. */
static int
ahead(const FigScan *scan, const FigSvgItem *item, const GPtrArray *list, guint from)
{
    for (guint i = from; i < list->len && i < from + LOOK_AHEAD; i++)
        if (same_item(scan, item, list->pdata[i]))
            return (int)(i - from);
    return -1;
}

static void
compare(FigScan *scan, const GPtrArray *fresh)
{
    const GPtrArray *seen = scan->leaves;
    guint i = 0, k = 0;
    int findings = 0;

    while ((i < seen->len || k < fresh->len) && findings < MOST_FINDINGS) {
        const FigSvgItem *a = i < seen->len ? seen->pdata[i] : NULL;
        const FigSvgItem *b = k < fresh->len ? fresh->pdata[k] : NULL;
        if (a && b && same_item(scan, a, b)) {
            if (scan->hinted)
                prove_hints(scan, a, b);
            else if (fig_svg_hint(b, FIG_HINT_NUMBER))
                scan->report->numbers++; /* that it is one is known from here alone */
            i++;
            k++;
            continue;
        }
        int more = b ? ahead(scan, b, seen, i) : -1;  /* so many too many here */
        int less = a ? ahead(scan, a, fresh, k) : -1; /* so many missing here */
        if (a && (!b || (more > 0 && (less <= 0 || more <= less)))) {
            const char *kind = kind_of_role(scan->role[a->order]);
            if (!said(scan, a->line, strcmp(kind, "drawing") == 0 ? NULL : kind))
                fig_scan_finding(scan, kind, a->line, fig_item_words(a),
                                 g_strdup("it is not in a fresh drawing"));
            i++;
        } else if (b && (!a || less > 0)) {
            char *what = fig_item_words(b);
            fig_scan_finding(scan, kind_of(b, false), a ? a->line : 0,
                             g_strdup_printf("%s is missing", what),
                             g_strdup("a fresh drawing has it"));
            g_free(what);
            k++;
        } else {
            changed(scan, a, b);
            i++;
            k++;
        }
        findings++;
    }
}

/* The style without the id that the rules for a dark page begin with: that it is the
 * figure's own has been seen by the reader. owns: the caller; NULL: none */
static char *
style_of(const FigSvg *svg)
{
    g_autoptr(GRegex) id = g_regex_new("#[-A-Za-z0-9_]+ \\[", 0, 0, NULL);
    return svg->style ? g_regex_replace_literal(id, svg->style, -1, 0, "# [", 0, NULL)
                      : NULL;
}

void
fig_prove_said(FigScan *scan)
{
    const FigSvg *fresh = scan->truth->drawing;
    if (g_strcmp0(scan->svg->title, fresh->title) != 0 ||
        g_strcmp0(scan->svg->description, fresh->description) != 0)
        fig_scan_finding(scan, "text", 0, g_strdup("another name or description"),
                         g_strdup("than a fresh drawing has"));
    g_autofree char *style = style_of(scan->svg), *right = style_of(fresh);
    if (g_strcmp0(style, right) != 0)
        fig_scan_finding(scan, "drawing", 0,
                         g_strdup("other fonts or colours for a dark page"),
                         g_strdup("than a fresh drawing has"));
    g_autoptr(GString) names = g_string_new(NULL);
    g_autoptr(GString) fresh_names = g_string_new(NULL);
    titles(names, scan->svg->root);
    titles(fresh_names, fresh->root);
    if (!g_string_equal(names, fresh_names))
        fig_scan_finding(scan, "text", 0, g_strdup("other names of groups"),
                         g_strdup("than a fresh drawing has"));
}

void
fig_prove_fresh(FigScan *scan)
{
    const FigSvg *fresh = scan->truth->drawing;
    if (fabs(scan->svg->width - fresh->width) >= scan->slack ||
        fabs(scan->svg->height - fresh->height) >= scan->slack)
        fig_scan_finding(scan, "drawing", 0, g_strdup("another size of the page"),
                         g_strdup("than a fresh drawing has"));
    fig_prove_said(scan);
    compare(scan, scan->truth->leaves);
}
