/* SPDX-License-Identifier: MIT
 *
 * The parser of expressions: recursive descent over the grammar in spec/expr.h, one
 * function a rule, with caps on length and depth. Every node keeps its place inside the
 * scalar it was read from, so that whoever evaluates can point at it.
 */
#include "spec/expr.h"

#include "base/limit.h"
#include "base/num.h"

#include <string.h>

typedef struct Parser {
    const char *text; /* NUL-terminated copy */
    size_t at;        /* byte read next */
    int depth;
    bool failed;
    FigArena *arena;
    FigDiag *diag;
    const FigYaml *scalar; /* where text stands, offset bytes into it; or NULL: … */
    size_t offset;
    FigSpan span; /* … text stands at span, or nowhere */
} Parser;

static FigSpan
place(const Parser *p, size_t start, size_t length)
{
    if (p->scalar)
        return fig_yaml_span(p->scalar, p->offset + start, length);
    return fig_span_inside(p->span, start, length);
}

/* The first mistake ends the parse; those that follow from it are not reported. */
#define fail(p, start, length, ...)                                                    \
    ((p)->failed                                                                       \
         ? NULL                                                                        \
         : ((p)->failed = true,                                                        \
            fig_diag_error((p)->diag, place((p), (start), (length)), __VA_ARGS__)))

static char
look(Parser *p)
{
    while (p->text[p->at] == ' ' || p->text[p->at] == '\n' || p->text[p->at] == '\t')
        p->at++;
    return p->text[p->at];
}

static bool
is_word(char c)
{
    return g_ascii_isalnum(c) || c == '_';
}

/* Take a sign or a keyword, if it stands here. */
static bool
take(Parser *p, const char *token)
{
    size_t length = strlen(token);
    look(p);
    if (strncmp(p->text + p->at, token, length) != 0)
        return false;
    if (is_word(token[0]) && is_word(p->text[p->at + length]))
        return false;
    p->at += length;
    return true;
}

/* The characters of the token that stands here, for a message. */
static size_t
token_length(Parser *p)
{
    const char *start = p->text + p->at, *end = start;
    while (is_word(*end))
        end++;
    if (end == start && *end)
        end = g_utf8_next_char(end);
    return (size_t)(end - start);
}

/* What other languages write. */
static void
fail_foreign(Parser *p, size_t at, size_t length, const char *wanted)
{
    static const struct {
        const char *found, *hint;
    } foreign[] = {
        {"&&", "‘and’"},
        {"||", "‘or’"},
        {"!", "‘not’"},
        {"**", "a power is written ‘^’"},
        {"//", "floor(a / b) is the whole part of a quotient"},
    };
    const char *hint = NULL;
    for (size_t i = 0; !hint && i < G_N_ELEMENTS(foreign); i++) {
        const char *found = foreign[i].found;
        /* the second of two signs is met where the first was taken as an operator */
        if (at > 0 && found[1] && strncmp(p->text + at - 1, found, 2) == 0) {
            at--;
            length++;
            hint = foreign[i].hint;
        } else if (strncmp(p->text + at, found, strlen(found)) == 0) {
            length = strlen(found);
            hint = foreign[i].hint;
        }
    }
    if (p->text[at] == ',' && at > 0 && g_ascii_isdigit(p->text[at - 1]) &&
        g_ascii_isdigit(p->text[at + 1]))
        hint = "a number is written without commas";
    FigMessage *message = fail(p, at, length, "‘%.*s’ where %s is wanted", (int)length,
                               p->text + at, wanted);
    if (message && hint)
        fig_message_hint(message, "%s", hint);
}

static void
fail_here(Parser *p, const char *wanted)
{
    look(p);
    size_t length = token_length(p), at = p->at;
    if (!length)
        fail(p, at ? at - 1 : 0, 1, "the expression ends where %s is wanted", wanted);
    else
        fail_foreign(p, at, length, wanted);
}

