/* SPDX-License-Identifier: MIT
 *
 * A report as text for people, printed from the JSON alone, so that the two cannot disagree.
 */
#include "base/cells.h"
#include "base/num.h"
#include "cli/report-parts.h"

#include <string.h>

static const char *
string_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static void
append_real(GString *out, const char *name, const json_t *object, const char *key)
{
    const json_t *number = json_object_get(object, key);
    if (!number)
        return;
    g_string_append(out, name);
    fig_num_significant(out, json_real_value(number), 3);
}

/* The claim, with carets under a piece of it that says nothing. */
static void
append_that(GString *out, const json_t *claim)
{
    static const char head[] = "      that       ";
    const char *that = string_of(claim, "that");
    const json_t *offset = json_object_get(claim, "piece_offset");
    g_string_append_printf(out, "%s%s\n", head, that);
    if (!offset)
        return;
    size_t start = (size_t)json_integer_value(offset);
    size_t length = (size_t)json_integer_value(json_object_get(claim, "piece_length"));
    g_string_append_printf(out, "%*s", (int)strlen(head) + fig_cells(that, start), "");
    for (int i = fig_cells(that + start, length); i > 0; i--)
        g_string_append_c(out, '^');
    g_string_append_c(out, '\n');
}

/* What is worth nothing in a claim, or what shows that it is worth something. */
static void
append_trial(GString *out, const json_t *claim)
{
    const char *piece = string_of(claim, "piece");
    int tried = (int)json_integer_value(json_object_get(claim, "changes_tried"));
    bool vacuous = json_is_true(json_object_get(claim, "vacuous"));
    bool is = json_is_true(json_object_get(claim, "piece_is"));
    if (*piece) {
        g_string_append_printf(
            out, "\n      vacuous    ‘%s’ in it (%s) is always %s: ", piece,
            string_of(claim, "piece_at"), is ? "true" : "false");
        if (json_is_true(json_object_get(claim, "piece_spoken")))
            g_string_append_printf(out,
                                   "none of %d small changes of the spec makes it %s",
                                   tried, is ? "false" : "true");
        else
            g_string_append(out, "it speaks of no op and no value");
    } else if (vacuous && tried) {
        g_string_append_printf(
            out, "\n      vacuous    none of %d small changes of the spec breaks it",
            tried);
    } else if (vacuous) {
        g_string_append(out,
                        "\n      vacuous    it speaks of no op and no value, and no "
                        "change of the spec can break it");
    } else if (*string_of(claim, "edit")) {
        g_string_append_printf(out, "\n      broken by  edit: %s",
                               string_of(claim, "edit"));
        if (json_object_get(claim, "given_up"))
            g_string_append_printf(out,
                                   "; not each piece of it, by %d small changes of the "
                                   "spec",
                                   tried);
    } else if (json_object_get(claim, "given_up")) {
        g_string_append_printf(out,
                               "\n      unbroken   by %d small changes of the spec; "
                               "there are more than can be tried",
                               tried);
    }
}

/* What was claimed, how it was settled, and what would break it, each on its line. */
static void
append_proof(GString *out, const json_t *claim)
{
    bool left_out = !json_is_true(json_object_get(claim, "holds")) &&
                    !json_is_true(json_object_get(claim, "must"));
    append_that(out, claim);
    g_string_append_printf(out, "      by         %s", string_of(claim, "by"));
    append_real(out, ", bound ", claim, "bound");
    append_real(out, ", measured ", claim, "measured");
    if (left_out)
        g_string_append(out, "; does not hold here and is left out");
    append_trial(out, claim);
    g_string_append_c(out, '\n');
}

static void
append_claims(GString *out, const json_t *claims, bool quiet)
{
    int checked = 0, unchecked = 0, off = 0, vacuous = 0;
    size_t index;
    const json_t *claim;
    json_array_foreach(claims, index, claim)
    {
        bool is_unchecked = strcmp(string_of(claim, "by"), "unchecked") == 0;
        bool empty = json_is_true(json_object_get(claim, "vacuous"));
        bool holds = json_is_true(json_object_get(claim, "holds"));
        bool must = json_is_true(json_object_get(claim, "must"));
        unchecked += is_unchecked;
        vacuous += empty;
        checked += !is_unchecked && !empty && (holds || must);
        off += !is_unchecked && !holds && !must;
        if (quiet && !empty)
            continue;
        g_string_append_printf(out, "  %s %s%s\n",
                               is_unchecked ? "–"
                               : empty      ? "○"
                               : holds      ? "✓"
                                            : "✗",
                               string_of(claim, "say"),
                               is_unchecked ? " (unchecked)" : "");
        if (!is_unchecked)
            append_proof(out, claim);
    }
    g_string_append_printf(out, "  %d statements checked, %d unchecked", checked,
                           unchecked);
    if (vacuous)
        g_string_append_printf(out, ", %d vacuous", vacuous);
    if (off)
        g_string_append_printf(out, ", %d left out", off);
}

