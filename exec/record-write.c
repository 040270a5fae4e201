/* SPDX-License-Identifier: MIT
 *
 * A record as JSON: keys in fixed order, one line for each op, value, dim or claim, so
 * that a diff of two records reads well. Compact, without a space, for the digest. What
 * a read says of its value (axes, members) is written beside it for readers of the JSON
 * and derived from the value, so the struct says it once.
 */
#include "exec/record-json.h"
#include "exec/record.h"

#include "base/num.h"

#include <string.h>

enum {
    BROKEN_DEPTH = 3, /* containers nested this deep put each element on its own line */
};

typedef struct Out {
    GString *text;
    bool compact;
    int depth;
    bool first;     /* nothing yet in this container */
    bool after_key; /* the next thing is a key's value */
} Out;

static void
separate(Out *out)
{
    if (out->after_key) {
        out->after_key = false;
        return;
    }
    if (!out->first)
        g_string_append_c(out->text, ',');
    if (!out->compact && out->depth > 0) {
        if (out->depth <= BROKEN_DEPTH)
            g_string_append_printf(out->text, "\n%*s", out->depth, "");
        else if (!out->first)
            g_string_append_c(out->text, ' ');
    }
    out->first = false;
}

static void
begin(Out *out, char bracket)
{
    separate(out);
    g_string_append_c(out->text, bracket);
    out->depth++;
    out->first = true;
}

static void
end(Out *out, char bracket)
{
    g_string_append_c(out->text, bracket);
    out->depth--;
    out->first = false;
}

static void
quote(GString *text, const char *string)
{
    g_string_append_c(text, '"');
    for (const char *p = string; *p; p++) {
        unsigned char c = (unsigned char)*p;
        switch (c) {
        case '"':
            g_string_append(text, "\\\"");
            break;
        case '\\':
            g_string_append(text, "\\\\");
            break;
        case '\n':
            g_string_append(text, "\\n");
            break;
        case '\r':
            g_string_append(text, "\\r");
            break;
        case '\t':
            g_string_append(text, "\\t");
            break;
        case '\b':
            g_string_append(text, "\\b");
            break;
        case '\f':
            g_string_append(text, "\\f");
            break;
        default:
            if (c < 0x20)
                g_string_append_printf(text, "\\u%04x", c);
            else
                g_string_append_c(text, (char)c);
        }
    }
    g_string_append_c(text, '"');
}

static void
string(Out *out, const char *value)
{
    separate(out);
    quote(out->text, value);
}

static void
key(Out *out, const char *name)
{
    string(out, name);
    g_string_append(out->text, out->compact ? ":" : ": ");
    out->after_key = true;
}

static void
put_string(Out *out, const char *name, const char *value)
{
    key(out, name);
    string(out, value);
}

static void
put_optional(Out *out, const char *name, const char *value)
{
    if (value)
        put_string(out, name, value);
}

static void
put_bool(Out *out, const char *name, bool value)
{
    key(out, name);
    separate(out);
    g_string_append(out->text, value ? "true" : "false");
}

static void
integer(Out *out, int64_t value)
{
    separate(out);
    fig_num_integer(out->text, value, false);
}

static void
put_integer(Out *out, const char *name, int64_t value)
{
    key(out, name);
    integer(out, value);
}

/* JSON has no infinities: a number that is not finite is null. */
static void
put_real(Out *out, const char *name, double value)
{
    key(out, name);
    separate(out);
    if (value - value == 0)
        fig_num_shortest(out->text, value);
    else
        g_string_append(out->text, "null");
}

static void
put_strings(Out *out, const char *name, int count, const char *const *items)
{
    key(out, name);
    begin(out, '[');
    for (int i = 0; i < count; i++)
        string(out, items[i]);
    end(out, ']');
}

static void
put_integers(Out *out, const char *name, int count, const int64_t *items)
{
    key(out, name);
    begin(out, '[');
    for (int i = 0; i < count; i++)
        integer(out, items[i]);
    end(out, ']');
}

