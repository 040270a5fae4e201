/* SPDX-License-Identifier: MIT
 *
 * Every small change of the drawing is noticed: an element taken away, a digit of a place
 * or size, a colour, a character. All of them take minutes, so a run tries one in STRIDE,
 * from a place that the seed of the test decides, in turn with the hints of the file and
 * without.
 */
#include "tests/check/real-figure.h"

#include <string.h>

enum { STRIDE = 17 };

typedef struct Sweep {
    const char *text; /* of the figure */
    int next;         /* changes until the next that is tried */
    int tried[4];     /* by kind */
} Sweep;

typedef enum Change {
    REMOVED,
    DIGIT,
    COLOUR,
    CHARACTER,
} Change;

static const char *const change_name[] = {"removed", "digit", "colour", "character"};

/* Replace length bytes at offset and expect a finding. */
static void
attempt(Sweep *sweep, Change change, size_t offset, size_t length, const char *with)
{
    if (sweep->next-- > 0)
        return;
    sweep->next = STRIDE - 1;
    sweep->tried[change]++;
    g_autoptr(GString) text = g_string_new(sweep->text);
    g_string_erase(text, (gssize)offset, (gssize)length);
    g_string_insert(text, (gssize)offset, with);
    FigFigureReport *report = real_check(text->str, true);
    if (report->n_findings == 0)
        g_error("%s unnoticed: …%.120s", change_name[change], sweep->text + offset);
    fig_figure_report_free(report);
}

static bool
starts_number(const char *line, size_t c)
{
    return g_ascii_isdigit(line[c]) && !g_ascii_isdigit(line[c - 1]) &&
           line[c - 1] != '.';
}

/* Is the attribute one that is drawn by its number? */
static bool
is_place(const char *name)
{
    static const char *const other[] = {"id", "font-family", "fill",
                                        "stroke=", "data-"};
    for (size_t i = 0; i < G_N_ELEMENTS(other); i++)
        if (g_str_has_prefix(name, other[i]))
            return false;
    return true;
}

static void
change_attribute(Sweep *sweep, size_t offset, const char *line, size_t c,
                 const char *name)
{
    if (starts_number(line, c) && is_place(name)) {
        char digit[2] = {line[c] == '9' ? '8' : (char)(line[c] + 1), '\0'};
        attempt(sweep, DIGIT, offset + c, 1, digit);
    } else if (line[c] == '#') {
        attempt(sweep, COLOUR, offset + c, strcspn(line + c, "\""), "#73a");
    }
}

static void
change_line(Sweep *sweep, size_t offset, const char *line)
{
    bool in_value = false, in_text = false;
    const char *name = line;

    if (g_str_has_suffix(line, "/>") || g_str_has_suffix(line, "</text>"))
        attempt(sweep, REMOVED, offset, strlen(line) + 1, "");
    for (size_t c = 0; line[c]; c++) {
        if (line[c] == '<' || line[c] == '>') {
            in_text = line[c] == '>';
        } else if (line[c] == '"') {
            in_value = !in_value;
        } else if (in_text && g_ascii_isalnum(line[c])) {
            char other[2] = {strchr("zZ9", line[c]) ? 'a' : (char)(line[c] + 1), '\0'};
            attempt(sweep, CHARACTER, offset + c, 1, other);
        } else if (in_value) {
            change_attribute(sweep, offset, line, c, name);
        } else if (line[c] == ' ') {
            name = line + c + 1;
        }
    }
}

static void
sweep_figure(Sweep *sweep)
{
    g_auto(GStrv) lines = g_strsplit(sweep->text, "\n", -1);
    size_t offset = 0;
    bool drawn = false;
    for (int i = 0; lines[i]; i++) {
        drawn |= g_str_has_prefix(lines[i], "<rect");
        if (drawn)
            change_line(sweep, offset, lines[i]);
        offset += strlen(lines[i]) + 1;
    }
    for (size_t i = 0; i < G_N_ELEMENTS(sweep->tried); i++)
        g_assert_cmpint(sweep->tried[i], >, 2);
}

static void
test_hinted(void)
{
    Sweep sweep = {.text = real.svg, .next = g_test_rand_int_range(0, STRIDE)};
    sweep_figure(&sweep);
}

static void
test_bare(void)
{
    g_autofree char *bare = real_without_hints(real.svg);
    Sweep sweep = {.text = bare, .next = g_test_rand_int_range(0, STRIDE)};
    sweep_figure(&sweep);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    real_make();
    g_test_add_func("/figure-faults/hinted", test_hinted);
    g_test_add_func("/figure-faults/bare", test_bare);
    int result = g_test_run();
    real_free();
    return result;
}
