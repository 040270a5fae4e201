/* SPDX-License-Identifier: MIT
 *
 * opfig run: executes a spec and prints what each op read, wrote and cost.
 */
#include "base/file.h"
#include "base/num.h"
#include "cli/apart.h"
#include "cli/edits.h"
#include "cli/progress.h"
#include "cli/slice.h"
#include "cli/table.h"
#include "cli/trace.h"
#include "cli/work.h"
#include "exec/passes.h"

#include <stdio.h>
#include <string.h>

enum { PRINT_DIGITS = 6, RMS_DIGITS = 4 };

static void
append_size(GString *out, int rank, const int64_t *size)
{
    g_string_append_c(out, '(');
    for (int i = 0; i < rank; i++)
        g_string_append_printf(out, "%s%" G_GINT64_FORMAT, i ? "," : "", size[i]);
    g_string_append_c(out, ')');
}

static char *
seconds_text(double seconds)
{
    GString *text = g_string_new(NULL);
    bool small = seconds < 1e-3;
    fig_num_significant(text, seconds * (small ? 1e6 : 1e3), 3);
    g_string_append(text, small ? " µs" : " ms");
    return g_string_free(text, false);
}

/* One row of the table: the record says what was read and written, the measured part what
 * it took. */
static void
add_row(FigTable *table, const FigRecord *record, int index)
{
    const FigRecordOp *op = &record->ops[index];
    const FigMeasuredOp *measured = &record->measured_ops[index];
    GString *reads = g_string_new(NULL), *writes = g_string_new(NULL);
    for (int i = 0; i < op->n_reads; i++) {
        const FigRecordRead *read = &op->reads[i];
        g_string_append_printf(reads, "%s%s ", i ? " · " : "",
                               read->value ? read->value : "?");
        append_size(reads, read->rank, read->size);
    }
    GString *rms = g_string_new(NULL);
    int64_t nonfinite = 0;
    for (int i = 0; i < op->n_writes; i++) {
        const FigRecordWrite *write = &op->writes[i];
        g_string_append_printf(writes, "%s%s ", i ? " · " : "", write->value);
        append_size(writes, write->rank, write->size);
        const FigMeasuredWrite *facts = &measured->writes[i];
        if (i)
            g_string_append_c(rms, ' ');
        fig_num_significant(rms, facts->rms, RMS_DIGITS);
        nonfinite += facts->nonfinite;
    }
    GString *flops = g_string_new(NULL), *bad = g_string_new(NULL);
    fig_num_integer(flops, op->flops_number, true);
    if (nonfinite)
        fig_num_integer(bad, nonfinite, true);
    char *cells[] = {g_strdup_printf("%d", op->step),
                     g_strdup(op->id),
                     g_string_free(reads, false),
                     g_string_free(writes, false),
                     g_strdup(fig_class_name(op->class)),
                     g_string_free(flops, false),
                     seconds_text(measured->seconds),
                     g_string_free(rms, false),
                     g_string_free(bad, false)};
    fig_table_add(table, cells);
}

static void
print_table(const FigRecord *record, const FigRun *run, bool colour)
{
    static const char *const headings[] = {">step",  "op",    "reads",
                                           "writes", "class", ">FLOPs",
                                           ">time",  ">rms",  ">not finite"};
    g_autoptr(FigTable) table = fig_table_new(G_N_ELEMENTS(headings), headings);
    int64_t flops = 0, parameters = 0;
    double seconds = 0;
    for (int i = 0; i < record->n_ops; i++) {
        add_row(table, record, i);
        if (g_uint64_checked_add((guint64 *)&flops, (guint64)flops,
                                 (guint64)record->ops[i].flops_number) &&
            flops < 0)
            flops = INT64_MAX;
        seconds += record->measured_ops[i].seconds;
    }
    for (int i = 0; i < record->n_values; i++)
        parameters += record->values[i].parameters;
    g_autoptr(GString) out = g_string_new(NULL);
    fig_table_print(table, out, colour);
    g_string_append_printf(out, "%d ops, ", record->n_ops);
    fig_num_integer(out, parameters, true);
    g_string_append(out, " parameters, ");
    fig_num_integer(out, flops, true);
    g_autofree char *took = seconds_text(seconds);
    g_string_append_printf(out, " FLOPs in %s; %s\n", took, fig_run_evidence(run));
    fputs(out->str, stdout);
}

