/* meshwork worker: executes commands in one process for meshwork compare, so that drivers start once. */
#include "tools/compare/worker.h"

#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>

#include "tools/cli/groups.h"
#include "tools/cli/subcommands.h"

/* Reads the next NUL-terminated text; MW_ESTOPPED: end of input. */
static int read_word(char **word)
{
    size_t capacity = 0;
    *word = NULL;
    if (getdelim(word, &capacity, 0, stdin) >= 0)
        return 0;
    free(*word);
    *word = NULL;
    return MW_ESTOPPED;
}

/* Reads the arguments of a run: their number, then the texts. */
static int read_run(char ***words, size_t *count)
{
    char *number = NULL;
    size_t all;
    int rc;
    *words = NULL;
    *count = 0;
    TRY(read_word(&number));
    all = strtoul(number, NULL, 10);
    TRY(mw_new(all + 1, sizeof(**words), words));
    for (; *count < all; (*count)++)
        TRY(read_word(&(*words)[*count]));
out:
    free(number);
    return rc;
}

/* Writes after the output of a run: its exit code, its seconds, and the reason of a failure. */
static void print_end(int code, double seconds, const char *reason)
{
    printf("%c%d %.9f ", WORKER_MARK, code, seconds);
    for (const char *c = code ? reason : ""; *c; c++)
        putchar(*c == WORKER_MARK ? '?' : *c);
    putchar(WORKER_MARK);
    fflush(stdout);
}

static int worker_run(struct command *command)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* the reader may be killed during a run */
    if (command->operands.count)
        devices_keep();
    for (;;) {
        char **words;
        size_t count;
        const int rc = read_run(&words, &count);
        const double start = mw_now();
        const int code = rc ? 0 : command_run((int)count, words);
        if (code)
            devices_drop(); /* a device may be unusable after a failure */
        if (!rc)
            print_end(code, mw_now() - start, mw_errmsg());
        for (size_t i = 0; i < count; i++)
            free(words[i]);
        free(words);
        if (rc) {
            devices_drop();
            return rc == MW_ESTOPPED ? 0 : rc;
        }
    }
}

static const struct option_group groups[] = { { 0 } };

const struct subcommand worker_subcommand = {
    .name = "worker",
    .operands = "[keep]",
    .description = "Executes commands from standard input for compare; keep: with devices that stay open.",
    .groups = groups,
    .most_operands = 1,
    .run = worker_run,
};
/* SPDX-License-Identifier: MIT */
