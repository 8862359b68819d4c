/* The last failure's message, the version, and the receiver of log messages. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "base/base.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#define SENTENCE_SIZE 1024

static _Thread_local char sentence[SENTENCE_SIZE];

static mw_log_fn *log_receiver;
static void *log_context;

/* Formats into `to` of `size` bytes.  A longer text is cut before a UTF-8 character and ends in "...".  Control
 * characters become blanks, because messages quote paths and file contents and must be one safe line on a terminal. */
static void MW_PRINTF(3, 0) format_line(char *to, size_t size, const char *format, va_list args)
{
    static const char dots[] = "...";
    int length = vsnprintf(to, size, format, args);
    if (length < 0)
        snprintf(to, size, "%s", format);
    if (length >= 0 && (size_t)length >= size) {
        size_t end = size - sizeof dots;
        while (end > 0 && ((unsigned char)to[end] & 0xC0) == 0x80)
            end--;
        memcpy(to + end, dots, sizeof dots);
    }
    for (char *c = to; *c != '\0'; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7F)
            *c = ' ';
}

/* Both functions format into their own buffer first, because an argument may be mw_errmsg() itself. */
int mw_fail(enum mw_status status, const char *format, ...)
{
    int saved = errno;
    char line[SENTENCE_SIZE];
    va_list args;
    va_start(args, format);
    format_line(line, sizeof line, format, args);
    va_end(args);
    memcpy(sentence, line, strlen(line) + 1);
    errno = saved;
    return status;
}

static void MW_PRINTF(3, 4) status_join(char *to, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    format_line(to, size, format, args);
    va_end(args);
}

int mw_fail_in(int status, const char *format, ...)
{
    int saved = errno;
    char context[SENTENCE_SIZE], line[SENTENCE_SIZE];
    va_list args;
    va_start(args, format);
    format_line(context, sizeof context, format, args);
    va_end(args);
    status_join(line, sizeof line, "%s: %s", context, sentence);
    memcpy(sentence, line, strlen(line) + 1);
    errno = saved;
    return status;
}

static const char *const names[] = {
    [-MW_OK] = "MW_OK",           [-MW_ENOMEM] = "MW_ENOMEM",     [-MW_EINVAL] = "MW_EINVAL",
    [-MW_ENODEV] = "MW_ENODEV",   [-MW_EBUILD] = "MW_EBUILD",     [-MW_EIO] = "MW_EIO",
    [-MW_EDEVICE] = "MW_EDEVICE", [-MW_ELIMIT] = "MW_ELIMIT",     [-MW_ENOTSUP] = "MW_ENOTSUP",
    [-MW_EDATA] = "MW_EDATA",     [-MW_ESTOPPED] = "MW_ESTOPPED", [-MW_EVERIFY] = "MW_EVERIFY"
};

const char *mw_status_name(int status) { return status <= 0 && status > -(int)MW_COUNT(names) ? names[-status] : NULL; }

static const char *name_below(int i) { return mw_status_name(-i); }

int mw_status_find(const char *name, int *status)
{
    int below;
    TRY_RETURN(mw_value_find("status", name_below, name, &below));
    *status = -below;
    return 0;
}

const char *mw_errmsg(void) { return sentence; }

const char *mw_version(void) { return PACKAGE_VERSION; }

int mw_version_number(void) { return MESHWORK_VERSION_NUMBER; }

void mw_log_to(mw_log_fn *receiver, void *context)
{
    log_receiver = receiver;
    log_context = context;
}

void mw_log(enum mw_log_level level, const char *format, ...)
{
    char line[2 * SENTENCE_SIZE];
    va_list args;
    if (log_receiver == NULL)
        return;
    va_start(args, format);
    format_line(line, sizeof line, format, args);
    va_end(args);
    log_receiver(log_context, level, line);
}

int mw_fail_write(const char *what, const char *path, int reason)
{
    struct rlimit limit;
    if (reason == ENOMEM)
        return mw_fail(MW_ENOMEM, "cannot write %s%s: out of memory", what, path);
    if (reason == EFBIG && getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        return mw_fail(MW_EIO,
                       "cannot write %s%s: %s: this process may write files of %llu bytes at most, by "
                       "`ulimit -f`",
                       what, path, strerror(reason), (unsigned long long)limit.rlim_cur);
    return mw_fail(MW_EIO, "cannot write %s%s: %s", what, path, strerror(reason));
}
/* SPDX-License-Identifier: MIT */
