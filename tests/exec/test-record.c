/* SPDX-License-Identifier: MIT
 *
 * A record survives being written and read, byte for byte; each kind of fault in a
 * record is refused with its JSON path; no damaged record crashes the reader.
 */
#include "exec/record.h"

#include "sample-record.h"

#include <string.h>

static void
test_round_trip(void)
{
    g_autoptr(FigRecord) record = sample_record();
    for (int measured = 0; measured <= 1; measured++) {
        g_autofree char *json = fig_record_json(record, measured);
        g_autoptr(GError) error = NULL;
        g_autoptr(FigRecord) again = fig_record_read(json, strlen(json), &error);
        g_assert_no_error(error);
        g_autofree char *json_again = fig_record_json(again, measured);
        g_assert_cmpstr(json_again, ==, json);
        g_autofree char *digest = fig_record_digest(record);
        g_autofree char *digest_again = fig_record_digest(again);
        g_assert_cmpstr(digest_again, ==, digest);
        g_assert_cmpuint(strlen(digest), ==, 64);
        g_assert_cmpint(again->n_measured_ops, ==, measured);
    }
}

/* What was looked up before does not hide what a record gets later. */
static void
test_lookups_after_growth(void)
{
    g_autoptr(FigRecord) record = sample_record();
    g_autofree char *json = fig_record_json(record, true);
    g_autoptr(FigRecord) grown = fig_record_read(json, strlen(json), NULL);
    const FigRecordOp *last = &grown->ops[grown->n_ops - 1];
    g_assert_true(fig_record_op(grown, last->id) == last);
    g_assert_null(fig_record_op(grown, "one more"));
    FigRecordOp *ops = fig_arena_new_array(grown->arena, FigRecordOp, grown->n_ops + 1);
    memcpy(ops, grown->ops, (size_t)grown->n_ops * sizeof *ops);
    ops[grown->n_ops] = *last;
    ops[grown->n_ops].id = "one more";
    grown->ops = ops;
    grown->n_ops++;
    g_assert_true(fig_record_op(grown, "one more") == &ops[grown->n_ops - 1]);
    g_assert_true(fig_record_op(grown, last->id) == &ops[grown->n_ops - 2]);
    g_assert_true(fig_record_writer(grown, last->writes[0].value) ==
                  &ops[grown->n_ops - 2]);
}

static void
test_fields(void)
{
    g_autoptr(FigRecord) record = sample_record();
    g_autofree char *json = fig_record_json(record, true);
    g_autoptr(FigRecord) again = fig_record_read(json, strlen(json), NULL);
    g_assert_cmpstr(again->title.text, ==, "A \"title\" \\ with <C> in it");
    g_assert_cmpstr(again->title.numbers[0], ==, "24");
    g_assert_cmpstr(fig_record_value(again, "z")->what, ==, "the “stream”\tin");
    g_assert_cmpstr(fig_record_value(again, "z")->aka[0].name, ==,
                    "layers.{layer}.input");
    g_assert_cmpint(fig_record_value(again, "W_qk")->n_members, ==, 2);
    g_assert_cmpint(fig_record_op(again, "add")->flops_number, ==, INT64_MAX);
    g_assert_null(fig_record_op(again, "add")->reads[2].value);
    g_assert_true(fig_record_op(again, "add")->commutes);
    g_assert_cmpint(fig_record_op(again, "qk")->attributes[1].given, ==, true);
    g_assert_cmpint(fig_record_op(again, "qk")->attributes[0].given, ==, false);
    g_assert_cmpstr(fig_record_writer(again, "k")->id, ==, "split");
    g_assert_null(fig_record_writer(again, "z"));
    g_assert_null(fig_record_op(again, "nothing"));
    g_assert_cmpint(fig_record_dim(again, "C")->size, ==, 24);
    g_assert_true(fig_record_op(again, "step")->reads[1].later);
    g_assert_false(fig_record_op(again, "step")->reads[0].later);
    g_assert_cmpstr(fig_record_value(again, "W_up")->per, ==, "tower");
    g_assert_null(fig_record_value(again, "W_q")->per);
    g_assert_cmpstr(again->groups[2].repeat, ==, "L");
    g_assert_cmpstr(again->groups[2].index, ==, "l");
    g_assert_cmpint(again->groups[2].passes, ==, 3);
    g_assert_cmpstr(again->groups[2].kind, ==, "kind");
    g_assert_cmpint(again->groups[2].n_pattern, ==, 3);
    g_autofree char *pattern = fig_record_pattern(&again->groups[2]);
    g_assert_cmpstr(pattern, ==, "window, window, full");
    g_assert_cmpint(again->groups[2].n_kinds, ==, 2);
    g_assert_cmpstr(again->groups[2].kinds[0].kind, ==, "window");
    g_assert_cmpint(again->groups[2].kinds[0].number, ==, 2);
    g_assert_cmpstr(again->groups[2].kinds[1].kind, ==, "full");
    g_assert_cmpint(again->groups[2].kinds[1].number, ==, 1);
    g_assert_cmpint(again->groups[2].kind_of[1], ==, 0);
    g_assert_cmpint(again->groups[2].kind_of[2], ==, 1);
    g_assert_null(fig_record_pattern(&again->groups[0]));
    g_assert_cmpint(fig_record_op(again, "up")->n_kinds, ==, 1);
    g_assert_cmpstr(fig_record_op(again, "up")->kinds[0].label, ==,
                    "matmul $W_{up}^\\top$");
    g_assert_null(again->groups[1].repeat);
    g_assert_cmpint(again->groups[1].passes, ==, 1);
    g_assert_cmpfloat(again->claims[0].bound, ==, 1e-6);
    g_assert_false(again->claims[1].has_bound);
    g_assert_cmpfloat(again->measured_ops[0].writes[0].min, ==, -4.5);
    g_assert_false(again->measured_ops[0].writes[1].has_statistics);
    g_assert_cmpfloat(again->measured_claims[0].number, ==, 1.25e-7);
}