static FigExpr *
node(Parser *p, FigExprKind kind, size_t start)
{
    FigExpr *expr = fig_arena_new0(p->arena, FigExpr);
    size_t end = p->at; /* behind a blank, where what follows was looked for */
    while (end > start && strchr(" \n\t", p->text[end - 1]))
        end--;
    expr->kind = kind;
    expr->span = place(p, start, end - start);
    expr->height = 1;
    return expr;
}

/* Note how high the tree has become; whoever evaluates it recurses that far. */
static const FigExpr *
finish(Parser *p, FigExpr *expr)
{
    for (int i = 0; i < expr->n_args; i++)
        if (expr->args[i])
            expr->height = MAX(expr->height, expr->args[i]->height + 1);
    if (expr->height <= FIG_LIMIT_CHAIN)
        return expr;
    fail(p, p->at - 1, 1, "the expression has more than %d operators on each other",
         FIG_LIMIT_CHAIN);
    return NULL;
}

static const FigExpr *
node_with(Parser *p, FigExprKind kind, FigOperator sign, size_t start,
          const FigExpr *first, const FigExpr *second)
{
    FigExpr *expr = node(p, kind, start);
    expr->sign = sign;
    expr->n_args = kind == FIG_EXPR_UNARY ? 1 : 2;
    expr->args = fig_arena_new_array(p->arena, const FigExpr *, 2);
    expr->args[0] = first;
    expr->args[1] = second;
    return finish(p, expr);
}

static const FigExpr *parse_or(Parser *p);
static const FigExpr *parse_unary(Parser *p);

static bool
enter(Parser *p)
{
    if (++p->depth <= FIG_LIMIT_DEPTH)
        return true;
    fail(p, p->at, 1, "the expression is nested deeper than %d", FIG_LIMIT_DEPTH);
    return false;
}

/* ---- numbers, names, calls ---- */

/* The exact value of digits "64", "0.5", "1e-6"; false beyond 63 bits. */
static bool
exact_number(const char *text, size_t length, FigRational *value)
{
    int64_t mantissa = 0;
    int scale = 0, exponent = 0;
    bool point = false, negative = false;
    size_t i = 0;
    for (; i < length && text[i] != 'e' && text[i] != 'E'; i++) {
        if (text[i] == '.') {
            point = true;
            continue;
        }
        if (__builtin_mul_overflow(mantissa, 10, &mantissa) ||
            __builtin_add_overflow(mantissa, text[i] - '0', &mantissa))
            return false;
        scale -= point;
    }
    for (i++; i < length; i++) {
        if (text[i] == '-')
            negative = true;
        else if (text[i] != '+')
            exponent = MIN(exponent * 10 + (text[i] - '0'), 10000);
    }
    scale += negative ? -exponent : exponent;
    FigRational power;
    return !fig_rational_power((FigRational){10, 1}, scale, &power) &&
           !fig_rational_mul((FigRational){mantissa, 1}, power, value);
}

static const FigExpr *
parse_number(Parser *p)
{
    size_t start = p->at;
    const char *text = p->text;
    while (g_ascii_isdigit(text[p->at]))
        p->at++;
    if (text[p->at] == '.' && g_ascii_isdigit(text[p->at + 1]))
        for (p->at++; g_ascii_isdigit(text[p->at]);)
            p->at++;
    if (text[p->at] == 'e' || text[p->at] == 'E') {
        size_t sign = text[p->at + 1] == '-' || text[p->at + 1] == '+';
        if (g_ascii_isdigit(text[p->at + 1 + sign]))
            for (p->at += 1 + sign; g_ascii_isdigit(text[p->at]);)
                p->at++;
    }
    size_t length = p->at - start;
    if (is_word(text[p->at]) || text[p->at] == '.') {
        FigMessage *message =
            fail(p, start, length + token_length(p), "‘%.*s’ is no number",
                 (int)(length + token_length(p)), text + start);
        bool base = length == 1 && text[start] == '0'; /* 0x10 */
        if (message && text[p->at] == '_')
            fig_message_hint(message, "a number is written without ‘_’");
        else if (message && base)
            fig_message_hint(message, "a number is written in tens");
        else if (message && is_word(text[p->at]))
            fig_message_hint(message, "a product is written %.*s*%.*s", (int)length,
                             text + start, (int)token_length(p), text + p->at);
        return NULL;
    }
    FigExpr *expr = node(p, FIG_EXPR_NUMBER, start);
    expr->name = fig_arena_strndup(p->arena, text + start, length);
    expr->exact = exact_number(text + start, length, &expr->rational);
    if (!fig_num_read_real(expr->name, &expr->real)) {
        fail(p, start, length, "‘%s’ is beyond every number", expr->name);
        return NULL;
    }
    return expr;
}

