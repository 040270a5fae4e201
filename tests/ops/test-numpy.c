/* SPDX-License-Identifier: MIT
 *
 * Each kernel beside the row's own line of NumPy: what the docs say in Python is what the
 * program computes in C. One Python process computes all cases.
 */
#include "base/num.h"
#include "tests/ops/cases.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

enum { ROUNDS = 12 };

static GString *script; /* Python, a print a result */
static GString *wanted; /* the same lines from the kernels */

static void
append_number(GString *out, double value)
{
    if (isfinite(value))
        fig_num_shortest(out, value);
    else
        g_string_append(out, isnan(value) ? "np.nan"
                             : value > 0  ? "np.inf"
                                          : "-np.inf");
}

static void
append_list(GString *out, int64_t count, const int64_t *numbers)
{
    g_string_append_c(out, '[');
    for (int64_t i = 0; i < count; i++)
        g_string_append_printf(out, "%" G_GINT64_FORMAT ", ", numbers[i]);
    g_string_append_c(out, ']');
}

static void
append_attribute(const FigAttr *attr, const FigAttrValue *value)
{
    bool keyword = g_str_equal(attr->name, "from"); /* of Python */
    g_string_append_printf(script, "%s%s = ", attr->name, keyword ? "_" : "");
    g_auto(GStrv) words = NULL;
    switch (attr->type) {
    case FIG_ATTR_REAL:
        append_number(script, value->real);
        break;
    case FIG_ATTR_DIM:
        g_string_append_printf(script, "%" G_GINT64_FORMAT, value->dim);
        break;
    case FIG_ATTR_DIMS:
        append_list(script, value->n_dims, value->dims);
        break;
    case FIG_ATTR_WORD:
        words = g_strsplit(attr->words, "|", -1);
        g_string_append_printf(script, "'%s'", words[value->word]);
        break;
    case FIG_ATTR_AXIS:
        g_string_append_printf(script, "%d", value->axis);
        break;
    case FIG_ATTR_BOOL:
        g_string_append(script, value->dim ? "True" : "False");
        break;
    }
    g_string_append_c(script, '\n');
}

static void
append_case(Case *c)
{
    for (int i = 0; i < c->n_in; i++) {
        g_string_append_printf(script, "%s = np.array([", c->alternative->in[i].name);
        for (int64_t j = 0; j < c->in[i].count; j++) {
            append_number(script, c->in[i].number[j]);
            g_string_append_c(script, ',');
        }
        g_string_append(script, "]).reshape(");
        append_list(script, c->in[i].rank, c->in[i].size);
        bool whole = c->binding.in_below[i] != NULL;
        g_string_append(script, whole ? ").astype(int)\n" : ")\n");
    }
    for (int i = c->n_in; i < fig_signature_inputs(c->op); i++)
        g_string_append_printf(script, "%s = None\n", fig_signature_input(c->op, i));
    for (int i = 0; i < fig_op_attr_count(c->op); i++)
        append_attribute(&c->op->attrs[i], &c->attr[i]);
    g_string_append_printf(script, "show(%s)\n", c->op->numpy);

    Tensor results[FIG_LIMIT_PORTS];
    case_run(c, FIG_F64, WAY_EVAL, LIE_DENSE, LIE_DENSE, results);
    for (int i = 0; i < c->n_out; i++) {
        g_string_append_printf(wanted, "%s, %s\t[", c->op->name, c->alternative->text);
        for (int axis = 0; axis < results[i].rank; axis++)
            g_string_append_printf(wanted, "%s%" G_GINT64_FORMAT, axis ? ", " : "",
                                   results[i].size[axis]);
        g_string_append_c(wanted, ']');
        for (int64_t j = 0; j < results[i].count; j++) {
            g_string_append_c(wanted, '\t');
            fig_num_shortest(wanted, results[i].number[j]);
        }
        g_string_append_c(wanted, '\n');
    }
}

static char *
run_python(void)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *path = NULL, *errors = NULL;
    char *output = NULL;
    int file = g_file_open_tmp("opfig-numpy-XXXXXX", &path, &error);
    g_assert_no_error(error);
    g_close(file, NULL);
    g_file_set_contents(path, script->str, (gssize)script->len, &error);
    g_assert_no_error(error);
    /* Debian's own Python is the one that sees Debian's NumPy */
    char *command[] = {(char *)"/usr/bin/python3", path, NULL};
    int status;
    g_spawn_sync(NULL, command, NULL, G_SPAWN_DEFAULT, NULL, NULL, &output, &errors,
                 &status, &error);
    g_assert_no_error(error);
    if (!g_spawn_check_wait_status(status, NULL))
        g_error("%s", errors);
    g_unlink(path);
    return output;
}

/* "[2, 3]\t1\t2…" beside the kernel's line, which has "op, signature\t" in front. */
static void
compare(const char *ours, const char *theirs)
{
    g_auto(GStrv) a = g_strsplit(ours, "\t", -1), b = g_strsplit(theirs, "\t", -1);
    if (g_strv_length(a) != g_strv_length(b) + 1 || !g_str_equal(a[1], b[0]))
        g_error("%s: the shape is %s in NumPy, not %s", a[0], b[0], a[1]);
    for (int i = 1; b[i]; i++) {
        double p = g_ascii_strtod(a[i + 1], NULL), q = g_ascii_strtod(b[i], NULL);
        if (!(p == q || fabs(p - q) <= 1e-12 * (1 + fabs(q))))
            g_error("%s: number %d is %s in NumPy, not %s", a[0], i, b[i], a[i + 1]);
    }
}

static void
test_numpy(void)
{
    script = g_string_new(
        "import math\nimport numpy as np\n"
        "def show(result):\n"
        "    for y in result if isinstance(result, (list, tuple)) else [result]:\n"
        "        print(list(np.shape(y)), *map(repr, map(float, np.ravel(y))),"
        " sep='\\t')\n");
    wanted = g_string_new(NULL);
    for (const FigOp *const *op = fig_op_all(); *op; op++)
        for_each_case(*op, ROUNDS, append_case);
    g_autofree char *output = run_python();
    g_auto(GStrv) ours = g_strsplit(wanted->str, "\n", -1);
    g_auto(GStrv) theirs = g_strsplit(output, "\n", -1);
    g_assert_cmpint(g_strv_length(ours), ==, g_strv_length(theirs));
    g_assert_cmpint(g_strv_length(ours), >, 10 * ROUNDS);
    for (int i = 0; ours[i] && *ours[i]; i++)
        compare(ours[i], theirs[i]);
    g_string_free(script, TRUE);
    g_string_free(wanted, TRUE);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/ops/numpy", test_numpy);
    return g_test_run();
}
