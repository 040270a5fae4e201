/* SPDX-License-Identifier: MIT
 *
 * Distances and bounds for reading a figure, and the comparison of words.
 */
#include "check/figure-scan.h"

#include <math.h>
#include <string.h>

/* ᵀ: what a label shows as ⊤ is typed so. */
static const gunichar TRANSPOSED = 0x1D40, TRANSPOSE = 0x22A4;

/* The square of the distance. */
static double
square_point_segment(double x, double y, const double a[2], const double b[2])
{
    double dx = b[0] - a[0], dy = b[1] - a[1];
    double length = dx * dx + dy * dy;
    double t = length > 0 ? ((x - a[0]) * dx + (y - a[1]) * dy) / length : 0;
    t = CLAMP(t, 0, 1);
    double to_x = x - a[0] - t * dx, to_y = y - a[1] - t * dy;
    return to_x * to_x + to_y * to_y;
}

double
fig_distance_point_segment(double x, double y, const double a[2], const double b[2])
{
    return sqrt(square_point_segment(x, y, a, b));
}

void
fig_curve_at(const double p[4][2], double t, double point[2])
{
    double u = 1 - t;
    for (int i = 0; i < 2; i++)
        point[i] = u * u * u * p[0][i] + 3 * u * u * t * p[1][i] +
                   3 * u * t * t * p[2][i] + t * t * t * p[3][i];
}

double
fig_distance_path(double x, double y, const FigPath *path)
{
    enum { CHORDS = 8 };
    double best = INFINITY, at[2] = {0, 0}, first[2] = {0, 0};
    const double(*point)[2] = path->points;

    for (int v = 0; v < path->n_verbs; v++) {
        double next[2] = {at[0], at[1]};
        switch (path->verbs[v]) {
        case FIG_MOVE:
            memcpy(next, *point++, sizeof next);
            memcpy(first, next, sizeof first);
            break;
        case FIG_LINE:
            memcpy(next, *point++, sizeof next);
            best = MIN(best, square_point_segment(x, y, at, next));
            break;
        case FIG_CURVE: {
            double p[4][2] = {{at[0], at[1]},
                              {point[0][0], point[0][1]},
                              {point[1][0], point[1][1]},
                              {point[2][0], point[2][1]}};
            double from[2] = {at[0], at[1]};
            for (int i = 1; i <= CHORDS; i++) {
                fig_curve_at((const double(*)[2])p, (double)i / CHORDS, next);
                best = MIN(best, square_point_segment(x, y, from, next));
                memcpy(from, next, sizeof from);
            }
            point += 3;
            break;
        }
        case FIG_CLOSE:
            memcpy(next, first, sizeof next);
            best = MIN(best, square_point_segment(x, y, at, next));
            break;
        }
        memcpy(at, next, sizeof at);
    }
    return sqrt(best);
}

/* Does the way from a to b cross the ray from a point to the right? */
static bool
crosses(double x, double y, const double a[2], const double b[2])
{
    return (a[1] > y) != (b[1] > y) &&
           x < a[0] + (y - a[1]) * (b[0] - a[0]) / (b[1] - a[1]);
}

/* Does a curve stay above or below a height? Most do. */
static bool
beside(double y, const double p[4][2])
{
    return (p[0][1] > y && p[1][1] > y && p[2][1] > y && p[3][1] > y) ||
           (p[0][1] <= y && p[1][1] <= y && p[2][1] <= y && p[3][1] <= y);
}

bool
fig_inside_path(double x, double y, const FigPath *path)
{
    enum { CHORDS = 8 };
    const double(*point)[2] = path->points;
    double at[2] = {0, 0}, first[2] = {0, 0};
    bool inside = false;
    for (int v = 0; v <= path->n_verbs; v++) {
        /* what is filled is closed, also where it is not said */
        FigPathVerb verb = v < path->n_verbs ? path->verbs[v] : FIG_CLOSE;
        if (verb == FIG_MOVE || verb == FIG_CLOSE) {
            inside ^= crosses(x, y, at, first);
            if (verb == FIG_MOVE)
                memcpy(first, *point++, sizeof first);
            memcpy(at, first, sizeof at);
            continue;
        }
        double p[4][2] = {{at[0], at[1]}}, next[2];
        int n = verb == FIG_CURVE ? 3 : 1;
        memcpy(p[1], point, (size_t)n * sizeof *point);
        if (n == 3 && beside(y, (const double(*)[2])p)) {
            memcpy(at, p[3], sizeof at);
            point += n;
            continue;
        }
        point += n;
        for (int i = 1; n == 3 && i <= CHORDS; i++) {
            fig_curve_at((const double(*)[2])p, (double)i / CHORDS, next);
            inside ^= crosses(x, y, at, next);
            memcpy(at, next, sizeof at);
        }
        inside ^= n == 1 && crosses(x, y, at, p[1]);
        memcpy(at, p[n], sizeof at);
    }
    return inside;
}

double
fig_distance_mark(double x, double y, const FigSeenMark *mark)
{
    FigBounds b = mark->bounds;
    double dx = MAX(MAX(b.left - x, x - b.right), 0);
    double dy = MAX(MAX(b.top - y, y - b.bottom), 0);
    double radius = (b.right - b.left) / 2;
    double centre = hypot(x - (b.left + b.right) / 2, y - (b.top + b.bottom) / 2);

    if (mark->kind == FIG_SEEN_CIRCLE)
        return fabs(centre - radius);
    if (mark->kind != FIG_SEEN_BOX) /* a dot or bar: anywhere on it */
        return hypot(dx, dy);
    if (dx > 0 || dy > 0)
        return hypot(dx, dy);
    return MIN(MIN(x - b.left, b.right - x), MIN(y - b.top, b.bottom - y));
}

bool
fig_bounds_hold(FigBounds outer, FigBounds inner, double tolerance)
{
    return inner.left >= outer.left - tolerance && inner.top >= outer.top - tolerance &&
           inner.right <= outer.right + tolerance &&
           inner.bottom <= outer.bottom + tolerance;
}

bool
fig_bounds_meet(FigBounds a, FigBounds b)
{
    return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

FigBounds
fig_bounds_grow(FigBounds b, double by)
{
    return (FigBounds){b.left - by, b.top - by, b.right + by, b.bottom + by};
}

FigBounds
fig_bounds_point(double x, double y)
{
    return (FigBounds){x, y, x, y};
}

/* The next character that fold keeps, 0 at the end. */
static gunichar
next_kept(const char **text)
{
    while (*text && **text) {
        gunichar c = g_utf8_get_char(*text);
        *text = g_utf8_next_char(*text);
        if (!g_unichar_isspace(c))
            return c == TRANSPOSED ? TRANSPOSE : c;
    }
    return 0;
}

char *
fig_fold(const char *text)
{
    GString *out = g_string_new(NULL);
    for (gunichar c; (c = next_kept(&text));)
        g_string_append_unichar(out, c);
    return g_string_free(out, FALSE);
}

void
fig_count(GHashTable *count, char *key)
{
    int n = GPOINTER_TO_INT(g_hash_table_lookup(count, key)) + 1;
    g_hash_table_insert(count, key, GINT_TO_POINTER(n));
}

bool
fig_same_words(const char *a, const char *b)
{
    gunichar c;
    do {
        c = next_kept(&a);
        if (c != next_kept(&b))
            return false;
    } while (c);
    return true;
}
