#include "numpy.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"

/* Another Python may stand before the one that the system's NumPy belongs to. */
static const char *const pythons[] = { "python3", "/usr/bin/python3" };

static FILE *to, *from;
static pid_t child;

/* Both pipes as streams, their other ends as the child's standard input and output. */
static bool spawn(const char *python)
{
    char *const argv[] = { (char *)python, BENCH_DIR "/numpy-transform.py", NULL };
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
    const bool started = posix_spawnp(&child, python, &actions, NULL, argv, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    close(down[0]);
    close(up[1]);
    to = fdopen(down[1], "w");
    from = fdopen(up[0], "r");
    if (!started)
        child = 0;
    return started && to && from;
}

void numpy_stop(void)
{
    if (to)
        fclose(to);
    if (from)
        fclose(from);
    if (child)
        waitpid(child, NULL, 0);
    to = from = NULL;
    child = 0;
}

void numpy_start(void)
{
    char answer[16];
    signal(SIGPIPE, SIG_IGN);
    for (size_t i = 0; i < MW_COUNT(pythons); i++) {
        if (spawn(pythons[i]) && fgets(answer, sizeof answer, from) && strcmp(answer, "ready\n") == 0)
            return;
        numpy_stop();
    }
    fprintf(stderr, "transform: no numpy for python3: its column stays empty\n");
}

double numpy_seconds(unsigned dims, const size_t *length, const char *operation)
{
    double seconds;
    if (!to)
        return NAN;
    for (unsigned d = 0; d < dims; d++)
        fprintf(to, "%s%zu", d ? "x" : "", length[d]);
    fprintf(to, " %s\n", operation);
    if (fflush(to) == 0 && fscanf(from, "%lf", &seconds) == 1)
        return seconds;
    fprintf(stderr, "transform: numpy gave up at %s: its column stays empty from here\n", operation);
    numpy_stop();
    return NAN;
}