static bool
print_slices(const FigRun *run, const FigSlice *slices, int n, FigDiag *diag)
{
    for (int i = 0; i < n; i++) {
        const FigView *view = fig_run_value(run, slices[i].value);
        if (!view) {
            FigMessage *message = fig_diag_error(diag, (FigSpan){0},
                                                 "unknown value ‘%s’", slices[i].value);
            fig_message_hint(message,
                             "the table of the run names every value; an inner "
                             "table is OP.NAME, as q_rope.cos");
            return false;
        }
        g_autoptr(GString) out = g_string_new(NULL);
        if (!fig_slice_print(&slices[i], view, PRINT_DIGITS, out, diag))
            return false;
        printf("%s\n", out->str);
    }
    return true;
}

static bool
write_record(const FigRecord *record, const char *path, FigDiag *diag)
{
    g_autofree char *json = fig_record_json(record, true);
    g_autoptr(GError) error = NULL;
    if (fig_file_write(path, json, strlen(json), &error))
        return true;
    fig_diag_error(diag, (FigSpan){0}, "%s", error->message);
    return false;
}

/* What is to be printed and what is to be traced; NULL, reported. */
static const char *const *
kept_values(FigWork *work, const FigSlice *slices, int n_slices, const FigTrace *trace)
{
    static const char *const nothing[] = {NULL};
    const char *const *traced =
        trace->path ? fig_trace_keep(trace, work->graph, work->arena, work->diag)
                    : nothing;
    int n = 0;
    while (traced && traced[n])
        n++;
    if (!traced)
        return NULL;
    const char **keep =
        fig_arena_new_array(work->arena, const char *, n_slices + n + 1);
    for (int i = 0; i < n_slices; i++)
        keep[i] = slices[i].value;
    memcpy(keep + n_slices, traced, sizeof *keep * (size_t)n);
    return keep;
}

/* No output is an input or another output, and each can be written: asked before the run. */
static bool
check_files(const FigOptions *options, const char *spec, char **edits,
            const char *record, const char *trace, FigDiag *diag)
{
    g_autoptr(FigApart) apart = fig_apart_new();
    fig_apart_read(apart, "SPEC", spec);
    fig_apart_read(apart, "--config", options->config);
    fig_apart_read_weights(apart, "--weights", options->weights);
    fig_apart_read(apart, "--input", options->input);
    fig_apart_read(apart, "--tokens", options->tokens);
    for (char **edit = edits; edit && *edit; edit++) {
        g_autofree char *file = fig_edit_file(*edit);
        fig_apart_read(apart, "--edit", file);
    }
    fig_apart_written(apart, "--trace", trace);
    fig_apart_written(apart, "--record", record);
    return fig_apart_check(apart, diag);
}

/* Is what is to be printed there? Asked before the run; of inner tables it says so itself. */
static bool
check_slices(FigWork *work, const FigSlice *slices, int n)
{
    const FigGraph *graph = work->graph;
    const FigSizes *sizes =
        n ? fig_graph_sizes(graph, NULL, work->arena, work->diag) : NULL;
    bool good = n == 0 || sizes;
    for (int i = 0; i < n && sizes; i++) {
        int value;
        int64_t pass;
        if (fig_pass_find(graph, sizes, slices[i].value, &value, &pass))
            good = fig_slice_check(&slices[i], graph->values[value].shape.rank,
                                   sizes->value[value], work->diag) &&
                   good;
    }
    return good;
}

/* Everything after the command line; the messages are the caller's to print. */
static bool
execute(FigWork *work, const FigOptions *options, const char *spec, bool wide,
        char **print, char **edits, const char *record, const FigTrace *trace)
{
    int n_slices = print ? (int)g_strv_length(print) : 0;
    FigSlice *slices = fig_arena_new_array(work->arena, FigSlice, n_slices + 1);
    for (int i = 0; i < n_slices; i++)
        if (!fig_slice_parse(print[i], work->arena, &slices[i], work->diag))
            return false;
    if (!fig_work_load(work, spec, &options->load))
        return false;
    g_autoptr(FigTensorFile) weights = NULL;
    g_autoptr(FigTensorFile) input = NULL;
    FigProgress progress;
    FigRunOptions settings = {
        .numeric = true, .type = wide ? FIG_F64 : FIG_F32, .statistics = true};
    bool opened = fig_work_numbers(work, options, &settings);
    weights = settings.weights;
    input = settings.input;
    if (!opened || (input && !fig_work_fit_input(work, spec, &options->load, input)))
        return false;
    if (!check_slices(work, slices, n_slices))
        return false;
    settings.keep = kept_values(work, slices, n_slices, trace);
    if (!settings.keep || !fig_edits_read(work, edits, &settings))
        return false;
    fig_progress_start(&progress, work->graph, options->quiet);
    settings.hook = &progress.hook;
    g_autoptr(FigRun) run = fig_run_new(work->graph, &settings, work->diag);
    fig_progress_finish(&progress);
    if (!run || !fig_work_record(work, settings.seed, run))
        return false;
    if (n_slices == 0 && !options->quiet)
        print_table(work->record, run, options->colour_out);
    return print_slices(run, slices, n_slices, work->diag) &&
           (!trace->path ||
            fig_trace_write(trace, work->graph, run, &settings, work->diag)) &&
           (!record || write_record(work->record, record, work->diag));
}

