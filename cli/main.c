/* SPDX-License-Identifier: MIT
 *
 * The program: finds the command and calls it.
 */
#include "base/cells.h"
#include "cli/command.h"
#include "cli/options.h"

#include "cli/command-table.h"

#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

const FigCommand *const *
fig_command_all(void)
{
    return command_table;
}

const FigCommand *
fig_command_lookup(const char *name)
{
    for (const FigCommand *const *one = command_table; *one; one++)
        if (strcmp((*one)->name, name) == 0)
            return *one;
    return NULL;
}

static void
print_help(void)
{
    fputs("Usage: opfig COMMAND …\n\n"
          "Figures of transformer blocks, drawn from the computation itself.\n\n"
          "Commands:\n",
          stdout);
    for (const FigCommand *const *one = command_table; *one; one++)
        printf("  %-8s %s\n", (*one)->name, (*one)->summary);
    fputs("\nOptions:\n"
          "  --help     this text; opfig COMMAND --help has options and examples\n"
          "  --version  the version\n"
          "\nExamples:\n"
          "  opfig draw olmo2-block -o block.svg -o block.pdf\n"
          "  opfig run olmo2-block --dims T=16\n"
          "  opfig check block.svg\n",
          stdout);
}

int
main(int argc, char **argv)
{
    /* UTF-8 for messages whatever the locale; numbers never come from the locale. */
    setlocale(LC_ALL, "C.UTF-8");
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_IGN); /* a file beyond the limit cannot be written: an error */
    g_set_prgname("opfig");
    if (argc < 2) {
        print_help();
        return FIG_EXIT_USAGE;
    }
    const char *word = argv[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 ||
        strcmp(word, "help") == 0) {
        print_help();
        return FIG_EXIT_OK;
    }
    if (strcmp(word, "--version") == 0) {
        puts("opfig " OPFIG_VERSION);
        return FIG_EXIT_OK;
    }
    const FigCommand *command = fig_command_lookup(word);
    if (!command) {
        g_autoptr(GPtrArray) names = g_ptr_array_new();
        for (const FigCommand *const *one = command_table; *one; one++)
            g_ptr_array_add(names, (void *)(*one)->name);
        g_ptr_array_add(names, NULL);
        const char *meant = fig_word_suggest(word, (const char *const *)names->pdata);
        fprintf(stderr, "opfig: error: unknown command ‘%s’\n", word);
        if (meant)
            fprintf(stderr, "  = hint: did you mean ‘%s’?\n", meant);
        else
            fputs("  = hint: opfig --help\n", stderr);
        return FIG_EXIT_USAGE;
    }
    int code = command->run(command, argc - 1, argv + 1);
    /* A full disk behind standard output is an error too. */
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fputs("opfig: error: standard output cannot be written\n", stderr);
        return FIG_EXIT_USAGE;
    }
    return code;
}
