/* SPDX-License-Identifier: MIT
 *
 * What was checked becomes JSON: counts, claims, versions and pixels of each thing, and all
 * findings.
 */
#include "cli/report-parts.h"
#include "text/text.h"

#include <string.h>

FigReport *
fig_report_new(bool strict)
{
    FigReport *report = g_new0(FigReport, 1);
    report->strict = strict;
    report->checked = json_array();
    report->files = json_array();
    report->findings = json_array();
    return report;
}

void
fig_report_free(FigReport *report)
{
    if (!report)
        return;
    json_decref(report->checked);
    json_decref(report->files);
    json_decref(report->findings);
    g_free(report);
}

int
fig_report_findings(const FigReport *report)
{
    return (int)json_array_size(report->findings);
}

static void
add_finding(FigReport *report, const char *where, const char *kind, int line,
            const char *says, const char *did)
{
    json_t *finding = json_object();
    json_object_set_new(finding, "where", json_string(where));
    if (line > 0)
        json_object_set_new(finding, "line", json_integer(line));
    json_object_set_new(finding, "kind", json_string(kind));
    json_object_set_new(finding, "says", json_string(says ? says : ""));
    json_object_set_new(finding, "did", json_string(did ? did : ""));
    json_array_append_new(report->findings, finding);
}

/* A sentence for the terminal: numbers filled in, math as Unicode. */
static char *
sentence_plain(const FigSentence *sentence)
{
    g_autofree char *filled = fig_sentence_text(sentence);
    return fig_text_plain(filled);
}

static bool
is_vacuous(const FigTriedClaim *tried)
{
    return tried && tried->vacuous;
}

/* "weak.yaml:6:45". owns: the caller */
static char *
piece_place(const FigTriedClaim *tried)
{
    FigSpan at = tried->piece_at;
    return g_strdup_printf("%s:%d:%d", at.source->name, at.line, at.column);
}

/* The piece that says nothing: what it always is, where it stands, and where in its claim. */
static void
add_piece(json_t *object, const FigTriedClaim *tried, const FigYaml *that)
{
    FigSpan at = tried->piece_at;
    size_t start = that->span.offset + that->lead;
    g_autofree char *place = piece_place(tried);
    json_object_set_new(object, "piece", json_string(tried->piece));
    json_object_set_new(object, "piece_is", json_boolean(tried->piece_holds));
    json_object_set_new(object, "piece_spoken", json_boolean(tried->piece_spoken));
    json_object_set_new(object, "piece_at", json_string(place));
    if (that->verbatim && !strchr(that->text, '\n')) {
        json_object_set_new(object, "piece_offset",
                            json_integer((json_int_t)(at.offset - start)));
        json_object_set_new(object, "piece_length",
                            json_integer((json_int_t)at.length));
    }
}

/* How a claim fared under small changes of the spec. */
static void
add_trial(json_t *object, const FigTriedClaim *tried, const FigYaml *that)
{
    if (!tried || !tried->asked)
        return;
    json_object_set_new(object, "changes_tried", json_integer(tried->tried));
    json_object_set_new(object, "vacuous", json_boolean(is_vacuous(tried)));
    if (tried->piece)
        add_piece(object, tried, that);
    if (tried->given_up)
        json_object_set_new(object, "given_up", json_true());
    if (tried->edit) {
        json_object_set_new(object, "broken_by", json_string(tried->kind));
        json_object_set_new(object, "edit", json_string(tried->edit));
    }
}

static json_t *
claim_object(const FigRecord *record, const FigRecordClaim *claim,
             const FigTriedClaim *tried, const FigYaml *that)
{
    json_t *object = json_object();
    g_autofree char *plain = sentence_plain(&claim->say);
    json_object_set_new(object, "id", json_string(claim->id));
    json_object_set_new(object, "say", json_string(plain));
    if (!claim->that) {
        json_object_set_new(object, "by", json_string("unchecked"));
        return object;
    }
    json_object_set_new(object, "that", json_string(claim->that));
    json_object_set_new(object, "holds", json_boolean(claim->holds));
    json_object_set_new(object, "must", json_boolean(claim->must));
    json_object_set_new(object, "by", json_string(claim->by));
    if (claim->has_bound)
        json_object_set_new(object, "bound", json_real(claim->bound));
    for (int i = 0; i < record->n_measured_claims; i++)
        if (strcmp(record->measured_claims[i].id, claim->id) == 0)
            json_object_set_new(object, "measured",
                                json_real(record->measured_claims[i].number));
    add_trial(object, tried, that);
    return object;
}

