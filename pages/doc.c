/* SPDX-License-Identifier: MIT
 *
 * The page from top to bottom, and the words that its sections share.
 */
#include "pages/doc.h"

#include "base/num.h"
#include "pages/doc-parts.h"
#include "text/markdown.h"
#include "text/text.h"

#include <string.h>

/* ---- words ---- */

void
fig_doc_label(GString *out, const char *source)
{
    g_autofree char *text = source ? fig_text_markdown(source) : NULL;
    if (text)
        g_string_append(out, text);
}

void
fig_doc_math(GString *out, const char *tex)
{
    g_autofree char *label = g_strdup_printf("$%s$", tex);
    fig_doc_label(out, label);
}

void
fig_doc_code(GString *out, const char *text)
{
    size_t run = 0, longest = 0;
    for (const char *c = text; *c; c++) {
        run = *c == '`' ? run + 1 : 0;
        longest = MAX(longest, run);
    }
    g_autofree char *fence = g_strnfill(longest + 1, '`');
    const char *gap = longest ? " " : "";
    g_string_append_printf(out, "%s%s", fence, gap);
    for (const char *c = text; *c; c++) {
        if (*c == '|')
            g_string_append_c(out, '\\');
        g_string_append_c(out, g_ascii_iscntrl(*c) ? ' ' : *c);
    }
    g_string_append_printf(out, "%s%s", gap, fence);
}

void
fig_doc_shape(GString *out, const FigRecord *record, int rank, const char *const *shape)
{
    g_autoptr(GString) tex = g_string_new("(");
    for (int i = 0; i < rank; i++) {
        g_autofree char *axis = fig_record_tex(record, shape[i]);
        g_string_append_printf(tex, "%s%s", i ? ", " : "", axis);
    }
    g_string_append_c(tex, ')');
    fig_doc_math(out, tex->str);
}

void
fig_doc_size(GString *out, int rank, const int64_t *size)
{
    for (int i = 0; i < rank; i++)
        g_string_append_printf(out, "%s%" G_GINT64_FORMAT, i ? "×" : "", size[i]);
}

static void
append_sentence(GString *out, const FigSentence *sentence)
{
    g_autofree char *text = fig_sentence_text(sentence);
    fig_doc_label(out, text);
}

/* ---- sections ---- */

/* A path between the quotes of an attribute. */
static void
append_attribute(GString *out, const char *text)
{
    g_autofree char *escaped = g_markup_escape_text(text, -1);
    g_string_append(out, escaped);
}

static void
append_figure(GString *out, const FigRecord *record, const FigDocOptions *options)
{
    g_autofree char *title =
        record->title.text ? fig_sentence_text(&record->title) : g_strdup(record->name);
    g_autofree char *plain = fig_text_plain(title);
    g_string_append(out, "<picture>\n");
    if (options->dark) {
        g_string_append(out,
                        "<source media=\"(prefers-color-scheme: dark)\" srcset=\"");
        append_attribute(out, options->dark);
        g_string_append(out, "\">\n");
    }
    g_string_append(out, "<img alt=\"");
    append_attribute(out, plain);
    g_string_append(out, "\" src=\"");
    append_attribute(out, options->figure);
    g_string_append(out, "\">\n</picture>\n\n");
}

static void
append_head(GString *out, const FigRecord *record, const FigDocOptions *options)
{
    g_string_append(out, "# ");
    if (record->family) {
        fig_doc_label(out, record->family);
        g_string_append(out, ": ");
    }
    if (record->title.text)
        append_sentence(out, &record->title);
    else
        fig_doc_code(out, record->name);
    g_string_append(out, "\n\n");
    if (record->subtitle.text) {
        append_sentence(out, &record->subtitle);
        g_string_append(out, strchr(".!?", out->str[out->len - 1]) ? "\n\n" : ".\n\n");
    }
    append_figure(out, record, options);
    fig_doc_code(out, record->name);
    g_string_append(out, record->shipped ? ", as shipped: " : ": ");
    g_string_append_printf(out, "%d ops, ", record->n_ops);
    fig_num_integer(out, fig_doc_parameters(record), true);
    g_string_append(out, " parameters, ");
    fig_num_integer(out, fig_doc_flops(record, FIG_CLASSES), true);
    g_string_append(out, " FLOPs at these sizes.\n\n");
}

static void
append_dims(GString *out, const FigRecord *record)
{
    g_string_append(out, "## Sizes\n\n| | size | what | by default |\n"
                         "| --- | ---: | --- | --- |\n");
    for (int i = 0; i < record->n_dims; i++) {
        const FigRecordDim *dim = &record->dims[i];
        g_string_append(out, "| ");
        fig_doc_math(out, dim->label);
        g_string_append_printf(out, " | %" G_GINT64_FORMAT " | ", dim->size);
        fig_doc_label(out, dim->what);
        g_string_append(out, " | ");
        if (dim->is)
            fig_doc_code(out, dim->is);
        g_string_append(out, " |\n");
    }
    for (int i = 0; i < record->n_constants; i++) {
        const FigRecordConstant *constant = &record->constants[i];
        g_string_append(out, "| ");
        fig_doc_math(out, constant->label);
        g_string_append(out, " | ");
        fig_doc_code(out, constant->text);
        g_string_append(out, " | | |\n");
    }
    for (int i = 0; i < record->n_overrides; i++) {
        g_string_append(out, i ? ", " : "\nSet for this page: ");
        fig_doc_code(out, record->overrides[i]);
        if (i + 1 == record->n_overrides)
            g_string_append(out, ".\n");
    }
    g_string_append_c(out, '\n');
}

/* How a claim was settled: "✓ by a run, bound 1e-06". */
static void
append_how(GString *out, const FigRecordClaim *claim)
{
    if (!claim->that) {
        g_string_append(out, "unchecked");
        return;
    }
    g_string_append(out, claim->holds ? "✓ by " : "✗ by ");
    g_string_append(out, strcmp(claim->by, "run") == 0 ? "a run" : claim->by);
    if (claim->has_bound) {
        g_string_append(out, ", bound ");
        fig_num_shortest(out, claim->bound);
    }
}

static void
append_claims(GString *out, const FigRecord *record)
{
    if (record->n_claims + record->n_notes == 0)
        return;
    g_string_append(out, "## Claims\n\n| says | settled | as an expression |\n"
                         "| --- | --- | --- |\n");
    for (int i = 0; i < record->n_claims; i++) {
        const FigRecordClaim *claim = &record->claims[i];
        if (!claim->must && !claim->holds && claim->that)
            continue; /* a remark that is left out where it is not true */
        g_string_append(out, "| ");
        append_sentence(out, &claim->say);
        g_string_append(out, " | ");
        append_how(out, claim);
        g_string_append(out, " | ");
        if (claim->that)
            fig_doc_code(out, claim->that);
        g_string_append(out, " |\n");
    }
    for (int i = 0; i < record->n_notes; i++) {
        g_string_append(out, "| ");
        append_sentence(out, &record->notes[i]);
        g_string_append(out, " | unchecked | |\n");
    }
    g_string_append(out, "\nThe runs: ");
    for (int i = 0; i < record->n_evidence; i++)
        g_string_append_printf(out, "%s%s", i ? "; " : "", record->evidence[i]);
    g_string_append(out, ".\n\n");
}

void
fig_doc_markdown(const FigRecord *record, const FigDocOptions *options, GString *out)
{
    append_head(out, record, options);
    append_dims(out, record);
    fig_doc_steps(out, record);
    append_claims(out, record);
    fig_doc_costs(out, record, options);
    fig_doc_names(out, record);
    g_string_truncate(out, out->len - 1);
}
