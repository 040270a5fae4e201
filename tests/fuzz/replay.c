/* SPDX-License-Identifier: MIT
 *
 * Feeds a fuzz target files, folders of files, and mutations of them.
 *
 *   fuzz-WORD [--runs N] [--seed S] PATH…
 *
 * The input that crashes, takes more than a second or more than 256 MB is kept as
 * crash-SEED-RUN in the folder of FUZZ_CRASHES (or the working one), with what was printed.
 */
#include "tests/fuzz/fuzz.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

enum {
    SECONDS = 1, /* of the processor, in a build without sanitizers */
    MEGABYTES = 256,
    STACK = 1 << 16,
};

#if defined(__SANITIZE_ADDRESS__)
enum { SLOWER = 5, LARGER = 3 };
const char *__asan_default_options(void);
const char *
__asan_default_options(void)
{
    return "abort_on_error=1:quarantine_size_mb=8:detect_leaks=0";
}
const char *__ubsan_default_options(void);
const char *
__ubsan_default_options(void)
{
    return "halt_on_error=1:abort_on_error=1:print_stacktrace=1";
}
#else
enum { SLOWER = 1, LARGER = 1 };
#endif

static const uint8_t *current;
static size_t current_size;
static char crash_name[512];
static int said = -1, messages = -1;

/* Only calls that a signal handler may make. */
static void
give_up(const char *why)
{
    char buffer[4096];
    ssize_t n;
    lseek(messages, 0, SEEK_SET);
    while ((n = read(messages, buffer, sizeof buffer)) > 0)
        n = write(said, buffer, (size_t)n);
    int file = open(crash_name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    n = write(file, current, current_size);
    n = write(said, "Bail out! ", 10);
    n = write(said, why, strlen(why));
    n = write(said, ": ", 2);
    n = write(said, crash_name, strlen(crash_name));
    n = write(said, "\n", 1);
    _exit(99);
}

static void
on_signal(int number)
{
    give_up(number == SIGPROF ? "too slow" : number == SIGABRT ? "abort" : "crash");
}

static long
memory(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss / 1024;
}

static void
feed(const char *bytes, size_t length)
{
    /* exactly as long as it says, so that a reader of one byte more is seen */
    g_autofree uint8_t *copy = g_malloc(MAX(length, 1));
    memcpy(copy, bytes, length);
    current = copy;
    current_size = length;
    if (ftruncate(messages, 0) != 0 || lseek(messages, 0, SEEK_SET) != 0)
        give_up("no file for messages");
    long before = memory();
    struct itimerval limit = {.it_value = {.tv_sec = SECONDS * SLOWER}}, none = {0};
    setitimer(ITIMER_PROF, &limit, NULL);
    LLVMFuzzerTestOneInput(copy, length);
    setitimer(ITIMER_PROF, &none, NULL);
    if (memory() - before > (long)MEGABYTES * LARGER)
        give_up("too much memory");
}

static gint
by_name(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void
add_seeds(const char *path, GPtrArray *seeds)
{
    g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
    if (dir) {
        g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
        for (const char *name; (name = g_dir_read_name(dir));)
            if (!g_str_has_suffix(name, ".txt"))
                g_ptr_array_add(names, g_build_filename(path, name, NULL));
        g_ptr_array_sort(names, by_name);
        for (guint i = 0; i < names->len; i++)
            add_seeds(names->pdata[i], seeds);
        return;
    }
    char *text;
    gsize length;
    if (!g_file_get_contents(path, &text, &length, NULL))
        g_error("%s cannot be read", path);
    g_ptr_array_add(seeds, g_bytes_new_take(text, length));
}

int
main(int argc, char **argv)
{
    int runs = 0, start = 0;
    const GOptionEntry entries[] = {
        {"runs", 0, 0, G_OPTION_ARG_INT, &runs, "Mutations to feed", "N"},
        {"seed", 0, 0, G_OPTION_ARG_INT, &start, "Seed of the first mutation", "S"},
        G_OPTION_ENTRY_NULL,
    };
    g_autoptr(GOptionContext) context = g_option_context_new("PATH…");
    g_option_context_add_main_entries(context, entries, NULL);
    g_autoptr(GError) error = NULL;
    if (!g_option_context_parse(context, &argc, &argv, &error))
        g_error("%s", error->message);
    g_autoptr(GPtrArray) seeds =
        g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref);
    for (int i = 1; i < argc; i++)
        add_seeds(argv[i], seeds);
    if (seeds->len == 0)
        g_error("no seeds are given");

    static char stack[STACK];
    stack_t alternative = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&alternative, NULL);
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
    sigaction(SIGPROF, &action, NULL);
    sigaction(SIGABRT, &action, NULL);
#if !defined(__SANITIZE_ADDRESS__)
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGFPE, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
#endif
    const char *folder = g_getenv("FUZZ_CRASHES") ? g_getenv("FUZZ_CRASHES") : ".";
    said = dup(STDERR_FILENO);
    int results = dup(STDOUT_FILENO);
    messages = memfd_create("messages", 0);
    dup2(messages, STDERR_FILENO);
    dup2(messages, STDOUT_FILENO);

    for (guint i = 0; i < seeds->len; i++) {
        gsize length;
        const char *text = g_bytes_get_data(seeds->pdata[i], &length);
        snprintf(crash_name, sizeof crash_name, "%s/crash-seed-%u", folder, i);
        feed(text, length);
    }
    const char *missed = fuzz_missed();
    if (missed) {
        dprintf(results, "Bail out! no seed gets as far as ‘%s’\n", missed);
        return 1;
    }
    g_autoptr(GString) input = g_string_new(NULL);
    for (int run = start; run < start + runs; run++) {
        g_autoptr(GRand) random = g_rand_new_with_seed((guint32)run);
        gsize length, other_length;
        guint pick = g_rand_int(random) % seeds->len;
        guint other_pick = g_rand_int(random) % seeds->len;
        const char *text = g_bytes_get_data(seeds->pdata[pick], &length);
        const char *other = g_bytes_get_data(seeds->pdata[other_pick], &other_length);
        g_string_truncate(input, 0);
        fuzz_mutate(random, text, length, other, other_length, input);
        snprintf(crash_name, sizeof crash_name, "%s/crash-%d", folder, run);
        feed(input->str, input->len);
    }
    dprintf(results, "ok 1 - %u seeds, %d mutations\n1..1\n", seeds->len, runs);
    fflush(stdout);
    return 0;
}
