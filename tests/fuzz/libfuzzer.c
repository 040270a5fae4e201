/* SPDX-License-Identifier: MIT
 *
 * What libFuzzer takes besides a target, linked in place of replay.c (see dev/fuzz): half
 * of its mutations are ours, which keep a grammar alive, half its own, which do not.
 */
#include "tests/fuzz/fuzz.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* libFuzzer's names for its hooks; it has no header for them. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size,
                                 const uint8_t *two, size_t two_size, uint8_t *out,
                                 size_t most, unsigned seed);
int LLVMFuzzerInitialize(int *argc, char ***argv);

static size_t
mutate(GRand *random, const uint8_t *one, size_t one_size, const uint8_t *two,
       size_t two_size, uint8_t *out, size_t most)
{
    g_autoptr(GString) text = g_string_new(NULL);
    fuzz_mutate(random, (const char *)one, one_size, (const char *)two, two_size, text);
    size_t size = MIN(text->len, most);
    memcpy(out, text->str, size);
    return size;
}

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    if (seed & 1)
        return LLVMFuzzerMutate(data, size, most);
    GRand *random = g_rand_new_with_seed(seed);
    size = mutate(random, data, size, NULL, 0, data, most);
    g_rand_free(random);
    return size;
}

size_t
LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size, const uint8_t *two,
                          size_t two_size, uint8_t *out, size_t most, unsigned seed)
{
    GRand *random = g_rand_new_with_seed(seed);
    size_t size = mutate(random, one, one_size, two, two_size, out, most);
    g_rand_free(random);
    return size;
}

/* Messages of the program are no news; libFuzzer speaks on its own copy of stderr. */
int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0) {
        dup2(nowhere, STDOUT_FILENO);
        close(nowhere);
    }
    return 0;
}
