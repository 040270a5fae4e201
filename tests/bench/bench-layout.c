/* SPDX-License-Identifier: MIT
 *
 * How the time of placing grows with the graph: blocks one under the other, and random
 * graphs, of 300, 1,000 and 3,000 ops. Ten times the ops may take fifteen times as long;
 * more, and it fails. The least of some rounds counts, in CPU time, so that a busy machine
 * changes little.
 *
 *   build/tests/bench/bench-layout [ROUNDS]      5 by default
 */
#include "tests/bench/network.h"
#include "tests/layouts/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define GRAPHS 4

enum { MOST_RATIO = 15 };

static double
milliseconds(const FigRecord *record, FigFonts *fonts, int rounds)
{
    double least = INFINITY;

    for (int i = 0; i < rounds; i++) {
        clock_t began = clock();
        FigScene *scene = draw(record, NULL, fonts);

        least = MIN(least, 1e3 * (double)(clock() - began) / CLOCKS_PER_SEC);
        fig_scene_free(scene);
    }
    return least;
}

/* ---- graphs ---- */

/* Blocks one under the other. */
static FigRecord *
stacked(int n_ops, int which)
{
    return which == 0 ? network(n_ops / BLOCK_OPS) : NULL;
}

/* Wholly random graphs, some with a residual stream and groups. */
static FigRecord *
wild(int n_ops, int which)
{
    return which < GRAPHS ? random_record((guint32)which + 1, 0, n_ops) : NULL;
}

/* Print a table of one kind; does it take at most so many times as long? */
static bool
measure(const char *title, FigRecord *(*make)(int, int), FigFonts *fonts, int rounds)
{
    static const int sizes[] = {300, 1000, 3000};
    double first = 0, last = 0;

    printf("| %s | least CPU ms of %d | times as long |\n| --- | ---: | ---: |\n",
           title, rounds);
    for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++) {
        FigRecord *record;

        last = 0;
        for (int which = 0; (record = make(sizes[i], which)); which++) {
            last += milliseconds(record, fonts, rounds);
            fig_record_free(record);
        }
        if (i == 0)
            first = last;
        printf("| %d ops | %.1f | %.1f |\n", sizes[i], last, last / first);
        fflush(stdout);
    }
    printf("\nten times the ops: %.1f times as long (at most %d)\n\n", last / first,
           (int)MOST_RATIO);
    return last <= MOST_RATIO * first;
}

int
main(int argc, char **argv)
{
    int rounds = argc > 1 ? MAX(1, atoi(argv[1])) : 5;
    FigFonts *fonts;
    bool good;

    g_setenv("OPFIG_SOURCE", ".", FALSE);
    fonts = open_fonts();
    good = measure("placing random graphs", wild, fonts, MIN(rounds, 2));
    good =
        measure("placing blocks one under the other", stacked, fonts, rounds) && good;
    fig_fonts_free(fonts);
    return !good;
}
