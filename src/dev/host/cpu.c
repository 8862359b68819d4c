/* The cores of the host, and its memory. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "dev/host/host.h"

unsigned mw_core_count(void)
{
    long online = sysconf(_SC_NPROCESSORS_ONLN);
#ifdef __linux__
    /* The kernel refuses a set that is smaller than its own, so try larger ones. */
    for (int cpus = 1024; cpus <= 1 << 20; cpus *= 4) {
        size_t bytes = CPU_ALLOC_SIZE(cpus);
        cpu_set_t *set = CPU_ALLOC(cpus);
        int got = set ? sched_getaffinity(0, bytes, set) : -1;
        int error = errno;
        int count = got == 0 ? CPU_COUNT_S(bytes, set) : 0;
        CPU_FREE(set);
        if (count > 0)
            return (unsigned)count;
        if (got == 0 || error != EINVAL)
            break;
    }
#endif
    return online > 0 ? (unsigned)online : 1;
}

/* Reads the start of a file; "" when it cannot be read.  One read is enough for the small files of /proc, and asking
 * for no more matters: the kernel makes the text of each core on demand. */
static void read_start(const char *path, char *text, size_t size)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = file >= 0 ? read(file, text, size - 1) : -1;
    if (file >= 0)
        close(file);
    text[n > 0 ? n : 0] = '\0';
}

/* Copies the value of a line "key<blanks>: value", with runs of blanks made one; returns false without such a line. */
static bool find_value(const char *text, const char *key, char *value, size_t size)
{
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        const char *at = line + strlen(key);
        size_t n = 0;

        if (strncmp(line, key, strlen(key)) != 0 || *(at += strspn(at, " \t")) != ':')
            continue;
        for (at++; *at != '\n' && *at != '\0' && n + 1 < size; at++) {
            bool blank = (unsigned char)*at <= ' ';
            if (!blank || (n > 0 && value[n - 1] != ' '))
                value[n++] = blank ? ' ' : *at;
        }
        n -= n > 0 && value[n - 1] == ' ';
        value[n] = '\0';
        return n > 0;
    }
    return false;
}

void mw_cpu_identify(struct mw_text *cpu)
{
    static const char *const keys[] = {
        "vendor_id",       "cpu family",       "model",       "model name", "flags", "Features",
        "CPU implementer", "CPU architecture", "CPU variant", "CPU part",   "cpu",   "isa",
    };
    char text[8192], value[8192];
    struct utsname system;
    if (uname(&system) == 0)
        mw_text_add(cpu, "%s\n", system.machine);
    read_start("/proc/cpuinfo", text, sizeof text);
    for (size_t i = 0; i < MW_COUNT(keys); i++)
        if (find_value(text, keys[i], value, sizeof value))
            mw_text_add(cpu, "%s: %s\n", keys[i], value);
}

void mw_cpu_describe(struct mw_device_info *info)
{
    char text[4096];
    struct utsname system;
    read_start("/proc/cpuinfo", text, sizeof text);
    if (!find_value(text, "vendor_id", info->vendor, sizeof info->vendor))
        info->vendor[0] = '\0';
    if (find_value(text, "model name", info->name, sizeof info->name))
        return;
    snprintf(info->name, sizeof info->name, "%.80s CPU", uname(&system) == 0 ? system.machine : "unknown");
}

unsigned mw_cpu_lanes(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f"))
        return 16;
    if (__builtin_cpu_supports("avx2"))
        return 8;
#endif
    return 4;
}

/* The least limit of a control group and those above it, at most `bytes`. */
static uint64_t group_limit(const char *root, const char *path, size_t length, const char *name, uint64_t bytes)
{
    char file[1024], text[32], *end;
    for (;;) {
        while (length > 0 && path[length - 1] == '/')
            length--;
        if (snprintf(file, sizeof file, "%s%.*s/%s", root, (int)length, path, name) < (int)sizeof file) {
            read_start(file, text, sizeof text);
            unsigned long long limit = strtoull(text, &end, 10);

            if (end != text && limit > 0 && limit < bytes)
                bytes = limit;
        }
        if (length == 0)
            return bytes;
        while (length > 0 && path[length - 1] != '/')
            length--;
    }
}

uint64_t mw_host_bytes(void)
{
    static const struct {
        const char *mark, *root, *name;
    } kinds[] = {
        { "0::", "/sys/fs/cgroup", "memory.max" },
        { "memory:", "/sys/fs/cgroup/memory", "memory.limit_in_bytes" },
    };
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    uint64_t bytes = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : 0;
    char groups[2048];

    read_start("/proc/self/cgroup", groups, sizeof groups);
    for (size_t i = 0; i < MW_COUNT(kinds) && bytes > 0; i++) {
        const char *at = strstr(groups, kinds[i].mark);
        if (at && (at == groups || at[-1] == '\n' || at[-1] == ':')) {
            at += strlen(kinds[i].mark);
            bytes = group_limit(kinds[i].root, at, strcspn(at, "\n"), kinds[i].name, bytes);
        }
    }
    return bytes;
}
/* SPDX-License-Identifier: MIT */
