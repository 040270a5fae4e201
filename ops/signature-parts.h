/* SPDX-License-Identifier: MIT
 *
 * A signature after parsing: what signature.c gives to signature-bind.c.
 */
#ifndef FIG_OPS_SIGNATURE_PARTS_H
#define FIG_OPS_SIGNATURE_PARTS_H

#include "ops/signature.h"

#include <glib.h>

typedef enum FigAxisKind {
    FIG_AXIS_NAME,     /* d */
    FIG_AXIS_ELLIPSIS, /* ... */
    FIG_AXIS_PRODUCT,  /* (heads d), (2 p) */
    FIG_AXIS_TERMS,    /* (from + t), (to - from) */
    FIG_AXIS_SUM,      /* sum(sizes) */
    FIG_AXIS_ITEM,     /* sizes[i] */
} FigAxisKind;

enum { FIG_SIGNATURE_FACTORS = 4 }; /* of one product axis, names of one condition */

typedef struct FigAxis {
    FigAxisKind kind;
    bool mixed;       /* "!" */
    const char *name; /* NAME, SUM, ITEM */
    int ellipsis;     /* ELLIPSIS: 0 for the first of its port, 1 for the second */
    int n_factors; /* PRODUCT: names, or numbers where the name is NULL; TERMS: … */
    const char *factor[FIG_SIGNATURE_FACTORS];
    int64_t number[FIG_SIGNATURE_FACTORS]; /* … names, 1 or −1 as added or subtracted */
} FigAxis;

typedef struct FigPort {
    const char *name;
    bool list; /* y[i]: […] */
    int n_axes;
    FigAxis axis[FIG_LIMIT_RANK];
    bool whole;           /* "< v", "< 2": whole numbers from 0, below … */
    const char *below;    /* … a size, or NULL: … */
    int64_t below_number; /* … a number */
} FigPort;

typedef struct FigAlternative {
    const char *text;      /* as written, for messages */
    const char *attribute; /* "transpose", or NULL: when no such condition holds */
    const char *word;      /* "b" */
    int n_in, n_out;
    const FigPort *in, *out;
    int n_order; /* "where from < to <= axis": names from small to large, and … */
    const char *order[FIG_SIGNATURE_FACTORS];
    bool below[FIG_SIGNATURE_FACTORS]; /* … is this one truly below the next? */
} FigAlternative;

typedef struct FigSignature {
    int n_alternatives;
    const FigAlternative *alternatives;
} FigSignature;

/* The parsed signature of an op; one that does not parse ends the program (a test checks
 * them all). */
const FigSignature *fig_signature_get(const FigOp *op);

/* The attribute of that name, and its place in *index; NULL: none. */
const FigAttr *fig_signature_attr(const FigOp *op, const char *name, int *index);

/* Is this the alternative's condition for these attributes? (An alternative without a
 * condition is for when no condition of the signature holds.) */
bool fig_signature_applies(const FigOp *op, const FigSignature *signature,
                           const FigAlternative *alternative, const FigAttrValue *attr);

#endif
