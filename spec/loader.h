/* SPDX-License-Identifier: MIT
 *
 * What the files that load a spec share, and no one else: the state of one load, and its
 * phases in the order they run:
 *
 *   extend.c      the spec that this one extends, with its edits (edit.c), and those that it
 *                 uses as blocks (block.c)
 *   dims.c        dims, with what the command line, a config (import.c) or a preset says
 *   constants.c   constants, the same way
 *   declare.c     inputs, weights and ops as written: every name is known after it
 *   link.c        `when`, bypasses, who reads what, in order; unread and unused
 *   kinds.c       layers of several kinds
 *   tables.c      names of inner tables
 *   repeat.c      groups that are repeated: what is carried on, what is another in each pass
 *   attributes.c  the attributes of an op
 *   infer.c       shapes and axis names, by the signatures
 *   label.c       labels of values and ops
 *   claims.c      claims, notes
 *   sizes.c       every number at the dims drawn
 *
 * A failed element is marked broken; what depends on it stays silent.
 */
#ifndef FIG_SPEC_LOADER_H
#define FIG_SPEC_LOADER_H

#include "spec/load.h"

/* What an identifier of the file stands for. */
typedef struct FigName {
    const char *id;
    const char *what; /* "a dim", "a weight", "a result of an op" */
    FigSpan span;
    int value; /* the value it means: -1 for a dim, or before the op has run */
    int op;    /* results and ops: the declaration, else -1 */
} FigName;

/* A result as written. */
typedef struct FigResultDecl {
    const char *id;
    const FigYaml *word; /* where its name stands */
    /* where label, what, aka stand; NULL: only its name is written */
    const FigYaml *map;
    bool named; /* by `out:` */
} FigResultDecl;

/* An op as written. */
typedef struct FigOpDecl {
    const FigYaml *yaml;
    const char *id;
    const FigYaml *word; /* the scalar after `op:` */
    const FigOp *op;     /* NULL: unknown, reported */
    int group;
    int n_reads;
    const FigYaml **reads; /* the names read, by port */
    int n_results;
    FigResultDecl *results;
    bool on;       /* `when` */
    bool replaced; /* off, and another op has its id */
    bool broken;   /* reported; no node is made */
    int node;      /* in the graph, -1: off or broken */
} FigOpDecl;

/* One spec of a chain: the variant first, then what it extends, then what that extends. */
typedef struct FigDocument {
    const FigSource *source;
    const char *called; /* after `extends:`; NULL: the variant itself */
    const char *path;   /* NULL: it came as text */
} FigDocument;

typedef struct FigLoader {
    FigGraph *graph;
    FigArena *arena; /* the graph's */
    FigDiag *diag;
    const FigLoadOptions *options;
    GArray *documents;    /* FigDocument: the spec, then what it extends and uses */
    int n_read;           /* documents taken up so far */
    GArray *parsed;       /* FigParsed */
    const FigYaml *kinds; /* {constant: words}, or NULL */
    const char *name, *path, *text; /* what is loaded, for fig_load_kinds */
    size_t length;
    const FigYaml *root;
    GHashTable *names;       /* id → FigName, in arena */
    GPtrArray *dim_ids;      /* of the dims so far, for «did you mean»; NULL-ended */
    GPtrArray *name_ids;     /* of dims and constants so far, NULL-ended */
    GArray *dims;            /* FigDim */
    GArray *symbol_size;     /* int64_t for each symbol of the algebra */
    GArray *constants;       /* FigConstant */
    GArray *values;          /* FigValue */
    GArray *broken;          /* bool for each value: reported, stay silent */
    GArray *groups;          /* FigGroup */
    GPtrArray *ops;          /* FigOpDecl, in the order of the file */
    GArray *nodes;           /* FigNode */
    GArray *aliases;         /* FigAlias */
    GPtrArray *conditions;   /* FigExpr */
    GArray *condition_holds; /* bool */
    bool names_lost; /* an element could not be named: others may miss it, silently */
} FigLoader;

#define FIG_VALUE(loader, i) (&g_array_index((loader)->values, FigValue, (guint)(i)))
#define FIG_BROKEN(loader, i) (g_array_index((loader)->broken, bool, (guint)(i)))
#define FIG_NODE(loader, i) (&g_array_index((loader)->nodes, FigNode, (guint)(i)))

/* ---- YAML of the expected kind; each reports what is not, and gives NULL or false ---- */

/* what: "a title" */
const FigYaml *fig_loader_scalar(FigLoader *loader, const FigYaml *node,
                                 const char *what);
bool fig_loader_map(FigLoader *loader, const FigYaml *node, const char *what);
bool fig_loader_list(FigLoader *loader, const FigYaml *node, const char *what);

/* A map of these keys under an id; where the value of its `main` key stands alone, the
 * message says how to write it. */
bool fig_loader_entry(FigLoader *loader, const FigYaml *node, const char *const *keys,
                      const char *what, const char *main);

/* The text of map's key, or NULL when there is none (or it is wrong: reported). */
const char *fig_loader_text(FigLoader *loader, const FigYaml *map, const char *key);
bool fig_loader_bool(FigLoader *loader, const FigYaml *map, const char *key,
                     bool fallback);

/* A label as the spec gives it, its math checked where the caller can; NULL: none. */
const char *fig_loader_label(FigLoader *loader, const FigYaml *map);

/* Words with math, checked like labels; false, reported. what: "a note" */
bool fig_loader_words(FigLoader *loader, const FigYaml *node, const char *what,
                      FigText *text);

/* The same of map's key; NULL: there is none, or it is wrong (reported). */
const char *fig_loader_sentence(FigLoader *loader, const FigYaml *map, const char *key);