/* "numbers" of a sentence: left out when it has none. */
static void
put_numbers(Out *out, const FigSentence *sentence)
{
    if (sentence->n_numbers == 0)
        return;
    key(out, "numbers");
    begin(out, '[');
    for (int i = 0; i < sentence->n_numbers; i++) {
        begin(out, '{');
        put_string(out, "expr", sentence->exprs[i]);
        put_string(out, "text", sentence->numbers[i]);
        end(out, '}');
    }
    end(out, ']');
}

static void
put_text(Out *out, const char *role, const FigSentence *sentence)
{
    if (!sentence->text)
        return;
    begin(out, '{');
    put_string(out, "role", role);
    put_string(out, "text", sentence->text);
    put_numbers(out, sentence);
    end(out, '}');
}

static void
put_spec(Out *out, const FigRecord *record)
{
    key(out, "spec");
    begin(out, '{');
    put_string(out, "name", record->name);
    put_optional(out, "family", record->family);
    put_optional(out, "family_status", record->family_status);
    put_string(out, "digest", record->spec_digest);
    put_bool(out, "shipped", record->shipped);
    put_strings(out, "overrides", record->n_overrides, record->overrides);
    put_string(out, "text", record->spec_text);
    end(out, '}');
}

static void
put_aka(Out *out, int n, const FigRecordAka *aka)
{
    if (!n)
        return;
    key(out, "aka");
    begin(out, '[');
    for (int i = 0; i < n; i++) {
        begin(out, '{');
        put_string(out, "library", aka[i].library);
        put_string(out, "name", aka[i].name);
        put_optional(out, "side", aka[i].side);
        put_optional(out, "axes", aka[i].axes);
        end(out, '}');
    }
    end(out, ']');
}

static void
put_dims(Out *out, const FigRecord *record)
{
    key(out, "dims");
    begin(out, '[');
    for (int i = 0; i < record->n_dims; i++) {
        const FigRecordDim *dim = &record->dims[i];
        begin(out, '{');
        put_string(out, "id", dim->id);
        put_integer(out, "size", dim->size);
        put_optional(out, "what", dim->what);
        put_string(out, "label", dim->label);
        put_optional(out, "is", dim->is);
        put_aka(out, dim->n_aka, dim->aka);
        end(out, '}');
    }
    end(out, ']');
}

static void
put_constants(Out *out, const FigRecord *record)
{
    key(out, "constants");
    begin(out, '[');
    for (int i = 0; i < record->n_constants; i++) {
        const FigRecordConstant *constant = &record->constants[i];
        begin(out, '{');
        put_string(out, "id", constant->id);
        put_string(out, "label", constant->label);
        put_string(out, "text", constant->text);
        end(out, '}');
    }
    end(out, ']');
}

static void
put_values(Out *out, const FigRecord *record)
{
    key(out, "values");
    begin(out, '[');
    for (int i = 0; i < record->n_values; i++) {
        const FigRecordValue *value = &record->values[i];
        begin(out, '{');
        put_string(out, "id", value->id);
        put_string(out, "label", value->label);
        put_bool(out, "labelled", value->labelled);
        put_optional(out, "what", value->what);
        put_string(out, "kind", value->kind);
        put_bool(out, "output", value->output);
        put_strings(out, "shape", value->rank, value->shape);
        put_integers(out, "size", value->rank, value->size);
        put_strings(out, "axes", value->rank, value->axes);
        put_integer(out, "parameters", value->parameters);
        put_optional(out, "per", value->per);
        if (value->n_members)
            put_strings(out, "members", value->n_members, value->members);
        put_aka(out, value->n_aka, value->aka);
        end(out, '}');
    }
    end(out, ']');
}

