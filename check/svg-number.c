/* SPDX-License-Identifier: MIT
 *
 * Numbers as SVG writes them, alone, in lists and in path data. An equal number may be
 * written in many ways (15, 15.0, +1.5e1), and a path with the same points by relative
 * and by shortened commands; all are read. What SVG does not allow is refused, because
 * viewers stop drawing there.
 */
#include "check/svg-value.h"

#include "base/num.h"

#include <math.h>
#include <string.h>

enum { MOST = 64 }; /* characters of a number */

static const double FARTHEST = 1e6; /* points: what no page has */

static const char *
space(const char *text)
{
    return text + strspn(text, " \t\n\r\f");
}

/* A separator: white space with at most one comma. */
static const char *
comma(const char *text)
{
    text = space(text);
    return *text == ',' ? space(text + 1) : text;
}

/* sign? (digits ("." digits)? | "." digits) exponent?, whatever follows */
static bool
scan(const char **text, double *value)
{
    const char *p = *text + (**text == '-' || **text == '+');
    size_t digits = strspn(p, "0123456789");
    p += digits;
    if (p[0] == '.' && g_ascii_isdigit(p[1])) {
        p++;
        digits += strspn(p, "0123456789");
        p += strspn(p, "0123456789");
    }
    if (digits == 0)
        return false;
    if (p[0] == 'e' || p[0] == 'E') {
        const char *exponent = p + 1 + (p[1] == '-' || p[1] == '+');
        if (g_ascii_isdigit(*exponent))
            p = exponent + strspn(exponent, "0123456789");
    }
    char number[MOST];
    size_t length = (size_t)(p - *text);
    if (length >= sizeof number)
        return false;
    memcpy(number, *text, length);
    number[length] = '\0';
    *text = p;
    return fig_num_read_real(number, value) && fabs(*value) <= FARTHEST;
}

/* Blanks around a number are what viewers disagree on: browsers put a text whose x begins
 * with one at 0, and know no unit behind one. */
bool
fig_svg_number(const char *text, double *value)
{
    return scan(&text, value) && !*text;
}

bool
fig_svg_length(const char *text, double *value)
{
    if (!scan(&text, value))
        return false;
    text += g_str_has_prefix(text, "px") ? 2 : 0;
    return !*text;
}

bool
fig_svg_page_length(const char *text, double *points)
{
    static const struct {
        const char *name;
        double points;
    } units[] = {{"pt", 1},  {"pc", 12},        {"in", 72},       {"px", 0.75},
                 {"", 0.75}, {"mm", 72 / 25.4}, {"cm", 72 / 2.54}};
    if (!scan(&text, points) || *points <= 0)
        return false;
    for (size_t i = 0; i < G_N_ELEMENTS(units); i++)
        if (strcmp(text, units[i].name) == 0) {
            *points *= units[i].points;
            return true;
        }
    return false;
}

bool
fig_svg_numbers(const char *text, int n, double *values)
{
    text = space(text);
    for (int i = 0; i < n; i++) {
        text = i > 0 ? comma(text) : text;
        if (!scan(&text, &values[i]))
            return false;
    }
    return !*space(text);
}

const char *
fig_svg_dashes(FigArena *arena, const char *text)
{
    enum { MOST_DASHES = 8 };
    double length[2 * MOST_DASHES], all = 0;
    int n = 0;
    text = space(text);
    if (strcmp(text, "none") == 0)
        return "";
    while (n < MOST_DASHES) {
        if (!scan(&text, &length[n]) || length[n] < 0)
            return NULL;
        text += g_str_has_prefix(text, "px") ? 2 : 0;
        all += length[n++];
        if (!*space(text))
            break;
        text = comma(text);
    }
    if (*space(text))
        return NULL;
    if (all == 0)
        return "";
    if (n % 2) { /* an odd list is gone through twice */
        memcpy(length + n, length, (size_t)n * sizeof *length);
        n *= 2;
    }
    g_autoptr(GString) out = g_string_new(NULL);
    for (int i = 0; i < n; i++) {
        if (i > 0)
            g_string_append_c(out, ' ');
        fig_num_fixed(out, length[i], 3);
    }
    return fig_arena_strdup(arena, out->str);
}

/* ---- paths ---- */

typedef struct Pen {
    GArray *verbs;  /* FigPathVerb */
    GArray *points; /* double[2] */
    double at[2], first[2];
} Pen;

