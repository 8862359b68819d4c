/* Messages, colours, and the destination of results. */
#include "tools/report/output.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tools/cli/text.h"
#include "tools/report/waiting.h"

#define NOTE_CAPACITY 1024
#define NOTES_MAX 1000

static struct {
    bool quiet, verbose, utf8, drawn, coloured[3]; /* coloured: indexed by file descriptor */
    bool bytes;                                    /* a terminal may treat each byte as one character */
    FILE *results;
    FILE *notes; /* standard error, also while it is redirected because a driver compiles */
    char **kept; /* notes for JSON output */
    size_t kept_count;
} output;

static void on_log(void *context, enum mw_log_level level, const char *message)
{
    if (level == MW_LOG_FAILURE)
        print_error(message);
    else if (level == MW_LOG_WAIT && !output.verbose)
        *message ? waiting_begin(message) : waiting_end();
    else if (*message && level == MW_LOG_NOTICE)
        report_note("%s", message);
    else if (*message && output.verbose)
        print_note("%s", message);
}

/* Reads the user's locale, then restores the C locale: numbers and letters are the same everywhere. */
static bool terminals_are_utf8(void)
{
    const locale_t users = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    const bool utf8 = users != (locale_t)0 && !strcmp(nl_langinfo_l(CODESET, users), "UTF-8");
    if (users != (locale_t)0)
        freelocale(users);
    return utf8;
}

void output_start(void)
{
    const char *no_colour = getenv("NO_COLOR"), *term = getenv("TERM");
    bool may = !(no_colour && *no_colour) && term && strcmp(term, "dumb") != 0;
    output.utf8 = terminals_are_utf8();
    for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
        output.coloured[fd] = may && isatty(fd);
    output.bytes = !output.utf8 && (isatty(STDOUT_FILENO) || isatty(STDERR_FILENO));
    output.results = stdout;
    int notes = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    output.notes = notes >= 0 ? fdopen(notes, "w") : NULL;
    mw_log_to(on_log, NULL);
}

void output_set(bool quiet, bool verbose)
{
    output.quiet = quiet;
    output.verbose = verbose;
}

bool output_quiet(void) { return output.quiet; }

bool output_utf8(void) { return output.utf8; }

bool output_verbose(void) { return output.verbose; }

void output_results_to_stderr(void) { output.results = stderr; }

FILE *results(void) { return output.results; }

static bool wants_colour(FILE *stream) { return output.coloured[stream == stderr ? STDERR_FILENO : STDOUT_FILENO]; }

const char *colour_on(FILE *stream, enum colour colour)
{
    static const char *const escapes[] = { "", "\033[1m", "\033[2m", "\033[31m", "\033[32m", "\033[33m" };
    return wants_colour(stream) ? escapes[colour] : "";
}

const char *colour_off(FILE *stream, enum colour colour)
{
    return wants_colour(stream) && colour != PLAIN ? "\033[0m" : "";
}

size_t terminal_width(FILE *stream, size_t otherwise)
{
    struct winsize size;
    if (ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 20)
        return size.ws_col;
    return otherwise;
}

size_t help_width(void)
{
    const size_t width = terminal_width(stdout, 80);
    return width < 100 ? width : 100;
}

/* Decodes one character of UTF-8 and returns its length; 0: invalid (RFC 3629). */
static size_t decode(const char *at, uint32_t *code)
{
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    const unsigned char first = (unsigned char)at[0];
    const size_t n = first < 0x80 ? 1 : first < 0xc0 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf8 ? 4 : 0;

    *code = n < 2 ? first : first & (0x7fu >> n);
    for (size_t i = 1; i < n; i++) {
        if (((unsigned char)at[i] & 0xc0) != 0x80)
            return 0;
        *code = *code << 6 | ((unsigned char)at[i] & 0x3f);
    }
    return n && *code >= least[n] ? n : 0;
}

size_t printable(const char *at)
{
    /* Control characters (C0, C1), line and paragraph separators, direction marks, surrogates. */
    static const struct {
        uint32_t first, last;
    } hidden[] = { { 0, 0x1f },        { 0x7f, 0x9f },     { 0x61c, 0x61c },   { 0x200e, 0x200f },
                   { 0x2028, 0x202e }, { 0x2066, 0x2069 }, { 0xd800, 0xdfff }, { 0x110000, UINT32_MAX } };
    uint32_t code;
    size_t n = decode(at, &code);

    for (size_t i = 0; i < MW_COUNT(hidden); i++)
        if (code >= hidden[i].first && code <= hidden[i].last)
            n = 0;
    return n > 1 && output.bytes ? 0 : n;
}

