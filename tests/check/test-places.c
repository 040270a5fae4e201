/* SPDX-License-Identifier: MIT
 *
 * What is found around an area, against a look at everything.
 */
#include "check/places.h"

#include <math.h>

static double
place(GRand *rand, double most)
{
    /* whole numbers, so that many touch */
    return floor(g_rand_double_range(rand, 0, most));
}

static FigBounds
any_bounds(GRand *rand)
{
    double x = place(rand, 100), y = place(rand, 400);
    double longest = g_rand_int_range(rand, 0, 10) ? 5 : 300;
    return (FigBounds){x, y, x + place(rand, longest), y + place(rand, longest)};
}

/* Every `odd`-th has no place, and is found everywhere. */
static void
compare(GRand *rand, int n, int odd)
{
    g_autofree FigBounds *bounds = g_new(FigBounds, n + 1);
    for (int i = 0; i < n; i++) {
        bounds[i] = any_bounds(rand);
        if (i % odd == odd - 1)
            bounds[i] = (FigBounds){INFINITY, i % 2 ? NAN : 1, -INFINITY, 2};
    }
    FigPlaces *places = fig_places_new(bounds, n);
    for (int round = 0; round < 100; round++) {
        FigBounds a = any_bounds(rand);
        g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(int));
        guint k = 0;
        fig_places_find(places, a, found);
        for (int i = 0; i < n; i++) {
            FigBounds b = bounds[i];
            bool anywhere = i % odd == odd - 1;
            if (!anywhere && (b.right < a.left || b.left > a.right ||
                              b.bottom < a.top || b.top > a.bottom))
                continue;
            g_assert_cmpuint(k, <, found->len);
            g_assert_cmpint(g_array_index(found, int, k++), ==, i);
        }
        g_assert_cmpuint(k, ==, found->len);
    }
    fig_places_free(places);
}

static void
test_find(void)
{
    static const int sizes[] = {0, 1, 7, 8, 9, 63, 64, 65, 500, 2000};
    GRand *rand = g_rand_new_with_seed(1);
    for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++) {
        compare(rand, sizes[i], 1 << 20);
        compare(rand, sizes[i], 5);
        compare(rand, sizes[i], 1); /* none has a place */
    }
    g_rand_free(rand);
    fig_places_free(NULL);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/places/find", test_find);
    return g_test_run();
}
