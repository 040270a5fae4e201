/* SPDX-License-Identifier: MIT
 *
 * Expressions: one grammar for dims ("ceil(8*C/3, 64)"), attributes ("1/sqrt(h_d)"),
 * conditions ("G != H"), claims ("all(abs(sum(probs, key) - 1) < 1e-6)") and placeholders
 * ("<count(class = norm)>"). This file parses and prints them; what a name means is the
 * matter of who evaluates.
 *
 *   or-expr   := and-expr { "or" and-expr }
 *   and-expr  := not-expr { "and" not-expr }
 *   not-expr  := "not" not-expr | compare
 *   compare   := sum [ ("==" | "!=" | "<" | "<=" | ">" | ">=") sum ]
 *   sum       := product { ("+" | "-") product }
 *   product   := unary { ("*" | "/") unary }
 *   unary     := "-" unary | power
 *   power     := postfix [ "^" unary ]
 *   postfix   := primary { "[" slice { "," slice } "]" }
 *   slice     := "..." | "…" | [ or-expr ] [ ":" [ or-expr ] ]
 *   primary   := number | name { "." name } | call | "(" or-expr ")" | string
 *   call      := name "(" [ argument { "," argument } ] ")"
 *   argument  := [ name "=" ] or-expr
 */
#ifndef FIG_SPEC_EXPR_H
#define FIG_SPEC_EXPR_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/poly.h"
#include "base/yaml.h"

typedef enum FigExprKind {
    FIG_EXPR_NUMBER,
    FIG_EXPR_NAME, /* "probs", "layers.1.down" */
    FIG_EXPR_STRING,
    FIG_EXPR_CALL,   /* name(args) */
    FIG_EXPR_UNARY,  /* "-", "not" */
    FIG_EXPR_BINARY, /* "+" … "or" */
    FIG_EXPR_INDEX, /* args[0] [ args[1…] ], slices as FIG_EXPR_SLICE or an expression */
    FIG_EXPR_SLICE, /* from : to; either may be NULL */
    FIG_EXPR_REST,  /* "...": as many whole axes as no other slice speaks of */
} FigExprKind;

typedef enum FigOperator {
    FIG_ADD,
    FIG_SUB,
    FIG_MUL,
    FIG_DIV,
    FIG_POW,
    FIG_NEG,
    FIG_EQ,
    FIG_NE,
    FIG_LT,
    FIG_LE,
    FIG_GT,
    FIG_GE,
    FIG_AND,
    FIG_OR,
    FIG_NOT,
} FigOperator;

typedef struct FigExpr FigExpr;
struct FigExpr {
    FigExprKind kind;
    FigSpan span;     /* of the whole expression, in the source of the scalar */
    FigOperator sign; /* UNARY, BINARY */
    const char *name; /* NAME, STRING, CALL; NUMBER: as written */
    int height;       /* levels of parts, from 1: at most FIG_LIMIT_CHAIN */
    double real;      /* NUMBER */
    bool exact;       /* NUMBER: is it num / den exactly? ("64", "0.5", not "1e300") */
    FigRational rational; /* NUMBER, when exact */
    int n_args;           /* CALL, INDEX; UNARY 1, BINARY 2, SLICE 2 */
    const FigExpr **args;
    const char **arg_names; /* CALL: the keyword of each argument, or NULL */
};

/* Parse all of a scalar's text.
 *
 * owns     arena
 * errors   at the column inside the scalar; NULL
 */
const FigExpr *fig_expr_parse(const FigYaml *scalar, FigArena *arena, FigDiag *diag);

/* The same for a text inside a scalar (a placeholder), offset bytes from its start. */
const FigExpr *fig_expr_parse_part(const FigYaml *scalar, size_t offset, size_t length,
                                   FigArena *arena, FigDiag *diag);

/* The same for a text with no place (--dims, a figure's data-number); span.source may be
 * NULL. */
const FigExpr *fig_expr_parse_text(const char *text, FigSpan span, FigArena *arena,
                                   FigDiag *diag);

/* What a name means in an evaluation over dims. Return NULL for an unknown name. */
typedef const FigPoly *(*FigNameToPoly)(const char *name, void *data);

/* Evaluate an exact expression over dims (+ - * / ^, ceil, floor, min, max) as a
 * polynomial.
 *
 * owns     algebra
 * errors   unknown name (with suggestion from names), division by zero, overflow, a
 *          function that is not one of dims, at the part's place; NULL
 */
const FigPoly *fig_expr_poly(const FigExpr *expr, FigAlgebra *algebra,
                             FigNameToPoly lookup, void *data, const char *const *names,
                             FigDiag *diag);

/* What an operator makes of two numbers, as floating point has it; one without a second
 * operand makes it of a. Comparisons, and, or and not give 1 or 0. */
double fig_operate(FigOperator sign, double a, double b);

/* Evaluate a real expression (the same, and sqrt, exp, log, abs; comparisons, and, or and
 * not give 1 or 0); lookup gives a name's value at the sizes of this run, false if
 * unknown. */
typedef bool (*FigNameToReal)(const char *name, void *data, double *value);
bool fig_expr_real(const FigExpr *expr, FigNameToReal lookup, void *data,
                   const char *const *names, FigDiag *diag, double *value);

/* The expression as text, with the fewest parentheses.
 *
 * owns     the caller
 */
char *fig_expr_text(const FigExpr *expr);

/* The expression in the TeX subset ("8C/3", "1/\sqrt{h_d}", "\lceil …" is written
 * "ceil(…)"); label gives a name's TeX.
 *
 * owns     the caller
 */
typedef const char *(*FigNameToTex)(const char *name, void *data);
char *fig_expr_tex(const FigExpr *expr, FigNameToTex label, void *data);

/* A polynomial's text in TeX: "3*C" as "3C", "H*h_d" as "H h_d".
 *
 * owns     the caller
 */
char *fig_poly_tex(FigAlgebra *algebra, const FigPoly *poly, FigNameToTex label,
                   void *data);

#endif
