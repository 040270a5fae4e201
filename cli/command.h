/* SPDX-License-Identifier: MIT
 *
 * A command is a row: one file in cli/ and one word in cli/meson.build. `opfig --help`
 * and the tests read the rows.
 */
#ifndef FIG_CLI_COMMAND_H
#define FIG_CLI_COMMAND_H

#include <glib.h>
#include <stdbool.h>

enum {
    FIG_EXIT_OK = 0,
    FIG_EXIT_NO = 1,    /* something checked does not hold */
    FIG_EXIT_USAGE = 2, /* a wrong spec, other wrong input, wrong usage */
};

typedef struct FigCommand {
    const char *name;
    const char *usage;    /* after the name: "SPEC [-o FILE]…" */
    const char *summary;  /* one line */
    const char *examples; /* each a line that can be typed */
    int (*run)(const struct FigCommand *self, int argc, char **argv); /* an exit code */
} FigCommand;

/* All commands, ended by NULL. */
const FigCommand *const *fig_command_all(void);
const FigCommand *fig_command_lookup(const char *name);

#endif
