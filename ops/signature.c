/* SPDX-License-Identifier: MIT
 *
 * The notation of signatures: parsed once per text, asked for its ports, and checked for
 * sense (every axis of a result bound, every attribute there).
 */
#include "ops/signature.h"
#include "ops/signature-parts.h"

#include <string.h>

typedef struct Parser {
    const char *at;
    FigArena *arena;
    char *why; /* the first mistake */
} Parser;

static void
skip(Parser *p)
{
    while (*p->at == ' ' || *p->at == '\n')
        p->at++;
}

static bool
take(Parser *p, const char *token)
{
    skip(p);
    if (!g_str_has_prefix(p->at, token))
        return false;
    p->at += strlen(token);
    return true;
}

static bool
fail(Parser *p, const char *wanted)
{
    if (!p->why)
        p->why = g_strdup_printf("%s wanted at ‘%s’", wanted, p->at);
    return false;
}

static const char *
take_name(Parser *p)
{
    skip(p);
    const char *start = p->at;
    if (g_ascii_isalpha(*p->at))
        while (g_ascii_isalnum(*p->at) || *p->at == '_')
            p->at++;
    if (p->at == start)
        return NULL;
    return fig_arena_strndup(p->arena, start, (size_t)(p->at - start));
}

/* What stands in parentheses: "heads d", "from + t". */
static bool
parse_product(Parser *p, FigAxis *axis)
{
    axis->kind = FIG_AXIS_PRODUCT;
    while (!take(p, ")")) {
        if (axis->n_factors == FIG_SIGNATURE_FACTORS)
            return fail(p, "‘)’");
        int sign = take(p, "+") ? 1 : take(p, "-") ? -1 : 0;
        if (sign && axis->n_factors == 1 && axis->factor[0])
            axis->kind = FIG_AXIS_TERMS;
        skip(p);
        if (axis->n_factors && !sign != (axis->kind == FIG_AXIS_PRODUCT))
            return fail(p, sign ? "a factor" : "‘+’ or ‘-’");
        if (g_ascii_isdigit(*p->at) && axis->kind == FIG_AXIS_PRODUCT) {
            axis->number[axis->n_factors++] =
                g_ascii_strtoll(p->at, (char **)&p->at, 10);
            continue;
        }
        const char *name = take_name(p);
        if (!name)
            return fail(p, "a name, a number or ‘)’");
        axis->number[axis->n_factors] = sign < 0 ? -1 : 1;
        axis->factor[axis->n_factors++] = name;
    }
    return axis->n_factors > 0 || fail(p, "a factor");
}

static bool
parse_axes(Parser *p, FigPort *port)
{
    int ellipses = 0;
    if (!take(p, "["))
        return fail(p, "‘[’");
    while (!take(p, "]")) {
        if (port->n_axes == FIG_LIMIT_RANK)
            return fail(p, "‘]’");
        FigAxis *axis = &port->axis[port->n_axes++];
        if (take(p, "...")) {
            axis->kind = FIG_AXIS_ELLIPSIS;
            axis->ellipsis = ellipses++;
        } else if (take(p, "(")) {
            if (!parse_product(p, axis))
                return false;
        } else {
            axis->name = take_name(p);
            if (!axis->name)
                return fail(p, "an axis or ‘]’");
            if (take(p, "[i]")) {
                axis->kind = FIG_AXIS_ITEM;
            } else if (strcmp(axis->name, "sum") == 0 && take(p, "(")) {
                axis->kind = FIG_AXIS_SUM;
                axis->name = take_name(p);
                if (!axis->name || !take(p, ")"))
                    return fail(p, "the name of a list and ‘)’");
            }
        }
        axis->mixed = take(p, "!");
    }
    return true;
}

static const FigPort *
parse_ports(Parser *p, int *n_ports)
{
    g_autoptr(GArray) ports = g_array_new(FALSE, TRUE, sizeof(FigPort));
    do {
        FigPort port = {.name = take_name(p)};
        if (!port.name) {
            fail(p, "a port");
            return NULL;
        }
        port.list = take(p, "[i]:");
        if (!parse_axes(p, &port))
            return NULL;
        port.whole = take(p, "<");
        skip(p);
        if (port.whole && g_ascii_isdigit(*p->at)) {
            port.below_number = g_ascii_strtoll(p->at, (char **)&p->at, 10);
        } else if (port.whole) {
            port.below = take_name(p);
            if (!port.below) {
                fail(p, "a size or a number");
                return NULL;
            }
        }
        g_array_append_val(ports, port);
    } while (take(p, ","));
    *n_ports = (int)ports->len;
    return fig_arena_copy(p->arena, ports->data, sizeof(FigPort) * ports->len);
}

