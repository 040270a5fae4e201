/* SPDX-License-Identifier: MIT
 *
 * The page from top to bottom, and the words that its sections share.
 */
#include "pages/doc.h"

#include "base/num.h"
#include "pages/doc-parts.h"
#include "text/text.h"

#include <string.h>

const FigDocFormat *
fig_doc_format(const char *name)
{
    static const FigDocFormat *const all[] = {&fig_doc_markdown, &fig_doc_latex};
    for (size_t i = 0; i < G_N_ELEMENTS(all); i++)
        if (strcmp(all[i]->name, name) == 0)
            return all[i];
    return NULL;
}

const char *
fig_doc_figure_suffix(const FigDocFormat *format)
{
    return format->figure_suffix;
}

const char *
fig_doc_unfit(const FigDocFormat *format)
{
    return format->unfit;
}

bool
fig_doc_takes_dark(const FigDocFormat *format)
{
    return format->dark;
}

/* ---- words ---- */

void
fig_doc_words(FigDoc *doc, const char *words)
{
    doc->format->words(doc->out, words);
}

void
fig_doc_integer(FigDoc *doc, int64_t number)
{
    fig_num_integer(doc->out, number, true);
}

void
fig_doc_label(FigDoc *doc, const char *source)
{
    if (source)
        doc->format->label(doc->out, source);
}

void
fig_doc_math(FigDoc *doc, const char *tex)
{
    g_autofree char *label = g_strdup_printf("$%s$", tex);
    fig_doc_label(doc, label);
}

void
fig_doc_code(FigDoc *doc, const char *text)
{
    if (text)
        doc->format->code(doc->out, text);
}

void
fig_doc_shape(FigDoc *doc, int rank, const char *const *shape)
{
    g_autoptr(GString) tex = g_string_new("(");
    for (int i = 0; i < rank; i++) {
        g_autofree char *axis = fig_record_tex(doc->record, shape[i]);
        g_string_append_printf(tex, "%s%s", i ? ", " : "", axis);
    }
    g_string_append_c(tex, ')');
    fig_doc_math(doc, tex->str);
}

void
fig_doc_size(FigDoc *doc, int rank, const int64_t *size)
{
    g_autoptr(GString) text = g_string_new(NULL);
    for (int i = 0; i < rank; i++)
        g_string_append_printf(text, "%s%" G_GINT64_FORMAT, i ? "×" : "", size[i]);
    fig_doc_words(doc, text->str);
}

static void
append_sentence(FigDoc *doc, const FigSentence *sentence)
{
    g_autofree char *text = fig_sentence_text(sentence);
    fig_doc_label(doc, text);
}

void
fig_doc_heading(FigDoc *doc, int level, const char *words)
{
    g_string_append(doc->out, doc->format->heading[level][0]);
    fig_doc_words(doc, words);
    g_string_append(doc->out, doc->format->heading[level][1]);
}

/* ---- tables ---- */

void
fig_doc_table(FigDoc *doc, int n, const FigDocColumn *columns)
{
    doc->format->table(doc->out, n, columns);
}

void
fig_doc_row(FigDoc *doc)
{
    g_string_append(doc->out, doc->format->row);
}

void
fig_doc_cell(FigDoc *doc)
{
    g_string_append(doc->out, doc->format->cell);
}

void
fig_doc_row_end(FigDoc *doc)
{
    g_string_append(doc->out, doc->format->row_end);
}

void
fig_doc_table_end(FigDoc *doc)
{
    g_string_append(doc->out, doc->format->table_end);
}

void
fig_doc_line(FigDoc *doc)
{
    g_string_append(doc->out, doc->format->line);
}

/* ---- sections ---- */

static void
append_head(FigDoc *doc)
{
    const FigRecord *record = doc->record;
    g_autofree char *title =
        record->title.text ? fig_sentence_text(&record->title) : g_strdup(record->name);
    g_autofree char *plain = fig_text_plain(title);
    g_string_append(doc->out, doc->format->heading[0][0]);
    fig_doc_label(doc, record->family);
    fig_doc_words(doc, record->family ? ": " : "");
    if (record->title.text)
        append_sentence(doc, &record->title);
    else
        fig_doc_code(doc, record->name);
    g_string_append(doc->out, doc->format->heading[0][1]);
    if (record->subtitle.text) {
        append_sentence(doc, &record->subtitle);
        bool ended = strchr(".!?", doc->out->str[doc->out->len - 1]);
        g_string_append(doc->out, ended ? "\n\n" : ".\n\n");
    }
    doc->format->figure(doc->out, doc->options, plain);
    fig_doc_code(doc, record->name);
    fig_doc_words(doc, record->shipped ? ", as shipped: " : ": ");
    fig_doc_integer(doc, record->n_ops);
    fig_doc_words(doc, " ops, ");
    fig_doc_integer(doc, fig_doc_parameters(record));
    fig_doc_words(doc, " parameters, ");
    fig_doc_integer(doc, fig_doc_flops(record, FIG_CLASSES));
    fig_doc_words(doc, " FLOPs at these sizes.");
    g_string_append(doc->out, "\n\n");
}