/* Give an identifier a meaning; NULL when it is no identifier or taken (reported). */
FigName *fig_loader_name(FigLoader *loader, const FigYaml *word, const char *what);

/* Add to a list of ids that NULL ends. */
void fig_ids_add(GPtrArray *ids, const char *id);

/* Is the node absent or the null of YAML? */
bool fig_yaml_is_null(const FigYaml *node);

/* ---- expressions over dims and constants ---- */

/* As a polynomial over the dims known so far; NULL, reported. */
const FigPoly *fig_loader_poly(FigLoader *loader, const FigYaml *scalar,
                               const FigExpr **expr);

/* A list of sizes; false, reported. */
bool fig_loader_shape(FigLoader *loader, const FigYaml *list, FigShape *shape);

/* As a real number over dims and constants at the dims drawn; false, reported. */
bool fig_loader_real(FigLoader *loader, const FigExpr *expr, double *value);

/* Decide the `when:` of map (true without one) and note the condition; false in *on.
 * Returns false when it is wrong (reported). */
bool fig_loader_when(FigLoader *loader, const FigYaml *map, bool *on);

/* ---- names, in link.c ---- */

/* The value that word means for the op at index `reader` (the number of ops: for what
 * stands after all), or -1, reported. */
int fig_loader_resolve(FigLoader *loader, const FigYaml *word, int reader);

/* Note that the value has one reader more. */
void fig_loader_count_reader(FigLoader *loader, int value);

/* ---- repeats ---- */

/* Read `repeat:` and `index:` of a group, if it has them; false, reported. */
bool fig_loader_repeat(FigLoader *loader, const FigYaml *map, FigGroup *group);

/* The innermost repeated group that a group lies in or is, or -1. */
int fig_loader_repeat_of(const FigLoader *loader, int group);

/* May the op that carries values on stand where it does? false, reported. */
bool fig_loader_carrier(FigLoader *loader, int op);

/* Once all ops are linked: find what is carried on, and which weights are others in each
 * pass; nothing else leaves a repeat. false, reported. */
bool fig_load_repeats(FigLoader *loader);

/* What is carried on has the shape of what it begins with; false, reported. */
bool fig_loader_carried_shapes(FigLoader *loader);

/* ---- kinds of layers ---- */

/* Find the `kinds:` of a group of the spec, if there is one; false, reported. */
bool fig_load_find_kinds(FigLoader *loader);

/* What `kinds:` (or a list that stands in its place) says of a constant in this layer, or
 * NULL: it is not the one. */
const FigYaml *fig_loader_kind(FigLoader *loader, const char *id, const FigYaml *list);

/* Load the layers of other kinds beside the graph, which is complete.
 *
 * errors   reported; false
 */
bool fig_load_kinds(FigLoader *loader,
                    FigGraph *(*load)(FigLoader *loader, const FigLoadOptions *options,
                                      FigDiag *diag));

/* ---- the phases ---- */

bool fig_load_dims(FigLoader *loader);
bool fig_load_declarations(FigLoader *loader);
/* good: nothing was wrong so far */
bool fig_load_links(FigLoader *loader, bool good);
bool fig_load_attributes(FigLoader *loader, const FigOpDecl *decl, FigNode *node);
bool fig_load_shapes(FigLoader *loader);
bool fig_load_labels(FigLoader *loader);
bool fig_load_claims(FigLoader *loader);

/* What `tables:` calls the tables of the nodes, once they are linked; false, reported. */
bool fig_load_tables(FigLoader *loader);

/* The words for a shape in a message: "(B, T, 3*C)". owns: arena */
const char *fig_shape_text(FigAlgebra *algebra, const FigShape *shape, FigArena *arena);

/* The label an id has by rule. owns: arena */
const char *fig_label_of_id(const char *id, FigArena *arena);

/* A value's names in other libraries, from the `aka:` of a map; those of a dim. */
void fig_loader_aka(FigLoader *loader, const FigYaml *map, FigValue *value);
void fig_loader_dim_aka(FigLoader *loader, const FigYaml *map, FigDim *dim);

/* Read the axes of all names, once shapes are known (aka.c). */
bool fig_load_axes(FigLoader *loader);

/* What a config.json sets. An override's id is NULL at the end; `absent` names what keeps
 * its expression. False, reported. */
typedef struct FigConfigValue {
    const char *id;
    const char *value;     /* as JSON writes it; NULL: the field is absent … */
    const FigYaml *absent; /* … and this expression holds instead */
    const FigYaml *node;   /* the value as a word or a map of the spec, or NULL */
    const char *field;
    FigSpan span; /* in the config */
} FigConfigValue;

typedef struct FigConfigValues {
    GArray *dims, *constants; /* FigConfigValue */
} FigConfigValues;

bool fig_load_config(FigLoader *loader, const char *path, FigConfigValues *values);

/* What the preset of the options sets, behind what a config set; also whether `presets:` of
 * the spec has its form. False, reported. */
bool fig_load_preset(FigLoader *loader, FigConfigValues *values);

/* The list that the preset gives a constant, one entry a layer, coming round; or NULL. */
const FigYaml *fig_preset_kinds(const FigLoader *loader, const char *id);

/* What the command line, or the config, says of an id; NULL: nothing. */
const FigOverride *fig_override_find(const FigOverride *overrides, const char *id);
const FigConfigValue *fig_config_find(const GArray *values, const char *id);

bool fig_load_constants(FigLoader *loader, const FigYaml *map,
                        const FigConfigValues *config);

/* The constants known so far; their members too: "scaling.factor". NULL: none. */
const FigConstant *fig_loader_constant(const FigLoader *loader, const char *id);

#endif