static json_t *
not_drawn(const FigRecord *record)
{
    g_autoptr(GHashTable) seen =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    json_t *list = json_array();
    for (int i = 0; i < record->n_ops; i++) {
        for (int j = 0; j < record->ops[i].n_attributes; j++) {
            const FigRecordAttribute *one = &record->ops[i].attributes[j];
            if (one->drawn)
                continue;
            char *text = g_strdup_printf("%s %s of %s", one->name, one->value,
                                         record->ops[i].title);
            if (g_hash_table_add(seen, text))
                json_array_append_new(list, json_string(text));
        }
    }
    return list;
}

/* id: NULL: of the figure */
static void
add_own_words(json_t *list, const char *of, const char *id, const char *words)
{
    if (!words)
        return;
    g_autofree char *plain = fig_text_plain(words);
    g_autofree char *text = id ? g_strdup_printf("%s ‘%s’ (%s)", of, id, plain)
                               : g_strdup_printf("%s (%s)", of, plain);
    json_array_append_new(list, json_string(text));
}

/* Words of a spec that is not shipped, in place of those that follow from the run, or beside
 * them. */
static json_t *
own_words(const FigGraph *graph)
{
    json_t *list = json_array();
    if (graph->shipped)
        return list;
    add_own_words(list, "title", NULL, graph->title.text);
    add_own_words(list, "subtitle", NULL, graph->subtitle.text);
    for (int i = 0; i < graph->n_nodes; i++)
        add_own_words(list, "title of", graph->nodes[i].id, graph->nodes[i].title);
    for (int i = 0; i < graph->n_groups; i++)
        add_own_words(list, "title of", graph->groups[i].id, graph->groups[i].title);
    for (int i = 0; i < graph->n_dims; i++)
        add_own_words(list, "what of", graph->dims[i].id, graph->dims[i].what);
    for (int i = 0; i < graph->n_values; i++)
        if (graph->values[i].from == FIG_FROM_INPUT)
            add_own_words(list, "what of", graph->values[i].id, graph->values[i].what);
    for (int i = 0; i < graph->n_outputs; i++) {
        const FigValue *value = &graph->values[graph->outputs[i]];
        if (value->from != FIG_FROM_INPUT)
            add_own_words(list, "what of", value->id, value->what);
    }
    if (graph->n_claims > 0)
        json_array_append_new(
            list, json_string("that each sentence says what its ‘that’ asks"));
    return list;
}

/* What was proved by disturbing the run. */
static json_t *
live_object(FigReport *report, const char *where, const FigLive *live)
{
    json_t *object =
        json_pack("{s:{s:i,s:i}, s:{s:i,s:i}, s:{s:i,s:i}}", "operands", "proved",
                  live->live, "of", live->operands, "ops", "proved", live->alone, "of",
                  live->ops, "shapes", "proved", live->shapes, "of", live->n_values);
    json_t *at = json_array();
    for (int i = 0; i < live->n_shapes; i++)
        json_array_append_new(at, json_string(live->shapes_at[i]));
    json_object_set_new(object, "shapes_at", at);
    if (live->multiplied)
        json_object_set_new(
            object, "products",
            json_pack("{s:i,s:i}", "proved", live->same, "of", live->products));
    if (live->no_blas)
        json_object_set_new(object, "no_blas", json_string(live->no_blas));
    for (int i = 0; i < live->n_findings; i++)
        add_finding(report, where, live->findings[i].kind, 0, live->findings[i].says,
                    live->findings[i].did);
    return object;
}

/* What every checked thing has: against which spec, at which dims, by which evidence,
 * claims, what is not drawn. Claims that must hold and do not are findings. */
