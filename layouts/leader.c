/* SPDX-License-Identifier: MIT
 *
 * Leaders: where a sentence finds no room beside its op, it stands as near as there is,
 * and a thin line leads from it to the bar at the mark. It goes level from the bar or
 * upright from one of its ends, or bends once; it passes edges at right angles only, away
 * from their bends. What finds no place even so is listed under the figure.
 */
#include "layouts/draw.h"
#include "layouts/texts.h"

#include <math.h>

#define FARTHEST 96.0 /* that a leader goes one way */
#define STEP 4.0      /* between places that are tried */
#define APART 4.0     /* from words to others over or under them */
#define ASIDE 3.0     /* … and more than the ground asks on their sides */
#define OFF 2.5       /* from a leader's end to the words */
#define START 2.0     /* from the bar to where the ground is asked */

enum { MOST_LINES = 4 };

/* Widths of its words that are tried, in points, after the layout's own. */
static const double widths[] = {0, 92, 74, 58, 52, 44, 40};

/* What a crossing, a bend and a line cost, in points of way: no edge is crossed where there
 * is another way. */
static const double CROSSING = 1000, BEND = 10, LINE = 7;

typedef struct Leader {
    const FigTextBox *const *lines;
    int n_lines;
    FigPoint way[3]; /* from the bar on */
    int n_points;
    FigArea words;
    double cost;
} Leader;

typedef struct Search {
    FigPlan *plan;
    FigGround *ground;
    FigPoint from; /* the middle of the mark */
    FigPoint bar;  /* its middle */
    double half;   /* of its height */
    Leader best;
    bool better; /* it begins at this bar */
} Search;

static FigArea
piece_of(FigPoint a, FigPoint b)
{
    return (FigArea){MIN(a.x, b.x), MIN(a.y, b.y), MAX(a.x, b.x), MAX(a.y, b.y)};
}

/* Where the line i of words begins. */
static FigPoint
line_at(const Leader *leader, double bar, int i)
{
    bool level = leader->n_points == 2 && leader->way[0].y == leader->way[1].y;
    double slack = leader->words.right - leader->words.left - leader->lines[i]->width;
    FigPoint at = {leader->words.left, leader->words.top + FIG_CALLOUT_LINE / 2 +
                                           FIG_SINK * FIG_TYPE_SHAPE};

    for (int k = 1; k <= i; k++)
        at.y += fig_plan_leading(leader->lines, k, FIG_CALLOUT_LINE);
    if (!level)
        at.x += slack / 2;
    else if (leader->words.right < bar)
        at.x += slack;
    return at;
}

/* Words and all of their ink. */
static FigArea
all_of(const Leader *leader, double bar)
{
    FigArea all = leader->words;

    for (int i = 0; i < leader->n_lines; i++) {
        FigPoint at = line_at(leader, bar, i);
        FigArea ink = fig_area_of_text(leader->lines[i], at.x, at.y);

        all.left = MIN(all.left, ink.left);
        all.top = MIN(all.top, ink.top);
        all.right = MAX(all.right, ink.right);
        all.bottom = MAX(all.bottom, ink.bottom);
    }
    return all;
}

/* May its words stand there, all together and each line by itself, and a little higher or
 * lower too, so that they are clearly on no other row? */
static bool
stands(const Search *search, const Leader *leader)
{
    FigArea all = all_of(leader, search->bar.x);
    bool good;

    all.left -= ASIDE;
    all.right += ASIDE;
    all.top -= APART;
    all.bottom += APART;
    good = fig_ground_allows(search->ground, all, "");
    for (int i = 0; i < leader->n_lines && good; i++) {
        FigPoint at = line_at(leader, search->bar.x, i);

        for (int off = -1; off <= 1 && good; off++)
            good = fig_ground_allows(
                search->ground,
                fig_area_of_text(leader->lines[i], at.x, at.y + off * APART / 2), "");
    }
    return good;
}

/* Keep a leader if it is the cheapest so far and nothing is in its way. */
static void
consider(Search *search, Leader leader)
{
    const FigBox *root = search->plan->root;

    leader.cost += leader.n_lines * LINE + (leader.n_points - 2) * BEND;
    for (int i = 0; i + 1 < leader.n_points; i++)
        leader.cost += hypot(leader.way[i + 1].x - leader.way[i].x,
                             leader.way[i + 1].y - leader.way[i].y);
    if (leader.cost >= search->best.cost ||
        leader.words.top < root->y0 + FIG_LABEL_LINE ||
        leader.words.bottom > root->y0 + root->height || !stands(search, &leader))
        return;
    for (int i = 0; i + 1 < leader.n_points; i++) {
        FigPoint a = leader.way[i], b = leader.way[i + 1];
        int crossings = fig_ground_crossings(
            search->ground, piece_of(i ? a : fig_point_towards(a, b, START), b),
            search->from);

        if (crossings < 0)
            return;
        leader.cost += crossings * CROSSING;
    }
    if (leader.cost < search->best.cost) {
        search->best = leader;
        search->better = true;
    }
}

/* Words at the end of a level leader. */
static void
try_level(Search *search, const Leader *words, double width, double height)
{
    for (int right = 0; right < 2; right++) {
        for (double far = 3 * STEP; far <= FARTHEST; far += STEP) {
            double x = search->bar.x + (right ? far : -far), y = search->bar.y;
            double left = right ? x + OFF : x - OFF - width;
            Leader leader = *words;

            leader.way[0] = search->bar;
            leader.way[1] = (FigPoint){x, y};
            leader.n_points = 2;
            leader.words =
                (FigArea){left, y - height / 2, left + width, y + height / 2};
            consider(search, leader);
        }
    }
}