void put_printable(const char *text, FILE *stream)
{
    while (*text) {
        const size_t n = *text == '\n' || *text == '\t' ? 1 : printable(text);
        if (n)
            fwrite(text, 1, n, stream);
        else
            fprintf(stream, "\\x%02x", (unsigned char)*text);
        text += n ? n : 1;
    }
}

int text_printable(const char *from, char **copy)
{
    static const char digits[] = "0123456789abcdef";
    char *to, *made = NULL;
    TRY_RETURN(mw_new(4 * strlen(from) + 1, 1, &made));
    for (to = made; *from;) {
        const size_t n = printable(from);
        const unsigned char byte = (unsigned char)*from;
        const char escaped[] = { '\\', 'x', digits[byte >> 4], digits[byte & 15] };
        memcpy(to, n ? from : escaped, n ? n : sizeof(escaped));
        to += n ? n : sizeof(escaped);
        from += n ? n : 1;
    }
    *copy = made;
    return 0;
}

/* Text from the command line or a driver must not break a line in two. */
static void put_line(const char *text, FILE *stream)
{
    char *line = NULL;
    if (strchr(text, '\n') && text_printable(text, &line) == 0)
        text = line;
    put_printable(text, stream);
    fputc('\n', stream);
    free(line);
}

/* Several threads write messages. */
static pthread_mutex_t lines = PTHREAD_MUTEX_INITIALIZER;

static void hide(void)
{
    if (output.drawn)
        fputs("\r\033[K", stderr);
    output.drawn = false;
}

void line_drawn(void)
{
    pthread_mutex_lock(&lines);
    output.drawn = true;
    pthread_mutex_unlock(&lines);
}

void line_hide(void)
{
    pthread_mutex_lock(&lines);
    hide();
    pthread_mutex_unlock(&lines);
}

void print_error(const char *message)
{
    pthread_mutex_lock(&lines);
    hide();
    fprintf(stderr, "%smeshwork:%s ", colour_on(stderr, RED), colour_off(stderr, RED));
    put_line(message, stderr);
    pthread_mutex_unlock(&lines);
}

void print_note(const char *format, ...)
{
    FILE *notes = output.notes ? output.notes : stderr;
    va_list ap;
    char line[NOTE_CAPACITY];
    if (output.quiet)
        return;
    va_start(ap, format);
    vsnprintf(line, sizeof(line), format, ap);
    va_end(ap);
    pthread_mutex_lock(&lines);
    hide();
    fputs(colour_on(stderr, DIM), notes);
    put_line(line, notes);
    fputs(colour_off(stderr, DIM), notes);
    fflush(notes);
    pthread_mutex_unlock(&lines);
}

/* Keeps a note and returns whether it is new.  Without memory it is printed but not kept. */
static bool keep_note(const char *note)
{
    char **grown;
    for (size_t i = 0; i < output.kept_count; i++)
        if (!strcmp(output.kept[i], note))
            return false;
    grown = output.kept_count < NOTES_MAX ? realloc(output.kept, (output.kept_count + 1) * sizeof(*grown)) : NULL;
    if (grown) {
        output.kept = grown;
        grown[output.kept_count] = strdup(note);
        output.kept_count += grown[output.kept_count] != NULL;
    }
    return true;
}

void report_note(const char *format, ...)
{
    char note[NOTE_CAPACITY];
    va_list ap;
    bool is_new;
    va_start(ap, format);
    vsnprintf(note, sizeof(note), format, ap);
    va_end(ap);
    pthread_mutex_lock(&lines);
    is_new = keep_note(note);
    pthread_mutex_unlock(&lines);
    if (is_new)
        print_note("%s", note);
}

const char *output_note(size_t i) { return i < output.kept_count ? output.kept[i] : NULL; }

int output_end(void)
{
    bool lost;
    waiting_stop();
    errno = 0;
    lost = ferror(stdout) != 0;
    /* Some file systems report a full disk only when a file is closed. */
    lost |= fclose(stdout) != 0;
    if (lost)
        return mw_fail(MW_EIO, "cannot write to standard output: %s", errno ? strerror(errno) : "a write failed");
    if (output.results == stderr && ferror(stderr))
        return mw_fail(MW_EIO, "cannot write the results to standard error");
    return 0;
}
/* SPDX-License-Identifier: MIT */