static const FigExpr *
parse_string(Parser *p, char quote)
{
    size_t start = p->at++;
    const char *end = strchr(p->text + p->at, quote);
    if (!end) {
        fail(p, start, 1, "the quote is not closed");
        return NULL;
    }
    const char *first = p->text + p->at;
    p->at = (size_t)(end - p->text) + 1;
    FigExpr *expr = node(p, FIG_EXPR_STRING, start);
    expr->name = fig_arena_strndup(p->arena, first, (size_t)(end - first));
    return expr;
}

/* [ name "=" ] or-expr; a single "=" is no operator, so that it is seen at once. */
static const FigExpr *
parse_argument(Parser *p, const char **keyword)
{
    look(p);
    size_t start = p->at, end = start;
    while (is_word(p->text[end]))
        end++;
    size_t sign = end;
    while (p->text[sign] == ' ')
        sign++;
    *keyword = NULL;
    if (end > start && g_ascii_isalpha(p->text[start]) && p->text[sign] == '=' &&
        p->text[sign + 1] != '=') {
        *keyword = fig_arena_strndup(p->arena, p->text + start, end - start);
        p->at = sign + 1;
    }
    return parse_or(p);
}

static const FigExpr *
parse_call(Parser *p, size_t start, const char *name)
{
    size_t open = p->at - 1;
    g_autoptr(GPtrArray) args = g_ptr_array_new();
    g_autoptr(GPtrArray) keywords = g_ptr_array_new();
    if (!take(p, ")")) {
        do {
            const char *keyword;
            const FigExpr *arg = parse_argument(p, &keyword);
            if (!arg)
                return NULL;
            g_ptr_array_add(args, (gpointer)arg);
            g_ptr_array_add(keywords, (gpointer)keyword);
        } while (take(p, ","));
        if (!take(p, ")")) {
            if (look(p))
                fail_here(p, "‘,’ or ‘)’");
            else
                fail(p, open, 1, "‘(’ is not closed");
            return NULL;
        }
    }
    FigExpr *expr = node(p, FIG_EXPR_CALL, start);
    expr->name = name;
    expr->n_args = (int)args->len;
    if (args->len) {
        expr->args =
            fig_arena_copy(p->arena, args->pdata, sizeof(gpointer) * args->len);
        expr->arg_names =
            fig_arena_copy(p->arena, keywords->pdata, sizeof(gpointer) * args->len);
    }
    return finish(p, expr);
}

static const FigExpr *
parse_name(Parser *p)
{
    size_t start = p->at;
    while (is_word(p->text[p->at]) ||
           (p->text[p->at] == '.' && is_word(p->text[p->at + 1])))
        p->at++;
    const char *name = fig_arena_strndup(p->arena, p->text + start, p->at - start);
    if (strcmp(name, "and") == 0 || strcmp(name, "or") == 0 ||
        strcmp(name, "not") == 0) {
        p->at = start;
        fail_here(p, "a number, a name or ‘(’");
        return NULL;
    }
    if (p->text[p->at] == '(') {
        p->at++;
        return parse_call(p, start, name);
    }
    FigExpr *expr = node(p, FIG_EXPR_NAME, start);
    expr->name = name;
    return expr;
}

