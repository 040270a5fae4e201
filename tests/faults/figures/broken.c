/* SPDX-License-Identifier: MIT
 *
 * Edits of a figure's lines, and the verdict on what comes of them.
 */
#include "tests/faults/figures/broken.h"

#include "base/num.h"

#include <string.h>

typedef struct Edit {
    int first, last; /* lines taken out; last < first: none */
    char *text;      /* that stands in their place, with its line ends; may be NULL */
    int order;       /* of edits at one line */
} Edit;

const guint fault_edit_size = sizeof(Edit);

bool
fault_turn(Try *try)
{
    int made = try->made++;
    return made == 0 || made % try->stride == try->next; /* at least one */
}

static void
add_edit(Try *try, int first, int last, char *text)
{
    Edit edit = {first, last, text, (int)try->edits->len};
    g_array_append_val(try->edits, edit);
}

void
fault_set(Try *try, int line, const char *text)
{
    add_edit(try, line, line,
             g_strconcat(text, g_str_has_suffix(text, "\n") ? "" : "\n", NULL));
}

void
fault_insert(Try *try, int before, const char *text)
{
    add_edit(try, before, before - 1,
             g_strconcat(text, g_str_has_suffix(text, "\n") ? "" : "\n", NULL));
}

void
fault_drop(Try *try, int first, int last)
{
    add_edit(try, first, last, NULL);
}

static int
by_line(gconstpointer a, gconstpointer b)
{
    const Edit *x = a, *y = b;
    return x->first != y->first ? x->first - y->first
           : x->last != y->last ? x->last - y->last /* put in before what is there */
                                : x->order - y->order;
}

static char *
edited(Try *try)
{
    const Figure *figure = try->figure;
    GString *out = g_string_sized_new(1 << 16);
    int line = 1;
    g_array_sort(try->edits, by_line);
    for (guint i = 0; i < try->edits->len; i++) {
        Edit *edit = &g_array_index(try->edits, Edit, i);
        for (; line < edit->first; line++)
            g_string_append_printf(out, "%s\n", figure->lines[line - 1]);
        if (edit->text)
            g_string_append(out, edit->text);
        line = MAX(line, edit->last + 1);
        g_free(edit->text);
    }
    for (; line <= figure->n_lines; line++)
        g_string_append_printf(out, "%s\n", figure->lines[line - 1]);
    g_array_set_size(try->edits, 0);
    return g_string_free(out, FALSE);
}

/* ---- the verdict ---- */

void
fault_count_by(Try *try, const char *finding, int n)
{
    n += GPOINTER_TO_INT(g_hash_table_lookup(try->by, finding));
    g_hash_table_insert(try->by, g_strdup(finding), GINT_TO_POINTER(n));
}

static void
say(const Try *try, const FigFigureReport *report, const char *wanted, const char *what)
{
    g_printerr("# %s (%s%s): %s: %s%s\n", try->kind->name, try->figure->name,
               try->figure->bare ? ", stripped" : "", what,
               *wanted == '?' ? "passes and looks otherwise"
               : *wanted      ? "not caught by "
                              : "a false alarm",
               *wanted == '?' ? "" : wanted);
    for (int i = 0; i < report->n_findings && i < 6; i++)
        g_printerr("#   %d %s: %s | %s\n", report->findings[i].line,
                   report->findings[i].kind, report->findings[i].says,
                   report->findings[i].did);
}

/* Compare the pixels of a figure in which nothing was found; what differs is found then. */
static void
compare_pixels(Try *try, FigFigureReport *report, const FigSvg *svg, const char *text)
{
    fig_figure_pixels(report, svg, try->figure->truth, text, strlen(text));
    if (report->pixels.how == FIG_PIXELS_NOT && report->n_findings == 0)
        g_error("%s: pixels are not compared: %s", try->figure->name,
                report->pixels.why);
    fault_count_by(try, "compared", 1);
    if (report->n_findings == 0)
        try->most = MAX(try->most, report->pixels.worst);
}

void
fault_expect(Try *try, const char *finding)
{
    try->expected = finding;
}

