/* SPDX-License-Identifier: MIT
 *
 * The list of sentences under the drawing: claims with their marks, those about ops by the
 * steps of these, and notes, which nobody checked.
 */
#include "layouts/draw.h"
#include "layouts/texts.h"

#define PITCH 10.4 /* from a sentence to the next */
#define WIDOW 0.25 /* of the width: a last line shorter than this */

typedef enum Verdict { HOLDS, UNCHECKED, BROKEN } Verdict;

static void
draw_tick(FigPlan *plan, FigItem *group, double x, double baseline, Verdict verdict)
{
    FigPathBuilder *path = fig_path_begin(plan->scene);
    double y = baseline - 2.5;
    FigItem *item;

    if (verdict == HOLDS) {
        fig_path_move(path, x + 0.4, y + 0.1);
        fig_path_line(path, x + 2.3, y + 2.0);
        fig_path_line(path, x + 5.8, y - 2.2);
    } else if (verdict == UNCHECKED) {
        fig_path_circle(path, x + 3, y, 1.9);
    } else {
        fig_path_move(path, x + 1, y - 2);
        fig_path_line(path, x + 5, y + 2);
        fig_path_move(path, x + 5, y - 2);
        fig_path_line(path, x + 1, y + 2);
    }
    item = fig_scene_path(plan->scene, group, "tick", fig_path_end(path));
    item->stroke = verdict == HOLDS    ? FIG_INK_ACCENT
                   : verdict == BROKEN ? FIG_INK_DRAFT
                                       : FIG_INK_MUTED;
    item->stroke_width = verdict == UNCHECKED ? 0.8 : 1.2;
    item->round_caps = true;
}

/* The steps that a claim is about: "steps 3, 4", or NULL. */
static const char *
steps_of(FigPlan *plan, const FigRecordClaim *claim)
{
    const FigRecordOp *op = claim->at ? fig_record_op(plan->record, claim->at) : NULL;
    g_autoptr(GString) out = g_string_new(NULL);

    for (int i = -1; op && i < claim->n_also; i++) {
        if (i >= 0)
            op = fig_record_op(plan->record, claim->also[i]);
        g_string_append_printf(out, "%s%d",
                               i >= 0          ? ", "
                               : claim->n_also ? "steps "
                                               : "step ",
                               op ? op->step : 0);
    }
    return out->len ? fig_arena_strdup(plan->arena, out->str) : NULL;
}

/* A sentence with its tick and the numbers of the marks where it would stand. */
static double
draw_sentence(FigPlan *plan, FigItem *group, const char *text, const char *steps,
              Verdict verdict, double x, double width, double y)
{
    FigTextStyle style = {.face = FIG_FACE_SANS, .size = FIG_TYPE_SHAPE};
    const char *whole = verdict == UNCHECKED
                            ? fig_arena_printf(plan->arena, "%s (unchecked)", text)
                            : text;
    const FigTextBox *number =
        steps ? fig_plan_text(plan, steps, FIG_FACE_SANS_STRONG, FIG_TYPE_SHAPE) : NULL;
    double indent = 10 + (number ? number->width + 4 : 0);
    int n = 0;
    const FigTextBox *const *lines =
        fig_text_wrap(plan->fonts, plan->arena, whole, &style, width - indent, &n,
                      (FigSpan){0}, plan->diag);

    if (n > 1 && lines[n - 1]->width < WIDOW * width) /* no word alone */
        lines = fig_plan_wrap(plan, whole, &style, width - indent, &n);
    draw_tick(plan, group, x, y, verdict);
    fig_draw_text(plan, group, "steps", number, x + 10, y, FIG_INK_ACCENT);
    for (int i = 0; i < n; i++) {
        if (i > 0)
            y += fig_plan_leading(lines, i, 8.4);
        fig_draw_text(plan, group, "claim", lines[i], x + indent, y,
                      verdict == UNCHECKED ? FIG_INK_MUTED : FIG_INK_TEXT);
    }
    return y + PITCH;
}

double
fig_plan_draw_claims(FigPlan *plan, double left, double right, double y)
{
    const FigRecord *record = plan->record;
    double head = y;
    bool any = false;

    y += 12;
    for (int c = 0; c < record->n_claims; c++) {
        const FigRecordClaim *claim = &record->claims[c];
        FigItem *group;

        if (fig_callout_said(plan, claim) ||
            (claim->that && !claim->holds && !claim->must))
            continue;
        group = fig_scene_group(plan->scene, NULL, "claim");
        group->means.claim = claim->id;
        y = draw_sentence(plan, group, fig_plan_sentence(plan, &claim->say),
                          steps_of(plan, claim),
                          !claim->that   ? UNCHECKED
                          : claim->holds ? HOLDS
                                         : BROKEN,
                          left, right - left, y);
        any = any || claim->that;
    }
    for (int n = 0; n < record->n_notes; n++)
        y = draw_sentence(plan, fig_plan_part(plan, "notes"),
                          fig_plan_sentence(plan, &record->notes[n]), NULL, UNCHECKED,
                          left, right - left, y);
    if (any) {
        FigItem *group = fig_plan_part(plan, "claims-head");
        FigLine line = {.plan = plan, .group = group};

        draw_tick(plan, group, left, head, HOLDS);
        fig_line_words(&line, "checked against the run");
        fig_line_draw(&line, left + 10, head);
    }
    return y - PITCH;
}
