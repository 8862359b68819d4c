#include "python.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"

/* Another Python may precede the system's in $PATH and lack its packages. */
static const char *const pythons[] = { "python3", "/usr/bin/python3" };

/* Both pipes as streams, their other ends as the child's standard input and output. */
static bool spawn(struct python *p, const char *python, const char *script)
{
    char *const argv[] = { (char *)python, (char *)script, NULL };
    posix_spawn_file_actions_t actions;
    int down[2], up[2];
    if (pipe2(down, O_CLOEXEC) != 0)
        return false;
    if (pipe2(up, O_CLOEXEC) != 0) {
        close(down[0]);
        close(down[1]);
        return false;
    }
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, down[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, up[1], STDOUT_FILENO);
    const bool started = posix_spawnp(&p->child, python, &actions, NULL, argv, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    close(down[0]);
    close(up[1]);
    p->to = fdopen(down[1], "w");
    p->from = fdopen(up[0], "r");
    if (!started)
        p->child = 0;
    return started && p->to && p->from;
}

void python_stop(struct python *p)
{
    if (p->to)
        fclose(p->to);
    if (p->from)
        fclose(p->from);
    if (p->child)
        waitpid(p->child, NULL, 0);
    *p = (struct python){ 0 };
}

bool python_start(struct python *p, const char *script)
{
    char answer[16];
    *p = (struct python){ 0 };
    signal(SIGPIPE, SIG_IGN);
    for (size_t i = 0; i < MW_COUNT(pythons); i++) {
        if (spawn(p, pythons[i], script) && fgets(answer, sizeof answer, p->from) && strcmp(answer, "ready\n") == 0)
            return true;
        python_stop(p);
    }
    return false;
}

bool python_for_test(struct python *p, const char *script, const char *package)
{
    const char *srcdir = getenv("srcdir");
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", srcdir ? srcdir : ".", script);
    if (python_start(p, path))
        return true;
    printf("SKIP: %s is not installed\n", package);
    return false;
}

double python_seconds(struct python *p, const char *line, const void *bytes, size_t n)
{
    char answer[64];
    if (!p->to)
        return NAN;
    fprintf(p->to, "%s\n", line);
    if ((n == 0 || fwrite(bytes, 1, n, p->to) == n) && fflush(p->to) == 0 && fgets(answer, sizeof answer, p->from))
        return strtod(answer, NULL);
    fprintf(stderr, "%s: other libraries gave up at '%s': their columns stay empty from here\n",
            program_invocation_short_name, line);
    python_stop(p);
    return NAN;
}
/* SPDX-License-Identifier: MIT */
