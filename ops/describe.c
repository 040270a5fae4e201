/* SPDX-License-Identifier: MIT
 *
 * The op table as Markdown and as a list for the terminal.
 */
#include "ops/describe.h"

#include "ops/op.h"

#include <string.h>

static const char *
attr_type(const FigAttr *attr)
{
    switch (attr->type) {
    case FIG_ATTR_REAL:
        return "number";
    case FIG_ATTR_DIM:
        return "size";
    case FIG_ATTR_DIMS:
        return "list of sizes";
    case FIG_ATTR_WORD:
        return attr->words;
    case FIG_ATTR_AXIS:
        return "axis name";
    case FIG_ATTR_BOOL:
        return "true or false";
    }
    g_assert_not_reached();
}

static const char *
attr_shows(const FigAttr *attr)
{
    switch (attr->shows) {
    case FIG_SHOWS_IN_LABEL:
        return "in the label or beside the mark";
    case FIG_SHOWS_IN_SHAPES:
        return "in the shapes of the results";
    case FIG_COMPUTED_NOT_DRAWN:
        return "computed, not drawn";
    }
    g_assert_not_reached();
}

static const char *
mark_words(const FigOp *op)
{
    switch (op->mark) {
    case FIG_MARK_BOX:
        return "a box";
    case FIG_MARK_CIRCLE:
        return "a circle";
    case FIG_MARK_FORK:
        return "a fork: a dot with named branches";
    case FIG_MARK_FRAME:
        return "a frame";
    case FIG_MARKS:
        break;
    }
    g_assert_not_reached();
}

/* Append text with a bar of Markdown tables escaped. */
static void
append_cell(GString *out, const char *text)
{
    for (const char *c = text; *c; c++) {
        if (*c == '|')
            g_string_append_c(out, '\\');
        g_string_append_c(out, *c);
    }
}

static void
append_item(GString *out, const char *name, const char *text)
{
    if (text)
        g_string_append_printf(out, "- %s: %s\n", name, text);
}

/* Append text as code, with a new line before each `|` and `;` of a signature and after
 * each `;` of an example. */
static void
append_code(GString *out, const char *text, const char *before, const char *after)
{
    g_string_append(out, "    ");
    for (const char *c = text; *c; c++) {
        if (strchr(after, *c)) {
            g_string_append(out, "\n   ");
        } else if (*c == ' ' && c[1] && strchr(before, c[1])) {
            g_string_append(out, "\n      ");
        } else {
            g_string_append_c(out, *c);
        }
    }
    g_string_append(out, "\n\n");
}

/* Append lines as code. */
static void
append_lines(GString *out, const char *text)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (int i = 0; lines[i]; i++)
        g_string_append_printf(out, "    %s\n", lines[i]);
    g_string_append_c(out, '\n');
}

static void
append_attributes(GString *out, const FigOp *op)
{
    if (fig_op_attr_count(op) == 0)
        return;
    g_string_append(out, "| attribute | type | default | meaning | shows |\n"
                         "| --- | --- | --- | --- | --- |\n");
    for (const FigAttr *attr = op->attrs; attr->name; attr++) {
        g_string_append_printf(out, "| `%s` | ", attr->name);
        append_cell(out, attr_type(attr));
        if (fig_range_words(attr->range))
            g_string_append_printf(out, ", %s", fig_range_words(attr->range));
        g_string_append_printf(out, " | %s | ",
                               attr->fallback ? attr->fallback : "required");
        append_cell(out, attr->doc);
        if (attr->when) {
            g_string_append(out, "; only with ");
            append_cell(out, attr->when);
        }
        g_string_append_printf(out, " | %s |\n", attr_shows(attr));
    }
    g_string_append_c(out, '\n');
}

static void
append_exposes(GString *out, const FigOp *op)
{
    if (!op->exposes)
        return;
    g_string_append(
        out, "A run can keep these tables as `ID.NAME`, and claims speak of them:\n\n");
    for (const FigExpose *table = op->exposes; table->name; table++)
        g_string_append_printf(out, "- `%s` %s\n", table->name, table->doc);
    g_string_append_c(out, '\n');
}