static void
append_counts(GString *out, const json_t *checked)
{
    const json_t *figure = json_object_get(checked, "figure");
    const char *name;
    json_t *row;
    g_string_append(out, "  ");
    if (!figure)
        g_string_append_printf(
            out, "%d ops executed",
            (int)json_integer_value(json_object_get(checked, "ops")));
    bool first = true;
    json_object_foreach((json_t *)figure, name, row)
    {
        int proved = (int)json_integer_value(json_object_get(row, "proved"));
        const json_t *of = json_object_get(row, "of");
        g_string_append_printf(out, "%s%d ", first ? "" : ", ", proved);
        if (of)
            g_string_append_printf(out, "of %d ", (int)json_integer_value(of));
        g_string_append(out, name);
        first = false;
    }
    g_string_append(out, ", at");
    json_object_foreach(json_object_get(checked, "dims"), name, row)
        g_string_append_printf(out, "%s %s = %" G_GINT64_FORMAT, first ? "" : "", name,
                               (gint64)json_integer_value(row));
    g_string_append_c(out, '\n');
}

static void
append_of(GString *out, const json_t *live, const char *key, const char *words)
{
    const json_t *count = json_object_get(live, key);
    if (count)
        g_string_append_printf(
            out, "%d of %d %s",
            (int)json_integer_value(json_object_get(count, "proved")),
            (int)json_integer_value(json_object_get(count, "of")), words);
}

static void
append_live(GString *out, const json_t *live)
{
    size_t index;
    const json_t *at;
    if (!live)
        return;
    g_string_append(out, "  disturbed: ");
    append_of(out, live, "operands", "operands change what their op writes, ");
    append_of(out, live, "ops", "ops read nothing else\n  ");
    append_of(out, live, "shapes", "shapes hold at other sizes:");
    json_array_foreach(json_object_get(live, "shapes_at"), index, at)
        g_string_append_printf(out, "%s %s", index ? ";" : "", json_string_value(at));
    g_string_append_c(out, '\n');
    if (json_object_get(live, "products")) {
        g_string_append(out, "  ");
        append_of(out, live, "products", "fast products are those of plain loops\n");
    }
    if (json_object_get(live, "no_blas"))
        g_string_append_printf(out, "  no fast products to compare: %s\n",
                               string_of(live, "no_blas"));
}

static void
append_pixels(GString *out, const json_t *pixels)
{
    bool same = json_is_true(json_object_get(pixels, "same"));
    const char *how = string_of(pixels, "compared");
    if (strcmp(how, "bytes") == 0)
        g_string_append(out, "  pixels: those of a fresh drawing, byte for byte\n");
    else if (strcmp(how, "none") == 0)
        g_string_append_printf(out, "  pixels: not compared: %s\n",
                               string_of(pixels, "why"));
    if (strcmp(how, "raster") != 0)
        return;
    g_string_append_printf(out, "  pixels: %s a fresh drawing, both drawn by %s at ",
                           same ? "as" : "not as", string_of(pixels, "by"));
    fig_num_significant(
        out, json_real_value(json_object_get(pixels, "pixels_per_point")), 3);
    g_string_append_printf(out, " px/pt (worst %d of 255)\n",
                           (int)json_integer_value(json_object_get(pixels, "worst")));
}