/* Words over or under the end of an upright leader, or of one that begins level. */
static void
try_upright(Search *search, const Leader *words, double width, double height)
{
    for (double off = -FARTHEST; off <= FARTHEST; off += STEP) {
        for (double far = 2 * STEP; far <= FARTHEST; far += STEP) {
            for (int down = 0; down < 2; down++) {
                bool bent = fabs(off) > STEP / 2;
                FigPoint start = search->bar;
                double x = start.x + off, sign = down ? 1 : -1, y, top;
                Leader leader = *words;

                if (bent && fabs(off) < 2 * STEP)
                    continue;
                if (!bent)
                    start.y += sign * search->half;
                y = start.y + sign * far;
                top = down ? y + OFF : y - OFF - height;
                leader.way[0] = start;
                leader.way[1] = (FigPoint){x, bent ? start.y : y};
                leader.way[2] = (FigPoint){x, y};
                leader.n_points = bent ? 3 : 2;
                /* in the middle of the words, if that is possible */
                for (int k = 0; k < (bent ? 3 : 17); k++) {
                    double share =
                        (k + 1) / 2 * (k % 2 ? 1 : -1) * (bent ? 0.35 : 0.05);
                    double left = x - (0.5 + share) * width;

                    leader.words = (FigArea){left, top, left + width, top + height};
                    consider(search, leader);
                }
            }
        }
    }
}

/* How a claim's words may be broken; how many ways. */
static int
break_words(FigPlan *plan, const FigRecordClaim *claim, Leader *words)
{
    const FigTextStyle style = {.face = FIG_FACE_SANS_STRONG, .size = FIG_TYPE_SHAPE};
    const char *say = fig_plan_sentence(plan, &claim->say);
    double before = INFINITY;
    int n = 0;

    for (size_t w = 0; w < G_N_ELEMENTS(widths); w++) {
        Leader broken = {0};
        double most = plan->style->callout_width, width;

        if (w > 0 && widths[w] >= most)
            continue;
        most = w > 0 ? widths[w] : most;
        broken.lines = fig_plan_wrap(plan, say, &style, most, &broken.n_lines);
        width = fig_lines_width(broken.lines, broken.n_lines);
        if (broken.n_lines > MOST_LINES || width > most + 0.01)
            break;
        if (width >= before) /* broken as before */
            continue;
        before = width;
        words[n++] = broken;
    }
    return n;
}

static void
draw(const Search *search, FigItem *group)
{
    const Leader *leader = &search->best;
    FigPathBuilder *path = fig_path_begin(search->plan->scene);
    FigItem *item;

    for (int i = 0; i < leader->n_points; i++)
        (i ? fig_path_line : fig_path_move)(path, leader->way[i].x, leader->way[i].y);
    item = fig_scene_path(search->plan->scene, group, "leader", fig_path_end(path));
    item->stroke = FIG_INK_ACCENT;
    item->stroke_width = FIG_LEADER_WIDTH;
    for (int i = 0; i < leader->n_lines; i++) {
        FigPoint at = line_at(leader, search->bar.x, i);

        fig_draw_text(search->plan, group, "callout", leader->lines[i], at.x, at.y,
                      FIG_INK_ACCENT);
    }
    fig_ground_put(search->ground, all_of(leader, search->bar.x));
    for (int i = 0; i + 1 < leader->n_points; i++)
        fig_ground_put(search->ground, piece_of(leader->way[i], leader->way[i + 1]));
}

/* From the nearest of the bars of a claim. */
static void
lead(FigPlan *plan, FigGround *ground, const FigRecordClaim *claim)
{
    Search search = {.plan = plan, .ground = ground, .best.cost = INFINITY}, best;
    Leader words[G_N_ELEMENTS(widths)];
    int n_words = -1; /* not yet asked for */
    FigMarkText *from = NULL;

    for (int i = 0; i <= claim->n_also; i++) {
        const FigNode *node = fig_callout_node(plan, claim, i);
        FigMarkText *text =
            node ? &plan->marks[fig_plan_op_index(plan, node->op)] : NULL;

        if (!text || !text->bar_group || text->n_lines > 0 ||
            (text->accent && text->accent != claim))
            continue;
        search.from = fig_node_middle(node);
        search.bar = (FigPoint){fig_callout_x(node, text), search.from.y};
        search.half = node->height / 2;
        search.better = false;
        if (n_words < 0)
            n_words = break_words(plan, claim, words);
        for (int w = 0; w < n_words; w++) {
            double width = fig_lines_width(words[w].lines, words[w].n_lines);
            double height =
                fig_lines_height(words[w].lines, words[w].n_lines, FIG_CALLOUT_LINE);

            try_level(&search, &words[w], width, height);
            try_upright(&search, &words[w], width, height);
        }
        if (search.better) {
            best = search;
            from = text;
        }
    }
    if (!from)
        return;
    draw(&best, from->bar_group);
    from->said = claim;
}

void
fig_plan_draw_leaders(FigPlan *plan)
{
    const FigRecord *record = plan->record;
    FigGround *ground = NULL;

    for (int c = 0; c < record->n_claims && plan->style->callouts; c++) {
        const FigRecordClaim *claim = &record->claims[c];

        if (!claim->at || fig_callout_said(plan, claim))
            continue;
        if (!ground)
            ground = fig_ground_new(plan);
        lead(plan, ground, claim);
    }
    if (ground)
        fig_ground_free(ground);
}