static void
put_read(Out *out, const FigRecordRead *read, const FigRecordValue *value)
{
    begin(out, '{');
    put_string(out, "port", read->port);
    put_optional(out, "value", read->value);
    put_string(out, "from", read->from);
    if (read->later)
        put_bool(out, "later", true);
    if (value && value->n_members)
        put_strings(out, "members", value->n_members, value->members);
    put_strings(out, "shape", read->rank, read->shape);
    put_integers(out, "size", read->rank, read->size);
    if (value && value->rank == read->rank)
        put_strings(out, "axes", value->rank, value->axes);
    end(out, '}');
}

static void
put_op(Out *out, const FigRecordOp *op, GHashTable *values)
{
    begin(out, '{');
    put_integer(out, "step", op->step);
    put_string(out, "id", op->id);
    put_string(out, "op", op->op);
    put_string(out, "kind", op->kind);
    put_string(out, "class", fig_class_name(op->class));
    put_string(out, "mark", op->mark);
    put_optional(out, "sign", op->sign);
    put_bool(out, "commutes", op->commutes);
    put_string(out, "label", op->label);
    put_string(out, "title", op->title);
    put_string(out, "full_name", op->full_name);
    put_string(out, "equation", op->equation);
    put_strings(out, "group", op->n_groups, op->groups);
    key(out, "attributes");
    begin(out, '{');
    for (int i = 0; i < op->n_attributes; i++) {
        const FigRecordAttribute *attribute = &op->attributes[i];
        key(out, attribute->name);
        begin(out, '{');
        put_string(out, "text", attribute->text);
        put_string(out, "value", attribute->value);
        put_string(out, "label", attribute->label);
        put_bool(out, "drawn", attribute->drawn);
        put_bool(out, "given", attribute->given);
        end(out, '}');
    }
    end(out, '}');
    put_string(out, "flops", op->flops);
    put_integer(out, "flops_number", op->flops_number);
    put_string(out, "bytes", op->bytes);
    key(out, "reads");
    begin(out, '[');
    for (int i = 0; i < op->n_reads; i++) {
        const FigRecordRead *read = &op->reads[i];
        put_read(out, read,
                 read->value ? g_hash_table_lookup(values, read->value) : NULL);
    }
    end(out, ']');
    key(out, "writes");
    begin(out, '[');
    for (int i = 0; i < op->n_writes; i++) {
        const FigRecordWrite *write = &op->writes[i];
        begin(out, '{');
        put_string(out, "value", write->value);
        put_strings(out, "shape", write->rank, write->shape);
        put_integers(out, "size", write->rank, write->size);
        end(out, '}');
    }
    end(out, ']');
    if (op->n_kinds) {
        key(out, "kinds");
        begin(out, '[');
        for (int i = 0; i < op->n_kinds; i++) {
            begin(out, '{');
            put_string(out, "kind", op->kinds[i].kind);
            put_string(out, "op", op->kinds[i].op);
            put_string(out, "label", op->kinds[i].label);
            put_integer(out, "passes", op->kinds[i].passes);
            end(out, '}');
        }
        end(out, ']');
    }
    end(out, '}');
}

static void
put_ops(Out *out, const FigRecord *record)
{
    g_autoptr(GHashTable) values = g_hash_table_new(g_str_hash, g_str_equal);
    for (int i = 0; i < record->n_values; i++)
        g_hash_table_insert(values, (gpointer)record->values[i].id,
                            (gpointer)&record->values[i]);
    key(out, "ops");
    begin(out, '[');
    for (int i = 0; i < record->n_ops; i++)
        put_op(out, &record->ops[i], values);
    end(out, ']');
}

static void
put_groups(Out *out, const FigRecord *record)
{
    key(out, "groups");
    begin(out, '[');
    for (int i = 0; i < record->n_groups; i++) {
        const FigRecordGroup *group = &record->groups[i];
        begin(out, '{');
        put_string(out, "id", group->id);
        put_optional(out, "title", group->title);
        put_optional(out, "parent", group->parent);
        if (group->repeat) {
            key(out, "repeat");
            begin(out, '{');
            put_string(out, "count", group->repeat);
            put_integer(out, "passes", group->passes);
            put_string(out, "index", group->index);
            if (group->kind) {
                put_string(out, "kind", group->kind);
                put_strings(out, "pattern", group->n_pattern, group->pattern);
            }
            end(out, '}');
        }
        end(out, '}');
    }
    end(out, ']');
}