/* A line a figure that is sound or of other versions, and how many; the rest are findings. */
static void
append_files(GString *out, const json_t *files, bool quiet, bool strict)
{
    size_t index, sound = 0, others = 0;
    const json_t *file;
    json_array_foreach(files, index, file)
    {
        const char *verdict = string_of(file, "verdict"), *why = string_of(file, "why");
        bool other = strcmp(verdict, "versions") == 0;
        others += other;
        if (strcmp(verdict, "sound") == 0) {
            sound++;
            if (!quiet || *why)
                g_string_append_printf(out, "%s: as drawn now%s%s\n",
                                       string_of(file, "where"), *why ? "; " : "", why);
        } else if (other && !strict) {
            g_string_append_printf(out, "%s: versions: %s\n", string_of(file, "where"),
                                   why);
            g_string_append_printf(out, "  = renew with: %s\n",
                                   string_of(file, "renew"));
        }
    }
    if (json_array_size(files) == 0)
        return;
    g_string_append_printf(out, "%zu of %zu figures are as drawn now", sound,
                           json_array_size(files));
    if (others)
        g_string_append_printf(out, ", %zu as far as versions that differ allow",
                               others);
    g_string_append_c(out, '\n');
}

static void
append_own_words(GString *out, const json_t *words)
{
    enum { MOST = 30 };
    size_t n = json_array_size(words);
    for (size_t i = 0; i < MIN(n, MOST); i++)
        g_string_append_printf(out, "%s%s",
                               i ? ", " : "\n  words of the spec that nothing checks: ",
                               json_string_value(json_array_get(words, i)));
    if (n > MOST)
        g_string_append_printf(out, " and %zu more", n - MOST);
}

char *
fig_report_text(const FigReport *report, bool quiet, bool colour)
{
    GString *out = g_string_new(NULL);
    size_t index, inner;
    const json_t *checked, *finding, *item;
    json_array_foreach(report->checked, index, checked)
    {
        const char *where = string_of(checked, "where");
        int wrong = 0;
        json_array_foreach(report->findings, inner, finding) wrong +=
            strcmp(string_of(finding, "where"), where) == 0;
        bool shipped = json_is_true(json_object_get(checked, "shipped"));
        bool open = *string_of(checked, "not_compared");
        const char *verb = wrong  ? "does not agree with"
                           : open ? "agrees, as far as could be compared, with"
                                  : "agrees with";
        g_string_append_printf(out, "%s%s: %s %s%s%s\n",
                               colour ? (wrong ? "\033[31m" : "\033[32m") : "", where,
                               verb, shipped ? string_of(checked, "spec") : "its spec",
                               shipped ? " as shipped" : ", which is no shipped one",
                               colour ? "\033[0m" : "");
        append_counts(out, checked);
        append_claims(out, json_object_get(checked, "claims"), quiet);
        const json_t *hidden = json_object_get(checked, "computed_not_drawn");
        json_array_foreach(hidden, inner, item) g_string_append_printf(
            out, "%s%s",
            inner ? ", " : "; computed, not drawn: ", json_string_value(item));
        append_own_words(out, json_object_get(checked, "own_words"));
        if (*string_of(checked, "layout"))
            g_string_append_printf(
                out, "\n  drawn with the layout %s, whose words nothing checks",
                string_of(checked, "layout"));
        if (*string_of(checked, "remark"))
            g_string_append_printf(out, "\n  %s", string_of(checked, "remark"));
        g_string_append(out, "\n  evidence:");
        json_array_foreach(json_object_get(checked, "evidence"), inner, item)
            g_string_append_printf(out, "%s %s", inner ? ";" : "",
                                   json_string_value(item));
        g_string_append_c(out, '\n');
        append_pixels(out, json_object_get(checked, "pixels"));
        append_live(out, json_object_get(checked, "live"));
    }
    append_files(out, report->files, quiet, report->strict);
    json_array_foreach(report->findings, index, finding)
    {
        int line = (int)json_integer_value(json_object_get(finding, "line"));
        g_string_append(out, string_of(finding, "where"));
        if (line)
            g_string_append_printf(out, ":%d", line);
        g_string_append_printf(out, ": %s: %s\n", string_of(finding, "kind"),
                               string_of(finding, "says"));
        if (*string_of(finding, "did"))
            g_string_append_printf(out, "  = the run: %s\n", string_of(finding, "did"));
        if (*string_of(finding, "renew"))
            g_string_append_printf(out, "  = renew with: %s\n",
                                   string_of(finding, "renew"));
    }
    int n = (int)json_array_size(report->findings);
    if (n)
        g_string_append_printf(out, "%d finding%s\n", n, n == 1 ? "" : "s");
    return g_string_free(out, false);
}