/* "where from < to <= axis" */
static bool
parse_order(Parser *p, FigAlternative *alternative)
{
    do {
        int n = alternative->n_order;
        if (n == FIG_SIGNATURE_FACTORS)
            return fail(p, "the end");
        alternative->order[n] = take_name(p);
        if (!alternative->order[n])
            return fail(p, "a name");
        alternative->n_order++;
        if (take(p, "<="))
            continue;
        alternative->below[n] = take(p, "<");
        if (!alternative->below[n])
            break;
    } while (true);
    return alternative->n_order > 1 || fail(p, "‘<’ or ‘<=’");
}

static FigSignature *
parse(const char *text, FigArena *arena, char **why)
{
    Parser p = {text, arena, NULL};
    g_autoptr(GArray) alternatives = g_array_new(FALSE, TRUE, sizeof(FigAlternative));
    const char *attribute = NULL, *word = NULL;
    for (;;) {
        FigAlternative alternative = {.attribute = attribute, .word = word};
        skip(&p);
        const char *start = p.at;
        alternative.in = parse_ports(&p, &alternative.n_in);
        if (!p.why && !take(&p, "->"))
            fail(&p, "‘->’");
        if (!p.why)
            alternative.out = parse_ports(&p, &alternative.n_out);
        if (!p.why && take(&p, "where "))
            parse_order(&p, &alternative);
        if (p.why)
            break;
        alternative.text =
            g_strstrip(fig_arena_strndup(arena, start, (size_t)(p.at - start)));
        g_array_append_val(alternatives, alternative);
        if (take(&p, "|"))
            continue;
        if (!take(&p, ";"))
            break;
        attribute = take_name(&p);
        bool equals = attribute && take(&p, "=");
        word = equals ? take_name(&p) : NULL;
        if (!word || !take(&p, ":")) {
            fail(&p, "‘attribute = word:’");
            break;
        }
    }
    skip(&p);
    if (!p.why && *p.at)
        fail(&p, "the end");
    if (p.why) {
        *why = p.why;
        return NULL;
    }
    FigSignature *signature = fig_arena_new0(arena, FigSignature);
    signature->n_alternatives = (int)alternatives->len;
    signature->alternatives = fig_arena_copy(
        arena, alternatives->data, sizeof(FigAlternative) * alternatives->len);
    return signature;
}

/* Parsed signatures by text, kept for the life of the process. */
static const FigSignature *
lookup(const char *text, char **why)
{
    static GHashTable *parsed;
    static FigArena *arena;
    if (!parsed) {
        parsed = g_hash_table_new(g_str_hash, g_str_equal);
        arena = fig_arena_new();
    }
    FigSignature *signature = g_hash_table_lookup(parsed, text);
    if (!signature) {
        signature = parse(text, arena, why);
        if (signature)
            g_hash_table_insert(parsed, fig_arena_strdup(arena, text), signature);
    }
    return signature;
}

const FigSignature *
fig_signature_get(const FigOp *op)
{
    g_autofree char *why = NULL;
    const FigSignature *signature = lookup(op->signature, &why);
    if (!signature)
        g_error("%s: signature ‘%s’: %s", op->name, op->signature, why);
    return signature;
}

const FigAttr *
fig_signature_attr(const FigOp *op, const char *name, int *index)
{
    for (int i = 0; op->attrs && op->attrs[i].name; i++) {
        if (strcmp(op->attrs[i].name, name) == 0) {
            *index = i;
            return &op->attrs[i];
        }
    }
    return NULL;
}

static bool
condition_holds(const FigOp *op, const FigAlternative *alternative,
                const FigAttrValue *attr)
{
    int index;
    const FigAttr *row = fig_signature_attr(op, alternative->attribute, &index);
    int word = fig_attr_word(row, alternative->word);
    return word ==
           (row->type == FIG_ATTR_BOOL ? (int)attr[index].dim : attr[index].word);
}

bool
fig_signature_applies(const FigOp *op, const FigSignature *signature,
                      const FigAlternative *alternative, const FigAttrValue *attr)
{
    if (alternative->attribute)
        return condition_holds(op, alternative, attr);
    for (int i = 0; i < signature->n_alternatives; i++)
        if (signature->alternatives[i].attribute &&
            condition_holds(op, &signature->alternatives[i], attr))
            return false;
    return true;
}

