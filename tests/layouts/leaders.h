/* SPDX-License-Identifier: MIT
 *
 * The rules of leaders, of the same kind as those in rules.h: level and upright, from the
 * bar of their own claim to its words; off marks, texts, bends and lines that run as they
 * do; the words near no edge and on the row of no other mark.
 */
#ifndef FIG_TESTS_LAYOUTS_LEADERS_H
#define FIG_TESTS_LAYOUTS_LEADERS_H

#include "tests/layouts/rules.h"

static void
check_leader_piece(const Figure *figure, const FigRecord *record, const char *claim,
                   Rect piece)
{
    if (piece.right - piece.left > 0.01 && piece.bottom - piece.top > 0.01)
        g_error("%s: the leader of %s is slanted", record->name, claim);
    for (guint m = 0; m < figure->marks->len; m++)
        if (meet(piece, grown(MARK(figure, m)->shape, 1), 0))
            g_error("%s: the leader of %s touches %s", record->name, claim,
                    MARK(figure, m)->id);
    for (guint t = 0; t < figure->texts->len; t++)
        if (meet(grown(piece, 0.3), TEXT(figure, t)->ink, 0))
            g_error("%s: the leader of %s touches ‘%s’", record->name, claim,
                    TEXT(figure, t)->item->text->plain);
    for (guint i = 0; i < figure->edges->len; i++) {
        const Edge *edge = EDGE(figure, i);

        for (guint p = 0; p < edge->pieces->len; p++)
            if (shared(&piece, PIECE(edge, p)) || touches(&piece, PIECE(edge, p)))
                g_error("%s: the leader of %s runs along %s", record->name, claim,
                        edge->edge);
        for (guint b = 0; b < edge->bends->len; b++)
            if (meet(grown(piece, 1), *BEND(edge, b), 0))
                g_error("%s: the leader of %s crosses a bend of %s", record->name,
                        claim, edge->edge);
    }
}

static void
check_led_words(const Figure *figure, const FigRecord *record, const FigItem *words,
                const FigRecordClaim *claim)
{
    for (guint t = 0; t < figure->texts->len; t++) {
        const Text *text = TEXT(figure, t);
        const Mark *mark = text->item == words ? row_owner(figure, text) : NULL;
        bool about = false;

        if (text->item != words)
            continue;
        for (int a = 0; mark && a < claim->n_also; a++)
            about = about || strcmp(mark->id, claim->also[a]) == 0;
        if (mark && strcmp(mark->id, claim->at) != 0 && !about)
            g_error("%s: ‘%s’ lies on the row of %s", record->name, words->text->plain,
                    mark->id);
        for (guint i = 0; i < figure->edges->len; i++)
            if (away(&text->ink, EDGE(figure, i)) <= NEAREST)
                g_error("%s: ‘%s’ may belong to %s", record->name, words->text->plain,
                        EDGE(figure, i)->edge);
    }
}

/* All leaders in and under a group; their number. */
static int
check_leaders(const Figure *figure, const FigRecord *record, const FigItem *group)
{
    const FigItem *bar = group->first, *line = bar ? bar->next : NULL;
    int n = 0;

    for (const FigItem *child = group->first; child; child = child->next)
        if (child->kind == FIG_ITEM_GROUP)
            n += check_leaders(figure, record, child);
    if (!line || strcmp(line->role, "leader") != 0)
        return n;
    for (int i = 0; i + 1 < line->path.n_points; i++) {
        const double *a = line->path.points[i], *b = line->path.points[i + 1];

        check_leader_piece(
            figure, record, group->means.callout,
            (Rect){MIN(a[0], b[0]), MIN(a[1], b[1]), MAX(a[0], b[0]), MAX(a[1], b[1])});
    }
    if (fabs(line->path.points[0][0] - bar->path.points[0][0]) > 0.01 ||
        line->path.points[0][1] < bar->path.points[0][1] - 0.01 ||
        line->path.points[0][1] > bar->path.points[1][1] + 0.01)
        g_error("%s: the leader of %s begins off its bar", record->name,
                group->means.callout);
    for (int c = 0; c < record->n_claims; c++)
        for (const FigItem *words = line->next; words; words = words->next)
            if (strcmp(record->claims[c].id, group->means.callout) == 0)
                check_led_words(figure, record, words, &record->claims[c]);
    return n + 1;
}

#endif
