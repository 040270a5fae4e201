/* SPDX-License-Identifier: MIT
 *
 * The fuzz targets: each file fuzz-WORD.c defines libFuzzer's entry over one kind of input
 * that comes from strangers. Built by meson it is linked with replay.c, which feeds it the
 * seeds and mutations of them; `clang -fsanitize=fuzzer` can drive the same file.
 */
#ifndef FIG_TESTS_FUZZ_FUZZ_H
#define FIG_TESTS_FUZZ_FUZZ_H

#include "exec/recorder.h"
#include "exec/run.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Feed one input. It may be refused with messages; it may not crash, hang, eat memory or
 * break what the target asserts about good inputs. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* How far inputs can get, ended by NULL. Each target says its own; seeds that are all refused
 * on the way to one of them test nothing behind it, and are a failure. */
extern const char *const fuzz_goals[];

/* Note that an input got to this goal. */
void fuzz_reach(const char *goal);

/* The first goal that no input has got to, or NULL. */
const char *fuzz_missed(void);

/* Append a mutation of a seed: words, numbers, lines and brackets are exchanged, so that
 * most results are still nearly well-formed. other is another seed to take pieces from. */
void fuzz_mutate(GRand *random, const char *seed, size_t length, const char *other,
                 size_t other_length, GString *out);

/* A file of this process that holds size bytes, for code that wants a path. */
const char *fuzz_file(const void *data, size_t size);

/* Run a command of opfig, in this process, and hold it to the exit codes: 0 without an
 * error message, 1 or 2. */
int fuzz_opfig(const char *const *words);

typedef struct FuzzBlock {
    FigGraph *graph;
    FigRecord *record; /* at the dims drawn, executed at probe dims */
    FigArena *arena;   /* these are what graph and record rest on */
    FigRun *shapes, *executed;
} FuzzBlock;

/* The block as shipped, loaded and run at the first call and kept to the end. */
const FuzzBlock *fuzz_block(void);

#endif
