/* SPDX-License-Identifier: MIT
 *
 * Edge lists from CSV and YAML. Every cell keeps its place, because most of what is wrong
 * with a list is a name.
 */
#include "check/foreign.h"

#include "base/yaml.h"

#include <string.h>

enum { MOST_EDGES = 10000 }; /* of a list: each is compared with every operand */

const char *const fig_foreign_column[] = {"from", "to", "port", "shape", "class", NULL};

static int
column_of(const char *name)
{
    int c = 0;
    while (c < FIG_FOREIGN_COLUMNS && strcmp(fig_foreign_column[c], name) != 0)
        c++;
    return c;
}

/* Add an edge if it has what it needs. */
static void
add_edge(GArray *edges, const FigForeignEdge *edge, FigSpan at, FigDiag *diag)
{
    for (int c = FIG_FOREIGN_FROM; c <= FIG_FOREIGN_TO; c++) {
        if (edge->cell[c].text)
            continue;
        fig_diag_error(diag, at, "an edge without ‘%s’", fig_foreign_column[c]);
        return;
    }
    if (edges->len == MOST_EDGES)
        fig_diag_error(diag, at, "more than %d edges", MOST_EDGES);
    if (edges->len <= MOST_EDGES)
        g_array_append_val(edges, *edge);
}

/* ---- CSV ---- */

typedef struct Csv {
    const FigSource *source;
    FigArena *arena;
    FigDiag *diag;
    size_t at;
    int line, column; /* of at */
} Csv;

static char
peek(const Csv *csv)
{
    return csv->at < csv->source->length ? csv->source->text[csv->at] : '\0';
}

static bool
at_end(const Csv *csv)
{
    return csv->at >= csv->source->length;
}

static void
step(Csv *csv)
{
    char c = csv->source->text[csv->at++];
    if (c == '\n') {
        csv->line++;
        csv->column = 1;
    } else if (((unsigned char)c & 0xC0) != 0x80) {
        csv->column++;
    }
}

static FigSpan
here(const Csv *csv, size_t length)
{
    return (FigSpan){csv->source, csv->at, length, csv->line, csv->column};
}

static void
skip_blanks(Csv *csv)
{
    while (peek(csv) == ' ' || peek(csv) == '\t' || peek(csv) == '\r')
        step(csv);
}

/* A cell between double quotes; a doubled one stands for itself. */
static bool
quoted_cell(Csv *csv, FigForeignCell *cell)
{
    g_autoptr(GString) text = g_string_new(NULL);
    FigSpan start = here(csv, 1);
    step(csv);
    for (;;) {
        if (at_end(csv) || peek(csv) == '\n') {
            fig_diag_error(csv->diag, start, "a quote that does not end on its line");
            return false;
        }
        char c = peek(csv);
        step(csv);
        if (c == '"' && peek(csv) != '"')
            break;
        if (c == '"')
            step(csv);
        g_string_append_c(text, c);
    }
    start.length = csv->at - start.offset;
    cell->span = start;
    cell->text = *text->str ? fig_arena_strdup(csv->arena, text->str) : NULL;
    skip_blanks(csv);
    if (!at_end(csv) && peek(csv) != ',' && peek(csv) != '\n') {
        fig_diag_error(csv->diag, here(csv, 1), "a comma is wanted after the quotes");
        return false;
    }
    return true;
}

/* A cell up to the next comma that stands in no parentheses: (B, T, C) is one. */
static void
plain_cell(Csv *csv, FigForeignCell *cell)
{
    int depth = 0;
    cell->span = here(csv, 0);
    while (!at_end(csv) && peek(csv) != '\n' && (depth > 0 || peek(csv) != ',')) {
        depth += (peek(csv) == '(') - (peek(csv) == ')');
        step(csv);
    }
    const char *start = csv->source->text + cell->span.offset;
    g_autofree char *text = g_strchomp(g_strndup(start, csv->at - cell->span.offset));
    cell->span.length = MAX(strlen(text), 1);
    cell->text = *text ? fig_arena_strdup(csv->arena, text) : NULL;
}

/* The cells of a line; -1 after an error. */
static int
read_line(Csv *csv, FigForeignCell *cells, int most)
{
    int n = 0;
    bool good = true;
    for (;;) {
        FigForeignCell cell = {0};
        skip_blanks(csv);
        if (peek(csv) == '"')
            good = quoted_cell(csv, &cell);
        else
            plain_cell(csv, &cell);
        if (good && n == most) {
            fig_diag_error(csv->diag, cell.span, "more cells than columns (%d)", most);
            good = false;
        }
        if (!good)
            break;
        cells[n++] = cell;
        if (peek(csv) != ',')
            break;
        step(csv);
    }
    while (!at_end(csv) && peek(csv) != '\n')
        step(csv);
    if (!at_end(csv))
        step(csv);
    return good ? n : -1;
}

/* Skip empty lines and remarks; false: nothing more. */
static bool
next_line(Csv *csv)
{
    for (;;) {
        skip_blanks(csv);
        if (at_end(csv))
            return false;
        if (peek(csv) != '\n' && peek(csv) != '#')
            return true;
        while (!at_end(csv) && peek(csv) != '\n')
            step(csv);
        if (!at_end(csv))
            step(csv);
    }
}