static void
test_measured_is_not_digested(void)
{
    g_autoptr(FigRecord) record = sample_record();
    g_autofree char *before = fig_record_digest(record);
    record->n_measured_ops = 0;
    g_autofree char *same = fig_record_digest(record);
    g_assert_cmpstr(same, ==, before);
    record->version = "0.1.1";
    g_autofree char *other = fig_record_digest(record);
    g_assert_cmpstr(other, !=, before);
}

/* Each fault: a text of the sample, what stands there instead, and the message. */
typedef struct Fault {
    const char *find, *replace, *message;
} Fault;

static const Fault faults[] = {
    {"\"opfig\": 1", "\"opfig\": 2", "record: opfig: version 1 is wanted"},
    {"\"version\": \"0.1.0\"", "\"version\": 1", "facts.version: a string is wanted"},
    {"\"version\": \"0.1.0\"", "\"verson\": \"0.1.0\"",
     "facts: key ‘version’ is missing"},
    {"\"labelled\": true, \"what\"", "\"\\u001b[31m\": 1, \"labelled\": true, \"what\"",
     "facts.values[0]: unknown key ‘\\u001b[31m’"},
    {"\"labelled\": true, \"what\"", "\"labeled\": 1, \"labelled\": true, \"what\"",
     "facts.values[0]: unknown key ‘labeled’"},
    {"\"labelled\": true, \"what\"", "\"labelled\": 1, \"what\"",
     "facts.values[0].labelled: true or false is wanted"},
    {"\"kind\": \"input\"", "\"kind\": \"imput\"",
     "facts.values[0].kind: ‘imput’ is none of input, weight, activation"},
    {"\"size\": [7, 24], \"axes\"", "\"size\": [7], \"axes\"",
     "facts.values[0]: shape has 2 axes but size has 1"},
    {"\"size\": [7, 24], \"axes\"", "\"size\": [7, -24], \"axes\"",
     "facts.values[0].size[1]: a whole number of at least 0 is wanted"},
    {"\"size\": [7, 24], \"axes\"", "\"size\": [7, 24.5], \"axes\"",
     "facts.values[0].size[1]: a whole number of at least 0 is wanted"},
    {"[\"W_q\", \"W_k\"]}", "[\"W_q\", \"W_v\"]}",
     "facts.values[3].members[1]: there is no value ‘W_v’"},
    {"[\"W_q\", \"W_k\"]}", "[\"W_q\", \"z\"]}",
     "facts.values[3].members[1]: ‘z’ is no weight that could be joined"},
    {"[\"W_q\", \"W_k\"]}", "[\"W_q\", \"W_qk\"]}",
     "facts.values[3].members[1]: ‘W_qk’ is no weight that could be joined"},
    {"\"id\": \"W_k\",", "\"members\": [\"W_q\"], \"id\": \"W_k\",",
     "facts.values[3].members[1]: ‘W_k’ is no weight that could be joined"},
    {"\"members\": [\"W_q\", \"W_k\"], \"shape\"", "\"members\": [\"W_q\"], \"shape\"",
     "facts.ops[0].reads[1]: members are not those of the value"},
    {"\"id\": \"W_k\"", "\"id\": \"W_q\"", "facts.values[2]: ‘W_q’ stands twice"},
    {"\"id\": \"W_k\"", "\"id\": \"\"", "facts.values[2]: an empty id"},
    {"\"step\": 2", "\"step\": 3",
     "facts.ops[1]: step 2 is wanted: ops stand in execution order"},
    {"\"value\": \"qk\", \"from\"", "\"value\": \"sum\", \"from\"",
     "facts.ops[1].reads[0]: ‘sum’ is read before an op wrote it"},
    {"\"value\": \"qk\", \"from\"", "\"value\": \"qkv\", \"from\"",
     "facts.ops[1].reads[0]: there is no value ‘qkv’"},
    {"{\"value\": \"sum\"", "{\"value\": \"z\"",
     "facts.ops[2].writes[0]: ‘z’ is an input: no op writes it"},
    {"{\"value\": \"sum\"", "{\"value\": \"k\"",
     "facts.ops[2].writes[0]: ‘k’ stands twice"},
    {"\"class\": \"other\"", "\"class\": \"others\"",
     "facts.ops[1].class: ‘others’ is none of weight_matmul, activation_matmul, norm, "
     "other"},
    {"\"group\": [\"attn\", \"heads\"]", "\"group\": [\"heads\"]",
     "facts.ops[0]: group ‘heads’ does not lie in ‘the figure itself’"},
    {"\"parent\": \"attn\"", "\"parent\": \"heads\"",
     "facts.groups[1]: there is no earlier group ‘heads’"},
    {"\"k\",\n   \"sum\"", "\"kk\",\n   \"sum\"",
     "facts.outputs[0]: there is no value ‘kk’"},
    {"\"passes\": 3", "\"passes\": \"3\"",
     "facts.groups[2].repeat.passes: a whole number of at least 0 is wanted"},
    {"\"per\": \"tower\"", "\"per\": \"towers\"",
     "facts.values[7]: there is no group ‘towers’"},
    {"\"per\": \"tower\"", "\"per\": \"attn\"",
     "facts.values[7]: ‘attn’ is not repeated"},
    {"\"later\": true, ", "",
     "facts.ops[3].reads[1]: ‘up’ is read before an op wrote it"},
    {"\"value\": \"sum\", \"from\": \"activation\", ",
     "\"value\": \"sum\", \"from\": \"activation\", \"later\": true, ",
     "facts.ops[3]: ‘sum’ is read as what the pass before left, but nothing is read in "
     "the "
     "first"},
    {"\"value\": \"up\", \"from\"", "\"value\": \"sum\", \"from\"",
     "facts.ops[3]: ‘sum’ is read as what the pass before left, but no later op of a "
     "repeat "
     "writes it"},
    {"\"group\": [\"attn\"]", "\"group\": [\"tower\"]",
     "facts.ops[3]: the repeat ‘tower’ was left before this op of it"},
    {"\"at\": \"qk\"", "\"at\": \"kq\"", "facts.claims[0]: there is no op ‘kq’"},
    {"\"expr\": \"C\"", "\"expr\": \"D\"",
     "facts.texts[0].numbers[0]: the sentence has no ‘<D>’ here"},
    {"\"holds\": false, \"by\": \"unchecked\"",
     "\"holds\": true, \"by\": \"unchecked\"",
     "facts.claims[1]: holds, but is unchecked"},
    {"\"role\": \"subtitle\"", "\"role\": \"title\"", "facts.texts[1]: a second title"},
    {"{\"seconds\"", "{\"second\"", "measured.ops.split: key ‘seconds’ is missing"},
    {"\"rows\": 1.25e-07", "\"row\": 1.25e-07",
     "measured.claims: there is no claim ‘row’"},
    {"\"rows\": 1.25e-07", "\"rows\": \"1\"",
     "measured.claims.rows: a number is wanted"},
    {"\"commutes\": true", "\"commutes\": true, \"commutes\": true",
     "record: line 37, column 139: duplicate object key near '\"commutes\"'"},
};