static const FigExpr *
parse_primary(Parser *p)
{
    char c = look(p);
    if (g_ascii_isdigit(c) || (c == '.' && g_ascii_isdigit(p->text[p->at + 1])))
        return parse_number(p);
    if (g_ascii_isalpha(c) || c == '_')
        return parse_name(p);
    if (c == '\'' || c == '"')
        return parse_string(p, c);
    if (c == '(') {
        size_t start = p->at++;
        const FigExpr *inner = parse_or(p);
        if (!inner)
            return NULL;
        if (take(p, ")"))
            return inner;
        if (look(p))
            fail_here(p, "an operator or ‘)’");
        else
            fail(p, start, 1, "‘(’ is not closed");
        return NULL;
    }
    fail_here(p, "a number, a name or ‘(’");
    return NULL;
}

/* "..." | "…" | [ or-expr ] [ ":" [ or-expr ] ] */
static const FigExpr *
parse_slice(Parser *p)
{
    look(p);
    size_t start = p->at;
    const FigExpr *from = NULL, *to = NULL;
    if (take(p, "...") || take(p, "…"))
        return node(p, FIG_EXPR_REST, start);
    if (look(p) != ':') {
        from = parse_or(p);
        if (!from || look(p) != ':')
            return from;
    }
    take(p, ":");
    if (look(p) != ',' && look(p) != ']') {
        to = parse_or(p);
        if (!to)
            return NULL;
    }
    return node_with(p, FIG_EXPR_SLICE, FIG_ADD, start, from, to);
}

static const FigExpr *
parse_postfix(Parser *p)
{
    look(p);
    size_t start = p->at;
    const FigExpr *expr = parse_primary(p);
    while (expr && look(p) == '[') {
        size_t open = p->at++;
        g_autoptr(GPtrArray) args = g_ptr_array_new();
        g_ptr_array_add(args, (gpointer)expr);
        do {
            const FigExpr *slice = parse_slice(p);
            if (!slice)
                return NULL;
            g_ptr_array_add(args, (gpointer)slice);
        } while (take(p, ","));
        if (!take(p, "]")) {
            if (look(p))
                fail_here(p, "‘,’ or ‘]’");
            else
                fail(p, open, 1, "‘[’ is not closed");
            return NULL;
        }
        FigExpr *index = node(p, FIG_EXPR_INDEX, start);
        index->n_args = (int)args->len;
        index->args =
            fig_arena_copy(p->arena, args->pdata, sizeof(gpointer) * args->len);
        expr = finish(p, index);
    }
    return expr;
}

/* ---- operators, from the tightest to the loosest ---- */

static const FigExpr *
parse_power(Parser *p)
{
    look(p);
    size_t start = p->at;
    const FigExpr *base = parse_postfix(p);
    if (!base || !take(p, "^"))
        return base;
    const FigExpr *exponent = enter(p) ? parse_unary(p) : NULL;
    p->depth--;
    return exponent ? node_with(p, FIG_EXPR_BINARY, FIG_POW, start, base, exponent)
                    : NULL;
}

static const FigExpr *
parse_unary(Parser *p)
{
    look(p);
    size_t start = p->at;
    if (!take(p, "-"))
        return parse_power(p);
    const FigExpr *inner = enter(p) ? parse_unary(p) : NULL;
    p->depth--;
    return inner ? node_with(p, FIG_EXPR_UNARY, FIG_NEG, start, inner, NULL) : NULL;
}

static const FigExpr *
parse_product(Parser *p)
{
    look(p);
    size_t start = p->at;
    const FigExpr *left = parse_unary(p);
    while (left) {
        FigOperator sign;
        if (take(p, "*"))
            sign = FIG_MUL;
        else if (take(p, "/"))
            sign = FIG_DIV;
        else
            break;
        const FigExpr *right = parse_unary(p);
        left = right ? node_with(p, FIG_EXPR_BINARY, sign, start, left, right) : NULL;
    }
    return left;
}

static const FigExpr *
parse_sum(Parser *p)
{
    look(p);
    size_t start = p->at;
    const FigExpr *left = parse_product(p);
    while (left) {
        FigOperator sign;
        if (take(p, "+"))
            sign = FIG_ADD;
        else if (take(p, "-"))
            sign = FIG_SUB;
        else
            break;
        const FigExpr *right = parse_product(p);
        left = right ? node_with(p, FIG_EXPR_BINARY, sign, start, left, right) : NULL;
    }
    return left;
}