static json_t *
add_checked(FigReport *report, const char *where, const FigWork *work)
{
    const FigRecord *record = work->record;
    json_t *object = json_object(), *dims = json_object(), *claims = json_array(),
           *evidence = json_array();
    json_object_set_new(object, "where", json_string(where));
    json_object_set_new(object, "spec", json_string(record->name));
    json_object_set_new(object, "shipped", json_boolean(record->shipped));
    for (int i = 0; i < record->n_dims; i++)
        json_object_set_new(dims, record->dims[i].id,
                            json_integer(record->dims[i].size));
    json_object_set_new(object, "dims", dims);
    for (int i = 0; i < record->n_evidence; i++)
        json_array_append_new(evidence, json_string(record->evidence[i]));
    json_object_set_new(object, "evidence", evidence);
    json_object_set_new(object, "ops", json_integer(record->n_ops));
    if (work->finite.graph && work->finite.node >= 0)
        add_finding(report, where, "nan", 0, work->finite.where,
                    work->finite.cause ? work->finite.cause
                                       : "what it reads is numbers there");
    for (int i = 0; i < record->n_claims; i++) {
        const FigRecordClaim *claim = &record->claims[i];
        const FigTriedClaim *tried = work->tried ? &work->tried[i] : NULL;
        json_array_append_new(
            claims, claim_object(record, claim, tried, work->graph->claims[i].that));
        if (report->strict && is_vacuous(tried)) {
            g_autofree char *at = tried->piece ? piece_place(tried) : NULL;
            g_autofree char *did =
                tried->piece
                    ? g_strdup_printf("‘%s’ in it (%s) is always %s", tried->piece, at,
                                      tried->piece_holds ? "true" : "false")
                    : g_strdup_printf("no small change of the spec breaks %s",
                                      claim->that);
            add_finding(report, where, "vacuous", 0, claim->say.text, did);
        }
        if (claim->that && claim->must && !claim->holds) {
            g_autofree char *did = claim->found
                                       ? g_strdup_printf("%s, where %s is claimed",
                                                         claim->found, claim->that)
                                       : g_strdup_printf("not so: %s", claim->that);
            add_finding(report, where, "claim", 0, claim->say.text, did);
        }
    }
    for (int i = 0; i < record->n_notes; i++) {
        g_autofree char *plain = sentence_plain(&record->notes[i]);
        json_t *note = json_object();
        json_object_set_new(note, "say", json_string(plain));
        json_object_set_new(note, "by", json_string("unchecked"));
        json_array_append_new(claims, note);
    }
    json_object_set_new(object, "claims", claims);
    json_object_set_new(object, "computed_not_drawn", not_drawn(record));
    json_object_set_new(object, "own_words", own_words(work->graph));
    if (work->layout)
        json_object_set_new(object, "layout", json_string(work->layout));
    if (work->live)
        json_object_set_new(object, "live", live_object(report, where, work->live));
    json_array_append_new(report->checked, object);
    return object;
}

typedef struct Row {
    const char *name;
    int proved, of; /* of < 0: nobody can say of how many */
} Row;

static void
add_counts(json_t *object, const Row *rows, size_t n)
{
    json_t *counts = json_object();
    for (size_t i = 0; i < n; i++) {
        json_t *row = json_object();
        json_object_set_new(row, "proved", json_integer(rows[i].proved));
        if (rows[i].of >= 0)
            json_object_set_new(row, "of", json_integer(rows[i].of));
        json_object_set_new(counts, rows[i].name, row);
    }
    json_object_set_new(object, "figure", counts);
}

static void
add_findings(FigReport *report, const char *path, const FigFinding *findings, int n)
{
    for (int i = 0; i < n; i++)
        add_finding(report, path, findings[i].kind, findings[i].line, findings[i].says,
                    findings[i].did);
}

/* How the pixels of a figure were compared. */
static void
add_pixels(json_t *object, const FigFigureReport *figure)
{
    const FigPixels *pixels = &figure->pixels;
    static const char *const how[] = {"", "bytes", "raster", "none"};
    if (pixels->how == FIG_PIXELS_UNASKED)
        return;
    json_t *row = json_object();
    json_object_set_new(row, "compared", json_string(how[pixels->how]));
    if (pixels->why)
        json_object_set_new(row, "why", json_string(pixels->why));
    if (pixels->how == FIG_PIXELS_RASTER) {
        /* nothing had been found before */
        json_object_set_new(row, "same", json_boolean(figure->n_findings == 0));
        json_object_set_new(row, "by", json_string(pixels->by));
        json_object_set_new(row, "pixels_per_point", json_real(pixels->scale));
        json_object_set_new(row, "worst", json_integer(pixels->worst));
    }
    json_object_set_new(object, "pixels", row);
}