const char *
fault_finding_of(const FigSvgItem *item)
{
    static const struct {
        FigHint hint;
        const char *finding;
    } rows[] = {
        {FIG_HINT_NUMBER, "number"}, {FIG_HINT_SHAPE, "shape"},
        {FIG_HINT_NAME, "name"},     {FIG_HINT_CLAIM, "claim"},
        {FIG_HINT_CALLOUT, "claim"}, {FIG_HINT_LEGEND, "legend"},
        {FIG_HINT_PANEL, "panel"},   {FIG_HINT_INPUT, "text"},
        {FIG_HINT_OUTPUT, "text"},   {FIG_HINT_PART, "text"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
        if (fig_svg_hint(item, rows[i].hint))
            return rows[i].finding;
    g_assert_nonnull(fig_svg_hint(item, FIG_HINT_OP));
    bool step = strspn(item->text, "0123456789") == strlen(item->text);
    return step ? "mark" : "label";
}

void
fault_attempt_text(Try *try, const char *text, const char *what)
{
    g_autoptr(GError) error = NULL;
    const char *wanted = try->kind->finding ? try->kind->finding : try->expected;
    g_assert_nonnull(wanted);
    try->expected = NULL;
    FigSvg *svg = fig_svg_read("figure.svg", text, strlen(text), &error);
    bool open = *wanted == '?';
    if (!svg && open) {
        try->tried++;
        try->caught++;
        fault_count_by(try, "refused", 1);
        return;
    }
    if (!svg)
        g_error("%s: %s: %s", try->kind->name, what, error->message);
    FigFigureReport *report = fig_figure_check(svg, try->figure->truth);
    bool found = open && report->n_findings > 0;
    for (int i = 0; i < report->n_findings; i++)
        found |= strcmp(report->findings[i].kind, wanted) == 0;
    if (try->pixels && report->n_findings == 0)
        compare_pixels(try, report, svg, text);
    bool right = found || (report->n_findings == 0 && (open || !*wanted));
    try->tried++;
    try->caught += right;
    if (found)
        fault_count_by(try, open ? "found" : wanted, 1);
    if (!right && (try->verbose || try->tried - try->caught <= 3))
        say(try, report, wanted, what);
    fig_figure_report_free(report);
    fig_svg_free(svg);
}

void
fault_attempt(Try *try, const char *what)
{
    g_autofree char *text = edited(try);
    fault_attempt_text(try, text, what);
}

/* ---- lines ---- */

int
fault_last_line(const FigSvgItem *item)
{
    int last = item->line;
    for (const FigSvgItem *inner = item->first; inner; inner = inner->next)
        last = fault_last_line(inner);
    return last + (item->kind == FIG_ITEM_GROUP);
}

char *
fault_lines(const Figure *figure, int first, int last)
{
    GString *out = g_string_new(NULL);
    for (int line = first; line <= last; line++)
        g_string_append_printf(out, "%s\n", figure->lines[line - 1]);
    return g_string_free(out, FALSE);
}

/* Where the value of an attribute of the line's first element starts, or NULL. */
static const char *
value_at(const char *line, const char *name)
{
    g_autofree char *key = g_strdup_printf(" %s=\"", name);
    const char *at = strstr(line, key), *end = strchr(line, '>');
    return at && at < end ? at + strlen(key) : NULL;
}

char *
fault_value(const char *line, const char *name)
{
    const char *at = value_at(line, name);
    return at ? g_strndup(at, strcspn(at, "\"")) : NULL;
}

char *
fault_with(const char *line, const char *name, const char *value)
{
    const char *at = value_at(line, name);
    if (at)
        return g_strdup_printf("%.*s%s%s", (int)(at - line), line, value,
                               at + strcspn(at, "\""));
    size_t tag = strcspn(line, " >/") == 0 ? 1 : strcspn(line, " >");
    if (line[tag - 1] == '/')
        tag--;
    return g_strdup_printf("%.*s %s=\"%s\"%s", (int)tag, line, name, value, line + tag);
}

char *
fault_without(const char *line, const char *name)
{
    const char *value = value_at(line, name);
    g_assert_nonnull(value);
    return g_strdup_printf("%.*s%s", (int)(value - strlen(name) - 3 - line), line,
                           value + strcspn(value, "\"") + 1);
}

void
fault_number(GString *out, double value)
{
    fig_num_fixed(out, value, 2);
}

/* Copy path data or points with each pair moved. */
static void
move_path(GString *out, const char *data, double dx, double dy)
{
    bool y = false;
    while (*data) {
        size_t n = strspn(data, "-0123456789.");
        double value;
        if (n == 0) {
            g_string_append_c(out, *data++);
            continue;
        }
        g_autofree char *number = g_strndup(data, n);
        g_assert_true(fig_num_read_real(number, &value));
        fault_number(out, value + (y ? dy : dx));
        y = !y;
        data += n;
    }
}

char *
fault_moved(const char *lines, double dx, double dy)
{
    GString *out = g_string_new(NULL);
    while (*lines) {
        bool x = g_str_has_prefix(lines, " x=\""), y = g_str_has_prefix(lines, " y=\"");
        bool d = g_str_has_prefix(lines, " d=\"");
        if (!x && !y && !d) {
            g_string_append_c(out, *lines++);
            continue;
        }
        const char *value = strchr(lines, '"') + 1;
        g_autofree char *data = g_strndup(value, strcspn(value, "\""));
        g_string_append_len(out, lines, value - lines);
        if (d) {
            move_path(out, data, dx, dy);
        } else {
            double number;
            g_assert_true(fig_num_read_real(data, &number));
            fault_number(out, number + (x ? dx : dy));
        }
        lines = value + strlen(data);
    }
    return g_string_free(out, FALSE);
}

char *
fault_words(const char *line)
{
    const char *end = g_strrstr(line, "</text>"), *start = strchr(line, '>') + 1;
    return g_strndup(start, (gsize)(end - start));
}

char *
fault_with_words(const char *line, const char *words)
{
    const char *start = strchr(line, '>') + 1;
    return g_strdup_printf("%.*s%s</text>", (int)(start - line), line, words);
}

/* ---- items ---- */

GPtrArray *
fault_items(const Figure *figure)
{
    GPtrArray *items = g_ptr_array_new();
    g_ptr_array_extend(items, figure->leaves, NULL, NULL);
    g_ptr_array_extend(items, figure->groups, NULL, NULL);
    return items;
}

GPtrArray *
fault_all(const Figure *figure, FigHint hint)
{
    GPtrArray *all = g_ptr_array_new();
    for (guint i = 0; i < figure->groups->len; i++) {
        const FigSvgItem *group = figure->groups->pdata[i];
        if (group->hint[hint])
            g_ptr_array_add(all, (gpointer)group);
    }
    return all;
}

const FigSvgItem *
fault_find(const Figure *figure, FigHint hint, const char *value)
{
    for (guint i = 0; i < figure->groups->len; i++) {
        const FigSvgItem *group = figure->groups->pdata[i];
        if (group->hint[hint] && (!value || strcmp(group->hint[hint], value) == 0))
            return group;
    }
    return NULL;
}