/* ---- ports ---- */

/* The alternative with the most operands names them all. */
static const FigAlternative *
widest(const FigOp *op)
{
    const FigSignature *signature = fig_signature_get(op);
    const FigAlternative *best = &signature->alternatives[0];
    for (int i = 1; i < signature->n_alternatives; i++)
        if (signature->alternatives[i].n_in > best->n_in)
            best = &signature->alternatives[i];
    return best;
}

int
fig_signature_inputs(const FigOp *op)
{
    return widest(op)->n_in;
}

int
fig_signature_least_inputs(const FigOp *op)
{
    const FigSignature *signature = fig_signature_get(op);
    int least = signature->alternatives[0].n_in;
    for (int i = 1; i < signature->n_alternatives; i++)
        least = MIN(least, signature->alternatives[i].n_in);
    return least;
}

int
fig_signature_outputs(const FigOp *op)
{
    const FigAlternative *alternative = widest(op);
    return alternative->out[0].list ? -1 : alternative->n_out;
}

const char *
fig_signature_input(const FigOp *op, int port)
{
    const FigAlternative *alternative = widest(op);
    g_assert(port >= 0 && port < alternative->n_in);
    return alternative->in[port].name;
}

FigType
fig_signature_input_type(const FigOp *op, int port, FigType real)
{
    const FigAlternative *alternative = widest(op);
    g_assert(port >= 0 && port < alternative->n_in);
    const FigPort *in = &alternative->in[port];
    if (!in->whole)
        return real;
    return !in->below && in->below_number == 2 ? FIG_U8 : FIG_I64;
}

const char *
fig_signature_output(const FigOp *op, int port)
{
    const FigAlternative *alternative = widest(op);
    g_assert(port >= 0 && (alternative->out[0].list || port < alternative->n_out));
    return alternative->out[alternative->out[0].list ? 0 : port].name;
}

int
fig_signature_alternatives(const FigOp *op)
{
    return fig_signature_get(op)->n_alternatives;
}

/* ---- is it well formed? ---- */

typedef struct Check {
    const FigOp *op;
    GHashTable *bound; /* names of axes that operands give */
    int ellipses;      /* how many kinds of … operands give */
    bool parted;       /* has an operand two of them, around an axis attribute? */
} Check;

static bool
attr_is(const Check *check, const char *name, FigAttrType type)
{
    int index;
    const FigAttr *attr = fig_signature_attr(check->op, name, &index);
    return attr && attr->type == type;
}

static bool
known(const Check *check, const char *name)
{
    return !name || g_hash_table_contains(check->bound, name) ||
           attr_is(check, name, FIG_ATTR_DIM);
}

/* Note what an operand binds; products wait for the second pass. */
static void
bind_names(Check *check, const FigPort *port)
{
    for (int i = 0; i < port->n_axes; i++) {
        const FigAxis *axis = &port->axis[i];
        if (axis->kind == FIG_AXIS_NAME)
            g_hash_table_add(check->bound, (gpointer)axis->name);
        else if (axis->kind == FIG_AXIS_ELLIPSIS)
            check->ellipses = MAX(check->ellipses, axis->ellipsis + 1);
    }
}

static char *
check_port(Check *check, const FigPort *port, bool result)
{
    int ellipses = 0;
    bool has_axis_attr = false;
    for (int i = 0; i < port->n_axes; i++) {
        const FigAxis *axis = &port->axis[i];
        ellipses += axis->kind == FIG_AXIS_ELLIPSIS;
        if (axis->kind == FIG_AXIS_NAME && attr_is(check, axis->name, FIG_ATTR_AXIS))
            has_axis_attr = true;
        if (axis->kind == FIG_AXIS_ELLIPSIS && axis->ellipsis >= check->ellipses)
            return g_strdup_printf("‘...’ of %s is bound by no operand", port->name);
        if (axis->kind == FIG_AXIS_NAME && !known(check, axis->name))
            return g_strdup_printf("axis ‘%s’ of %s is bound by no operand", axis->name,
                                   port->name);
        if ((axis->kind == FIG_AXIS_SUM || axis->kind == FIG_AXIS_ITEM) &&
            !attr_is(check, axis->name, FIG_ATTR_DIMS))
            return g_strdup_printf("‘%s’ is no attribute that lists sizes", axis->name);
        if (axis->kind == FIG_AXIS_ITEM && !(result && port->list))
            return g_strdup_printf("‘%s[i]’ stands outside a list of results",
                                   axis->name);
        if (axis->kind == FIG_AXIS_PRODUCT || axis->kind == FIG_AXIS_TERMS) {
            int unknown = 0;
            for (int j = 0; j < axis->n_factors; j++) {
                if (!known(check, axis->factor[j])) {
                    unknown++;
                    g_hash_table_add(check->bound, (gpointer)axis->factor[j]);
                }
            }
            if (unknown > (result ? 0 : 1))
                return g_strdup_printf("a product of %s has %d unknown factors",
                                       port->name, unknown);
        }
    }
    if (ellipses > 2 || (ellipses == 2 && !check->parted && !has_axis_attr))
        return g_strdup_printf("two ‘...’ in %s stand around no axis attribute",
                               port->name);
    check->parted = check->parted || ellipses == 2;
    return NULL;
}