static void
put_claims(Out *out, const FigRecord *record)
{
    key(out, "claims");
    begin(out, '[');
    for (int i = 0; i < record->n_claims; i++) {
        const FigRecordClaim *claim = &record->claims[i];
        begin(out, '{');
        put_string(out, "id", claim->id);
        put_string(out, "say", claim->say.text);
        put_numbers(out, &claim->say);
        put_optional(out, "that", claim->that);
        put_optional(out, "at", claim->at);
        if (claim->n_also > 0)
            put_strings(out, "also", claim->n_also, claim->also);
        put_bool(out, "must", claim->must);
        put_bool(out, "holds", claim->holds);
        put_string(out, "by", claim->by);
        if (claim->has_bound)
            put_real(out, "bound", claim->bound);
        end(out, '}');
    }
    end(out, ']');
}

static void
put_facts(Out *out, const FigRecord *record)
{
    begin(out, '{');
    put_spec(out, record);
    put_string(out, "version", record->version);
    put_dims(out, record);
    put_constants(out, record);
    put_strings(out, "evidence", record->n_evidence, record->evidence);
    put_values(out, record);
    put_ops(out, record);
    put_groups(out, record);
    put_strings(out, "outputs", record->n_outputs, record->outputs);
    key(out, "texts");
    begin(out, '[');
    put_text(out, "title", &record->title);
    put_text(out, "subtitle", &record->subtitle);
    for (int i = 0; i < record->n_notes; i++)
        put_text(out, "note", &record->notes[i]);
    end(out, ']');
    put_claims(out, record);
    end(out, '}');
}

static void
put_measured(Out *out, const FigRecord *record)
{
    begin(out, '{');
    key(out, "ops");
    begin(out, '{');
    for (int i = 0; i < record->n_measured_ops; i++) {
        const FigMeasuredOp *op = &record->measured_ops[i];
        key(out, op->id);
        begin(out, '{');
        put_real(out, FIG_RECORD_SECONDS, op->seconds);
        for (int j = 0; j < op->n_writes; j++) {
            const FigMeasuredWrite *write = &op->writes[j];
            if (!strcmp(write->value, FIG_RECORD_SECONDS))
                continue; /* the key is taken */
            key(out, write->value);
            begin(out, '{');
            if (write->has_statistics) {
                put_real(out, "min", write->min);
                put_real(out, "max", write->max);
                put_real(out, "mean", write->mean);
                put_real(out, "rms", write->rms);
                put_integer(out, "nonfinite", write->nonfinite);
            }
            end(out, '}');
        }
        end(out, '}');
    }
    end(out, '}');
    key(out, "claims");
    begin(out, '{');
    for (int i = 0; i < record->n_measured_claims; i++)
        put_real(out, record->measured_claims[i].id, record->measured_claims[i].number);
    end(out, '}');
    end(out, '}');
}

char *
fig_record_facts_json(const FigRecord *record)
{
    Out out = {.text = g_string_new(NULL), .compact = true, .first = true};
    put_facts(&out, record);
    return g_string_free(out.text, FALSE);
}

char *
fig_record_json(const FigRecord *record, bool measured)
{
    Out out = {.text = g_string_new(NULL), .first = true};
    begin(&out, '{');
    put_integer(&out, "opfig", 1);
    key(&out, "facts");
    put_facts(&out, record);
    if (measured) {
        key(&out, "measured");
        put_measured(&out, record);
    }
    end(&out, '}');
    g_string_append_c(out.text, '\n');
    return g_string_free(out.text, FALSE);
}
