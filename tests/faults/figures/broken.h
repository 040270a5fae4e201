/* SPDX-License-Identifier: MIT
 *
 * Figures broken on purpose. A figure is a list of lines, an element a line, as our writer
 * sets it; a fault changes some of them, and the check must name it by the finding that is
 * meant for it. Faults without meaning must be passed. Whatever passes must have the same
 * pixels.
 *
 * Each figure is tried as drawn and stripped of hints, ids and metadata: there the
 * geometry alone decides.
 */
#ifndef FIG_TESTS_FAULTS_FIGURES_BROKEN_H
#define FIG_TESTS_FAULTS_FIGURES_BROKEN_H

#include "check/svg.h"
#include "spec/graph.h"

typedef struct Figure {
    const char *name; /* "olmo2-block, dark" */
    bool bare;        /* without hints, ids and metadata */
    char **lines;     /* from 0; the file's line n is lines[n - 1] */
    int n_lines;
    const FigSvg *svg; /* as drawn: what stands where, also of a bare figure */
    const FigRecord *record;
    const FigScene *scene;
    FigTruth *truth;
    GPtrArray *leaves; /* const FigSvgItem, in order of drawing */
    GPtrArray *groups; /* const FigSvgItem */
} Figure;

typedef struct Try Try;

/* A kind of fault: a row, and a function that makes all faults of it. */
typedef struct Kind {
    const char *name;
    const char *finding; /* "edge"; "": none may be found; NULL: each fault says which;
                     "?": any, and if there is none the pixels are the same */
    void (*each)(Try *try);
    bool hinted; /* tries only the figure as drawn */
} Kind;

extern const Kind fault_edges[], fault_marks[], fault_texts[], fault_ink[],
    fault_dark[], fault_versions[], fault_harmless[],
    fault_random[]; /* each ended by a row without a name */

struct Try {
    const Kind *kind;
    const Figure *figure;
    int stride, next; /* one in stride is tried */
    int made, tried, caught;
    const char *expected; /* of the next attempt, where the kind says none */
    GHashTable *by;       /* finding kind to how many were caught by it */
    GArray *edits;
    bool verbose;
    bool pixels; /* compare those of what passes */
    int most;    /* of 255: how far apart those were that count as the same */
};

/* What fits into edits. */
extern const guint fault_edit_size;

/* Is the next fault one of those that are tried? Asked once a fault, before it is made. */
bool fault_turn(Try *try);

/* The edits of one fault; lines are those of the file, from 1. A text may hold several
 * lines, each ended. */
void fault_set(Try *try, int line, const char *text);
void fault_insert(Try *try, int before, const char *text);
void fault_drop(Try *try, int first, int last);

/* What must catch the next attempt, where that depends on what is broken. */
void fault_expect(Try *try, const char *finding);
/* … the kind of finding about an item that is gone, other or elsewhere: by what it is. */
const char *fault_finding_of(const FigSvgItem *item);

/* Check the figure with the edits made; they are forgotten. what: for messages. */
void fault_attempt(Try *try, const char *what);
/* … with a text as it is. */
void fault_attempt_text(Try *try, const char *text, const char *what);

/* Count what was caught by a kind of finding. */
void fault_count_by(Try *try, const char *finding, int n);

/* The lines of an item, from its first to its last; their text. owns: the caller */
int fault_last_line(const FigSvgItem *item);
char *fault_lines(const Figure *figure, int first, int last);

/* A line with an attribute given another value, or added. owns: the caller */
char *fault_with(const char *line, const char *name, const char *value);
/* … without an attribute that it has. owns: the caller */
char *fault_without(const char *line, const char *name);
/* The value of an attribute of a line, or NULL. owns: the caller */
char *fault_value(const char *line, const char *name);

/* Lines with everything in them moved. owns: the caller */
char *fault_moved(const char *lines, double dx, double dy);

/* " M1.5 2" and so on: numbers as our writer sets them. */
void fault_number(GString *out, double value);

/* The text of a text's line, taken out of its element, or put in. owns: the caller */
char *fault_words(const char *line);
char *fault_with_words(const char *line, const char *words);

/* The first group with that hint; the value of any when NULL. */
const FigSvgItem *fault_find(const Figure *figure, FigHint hint, const char *value);

/* All that a figure has: what it draws, then its groups. owns: the caller */
GPtrArray *fault_items(const Figure *figure);

/* Groups that have a hint, in order. owns: the caller */
GPtrArray *fault_all(const Figure *figure, FigHint hint);

#endif
