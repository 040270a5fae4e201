/* SPDX-License-Identifier: MIT
 *
 * The record: what was executed, as facts that a figure can be drawn from and checked
 * against. Layouts see this header and nothing else of the computation, so any program
 * that writes this JSON (docs/record.schema.json) can have a true figure.
 *
 * `facts` are deterministic and digested; `measured` is neither.
 */
#ifndef FIG_EXEC_RECORD_H
#define FIG_EXEC_RECORD_H

#include "base/arena.h"
#include "base/diag.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum FigClass {
    FIG_CLASS_WEIGHT_MATMUL,     /* an operand is a weight or made of weights alone */
    FIG_CLASS_ACTIVATION_MATMUL, /* none is */
    FIG_CLASS_NORM,
    FIG_CLASS_OTHER,
    FIG_CLASSES,
} FigClass;

const char *fig_class_name(FigClass class); /* "weight_matmul", … */

/* A sentence with $…$ math; numbers computed from the run stand in it as <expr>, and
 * their texts in `numbers`, in order. */
typedef struct FigSentence {
    const char *text; /* "no. of norms: <count(class = norm)>"; NULL: none */
    int n_numbers;
    const char *const *exprs;   /* "count(class = norm)" */
    const char *const *numbers; /* "4" */
} FigSentence;

/* The sentence as plain text: numbers filled in, math as `$…$` still.
 *
 * owns     the caller
 */
char *fig_sentence_text(const FigSentence *sentence);

typedef struct FigRecordAka {
    const char *library, *name;
    /* "input" or "output" of a module of that name; NULL: no module */
    const char *side;
    const char *axes; /* its axes there: "B H T h_d -> B T H h_d"; NULL: as here */
} FigRecordAka;

typedef struct FigRecordDim {
    const char *id, *label, *what; /* label in TeX; what may be NULL */
    const char *is;                /* its expression, or NULL for a free dim */
    int64_t size;
    int n_aka;
    const FigRecordAka *aka;
} FigRecordDim;

typedef struct FigRecordConstant {
    const char *id, *label, *text; /* "5e5" */
} FigRecordConstant;

typedef struct FigRecordValue {
    const char *id, *label, *what;
    bool labelled;    /* has a printed name of its own; else its shape alone is drawn */
    const char *kind; /* "input", "weight", "activation" */
    bool output;
    int rank;
    const char *const *shape; /* [rank] in spec language: "3*C" */
    const int64_t *size;      /* [rank] at the dims drawn */
    const char *const *axes;  /* [rank] names */
    /* weights: entries, of all passes together; 0 for others and for a join (its members
     * count) */
    int64_t parameters;
    /* the repeated group in each pass of which it is another; or NULL */
    const char *per;
    int n_members;
    const char *const *members; /* of a joined weight */
    int n_aka;
    const FigRecordAka *aka;
} FigRecordValue;

typedef struct FigRecordRead {
    const char *port;  /* "a" */
    const char *value; /* id; NULL: a buffer that no value owns */
    const char *from;  /* "activation", "weight", "input" */
    int rank;
    const char *const *shape;
    const int64_t *size;
    /* read in every pass of the repeat but the first, which reads the operand before;
     * written later in the repeat */
    bool later;
} FigRecordRead;

typedef struct FigRecordWrite {
    const char *value;
    int rank;
    const char *const *shape;
    const int64_t *size;
} FigRecordWrite;

typedef struct FigRecordAttribute {
    const char *name;
    const char *text;  /* as written: "1/sqrt(h_d)" */
    const char *value; /* at the dims drawn: "0.125" */
    const char *label; /* TeX of text: "\theta" */
    bool drawn;        /* shows in the label; false: "computed, not drawn" */
    bool given;        /* written in the spec */
} FigRecordAttribute;

/* What an op does in those passes of a repeat where it does something else. */
typedef struct FigRecordKind {
    const char *kind; /* "full" */
    const char *op, *label;
    int64_t passes; /* how many */
} FigRecordKind;

typedef struct FigRecordOp {
    int step; /* from 1, in execution order */
    const char *id, *op, *kind;
    FigClass class;
    const char *mark;  /* "box", "circle", "fork", "frame" */
    const char *sign;  /* TeX, of a circle; else NULL */
    bool commutes;     /* the order of its operands means nothing */
    const char *label; /* words with $…$ */
    const char *title, *full_name;
    const char *equation; /* TeX */
    int n_groups;
    const char *const *groups; /* path of group ids, outermost first */
    int n_attributes;
    const FigRecordAttribute *attributes;
    /* of all passes together, where the op is in a repeat */
    const char *flops;    /* polynomial: "6*B*T*C^2" */
    int64_t flops_number; /* at the dims drawn; INT64_MAX if beyond */
    const char *bytes;
    int n_reads;
    const FigRecordRead *reads;
    int n_writes;
    const FigRecordWrite *writes;
    int n_kinds;
    const FigRecordKind *kinds; /* the label has theirs in it */
} FigRecordOp;