static bool
take_comparison(Parser *p, FigOperator *sign)
{
    static const struct {
        const char *text;
        FigOperator sign;
    } signs[] = {{"==", FIG_EQ}, {"!=", FIG_NE}, {"<=", FIG_LE},
                 {">=", FIG_GE}, {"<", FIG_LT},  {">", FIG_GT}};
    for (size_t i = 0; i < G_N_ELEMENTS(signs); i++) {
        if (take(p, signs[i].text)) {
            *sign = signs[i].sign;
            return true;
        }
    }
    return false;
}

static const FigExpr *
parse_compare(Parser *p)
{
    look(p);
    size_t start = p->at;
    FigOperator sign, second;
    const FigExpr *left = parse_sum(p);
    if (!left || !take_comparison(p, &sign))
        return left;
    const FigExpr *right = parse_sum(p);
    if (!right)
        return NULL;
    size_t again = p->at;
    if (take_comparison(p, &second)) {
        p->at = again;
        look(p);
        fail(p, p->at, 1, "a second comparison; two are joined with ‘and’");
        return NULL;
    }
    return node_with(p, FIG_EXPR_BINARY, sign, start, left, right);
}

static const FigExpr *
parse_not(Parser *p)
{
    look(p);
    size_t start = p->at;
    if (!take(p, "not"))
        return parse_compare(p);
    const FigExpr *inner = enter(p) ? parse_not(p) : NULL;
    p->depth--;
    return inner ? node_with(p, FIG_EXPR_UNARY, FIG_NOT, start, inner, NULL) : NULL;
}

static const FigExpr *
parse_and(Parser *p)
{
    look(p);
    size_t start = p->at;
    const FigExpr *left = parse_not(p);
    while (left && take(p, "and")) {
        const FigExpr *right = parse_not(p);
        left =
            right ? node_with(p, FIG_EXPR_BINARY, FIG_AND, start, left, right) : NULL;
    }
    return left;
}

static const FigExpr *
parse_or(Parser *p)
{
    const FigExpr *left = NULL;
    look(p);
    size_t start = p->at;
    if (enter(p)) {
        left = parse_and(p);
        while (left && take(p, "or")) {
            const FigExpr *right = parse_and(p);
            left = right ? node_with(p, FIG_EXPR_BINARY, FIG_OR, start, left, right)
                         : NULL;
        }
    }
    p->depth--;
    return left;
}

static const FigExpr *
parse_all(Parser *p, size_t length)
{
    if (length > FIG_LIMIT_EXPRESSION) {
        fail(p, 0, length, "the expression is longer than %d bytes",
             FIG_LIMIT_EXPRESSION);
        return NULL;
    }
    if (!look(p)) {
        fail(p, 0, length, "the expression is empty");
        return NULL;
    }
    const FigExpr *expr = parse_or(p);
    if (!expr)
        return NULL;
    if (look(p) == '=') {
        fail(p, p->at, 1, "‘=’ where an operator is wanted; equality is ‘==’");
        return NULL;
    }
    if (look(p)) {
        fail_here(p, "an operator");
        return NULL;
    }
    return expr;
}

const FigExpr *
fig_expr_parse_part(const FigYaml *scalar, size_t offset, size_t length,
                    FigArena *arena, FigDiag *diag)
{
    g_assert(scalar->kind == FIG_YAML_SCALAR);
    g_autofree char *copy = g_strndup(scalar->text + offset, length);
    Parser p = {
        .text = copy, .arena = arena, .diag = diag, .scalar = scalar, .offset = offset};
    return parse_all(&p, length);
}

const FigExpr *
fig_expr_parse(const FigYaml *scalar, FigArena *arena, FigDiag *diag)
{
    return fig_expr_parse_part(scalar, 0, strlen(scalar->text), arena, diag);
}

const FigExpr *
fig_expr_parse_text(const char *text, FigSpan span, FigArena *arena, FigDiag *diag)
{
    Parser p = {.text = text, .arena = arena, .diag = diag, .span = span};
    return parse_all(&p, strlen(text));
}
