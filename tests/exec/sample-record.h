/* SPDX-License-Identifier: MIT
 *
 * A small record written by hand that has every field of record.h in it: two groups, a
 * joined weight, a fork, a claim of each kind, measured numbers.
 */
#ifndef FIG_TESTS_EXEC_SAMPLE_RECORD_H
#define FIG_TESTS_EXEC_SAMPLE_RECORD_H

#include "exec/record.h"

#define LIST(type, ...) ((const type[]){__VA_ARGS__})
#define WORDS(...) ((const char *const[]){__VA_ARGS__})
#define SIZES(...) ((const int64_t[]){__VA_ARGS__})

/* The record, with an arena of its own. */
static FigRecord *
sample_record(void)
{
    static const FigRecordValue values[] = {
        {.id = "z", .label = "z", .labelled = true, .what = "the “stream”\tin",
         .kind = "input", .rank = 2, .shape = WORDS("T", "C"), .size = SIZES(7, 24),
         .axes = WORDS("T", "C"), .n_aka = 1,
         .aka = LIST(FigRecordAka, {"golden", "layers.{layer}.input"})},
        {.id = "W_q", .label = "W_q", .labelled = true, .kind = "weight", .rank = 2,
         .shape = WORDS("C", "C"), .size = SIZES(24, 24), .axes = WORDS("C", "C"),
         .parameters = 576},
        {.id = "W_k", .label = "W_k", .labelled = true, .kind = "weight", .rank = 2,
         .shape = WORDS("C", "C"), .size = SIZES(24, 24), .axes = WORDS("C", "C"),
         .parameters = 576},
        {.id = "W_qk", .label = "W_{qk}", .labelled = true, .kind = "weight", .rank = 2,
         .shape = WORDS("C", "2*C"), .size = SIZES(24, 48), .axes = WORDS("C", "2*C"),
         .n_members = 2, .members = WORDS("W_q", "W_k")},
        {.id = "qk", .label = "qk", .kind = "activation", .rank = 2,
         .shape = WORDS("T", "2*C"), .size = SIZES(7, 48), .axes = WORDS("T", "2*C")},
        {.id = "q", .label = "q", .labelled = true, .kind = "activation", .rank = 2,
         .shape = WORDS("T", "C"), .size = SIZES(7, 24), .axes = WORDS("T", "C")},
        {.id = "k", .label = "k", .labelled = true, .kind = "activation", .rank = 2,
         .output = true, .shape = WORDS("T", "C"), .size = SIZES(7, 24),
         .axes = WORDS("T", "C")},
        {.id = "sum", .label = "z'", .labelled = true, .kind = "activation", .rank = 2,
         .output = true, .shape = WORDS("T", "C"), .size = SIZES(7, 24),
         .axes = WORDS("T", "C")},
    };
    static const FigRecordOp ops[] = {
        {.step = 1, .id = "qk", .op = "matmul", .kind = "matmul",
         .class = FIG_CLASS_WEIGHT_MATMUL, .mark = "box",
         .label = "matmul $W_{qk} : C \\to 2C$", .title = "matmul",
         .full_name = "matrix product", .equation = "y = a\\,b", .n_groups = 2,
         .groups = WORDS("attn", "heads"), .n_attributes = 2,
         .attributes = LIST(FigRecordAttribute,
                            {"transpose", "none", "none", "none", true, false},
                            {"scale", "1/sqrt(C)", "0.2041", "1/\\sqrt{C}", true, true}),
         .flops = "4*T*C^2", .flops_number = 16128, .bytes = "3*T*C + 2*C^2",
         .n_reads = 2,
         .reads = LIST(FigRecordRead,
                       {"a", "z", "activation", 2, WORDS("T", "C"), SIZES(7, 24)},
                       {"b", "W_qk", "weight", 2, WORDS("C", "2*C"), SIZES(24, 48)}),
         .n_writes = 1,
         .writes = LIST(FigRecordWrite, {"qk", 2, WORDS("T", "2*C"), SIZES(7, 48)})},
        {.step = 2, .id = "split", .op = "split", .kind = "reshape",
         .class = FIG_CLASS_OTHER, .mark = "fork", .label = "split", .title = "split",
         .full_name = "split", .equation = "y_i = x", .n_groups = 1,
         .groups = WORDS("attn"), .flops = "0", .bytes = "4*T*C", .n_reads = 1,
         .reads = LIST(FigRecordRead,
                       {"x", "qk", "activation", 2, WORDS("T", "2*C"), SIZES(7, 48)}),
         .n_writes = 2,
         .writes = LIST(FigRecordWrite, {"q", 2, WORDS("T", "C"), SIZES(7, 24)},
                        {"k", 2, WORDS("T", "C"), SIZES(7, 24)})},
        {.step = 3, .id = "add", .op = "add", .kind = "pointwise",
         .class = FIG_CLASS_OTHER, .mark = "circle", .sign = "+", .commutes = true,
         .label = "", .title = "add", .full_name = "addition", .equation = "y = a + b",
         .flops = "T*C", .flops_number = INT64_MAX, .bytes = "3*T*C", .n_reads = 3,
         .reads = LIST(FigRecordRead,
                       {"a", "z", "activation", 2, WORDS("T", "C"), SIZES(7, 24)},
                       {"b", "q", "activation", 2, WORDS("T", "C"), SIZES(7, 24)},
                       {"c", NULL, "activation", 1, WORDS("C"), SIZES(24)}),
         .n_writes = 1,
         .writes = LIST(FigRecordWrite, {"sum", 2, WORDS("T", "C"), SIZES(7, 24)})},
    };
    static const FigRecordClaim claims[] = {
        {.id = "rows", .say = {.text = "Rows sum to 1 over <T> of <T> keys.",
                               .n_numbers = 2, .exprs = WORDS("T", "T"),
                               .numbers = WORDS("7", "7")},
         .that = "all(abs(sum(q, key) - 1) < 1e-6)", .at = "qk", .must = true,
         .holds = true, .by = "run", .has_bound = true, .bound = 1e-6},
        {.id = "open", .say = {.text = "Nobody checked this."}, .by = "unchecked"},
    };
    FigArena *arena = fig_arena_new();
    FigRecord *record = fig_arena_new0(arena, FigRecord);
    *record = (FigRecord){
        .arena = arena, .version = "0.1.0", .name = "tiny", .family = "Tiny 2",
        .spec_digest = "00ff", .spec_text = "opfig: 1\nname: tiny\n", .shipped = false,
        .family_status = "unchecked", .title = {.text = "A \"title\" \\ with <C> in it",
            .n_numbers = 1, .exprs = WORDS("C"), .numbers = WORDS("24")},
        .subtitle = {.text = "Grüße"}, .n_overrides = 1, .overrides = WORDS("T=7"),
        .n_dims = 2,
        .dims = LIST(FigRecordDim, {"T", "T", "tokens", NULL, 7},
                     {"C", "C", NULL, "8*3", 24}),
        .n_constants = 1,
        .constants = LIST(FigRecordConstant, {"eps", "\\varepsilon", "1e-6"}),
        .n_evidence = 2, .evidence = WORDS("symbolic", "shape at T 7 C 24"),
        .n_values = G_N_ELEMENTS(values), .values = values, .n_ops = G_N_ELEMENTS(ops),
        .ops = ops, .n_groups = 2,
        .groups = LIST(FigRecordGroup, {"attn", "attention", NULL},
                       {"heads", NULL, "attn"}),
        .n_outputs = 2, .outputs = WORDS("k", "sum"),
        .n_claims = G_N_ELEMENTS(claims), .claims = claims, .n_notes = 1,
        .notes = LIST(FigSentence, {.text = "A note."}), .n_measured_ops = 1,
        .measured_ops = LIST(
            FigMeasuredOp,
            {.id = "split", .seconds = 0.25, .n_writes = 2,
             .writes = LIST(FigMeasuredWrite, {"q", true, -4.5, 4.25, 0.1, 1.0, 3},
                            {.value = "k"})}),
        .n_measured_claims = 1,
        .measured_claims = LIST(FigMeasuredClaim, {"rows", 1.25e-7}),
    };
    return record;
}

#endif