/* Does b lie on the straight way from a to c? */
static bool
between(const double a[2], const double b[2], const double c[2])
{
    double ux = b[0] - a[0], uy = b[1] - a[1], vx = c[0] - b[0], vy = c[1] - b[1];
    return fabs(ux * vy - uy * vx) < 1e-6 && ux * vx + uy * vy >= 0;
}

/* Leave out points inside straight pieces: they draw nothing, and equal paths are to be
 * equal. */
static void
straighten(GArray *verbs, GArray *points)
{
    double(*p)[2] = (double(*)[2])(gpointer)points->data;
    FigPathVerb *verb = (FigPathVerb *)(gpointer)verbs->data;
    guint kept = 0, end = 0; /* verbs and points that stay */
    for (guint v = 0, at = 0; v < verbs->len; v++) {
        guint n = verb[v] == FIG_CLOSE ? 0 : verb[v] == FIG_CURVE ? 3 : 1;
        /* behind a closing a line begins where the closing went to */
        bool inside = verb[v] == FIG_LINE && v + 1 < verbs->len &&
                      verb[kept - 1] != FIG_CLOSE && verb[v + 1] == FIG_LINE &&
                      between(p[end - 1], p[at], p[at + 1]);
        if (!inside) {
            memmove(p + end, p + at, n * sizeof *p);
            verb[kept++] = verb[v];
            end += n;
        }
        at += n;
    }
    g_array_set_size(verbs, kept);
    g_array_set_size(points, end);
}

/* One piece of a command, with its numbers: absolute, or from where the pen is. */
static void
draw(Pen *pen, char command, bool relative, const double *number)
{
    FigPathVerb verb = command == 'M'   ? FIG_MOVE
                       : command == 'C' ? FIG_CURVE
                                        : FIG_LINE;
    double from[2] = {relative ? pen->at[0] : 0, relative ? pen->at[1] : 0}, point[2];
    g_array_append_val(pen->verbs, verb);
    for (int i = 0; i < (verb == FIG_CURVE ? 3 : 1); i++) {
        if (command == 'H' || command == 'V') {
            int axis = command == 'V';
            point[axis] = from[axis] + number[0];
            point[1 - axis] = pen->at[1 - axis];
        } else {
            point[0] = from[0] + number[2 * i];
            point[1] = from[1] + number[2 * i + 1];
        }
        g_array_append_vals(pen->points, point, 1);
    }
    memcpy(pen->at, point, sizeof point);
    if (verb == FIG_MOVE)
        memcpy(pen->first, point, sizeof point);
}

/* A command with all its pieces; false: not one that we read, or broken. */
static bool
draw_command(Pen *pen, char letter, const char **text)
{
    char command = g_ascii_toupper(letter);
    int n = command == 'C' ? 6 : command == 'H' || command == 'V' ? 1 : 2;
    double number[6];
    if (!strchr("MLHVCZ", command) || (pen->verbs->len == 0 && command != 'M'))
        return false;
    if (command == 'Z') {
        FigPathVerb close = FIG_CLOSE;
        g_array_append_val(pen->verbs, close);
        memcpy(pen->at, pen->first, sizeof pen->at);
        return true;
    }
    const char *next = space(*text);
    do {
        *text = next;
        for (int i = 0; i < n; i++) {
            *text = i > 0 ? comma(*text) : *text;
            if (!scan(text, &number[i]))
                return false;
        }
        draw(pen, command, command != letter, number);
        command = command == 'M' ? 'L' : command;
        letter = letter == 'M' ? 'L' : letter == 'm' ? 'l' : letter;
        next = comma(*text);
    } while (*next && strchr("+-.0123456789", *next));
    return next == space(*text); /* no comma before the next command */
}

bool
fig_svg_path_data(FigArena *arena, const char *text, FigPath *path)
{
    g_autoptr(GArray) verbs = g_array_new(FALSE, FALSE, sizeof(FigPathVerb));
    g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(double[2]));
    Pen pen = {.verbs = verbs, .points = points};
    for (text = space(text); *text; text = space(text)) {
        char letter = *text++;
        if (!draw_command(&pen, letter, &text))
            return false;
    }
    straighten(verbs, points);
    path->n_verbs = (int)verbs->len;
    path->n_points = (int)points->len;
    path->verbs = fig_arena_copy(arena, verbs->data, verbs->len * sizeof(FigPathVerb));
    path->points = fig_arena_copy(arena, points->data, points->len * sizeof(double[2]));
    return verbs->len > 0;
}
