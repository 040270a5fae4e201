/* SPDX-License-Identifier: MIT
 *
 * The format of NumPy (NEP 1): six bytes of magic, a version, the length of the header, and
 * the header, a literal of Python of which NumPy writes one form:
 *
 *   {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }
 *
 * Files come from strangers: other forms are refused.
 */
#include "exec/npy.h"

#include "base/file.h"
#include "base/limit.h"
#include "exec/half.h"

#include <string.h>

#define MAGIC "\x93NUMPY"

enum {
    START = 8,           /* magic, version */
    MOST_HEADER = 65536, /* NumPy's own cap is 10,000 */
};

/* A word of the header where reading has come to. */
static bool
take(const char **at, const char *word)
{
    while (**at == ' ' || **at == '\n')
        ++*at;
    if (strncmp(*at, word, strlen(word)) != 0)
        return false;
    *at += strlen(word);
    return true;
}

static bool
take_shape(const char **at, int *rank, int64_t *size)
{
    if (!take(at, "("))
        return false;
    for (*rank = 0; !take(at, ")"); ++*rank) {
        char *end;
        take(at, "");
        if (*rank == FIG_LIMIT_RANK || !g_ascii_isdigit(**at))
            return false;
        gint64 number = g_ascii_strtoll(*at, &end, 10);
        if (number == G_MAXINT64)
            return false;
        size[*rank] = number;
        *at = end;
        if (!take(at, ",") && **at != ')')
            return false;
    }
    return true;
}

/* Read "{'descr': …, }", keys in any order. */
static bool
read_header(const char *text, char descr[8], bool *fortran, int *rank, int64_t *size)
{
    bool seen[3] = {false};
    if (!take(&text, "{"))
        return false;
    while (!take(&text, "}")) {
        if (take(&text, "'descr':")) {
            take(&text, "");
            const char *quote = *text == '\'' ? strchr(text + 1, '\'') : NULL;
            if (!quote || quote - text - 1 >= 8)
                return false;
            memcpy(descr, text + 1, (size_t)(quote - text - 1));
            descr[quote - text - 1] = '\0';
            text = quote + 1;
            seen[0] = true;
        } else if (take(&text, "'fortran_order':")) {
            *fortran = take(&text, "True");
            if (!*fortran && !take(&text, "False"))
                return false;
            seen[1] = true;
        } else if (!take(&text, "'shape':") || !take_shape(&text, rank, size)) {
            return false;
        } else {
            seen[2] = true;
        }
        if (!take(&text, ",") && *text != '}')
            return false;
    }
    return seen[0] && seen[1] && seen[2];
}

typedef struct Form {
    const char *descr;
    size_t bytes;
    FigType type; /* as it is kept */
} Form;

static const Form forms[] = {
    {"<f2", 2, FIG_F32}, {"<f4", 4, FIG_F32}, {"<f8", 8, FIG_F64}, {"<i4", 4, FIG_I64},
    {"<i8", 8, FIG_I64}, {"|u1", 1, FIG_U8},  {"|b1", 1, FIG_U8},
};

static const Form *
form_of(const char *descr)
{
    for (size_t i = 0; i < G_N_ELEMENTS(forms); i++)
        if (strcmp(forms[i].descr, descr) == 0)
            return &forms[i];
    return NULL;
}

/* The numbers as they are kept. owns: the caller */
static void *
keep(const Form *form, const char *data, int64_t count)
{
    void *numbers = g_malloc_n((gsize)MAX(count, 1), fig_type_size(form->type));
    for (int64_t i = 0; i < count; i++) {
        uint16_t half;
        int32_t whole;
        if (strcmp(form->descr, "<f2") == 0) {
            memcpy(&half, data + 2 * i, 2);
            ((float *)numbers)[i] = fig_half_float(half);
        } else if (strcmp(form->descr, "<i4") == 0) {
            memcpy(&whole, data + 4 * i, 4);
            ((int64_t *)numbers)[i] = whole;
        }
    }
    if (form->bytes == fig_type_size(form->type))
        memcpy(numbers, data, (size_t)count * form->bytes);
    return numbers;
}

static FigTensorFile *
fault(GError **error, const char *path, const char *what)
{
    g_set_error(error, g_quark_from_static_string("fig-npy"), 1, "%s: %s", path, what);
    return NULL;
}

bool
fig_npy_is(const char *path)
{
    return g_str_has_suffix(path, ".npy");
}

FigTensorFile *
fig_npy_open(const char *path, const char *name, GError **error)
{
    g_autofree char *bytes = NULL;
    gsize length;
    if (!fig_file_read(path, FIG_LIMIT_NPY, &bytes, &length, error))
        return NULL;
    if (length < START + 2 || memcmp(bytes, MAGIC, 6) != 0)
        return fault(error, path, "no file of NumPy");
    int version = (unsigned char)bytes[6];
    size_t width = version == 1 ? 2 : 4, header = 0;
    if (version < 1 || version > 3 || length < START + width)
        return fault(error, path, "a version of NumPy's format that is not known");
    for (size_t i = 0; i < width; i++)
        header |= (size_t)(unsigned char)bytes[START + i] << (8 * i);
    size_t start = START + width;
    if (header > MOST_HEADER || header > length - start)
        return fault(error, path, "its header is longer than the file");
    g_autofree char *text = g_strndup(bytes + start, header);
    char descr[8] = "";
    bool fortran = false;
    int rank = 0;
    int64_t size[FIG_LIMIT_RANK];
    if (!read_header(text, descr, &fortran, &rank, size))
        return fault(error, path, "its header is not as NumPy writes it");
    if (fortran)
        return fault(error, path, "columns first; np.ascontiguousarray mends it");
    const Form *form = form_of(descr);
    if (!form)
        return fault(
            error, path,
            "its numbers are not read, only <f2, <f4, <f8, <i4, <i8, |u1, |b1");
    size_t wanted = form->bytes;
    bool fits = true;
    for (int axis = 0; axis < rank; axis++)
        fits = fits && g_size_checked_mul(&wanted, wanted, (size_t)size[axis]);
    if (!fits || wanted != length - start - header)
        return fault(error, path,
                     "its shape does not take the bytes behind the header");
    g_autofree void *numbers =
        keep(form, bytes + start + header, (int64_t)(wanted / form->bytes));
    FigView view = fig_view_dense(numbers, form->type, rank, size);
    return fig_tensor_file_new(1, &name, &view);
}