static void
append_op(GString *out, const FigOp *op)
{
    g_string_append_printf(out, "## %s\n\n", op->name);
    g_string_append_printf(out, "**%s**: %s.\n\n", op->title, op->full_name);
    append_code(out, op->signature, "|;", "");
    g_string_append_printf(out, "$%s$\n\n", op->equation);
    if (op->shape_note)
        g_string_append_printf(out, "Here %s.\n\n", op->shape_note);
    append_attributes(out, op);

    append_item(out, "kind", fig_kind_name(op->kind));
    g_string_append_printf(out, "- drawn as %s", mark_words(op));
    if (op->sign)
        g_string_append_printf(out, " with $%s$ in it", op->sign);
    g_string_append(out, op->commutes ? "; the order of its operands means nothing\n"
                                      : "\n");
    append_item(out, "FLOPs", op->cost);
    g_string_append_printf(out, "- NumPy: `%s`\n- PyTorch: `%s`\n", op->numpy,
                           op->torch);
    if (op->naive[FIG_F32])
        g_string_append(out, "- kernel: BLAS; plain loops as its definition\n");
    if (op->view)
        g_string_append(out, "- no byte moves where strides allow it\n");
    append_item(out, "source", op->source);
    g_string_append_c(out, '\n');

    append_exposes(out, op);
    if (op->same_as) {
        g_string_append(out, "In simpler ops (run as a test):\n\n");
        append_lines(out, op->same_as);
    }
    g_string_append(out, "Example (run as a test):\n\n");
    append_code(out, op->example, "", ";");
}

void
fig_op_describe_markdown(GString *out)
{
    g_string_append(
        out,
        "<!-- Printed from the op table (ops/*.c) by ops/describe.c; do not edit. "
        "Renew with\n"
        "     OPFIG_BLESS=1 meson test -C build --suite ops docs -->\n"
        "# Ops\n\n"
        "The vocabulary of a spec: each op is one file in `ops/` that holds its "
        "equation,\n"
        "its kernel and the row this page is printed from.\n\n"
        "A signature names the axes of operands and results. `...` stands for any "
        "number of\n"
        "axes, `(h d)` for one axis of size h·d, `(m + n)` for one of size m + n, `!` "
        "marks an\n"
        "axis that the op mixes: every other axis may be cut into slices and computed "
        "slice by\n"
        "slice. `< v` says that an operand holds whole numbers from 0 and below v (`< "
        "2`: a "
        "mask,\n"
        "a byte each; else token numbers of 64 bits). `where` orders sizes. `|` parts "
        "alternatives, `; attribute = word:` "
        "those that\n"
        "hang on an attribute. A FLOP is one operation of the formula, a multiply-add "
        "counts as\n"
        "two, and exp, a root and a division as one each. In Python `from_` "
        "is the\n"
        "attribute `from`, a word of Python, and an operand left out is `None`; "
        "`math`\n"
        "is imported.\n\n"
        "| op | kind | what |\n"
        "| --- | --- | --- |\n");
    for (const FigOp *const *op = fig_op_all(); *op; op++)
        g_string_append_printf(out, "| [%s](#%s) | %s | %s |\n", (*op)->name,
                               (*op)->name, fig_kind_name((*op)->kind),
                               (*op)->full_name);
    for (const FigOp *const *op = fig_op_all(); *op; op++) {
        g_string_append_c(out, '\n');
        append_op(out, *op);
        g_string_truncate(out, out->len - 1); /* one empty line between ops */
    }
}

void
fig_op_describe_list(GString *out)
{
    int name = 0, kind = 0, text = 0;
    for (const FigOp *const *op = fig_op_all(); *op; op++) {
        name = MAX(name, (int)strlen((*op)->name));
        kind = MAX(kind, (int)strlen(fig_kind_name((*op)->kind)));
        text = MAX(text, (int)strlen((*op)->full_name));
    }
    for (const FigOp *const *op = fig_op_all(); *op; op++) {
        /* the first alternative is enough for one line */
        size_t length = strcspn((*op)->signature, "|;");
        g_autofree char *signature = g_strndup((*op)->signature, length);
        g_string_append_printf(out, "%-*s  %-*s  %-*s  %s\n", name, (*op)->name, kind,
                               fig_kind_name((*op)->kind), text, (*op)->full_name,
                               g_strchomp(signature));
    }
}