static bool
read_columns(Csv *csv, int column[FIG_FOREIGN_COLUMNS], int *n)
{
    FigForeignCell cells[FIG_FOREIGN_COLUMNS] = {0};
    bool seen[FIG_FOREIGN_COLUMNS] = {false}, good = true;
    FigSpan start = here(csv, 1);
    *n = read_line(csv, cells, FIG_FOREIGN_COLUMNS);
    for (int i = 0; i < *n; i++) {
        const char *name = cells[i].text ? cells[i].text : "";
        column[i] = column_of(name);
        if (column[i] == FIG_FOREIGN_COLUMNS) {
            FigMessage *message = fig_diag_error(csv->diag, cells[i].span,
                                                 "no column is called ‘%s’", name);
            fig_message_suggest(message, name, fig_foreign_column);
            fig_message_note(message,
                             "the first line names the columns: from,to and, as "
                             "far as wanted, port,shape,class");
            return false;
        }
        if (seen[column[i]]) {
            fig_diag_error(csv->diag, cells[i].span, "the column ‘%s’ twice", name);
            return false;
        }
        seen[column[i]] = true;
    }
    for (int c = FIG_FOREIGN_FROM; c <= FIG_FOREIGN_TO && *n >= 0; c++) {
        if (seen[c])
            continue;
        fig_diag_error(csv->diag, start, "the column ‘%s’ is missing",
                       fig_foreign_column[c]);
        good = false;
    }
    return *n >= 0 && good;
}

static void
read_csv(const FigSource *source, GArray *edges, FigArena *arena, FigDiag *diag)
{
    Csv csv = {source, arena, diag, 0, 1, 1};
    if (g_str_has_prefix(source->text, "\xef\xbb\xbf")) /* spreadsheets begin so */
        csv.at = 3;
    int column[FIG_FOREIGN_COLUMNS], n;
    if (!next_line(&csv) || !read_columns(&csv, column, &n))
        return;
    while (next_line(&csv) && edges->len <= MOST_EDGES) {
        FigForeignCell cells[FIG_FOREIGN_COLUMNS] = {0};
        FigForeignEdge edge = {0};
        FigSpan start = here(&csv, 1);
        int given = read_line(&csv, cells, n);
        for (int i = 0; i < given; i++)
            edge.cell[column[i]] = cells[i];
        if (given >= 0)
            add_edge(edges, &edge, start, diag);
    }
}

/* ---- YAML ---- */

static void
read_map(const FigYaml *map, GArray *edges, FigDiag *diag)
{
    FigForeignEdge edge = {0};
    if (map->kind != FIG_YAML_MAP) {
        fig_diag_error(diag, map->span, "an edge is a map: {from: …, to: …}");
        return;
    }
    if (!fig_yaml_check_keys(map, fig_foreign_column, "an edge", diag))
        return;
    for (int c = 0; c < FIG_FOREIGN_COLUMNS; c++) {
        const FigYaml *node = fig_yaml_lookup(map, fig_foreign_column[c]);
        if (node && node->kind != FIG_YAML_SCALAR) {
            fig_diag_error(diag, node->span, "‘%s’ is a word", fig_foreign_column[c]);
            return;
        }
        if (node && *node->text)
            edge.cell[c] = (FigForeignCell){node->text, node->span};
    }
    add_edge(edges, &edge, map->span, diag);
}

static void
read_yaml(const FigSource *source, GArray *edges, FigArena *arena, FigDiag *diag)
{
    const FigYaml *root = fig_yaml_read(source, arena, diag);
    if (root && root->kind != FIG_YAML_LIST) {
        fig_diag_error(diag, root->span,
                       "a list of edges is wanted: - {from: …, to: …}");
        return;
    }
    for (int i = 0; root && i < root->count && i <= MOST_EDGES; i++)
        read_map(root->items[i], edges, diag);
}

/* ---- both ---- */

const FigForeign *
fig_foreign_read(const FigSource *source, FigArena *arena, FigDiag *diag)
{
    g_autoptr(GArray) edges = g_array_new(FALSE, FALSE, sizeof(FigForeignEdge));
    const char *end;
    FigSpan start = {source, 0, 1, 1, 1};
    bool yaml = g_str_has_suffix(source->name, ".yaml") ||
                g_str_has_suffix(source->name, ".yml");
    int before = fig_diag_errors(diag);
    if (!g_utf8_validate(source->text, (gssize)source->length, &end))
        fig_diag_error(diag, (FigSpan){0}, "%s: byte %zu is not UTF-8", source->name,
                       (size_t)(end - source->text) + 1);
    else if (yaml)
        read_yaml(source, edges, arena, diag);
    else
        read_csv(source, edges, arena, diag);
    if (fig_diag_errors(diag) > before)
        return NULL;
    if (edges->len == 0) {
        fig_diag_error(diag, start, "a list without edges");
        return NULL;
    }
    FigForeign *foreign = fig_arena_new0(arena, FigForeign);
    foreign->n_edges = (int)edges->len;
    foreign->edges =
        fig_arena_copy(arena, edges->data, edges->len * sizeof(FigForeignEdge));
    return foreign;
}
