/* SPDX-License-Identifier: MIT
 *
 * The scene's building blocks: items are appended to groups and never taken away, paths
 * are built point by point, and a dump prints all of it as lines that a test can compare
 * and a person can read. Everything lives in the scene's arena.
 */
#include "layouts/scene.h"

#include "base/num.h"

/* The control points of a quarter circle by one cubic: error under 0.03 % of the radius. */
static const double QUARTER = 0.5522847498307936;

FigScene *
fig_scene_new(void)
{
    FigArena *arena = fig_arena_new();
    FigScene *scene = fig_arena_new0(arena, FigScene);

    scene->arena = arena;
    scene->root = fig_arena_new0(arena, FigItem);
    scene->root->kind = FIG_ITEM_GROUP;
    scene->root->role = "figure";
    scene->options = "";
    return scene;
}

void
fig_scene_free(FigScene *scene)
{
    if (scene)
        fig_arena_free(scene->arena); /* scene itself lives there */
}

/* ---- items ---- */

static FigItem *
append(FigScene *scene, FigItem *parent, FigItemKind kind, const char *role)
{
    FigItem *item = fig_arena_new0(scene->arena, FigItem);

    if (!parent)
        parent = scene->root;
    g_assert(parent->kind == FIG_ITEM_GROUP);
    item->kind = kind;
    item->role = role;
    if (parent->last)
        parent->last->next = item;
    else
        parent->first = item;
    parent->last = item;
    return item;
}

FigItem *
fig_scene_group(FigScene *scene, FigItem *parent, const char *role)
{
    return append(scene, parent, FIG_ITEM_GROUP, role);
}

FigItem *
fig_scene_rect(FigScene *scene, FigItem *parent, const char *role, double x, double y,
               double width, double height, double radius)
{
    FigItem *item = append(scene, parent, FIG_ITEM_RECT, role);

    item->x = x;
    item->y = y;
    item->width = width;
    item->height = height;
    item->radius = radius;
    return item;
}

FigItem *
fig_scene_path(FigScene *scene, FigItem *parent, const char *role, FigPath path)
{
    FigItem *item = append(scene, parent, FIG_ITEM_PATH, role);

    item->path = path;
    return item;
}

FigItem *
fig_scene_text(FigScene *scene, FigItem *parent, const char *role,
               const FigTextBox *text, double x, double baseline, FigInk ink)
{
    FigItem *item = append(scene, parent, FIG_ITEM_TEXT, role);

    g_assert(text);
    item->text = text;
    item->text_x = x;
    item->text_y = baseline;
    item->fill = ink;
    return item;
}

/* ---- paths ---- */

struct FigPathBuilder {
    FigArena *arena;
    GArray *verbs;  /* FigPathVerb */
    GArray *points; /* double[2] */
};

FigPathBuilder *
fig_path_begin(FigScene *scene)
{
    FigPathBuilder *path = g_new0(FigPathBuilder, 1);

    path->arena = scene->arena;
    path->verbs = g_array_new(FALSE, FALSE, sizeof(FigPathVerb));
    path->points = g_array_new(FALSE, FALSE, sizeof(double[2]));
    return path;
}

static void
add(FigPathBuilder *path, FigPathVerb verb, int n_points, const double (*points)[2])
{
    g_array_append_val(path->verbs, verb);
    g_array_append_vals(path->points, points, (guint)n_points);
}

void
fig_path_move(FigPathBuilder *path, double x, double y)
{
    add(path, FIG_MOVE, 1, (const double[][2]){{x, y}});
}

void
fig_path_line(FigPathBuilder *path, double x, double y)
{
    g_assert(path->verbs->len > 0);
    add(path, FIG_LINE, 1, (const double[][2]){{x, y}});
}

void
fig_path_curve(FigPathBuilder *path, double x1, double y1, double x2, double y2,
               double x, double y)
{
    g_assert(path->verbs->len > 0);
    add(path, FIG_CURVE, 3, (const double[][2]){{x1, y1}, {x2, y2}, {x, y}});
}

void
fig_path_close(FigPathBuilder *path)
{
    g_assert(path->verbs->len > 0);
    add(path, FIG_CLOSE, 0, NULL);
}

void
fig_path_circle(FigPathBuilder *path, double x, double y, double radius)
{
    double r = radius, c = QUARTER * radius;

    fig_path_move(path, x + r, y);
    fig_path_curve(path, x + r, y + c, x + c, y + r, x, y + r);
    fig_path_curve(path, x - c, y + r, x - r, y + c, x - r, y);
    fig_path_curve(path, x - r, y - c, x - c, y - r, x, y - r);
    fig_path_curve(path, x + c, y - r, x + r, y - c, x + r, y);
    fig_path_close(path);
}