static void
test_faults(void)
{
    g_autoptr(FigRecord) record = sample_record();
    g_autofree char *json = fig_record_json(record, true);
    for (size_t i = 0; i < G_N_ELEMENTS(faults); i++) {
        const char *at = strstr(json, faults[i].find);
        if (!at)
            g_error("the sample has no %s", faults[i].find);
        g_autofree char *broken =
            g_strdup_printf("%.*s%s%s", (int)(at - json), json, faults[i].replace,
                            at + strlen(faults[i].find));
        g_autoptr(GError) error = NULL;
        g_assert_null(fig_record_read(broken, strlen(broken), &error));
        g_assert_cmpstr(error->message, ==, faults[i].message);
    }
}

static void
test_not_json(void)
{
    const char *const texts[] = {"", "[]", "{}", "null", "{\"opfig\": 1}", "\xff", "{"};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autoptr(GError) error = NULL;
        g_assert_null(fig_record_read(texts[i], strlen(texts[i]), &error));
        g_assert_nonnull(error);
    }
    g_autofree char *deep = g_malloc(200001);
    memset(deep, '[', 200000);
    deep[200000] = '\0';
    g_autoptr(GError) error = NULL;
    g_assert_null(fig_record_read(deep, 200000, &error));
    g_assert_cmpstr(error->message, ==, "record: nested deeper than 64");
}