static char *
check_alternative(const FigOp *op, const FigAlternative *alternative)
{
    g_autoptr(GHashTable) bound = g_hash_table_new(g_str_hash, g_str_equal);
    g_autoptr(GHashTable) ports = g_hash_table_new(g_str_hash, g_str_equal);
    Check check = {op, bound, 0, false};
    char *why = NULL;
    if (alternative->attribute) {
        int index;
        const FigAttr *attr = fig_signature_attr(op, alternative->attribute, &index);
        if (!attr || (attr->type != FIG_ATTR_WORD && attr->type != FIG_ATTR_BOOL))
            return g_strdup_printf("‘%s’ is no attribute with words",
                                   alternative->attribute);
        if (fig_attr_word(attr, alternative->word) < 0)
            return g_strdup_printf("‘%s’ is no word of ‘%s’", alternative->word,
                                   alternative->attribute);
    }
    for (int i = 0; i < alternative->n_in; i++)
        bind_names(&check, &alternative->in[i]);
    for (int i = 0; !why && i < alternative->n_in; i++) {
        if (alternative->in[i].list)
            why = g_strdup_printf("a list of operands, %s", alternative->in[i].name);
        else if (!g_hash_table_add(ports, (gpointer)alternative->in[i].name))
            why = g_strdup_printf("two ports ‘%s’", alternative->in[i].name);
        else
            why = check_port(&check, &alternative->in[i], false);
    }
    for (int i = 0; !why && i < alternative->n_out; i++) {
        if (alternative->out[i].list && alternative->n_out > 1)
            why = g_strdup("a list of results beside another result");
        else if (alternative->out[i].whole)
            why = g_strdup_printf("a result of whole numbers, %s",
                                  alternative->out[i].name);
        else if (!g_hash_table_add(ports, (gpointer)alternative->out[i].name))
            why = g_strdup_printf("two ports ‘%s’", alternative->out[i].name);
        else
            why = check_port(&check, &alternative->out[i], true);
    }
    for (int i = 0; !why && i < alternative->n_in; i++)
        if (!known(&check, alternative->in[i].below))
            why = g_strdup_printf("‘%s’ below which %s is, is bound by no operand",
                                  alternative->in[i].below, alternative->in[i].name);
    for (int i = 0; !why && i < alternative->n_order; i++)
        if (!known(&check, alternative->order[i]))
            why = g_strdup_printf("‘%s’ of ‘where’ is bound by no operand",
                                  alternative->order[i]);
    return why;
}

bool
fig_signature_check(const FigOp *op, char **why)
{
    const FigSignature *signature = lookup(op->signature, why);
    if (!signature)
        return false;
    const FigAlternative *first = widest(op);
    for (int i = 0; i < signature->n_alternatives; i++) {
        const FigAlternative *alternative = &signature->alternatives[i];
        *why = check_alternative(op, alternative);
        for (int j = 0; !*why && j < alternative->n_in; j++)
            if (strcmp(alternative->in[j].name, first->in[j].name) != 0)
                *why = g_strdup_printf("operand %d is ‘%s’ and ‘%s’", j + 1,
                                       first->in[j].name, alternative->in[j].name);
            else if (alternative->in[j].whole != first->in[j].whole ||
                     alternative->in[j].below_number != first->in[j].below_number)
                *why = g_strdup_printf("%s is of two types", first->in[j].name);
        if (!*why && alternative->n_out != first->n_out)
            *why = g_strdup("the alternatives have different numbers of results");
        if (*why)
            return false;
    }
    return true;
}