static void
append_dims(FigDoc *doc)
{
    static const FigDocColumn columns[] = {{"", false, 0},
                                           {"size", true, 0},
                                           {"what", false, 0},
                                           {"by default", false, 0}};
    const FigRecord *record = doc->record;
    fig_doc_heading(doc, 1, "Sizes");
    fig_doc_table(doc, G_N_ELEMENTS(columns), columns);
    for (int i = 0; i < record->n_dims; i++) {
        const FigRecordDim *dim = &record->dims[i];
        fig_doc_row(doc);
        fig_doc_math(doc, dim->label);
        fig_doc_cell(doc);
        g_string_append_printf(doc->out, "%" G_GINT64_FORMAT, dim->size);
        fig_doc_cell(doc);
        fig_doc_label(doc, dim->what);
        fig_doc_cell(doc);
        fig_doc_code(doc, dim->is);
        fig_doc_row_end(doc);
    }
    for (int i = 0; i < record->n_constants; i++) {
        const FigRecordConstant *constant = &record->constants[i];
        fig_doc_row(doc);
        fig_doc_math(doc, constant->label);
        fig_doc_cell(doc);
        fig_doc_code(doc, constant->text);
        fig_doc_cell(doc);
        fig_doc_cell(doc);
        fig_doc_row_end(doc);
    }
    fig_doc_table_end(doc);
    for (int i = 0; i < record->n_overrides; i++) {
        fig_doc_words(doc, i ? ", " : "Set for this page: ");
        fig_doc_code(doc, record->overrides[i]);
        if (i + 1 == record->n_overrides)
            g_string_append(doc->out, ".\n\n");
    }
}

/* How a claim was settled: "✓ by a run, bound 1e-06". */
static void
append_how(FigDoc *doc, const FigRecordClaim *claim)
{
    if (!claim->that) {
        fig_doc_words(doc, "unchecked");
        return;
    }
    g_string_append(doc->out, claim->holds ? doc->format->holds : doc->format->fails);
    fig_doc_words(doc, strcmp(claim->by, "run") == 0 ? "a run" : claim->by);
    if (claim->has_bound) {
        fig_doc_words(doc, ", bound ");
        fig_num_shortest(doc->out, claim->bound);
    }
}

static void
append_claims(FigDoc *doc)
{
    static const FigDocColumn columns[] = {{"says", false, 0.34},
                                           {"settled", false, 0.16},
                                           {"as an expression", false, 0.46}};
    const FigRecord *record = doc->record;
    if (record->n_claims + record->n_notes == 0)
        return;
    fig_doc_heading(doc, 1, "Claims");
    fig_doc_table(doc, G_N_ELEMENTS(columns), columns);
    for (int i = 0; i < record->n_claims; i++) {
        const FigRecordClaim *claim = &record->claims[i];
        if (!claim->must && !claim->holds && claim->that)
            continue; /* a remark that is left out where it is not true */
        fig_doc_row(doc);
        append_sentence(doc, &claim->say);
        fig_doc_cell(doc);
        append_how(doc, claim);
        fig_doc_cell(doc);
        fig_doc_code(doc, claim->that);
        fig_doc_row_end(doc);
    }
    for (int i = 0; i < record->n_notes; i++) {
        fig_doc_row(doc);
        append_sentence(doc, &record->notes[i]);
        fig_doc_cell(doc);
        fig_doc_words(doc, "unchecked");
        fig_doc_cell(doc);
        fig_doc_row_end(doc);
    }
    fig_doc_table_end(doc);
    fig_doc_words(doc, "The runs: ");
    for (int i = 0; i < record->n_evidence; i++) {
        fig_doc_words(doc, i ? "; " : "");
        fig_doc_words(doc, record->evidence[i]);
    }
    g_string_append(doc->out, ".\n\n");
}

void
fig_doc_write(const FigRecord *record, const FigDocFormat *format,
              const FigDocOptions *options, GString *out)
{
    FigDoc doc = {out, format, record, options};
    g_string_append(out, format->head);
    append_head(&doc);
    append_dims(&doc);
    fig_doc_steps(&doc);
    append_claims(&doc);
    fig_doc_costs(&doc);
    fig_doc_names(&doc);
    g_string_truncate(out, out->len - 1); /* one line break at the end */
    g_string_append(out, format->foot);
}