char *
fig_report_versions(const char *differ, const char *not_compared)
{
    return not_compared ? g_strdup_printf("%s: not compared: %s", differ, not_compared)
                        : g_strdup_printf("%s: all is compared", differ);
}

/* Versions that differ are said; a strict report lets none pass that leave something open. */
static void
add_versions(FigReport *report, const char *path, json_t *object, const char *differ,
             const char *not_compared)
{
    if (!differ)
        return;
    g_autofree char *remark = fig_report_versions(differ, not_compared);
    json_object_set_new(object, "remark", json_string(remark));
    json_object_set_new(object, "differ", json_string(differ));
    if (!not_compared)
        return;
    json_object_set_new(object, "not_compared", json_string(not_compared));
    if (report->strict)
        add_finding(report, path, "versions", 0, remark,
                    "drawn by these versions it could be compared whole");
}

void
fig_report_figure(FigReport *report, const char *path, const FigWork *work,
                  const FigFigureReport *figure)
{
    json_t *object = add_checked(report, path, work);
    const Row rows[] = {
        {"ops", figure->ops_found, figure->ops},
        {"edges", figure->edges_found, figure->edges},
        {"weights", figure->weights_named, figure->weights},
        {"shapes", figure->shapes, -1},
        {"labels", figure->labels, -1},
        {"numbers", figure->numbers, -1},
        {"claims", figure->claims, -1},
    };
    add_counts(object, rows, G_N_ELEMENTS(rows));
    add_versions(report, path, object, figure->differ, figure->not_compared);
    add_pixels(object, figure);
    add_findings(report, path, figure->findings, figure->n_findings);
}

void
fig_report_edges(FigReport *report, const char *path, const FigWork *work,
                 const FigForeignReport *edges)
{
    json_t *object = add_checked(report, path, work);
    const Row rows[] = {
        {"ops", edges->ops_found, edges->ops},
        {"edges", edges->edges_found, edges->edges},
        {"shapes", edges->shapes, -1},
        {"classes", edges->classes, -1},
    };
    add_counts(object, rows, G_N_ELEMENTS(rows));
    add_findings(report, path, edges->findings, edges->n_findings);
}

void
fig_report_again(FigReport *report, const char *path, const FigWork *work,
                 const FigAgain *again)
{
    json_t *object = add_checked(report, path, work);
    json_object_set_new(object, "same", json_boolean(again->same));
    if (again->packed)
        json_object_set_new(
            object, "remark",
            json_string("the same picture and texts, packed otherwise"));
    else
        add_versions(report, path, object, again->differ,
                     again->same ? again->not_compared : "the rest");
    g_autofree char *says = again->says ? g_strdup_printf("‘%s’", again->says) : NULL;
    if (!again->same)
        add_finding(report, path, again->edited ? "edited" : "stale", again->line,
                    says ? says : "another picture than the one drawn now",
                    "the same spec and options were drawn again and compared");
}

void
fig_report_file(FigReport *report, const char *path, const char *verdict,
                const char *why, const char *renew)
{
    bool versions = g_strcmp0(verdict, "versions") == 0;
    json_t *file = json_object();
    json_object_set_new(file, "where", json_string(path));
    json_object_set_new(file, "verdict", json_string(verdict ? verdict : "sound"));
    if (why)
        json_object_set_new(file, "why", json_string(why));
    if (verdict && renew)
        json_object_set_new(file, "renew", json_string(renew));
    json_array_append_new(report->files, file);
    if (!verdict || (versions && !report->strict))
        return;
    add_finding(report, path, verdict, 0, why, NULL);
    json_t *finding =
        json_array_get(report->findings, json_array_size(report->findings) - 1);
    if (renew)
        json_object_set_new(finding, "renew", json_string(renew));
}

void
fig_report_spec(FigReport *report, const FigWork *work)
{
    add_checked(report, work->record->name, work);
}

char *
fig_report_json(const FigReport *report)
{
    json_t *root = json_pack("{s:O, s:O}", "checked", report->checked, "findings",
                             report->findings);
    if (json_array_size(report->files) > 0)
        json_object_set(root, "files", report->files);
    char *compact = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    char *text = g_strdup_printf("%s\n", compact);
    free(compact);
    json_decref(root);
    return text;
}