/* Damage at random: never a crash, and what is still accepted writes and reads the
 * same. */
static void
test_damage(void)
{
    g_autoptr(FigRecord) record = sample_record();
    g_autofree char *json = fig_record_json(record, true);
    size_t length = strlen(json);
    static const char bytes[] = "\"{}[],:0-9.eatnul\\ \x80\xff";
    GRand *random = g_rand_new_with_seed(20);
    int refused = 0;
    for (int round = 0; round < 8000; round++) {
        g_autofree char *broken = g_strdup(json);
        size_t at = (size_t)g_rand_int_range(random, 0, (gint32)length);
        size_t end = length;
        switch (g_rand_int_range(random, 0, 3)) {
        case 0:
            broken[at] = bytes[g_rand_int_range(random, 0, sizeof bytes - 1)];
            break;
        case 1:
            end = at;
            break;
        default: {
            /* leave out up to 40 bytes */
            size_t wanted = (size_t)g_rand_int_range(random, 1, 41);
            size_t gap = MIN(wanted, length - at);
            memmove(broken + at, broken + at + gap, length - at - gap);
            end = length - gap;
        }
        }
        g_autofree char *exact = g_memdup2(broken, MAX(end, 1));
        g_autoptr(GError) error = NULL;
        g_autoptr(FigRecord) read = fig_record_read(exact, end, &error);
        g_assert_true(!read == !!error);
        if (!read) {
            refused++;
            continue;
        }
        g_autofree char *once = fig_record_json(read, true);
        g_autoptr(FigRecord) again = fig_record_read(once, strlen(once), NULL);
        g_assert_nonnull(again);
        g_autofree char *twice = fig_record_json(again, true);
        g_assert_cmpstr(twice, ==, once);
    }
    g_rand_free(random);
    g_assert_cmpint(refused, >, 4000);
}

/* Each value of the JSON in turn replaced by one of another type. */
static void
test_types(void)
{
    g_autoptr(FigRecord) record = sample_record();
    g_autofree char *json = fig_record_json(record, true);
    static const char *const others[] = {"null", "true", "-1",   "0.5",    "\"\"",
                                         "[]",   "{}",   "[[]]", "[null]", "{\"a\":1}"};
    for (const char *p = json; (p = strstr(p, ": ")); p++) {
        const char *from = p + 2, *to = from;
        if (*from == '"') {
            for (to++; *to != '"'; to++)
                to += *to == '\\';
            to++;
        } else if (*from == '[' || *from == '{') {
            int depth = 0;
            do {
                depth += *to == '[' || *to == '{';
                depth -= *to == ']' || *to == '}';
                to++;
            } while (depth > 0);
        } else {
            to += strcspn(from, ",]}");
        }
        for (size_t i = 0; i < G_N_ELEMENTS(others); i++) {
            g_autofree char *broken =
                g_strdup_printf("%.*s%s%s", (int)(from - json), json, others[i], to);
            g_autoptr(GError) error = NULL;
            g_autoptr(FigRecord) read = fig_record_read(broken, strlen(broken), &error);
            g_assert_true(!read == !!error);
        }
    }
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/record/round-trip", test_round_trip);
    g_test_add_func("/record/fields", test_fields);
    g_test_add_func("/record/look-ups-after-growth", test_lookups_after_growth);
    g_test_add_func("/record/measured-is-not-digested", test_measured_is_not_digested);
    g_test_add_func("/record/faults", test_faults);
    g_test_add_func("/record/not-json", test_not_json);
    g_test_add_func("/record/damage", test_damage);
    g_test_add_func("/record/types", test_types);
    return g_test_run();
}