FigPath
fig_path_end(FigPathBuilder *path)
{
    FigPath done = {.n_verbs = (int)path->verbs->len,
                    .n_points = (int)path->points->len};

    done.verbs = fig_arena_copy(path->arena, path->verbs->data,
                                path->verbs->len * sizeof(FigPathVerb));
    done.points = fig_arena_copy(path->arena, path->points->data,
                                 path->points->len * sizeof(double[2]));
    g_array_free(path->verbs, TRUE);
    g_array_free(path->points, TRUE);
    g_free(path);
    return done;
}

/* ---- dump ---- */

static const char *const INK_NAMES[FIG_INKS] = {
    [FIG_INK_NONE] = "none",
    [FIG_INK_PAPER] = "paper",
    [FIG_INK_TEXT] = "text",
    [FIG_INK_MUTED] = "muted",
    [FIG_INK_EDGE] = "edge",
    [FIG_INK_RAIL] = "rail",
    [FIG_INK_PANEL_FILL] = "panel_fill",
    [FIG_INK_PANEL_BORDER] = "panel_border",
    [FIG_INK_RULE] = "rule",
    [FIG_INK_ACCENT] = "accent",
    [FIG_INK_DRAFT] = "draft",
    [FIG_INK_DRAFT_PALE] = "draft_pale",
    [FIG_INK_CLASS_FILL + 0] = "weight_matmul_fill",
    [FIG_INK_CLASS_FILL + 1] = "activation_matmul_fill",
    [FIG_INK_CLASS_FILL + 2] = "norm_fill",
    [FIG_INK_CLASS_FILL + 3] = "other_fill",
    [FIG_INK_CLASS_BORDER + 0] = "weight_matmul_border",
    [FIG_INK_CLASS_BORDER + 1] = "activation_matmul_border",
    [FIG_INK_CLASS_BORDER + 2] = "norm_border",
    [FIG_INK_CLASS_BORDER + 3] = "other_border",
};

const char *
fig_ink_name(FigInk ink)
{
    g_assert(ink < FIG_INKS);
    return INK_NAMES[ink];
}

static void
dump_numbers(GString *out, const double *number, int count)
{
    for (int i = 0; i < count; i++) {
        g_string_append_c(out, ' ');
        fig_num_fixed(out, number[i], 2);
    }
}

static void
dump_path(GString *out, const FigPath *path)
{
    static const char LETTER[] = {'M', 'L', 'C', 'Z'};
    static const int POINTS[] = {1, 1, 3, 0};
    int at = 0;

    for (int i = 0; i < path->n_verbs; i++) {
        FigPathVerb verb = path->verbs[i];

        g_string_append_printf(out, " %c", LETTER[verb]);
        for (int k = 0; k < POINTS[verb]; k++, at++)
            dump_numbers(out, path->points[at], 2);
    }
}

static void
dump_meaning(GString *out, const FigMeaning *means)
{
    const struct {
        const char *key, *value;
    } fields[] = {
        {"op", means->op},           {"class", means->class_},
        {"input", means->input},     {"output", means->output},
        {"edge", means->edge},       {"value", means->value},
        {"fork", means->fork},       {"shape", means->shape},
        {"name", means->name},       {"claim", means->claim},
        {"callout", means->callout}, {"number", means->number},
        {"panel", means->panel},     {"legend", means->legend},
        {"part", means->part},
    };

    for (size_t i = 0; i < G_N_ELEMENTS(fields); i++)
        if (fields[i].value)
            g_string_append_printf(out, " %s=\"%s\"", fields[i].key, fields[i].value);
}

static void
dump_item(GString *out, const FigItem *item, int depth)
{
    static const char *const KIND[] = {"group", "rect", "path", "text"};

    g_string_append_printf(out, "%*s%s %s", 2 * depth, "", KIND[item->kind],
                           item->role);
    dump_meaning(out, &item->means);
    switch (item->kind) {
    case FIG_ITEM_GROUP:
        break;
    case FIG_ITEM_RECT:
        dump_numbers(
            out, (double[]){item->x, item->y, item->width, item->height, item->radius},
            5);
        break;
    case FIG_ITEM_PATH:
        dump_path(out, &item->path);
        break;
    case FIG_ITEM_TEXT:
        dump_numbers(out, (double[]){item->text_x, item->text_y, item->text->width}, 3);
        g_string_append_printf(out, " \"%s\"", item->text->plain);
        break;
    }
    if (item->fill)
        g_string_append_printf(out, " fill=%s", fig_ink_name(item->fill));
    if (item->stroke) {
        g_string_append_printf(out, " stroke=%s", fig_ink_name(item->stroke));
        dump_numbers(out, &item->stroke_width, 1);
    }
    if (item->n_dash) {
        g_string_append(out, " dash");
        dump_numbers(out, item->dash, item->n_dash);
    }
    g_string_append_c(out, '\n');
    for (const FigItem *child = item->first; child; child = child->next)
        dump_item(out, child, depth + 1);
}

char *
fig_scene_dump(const FigScene *scene)
{
    GString *out = g_string_new("page");

    dump_numbers(out, (double[]){scene->width, scene->height}, 2);
    g_string_append_c(out, '\n');
    dump_item(out, scene->root, 0);
    return g_string_free(out, FALSE);
}