/* The passes of a repeat that are of one kind. */
typedef struct FigRecordPasses {
    const char *kind; /* "full" */
    int64_t number;   /* how many they are */
} FigRecordPasses;

typedef struct FigRecordGroup {
    const char *id, *title; /* title may be NULL */
    const char *parent;     /* NULL: none */
    /* of a repeat: its ops run as often */
    const char *repeat; /* in spec language: "L"; NULL: it is none */
    const char *index;  /* the name of the number of a pass */
    int64_t passes;     /* at the dims drawn */
    const char *kind;   /* the constant by which its passes differ, or NULL */
    int n_pattern; /* what that is in one pass after the other, until it comes … */
    const char *const *pattern; /* … round again */
    /* Read out of the pattern, so not in the JSON. */
    int n_kinds;
    const FigRecordPasses *kinds; /* in the order in which they come */
    const int *kind_of;           /* [n_pattern] in kinds */
} FigRecordGroup;

/* The pattern of kinds in words: "window, window, window, full", or when that is long
 * "layers of kind window and full".
 *
 * owns     the caller; NULL where there is none
 */
char *fig_record_pattern(const FigRecordGroup *group);

typedef struct FigRecordClaim {
    const char *id;
    FigSentence say;
    const char *that; /* NULL: unchecked */
    const char *at;   /* op id, NULL: none */
    int n_also;
    const char *const *also; /* more ops that it is about */
    bool must;
    bool holds;     /* false for unchecked ones */
    const char *by; /* "structure", "run", "unchecked" */
    bool has_bound;
    double bound;
    /* "count() is 3": why it does not hold; NULL: nothing to add. For messages, not in
     * the JSON */
    const char *found;
} FigRecordClaim;

/* One attribute's or value's measured facts; all optional. */
typedef struct FigMeasuredWrite {
    const char *value;
    bool has_statistics;
    double min, max, mean, rms;
    int64_t nonfinite;
} FigMeasuredWrite;

typedef struct FigMeasuredOp {
    const char *id;
    double seconds;
    int n_writes;
    const FigMeasuredWrite *writes;
} FigMeasuredOp;

typedef struct FigMeasuredClaim {
    const char *id;
    double number;
} FigMeasuredClaim;

typedef struct FigRecord {
    FigArena *arena;
    struct FigRecordIndex *index; /* of ids, made at the first look-up; owned */
    const char *version;          /* of the program that wrote it */
    const char *name, *family;    /* of the spec; family may be NULL */
    const char *spec_digest;      /* sha256 of the spec's text, hex */
    const char *spec_text;        /* the whole text: a figure carries it */
    bool shipped;
    const char *family_status; /* "shipped", "claimed", "unchecked"; NULL without */
    FigSentence title, subtitle;
    int n_overrides;
    const char *const *overrides; /* "T=128", as given on the command line */
    int n_dims;
    const FigRecordDim *dims;
    int n_constants;
    const FigRecordConstant *constants;
    int n_evidence;
    const char *const *evidence;
    int n_values;
    const FigRecordValue *values; /* inputs, weights, then activations as written */
    int n_ops;
    const FigRecordOp *ops; /* in execution order */
    int n_groups;
    const FigRecordGroup *groups; /* parents first */
    int n_outputs;
    const char *const *outputs;
    int n_claims;
    const FigRecordClaim *claims;
    int n_notes;
    const FigSentence *notes; /* sentences without a claim */
    int n_measured_ops;
    const FigMeasuredOp *measured_ops;
    int n_measured_claims;
    const FigMeasuredClaim *measured_claims;
} FigRecord;

void fig_record_free(FigRecord *record);

const FigRecordValue *fig_record_value(const FigRecord *record, const char *id);
const FigRecordOp *fig_record_op(const FigRecord *record, const char *id);
const FigRecordDim *fig_record_dim(const FigRecord *record, const char *id);
/* The op that wrote a value, or NULL for an input or weight. */
const FigRecordOp *fig_record_writer(const FigRecord *record, const char *value);

/* A polynomial or shape of the record ("3*C") in TeX, dims by their labels: "3C".
 *
 * owns     the caller
 */
char *fig_record_tex(const FigRecord *record, const char *expression);

/* The record as JSON, keys in fixed order; with measured or without.
 *
 * owns     the caller
 */
char *fig_record_json(const FigRecord *record, bool measured);

/* sha256 of the compact JSON of `facts`, hex.
 *
 * owns     the caller
 */
char *fig_record_digest(const FigRecord *record);

/* Read a record; strict: unknown keys, missing keys, wrong types, dangling ids and
 * duplicate ids are errors that name the JSON path.
 *
 * owns     the caller; free with fig_record_free
 */
FigRecord *fig_record_read(const char *json, size_t length, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(FigRecord, fig_record_free)

#endif
