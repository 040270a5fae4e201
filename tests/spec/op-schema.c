/* SPDX-License-Identifier: MIT
 *
 * Print, as JSON, what the op table says about `op:` and the attributes of each op: the
 * part of spec/opfig.schema.json that no hand writes (schema.py compares).
 */
#include "base/num.h"
#include "ops/op.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

/* Do other attributes hang on this one? Then a map can set them together. */
static bool
takes_map(const FigOp *op, const FigAttr *attr)
{
    g_autofree char *start = g_strdup_printf("%s = ", attr->name);
    for (const FigAttr *other = op->attrs; other->name; other++) {
        if (other->when && g_str_has_prefix(other->when, start))
            return true;
    }
    return false;
}

static json_t *
attribute(const FigOp *op, const FigAttr *attr)
{
    static const char *const refs[] = {
        [FIG_ATTR_REAL] = "#/definitions/expression",
        [FIG_ATTR_DIM] = "#/definitions/expression",
        [FIG_ATTR_DIMS] = "#/definitions/shape",
        [FIG_ATTR_AXIS] = "#/definitions/axis",
    };
    json_t *schema = json_object();
    json_object_set_new(schema, "description", json_string(attr->doc));
    if (attr->type == FIG_ATTR_BOOL) {
        json_object_set_new(schema, "type", json_string("boolean"));
    } else if (attr->type == FIG_ATTR_WORD) {
        g_auto(GStrv) words = g_strsplit(attr->words, "|", -1);
        json_t *list = json_array();
        for (int i = 0; words[i]; i++)
            json_array_append_new(list, json_string(words[i]));
        if (takes_map(op, attr))
            json_object_set_new(schema, "anyOf",
                                json_pack("[{s:o}, {s:s}, {s:s}]", "enum", list, "type",
                                          "object", "$ref", "#/definitions/id"));
        else
            json_object_set_new(schema, "enum", list);
    } else {
        /* draft 7 ignores what stands beside $ref */
        json_t *all = json_array();
        json_array_append_new(all, json_pack("{s:s}", "$ref", refs[attr->type]));
        json_object_set_new(schema, "allOf", all);
    }
    if (attr->fallback)
        json_object_set_new(schema, "default", json_string(attr->fallback));
    return schema;
}

/* If the op is this one, then these keys are its attributes. */
static json_t *
alternative(const FigOp *op)
{
    json_t *properties = json_object(), *required = json_array();
    for (const FigAttr *attr = op->attrs; attr && attr->name; attr++) {
        json_object_set_new(properties, attr->name, attribute(op, attr));
        if (!attr->fallback && !attr->when)
            json_array_append_new(required, json_string(attr->name));
    }
    json_t *then = json_pack("{s:o}", "properties", properties);
    if (json_array_size(required))
        json_object_set(then, "required", required);
    json_decref(required);
    return json_pack("{s:{s:{s:{s:s}}}, s:o}", "if", "properties", "op", "const",
                     op->name, "then", then);
}

int
main(void)
{
    json_t *names = json_array(), *meanings = json_array(), *all = json_array();
    for (const FigOp *const *op = fig_op_all(); *op; op++) {
        json_array_append_new(names, json_string((*op)->name));
        g_autofree char *meaning =
            g_strdup_printf("%s: %s", (*op)->full_name, (*op)->signature);
        json_array_append_new(meanings, json_string(meaning));
        json_array_append_new(all, alternative(*op));
    }
    json_t *out = json_pack("{s:o, s:o, s:o}", "enum", names, "enumDescriptions",
                            meanings, "allOf", all);
    char *text = json_dumps(out, JSON_COMPACT);
    puts(text);
    free(text);
    json_decref(out);
    return 0;
}