static int
run(const FigCommand *self, int argc, char **argv)
{
    gboolean wide = false;
    g_auto(GStrv) print = NULL, edits = NULL;
    g_autofree char *record = NULL, *file = NULL, *keep = NULL, *names = NULL;
    const GOptionEntry entries[] = {
        {"double", 0, 0, G_OPTION_ARG_NONE, &wide, "Compute in float64", NULL},
        {"print", 0, 0, G_OPTION_ARG_STRING_ARRAY, &print,
         "Print a value or a part of it instead of the table; may be repeated",
         "'V[0,:3]'"},
        {"edit", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &edits,
         "Change a value or weight, or a part of it, before what follows sees it: "
         "V = x, V += x, V *= x, V = FILE.npy; may be repeated",
         "'layers.1.down *= 0'"},
        {"record", 0, 0, G_OPTION_ARG_FILENAME, &record,
         "Write what was executed as JSON (docs/record.schema.json)", "FILE.json"},
        {"trace", 0, 0, G_OPTION_ARG_FILENAME, &file,
         "Write the numbers of all values, in a repeat of every pass",
         "FILE.safetensors"},
        {"keep", 0, 0, G_OPTION_ARG_STRING, &keep,
         "Only these in --trace: names and patterns", "V,'layers.*.probs',…"},
        {"names", 0, 0, G_OPTION_ARG_STRING, &names,
         "In --trace, the names of a library that `aka:` of the spec gives; shipped "
         "specs have "
         "gguf, golden, hf, nnterp, olmo_core, transformerlens",
         "LIBRARY"},
        G_OPTION_ENTRY_NULL,
    };
    g_auto(FigOptions) options = {0};
    int code;
    if (!fig_options_parse(&options, self, FIG_OPTIONS_SPEC | FIG_OPTIONS_NUMBERS,
                           entries, &argc, &argv, &code))
        return code;
    if (argc != 2)
        return fig_usage_error(self, "one SPEC is wanted, %d are given", argc - 1);
    if ((keep || names) && !file)
        return fig_usage_error(self, "%s says what --trace writes, which is missing",
                               keep ? "--keep" : "--names");
    if (keep && !*keep)
        return fig_usage_error(
            self, "--keep is empty; names or patterns of values are wanted");
    g_auto(GStrv) kept = keep ? g_strsplit(keep, ",", -1) : NULL;
    const FigTrace trace = {file, kept, names, options.layer};
    g_auto(FigWork) work = {0};
    fig_work_init(&work, &options);
    bool done = check_files(&options, argv[1], edits, record, file, work.diag) &&
                execute(&work, &options, argv[1], wide, print, edits, record, &trace);
    fig_options_report_config(&options);
    fig_options_report(&options, work.diag);
    return done && fig_diag_errors(work.diag) == 0 ? FIG_EXIT_OK : FIG_EXIT_USAGE;
}

const FigCommand fig_command_run = {
    .name = "run",
    .usage = "SPEC",
    .summary = "Execute a spec and print what each op read, wrote and cost",
    .examples = "  opfig run olmo2-block\n"
                "  opfig run olmo2-block --dims T=8 --print 'probs[0,0]'\n"
                "  opfig run olmo2-block --record run.json\n"
                "  opfig run olmo2-block --config config.json --weights "
                "model.safetensors --layer 0\n"
                "  opfig run olmo2 --dims V=100,L=2 --tokens 5,17,42 --edit "
                "'layers.1.down *= 0' --print 'next[0,-1]'\n"
                "  opfig run olmo2 --dims T=8,V=100,L=2 --trace t.safetensors "
                "--keep 'layers.*.probs'\n",
    .run = run,
};
