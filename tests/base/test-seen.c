/* SPDX-License-Identifier: MIT
 *
 * Words that are not what they look like, each refused at its sign, and words of all
 * kinds of scripts that are.
 */
#include "base/seen.h"

#include <string.h>

typedef struct Row {
    bool math;
    const char *text;
    int column; /* of the sign in the text; 0: nothing is wrong */
    const char *says;
    const char *hint; /* NULL: none */
} Row;

static const Row rows[] = {
    /* letters of a script that stand in a word of another */
    {false, "a Сausal mask", 3,
     "the Cyrillic letter ‘С’ (U+0421) in a word with Latin ones",
     "the Latin letter is ‘C’"},
    {false, "Αttention", 1, "the Greek letter ‘Α’ (U+0391) in a word with Latin ones",
     "the Latin letter is ‘A’"},
    {false, "Привeт", 5, "the Latin letter ‘e’ (U+0065) in a word with Cyrillic ones",
     NULL},
    {false, "OLΜο 2", 3, "the Greek letter ‘Μ’ (U+039C) in a word with Latin ones",
     "the Latin letter is ‘M’"},
    {false, "maѕk", 3, "the Cyrillic letter ‘ѕ’ (U+0455) in a word with Latin ones",
     "the Latin letter is ‘s’"},
    {false, "шmask", 1, "the Cyrillic letter ‘ш’ (U+0448) in a word with Latin ones",
     NULL},
    {false, "maกk", 3, "the foreign letter ‘ก’ (U+0E01) in a word with Latin ones",
     NULL},
    /* letters that look like Latin ones, in a text that has no others of their script */
    {false, "width С, read", 7,
     "the Cyrillic letter ‘С’ (U+0421), which reads as Latin",
     "the Latin letter is ‘C’"},
    {false, "ΜΗΤ", 1, "the Greek letter ‘Μ’ (U+039C), which reads as Latin",
     "the Latin letter is ‘M’"},
    /* formulas */
    {true, "С", 1, "the Cyrillic letter ‘С’ (U+0421) in a formula",
     "the Latin letter is ‘C’"},
    {true, "h_{Α}", 4, "the Greek letter ‘Α’ (U+0391) in a formula",
     "the Latin letter is ‘A’"},
    {true, "\\mathrm{сlip}", 9,
     "the Cyrillic letter ‘с’ (U+0441) in a word with Latin ones",
     "the Latin letter is ‘c’"},
    {false, "of $x_С$ here", 7, "the Cyrillic letter ‘С’ (U+0421) in a formula",
     "the Latin letter is ‘C’"},
    /* other forms of ASCII */
    {true, "Ｃ", 1, "‘Ｃ’ (U+FF23), which reads as ‘C’", "write ‘C’"},
    {true, "５12", 1, "‘５’ (U+FF15), which reads as ‘5’", "write ‘5’"},
    {false, "the 𝐶 of it", 5, "‘𝐶’ (U+1D436), which reads as ‘C’", "write ‘C’"},
    /* one way to write */
    {false, "nai\u0308ve", 3, "‘i\u0308’ in a form that reads the same and is another",
     "‘ï’ is U+00EF"},
    {true, "\u212a", 1, "‘\u212a’ in a form that reads the same and is another",
     "‘K’ is U+004B"},
    {true, "C\u0338", 2, "the mark U+0338 through a letter", NULL},
    {false, "a \u0302b", 3, "the mark U+0302 on no letter", NULL},
    /* unseen */
    {false, "OL\u200bMo", 3, "the character U+200B, which nobody sees", NULL},
    {false, "1\u202e6", 2, "the character U+202E, which nobody sees", NULL},
    {false, "a\u2067b", 2, "the character U+2067, which nobody sees", NULL},
    {false, "soft\u00adhyphen", 5, "the character U+00AD, which nobody sees", NULL},
    {false, "a\u034fb", 2, "the character U+034F, which nobody sees", NULL},
    {false, "a\u3164b", 2, "the character U+3164, which nobody sees", NULL},
    {false, "a\ufe0fb", 2, "the character U+FE0F, which nobody sees", NULL},
    {false, "a\U000e0041b", 2, "the character U+E0041, which nobody sees", NULL},
    /* what is right */
    {false, "θ, ε and σ of RMSNorm; ΔW is σ² over µ, 10⁵ keys, S = q kᵀ", 0, NULL,
     NULL},
    {false, "naïve Å, Straße, Łódź, đường", 0, NULL, NULL},
    {false, "Слой нормы С, маска QK-нормы", 0, NULL, NULL},
    {false, "Η μάσκα, τα κλειδιά", 0, NULL, NULL},
    {false, "使用RMSNorm的注意力、キーとQ", 0, NULL, NULL},
    {false, "शब्द หน้ากาก", 0, NULL, NULL},
    {false, "of $\\alpha x_\\theta$ and $αx$, <count(class = norm)> norms, \\<b", 0,
     NULL, NULL},
    {true, "h_{ff}", 0, NULL, NULL},
    {true, "\\theta", 0, NULL, NULL},
    {true, "θ", 0, NULL, NULL},
    {true, "εx", 0, NULL, NULL},
    {true, "x\u0302", 0, NULL, NULL},
    {true, "\\mathrm{ширина}", 0, NULL, NULL},
};

static void
test_row(gconstpointer data)
{
    const Row *row = data;
    g_autoptr(FigDiag) diag = fig_diag_new();
    g_autoptr(GString) out = g_string_new(NULL);
    FigSource source = {"a.yaml", row->text, strlen(row->text)};
    FigYaml scalar = {.kind = FIG_YAML_SCALAR,
                      .span = {&source, 0, source.length, 1, 1},
                      .text = row->text,
                      .verbatim = true};
    bool sound = fig_seen_check(&scalar, row->math, "it", diag);
    fig_diag_print(diag, out, false);
    g_assert_cmpint(sound, ==, row->column == 0);
    g_assert_cmpint(fig_diag_errors(diag), ==, row->column != 0);
    if (sound)
        return;
    g_autofree char *head =
        g_strdup_printf("a.yaml:1:%d: error: it has %s\n", row->column, row->says);
    g_autofree char *hint = g_strdup_printf("= hint: %s\n", row->hint ? row->hint : "");
    g_test_message("%s", out->str);
    g_assert_true(g_str_has_prefix(out->str, head));
    g_assert_cmpint(strstr(out->str, "= hint") != NULL, ==, row->hint != NULL);
    g_assert_true(!row->hint || strstr(out->str, hint));
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *name = g_strdup_printf("/seen/%zu", i);
        g_test_add_data_func(name, &rows[i], test_row);
    }
    return g_test_run();
}
