/* What people and programs see: messages, tables, numbers with units, progress, JSON. */
#include "command.h"

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <ctype.h>
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef HAVE_JANSSON
#include <jansson.h>
#endif

static struct {
    bool quiet, verbose, utf8, coloured[3];      /* coloured: by file descriptor */
    FILE *results;
} output;

static struct {
    const char *what;
    double cells, last;
    bool bar, drawn;
} progress;

/* ---- messages ---- */

static void clear_bar(void)
{
    if (progress.drawn)
        fputs("\r\033[K", stderr);
    progress.drawn = false;
}

/* The variants of one program are announced alike: once is enough. */
static void on_log(void *context, enum mw_log_level level, const char *message)
{
    static char last[512];

    (void)context;
    if (!output.verbose && (level != MW_LOG_NOTICE || !strcmp(message, last)))
        return;
    mw_copy_string(last, sizeof(last), message);
    say_note("%s", message);
}

void output_start(void)
{
    const char *no_colour = getenv("NO_COLOR"), *term = getenv("TERM");
    bool may = !(no_colour && *no_colour) && term && strcmp(term, "dumb") != 0;

    setlocale(LC_CTYPE, "");
    output.utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
    for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
        output.coloured[fd] = may && isatty(fd);
    output.results = stdout;
    mw_log_to(on_log, NULL);
}

void output_set(bool quiet, bool verbose)
{
    output.quiet = quiet;
    output.verbose = verbose;
}

bool output_verbose(void)
{
    return output.verbose;
}

void output_results_to_stderr(void)
{
    output.results = stderr;
}

FILE *results(void)
{
    return output.results;
}

static bool wants_colour(FILE *stream)
{
    return output.coloured[stream == stderr ? STDERR_FILENO : STDOUT_FILENO];
}

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

/* Words from the command line and from drivers must not move the cursor or break a line in two. */
static void put_printable(const char *text, FILE *stream)
{
    for (; *text; text++)
        fputc((unsigned char)*text < ' ' || *text == 127 ? '?' : *text, stream);
    fputc('\n', stream);
}

void say_error(const char *message)
{
    clear_bar();
    fprintf(stderr, "%smeshwork:%s ", colour_on(stderr, RED), colour_off(stderr, RED));
    put_printable(message, stderr);
}

void say_note(const char *format, ...)
{
    va_list ap;
    char line[1024];

    if (output.quiet)
        return;
    va_start(ap, format);
    vsnprintf(line, sizeof(line), format, ap);
    va_end(ap);
    clear_bar();
    fputs(colour_on(stderr, DIM), stderr);
    put_printable(line, stderr);
    fputs(colour_off(stderr, DIM), stderr);
}

int output_end(void)
{
    if (fflush(stdout) || ferror(stdout))
        return mw_fail(MW_EIO, "cannot write to standard output: %s", errno ? strerror(errno) : "a write failed");
    return 0;
}

/* ---- names of files ---- */

/* A file that cannot be written should be known before the hours of computing, not after. */
int output_writable(const char *path)
{
    const char *slash = strrchr(path, '/'), *folder = ".";
    struct stat status;
    char *above = NULL;
    int rc = 0;

    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        return mw_fail(MW_EIO, "cannot write %s: it is a folder, give the name of a file in it", path);
    if (stat(path, &status) == 0 && access(path, W_OK))
        return mw_fail(MW_EIO, "cannot write %s: %s", path, strerror(errno));
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        return 0;
    if (slash) {
        TRY(mw_strdup(path, &above));
        above[slash == path ? 1 : slash - path] = 0;
        folder = above;
    }
    if (access(folder, W_OK | X_OK) && errno == ENOENT)
        rc = mw_fail(MW_EIO, "cannot write %s: there is no folder %s, make it first", path, folder);
    else if (access(folder, W_OK | X_OK))
        rc = mw_fail(MW_EIO, "cannot write %s: folder %s: %s", path, folder, strerror(errno));
out:
    free(above);
    return rc;
}

/* The user's text is never a format: one %d, with zeros and a width if wanted, is
 * replaced here, and %% is a percent sign. */
int output_numbered(const char *option, const char *pattern, uint64_t step, bool series, char **path)
{
    struct mw_text text = { 0 };
    bool placed = false;
    int rc;

    for (const char *c = pattern; *c; c++) {
        char *end = (char *)c + 1;
        if (*c != '%') {
            mw_text_append(&text, c, 1);
            continue;
        }
        bool zeros = *end == '0';
        unsigned long width = isdigit((unsigned char)*end) ? strtoul(end, &end, 10) : 0;
        if (c[1] == '%') {
            mw_text_append(&text, c++, 1);
            continue;
        }
        if (*end != 'd' || width > 20 || placed) {
            rc = mw_fail(MW_EINVAL, "--%s: '%s' may hold one %%d or %%06d for the step, and %%%% for a percent sign",
                         option, pattern);
            goto out;
        }
        mw_text_add(&text, zeros ? "%0*llu" : "%*llu", (int)width, (unsigned long long)step);
        placed = true;
        c = end;
    }
    TRY(mw_text_ok(&text));
    if (series && !placed) {
        const char *name = strrchr(pattern, '/') ? strrchr(text.data, '/') + 1 : text.data;
        const char *dot = strrchr(name, '.');
        size_t stem = dot && dot != name ? (size_t)(dot - text.data) : text.length;
        struct mw_text numbered = { 0 };
        mw_text_add(&numbered, "%.*s-%06llu%s", (int)stem, text.data, (unsigned long long)step, text.data + stem);
        mw_text_free(&text);
        text = numbered;
        TRY(mw_text_ok(&text));
    }
    *path = text.data;
    text.data = NULL;
out:
    mw_text_free(&text);
    return rc;
}

/* ---- numbers ---- */

struct short_text bytes_text(uint64_t bytes)
{
    static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
    struct short_text t;
    double value = (double)bytes;
    size_t unit = 0;

    for (; value >= 1023.95 && unit + 1 < MW_COUNT(units); unit++)
        value /= 1024;
    snprintf(t.text, sizeof(t.text), "%.*f %s", value < 99.95 && value != floor(value), value, units[unit]);
    return t;
}

struct short_text seconds_text(double s)
{
    struct short_text t;

    if (s < 0.9995e-3)
        snprintf(t.text, sizeof(t.text), "%.0f us", s * 1e6);
    else if (s < 0.9995)
        snprintf(t.text, sizeof(t.text), "%.3g ms", s * 1e3);
    else if (s < 99.5)
        snprintf(t.text, sizeof(t.text), "%.3g s", s);
    else if (s < 3599.5)
        snprintf(t.text, sizeof(t.text), "%.0f min %02.0f s", floor((s + 0.5) / 60), floor(fmod(s + 0.5, 60)));
    else if (s < 1e9)
        snprintf(t.text, sizeof(t.text), "%.0f h %02.0f min", floor((s + 30) / 3600), floor(fmod(s + 30, 3600) / 60));
    else
        snprintf(t.text, sizeof(t.text), "unknown time");
    return t;
}

struct short_text rate_text(double rate)
{
    struct short_text t;

    if (rate >= 99.95e9)
        snprintf(t.text, sizeof(t.text), "%.0f Gcell-steps/s", rate / 1e9);
    else if (rate >= 99.95e6)
        snprintf(t.text, sizeof(t.text), "%.0f Mcell-steps/s", rate / 1e6);
    else
        snprintf(t.text, sizeof(t.text), "%.3g Mcell-steps/s", rate / 1e6);
    return t;
}

struct short_text size_text(const struct size *size, const char *between)
{
    struct short_text t = { "" };
    size_t n = 0;

    for (unsigned i = 0; i < size->dims && n < sizeof(t.text); i++)
        n += (size_t)snprintf(t.text + n, sizeof(t.text) - n, "%s%zu", i ? between : "", size->length[i]);
    return t;
}

/* ---- tables ---- */

void table_start(struct table *table, const char *titles)
{
    *table = (struct table){ .titles = titles, .columns = 1 };
    for (const char *c = titles; *c; c++)
        table->columns += *c == '|';
}

void table_add(struct table *table, enum colour colour, const char *format, ...)
{
    char *line = NULL;
    va_list ap;

    if (table->count == table->room) {
        size_t room = table->room ? 2 * table->room : 64;
        struct table_cell *cells = realloc(table->cells, room * sizeof(*cells));
        if (!cells) {
            table->failed = true;
            return;
        }
        table->cells = cells;
        table->room = room;
    }
    va_start(ap, format);
    if (vasprintf(&line, format, ap) < 0)
        line = NULL;
    va_end(ap);
    table->failed |= !line;
    for (char *c = line; c && *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            *c = '?';
    table->cells[table->count++] = (struct table_cell){ line, colour };
}

/* Characters of UTF-8 text: bytes that do not continue one. */
static size_t characters(const char *text, size_t bytes)
{
    size_t n = 0;

    for (size_t i = 0; i < bytes; i++)
        n += ((unsigned char)text[i] & 0xc0) != 0x80;
    return n;
}

/* Prints one cell in its column, shortened where the column is narrower. */
static void print_cell(FILE *stream, const char *text, size_t bytes, size_t width, bool right, bool last,
                       enum colour colour)
{
    size_t n = characters(text, bytes), pad;
    bool cut = n > width && width > 3;

    while (cut && characters(text, bytes) > width - 3)
        bytes--;
    n = cut ? width : n;
    pad = n < width ? width - n : 0;
    fprintf(stream, "%*s%s%.*s%s%s%*s%s", right ? (int)pad : 0, "", colour_on(stream, colour), (int)bytes, text,
            cut ? "..." : "", colour_off(stream, colour), right || last ? 0 : (int)pad, "", last ? "\n" : "  ");
}

struct column { const char *title; size_t bytes, width; bool right, gives_way; };

static void print_rows(const struct table *table, const struct column *columns, FILE *stream)
{
    bool titled = false;

    for (size_t i = 0; i < table->columns; i++)
        titled |= columns[i].bytes != 0;
    for (size_t i = 0; titled && i < table->columns; i++)
        print_cell(stream, columns[i].title, columns[i].bytes, columns[i].width, columns[i].right,
                   i + 1 == table->columns, BOLD);
    for (size_t i = 0; i < table->count; i++) {
        const struct column *c = &columns[i % table->columns];
        print_cell(stream, table->cells[i].text, strlen(table->cells[i].text), c->width, c->right,
                   (i + 1) % table->columns == 0, table->cells[i].colour);
    }
}

int table_print(struct table *table, FILE *stream)
{
    struct column *columns = NULL;
    const char *title = table->titles;
    size_t total = 0, room = terminal_width(stream, SIZE_MAX);
    int rc;

    TRY(mw_new(table->columns, sizeof(*columns), &columns));
    if (table->failed) {
        rc = mw_fail(MW_ENOMEM, "not enough memory for a table");
        goto out;
    }
    for (size_t i = 0; i < table->columns; i++) {
        struct column *c = &columns[i];
        for (; *title == '>' || *title == '~'; title++)
            *(*title == '>' ? &c->right : &c->gives_way) = true;
        c->title = title;
        c->bytes = strcspn(title, "|");
        c->width = c->bytes;
        title += c->bytes + 1;
    }
    for (size_t i = 0; i < table->count; i++) {
        struct column *c = &columns[i % table->columns];
        size_t n = characters(table->cells[i].text, strlen(table->cells[i].text));
        c->width = n > c->width ? n : c->width;
    }
    for (size_t i = 0; i < table->columns; i++)
        total += columns[i].width + 2;
    total -= 2;
    for (size_t i = 0; i < table->columns && total > room; i++)
        if (columns[i].gives_way) {
            size_t least = columns[i].width < 12 ? columns[i].width : 12, over = total - room;
            size_t less = columns[i].width - least < over ? columns[i].width - least : over;
            columns[i].width -= less;
            total -= less;
        }
    print_rows(table, columns, stream);
out:
    free(columns);
    table_free(table);
    return rc;
}

void table_free(struct table *table)
{
    for (size_t i = 0; i < table->count; i++)
        free(table->cells[i].text);
    free(table->cells);
    *table = (struct table){ 0 };
}

/* ---- progress ---- */

void progress_start(const char *what, double cells)
{
    progress.what = what;
    progress.cells = cells;
    progress.last = mw_now();
    progress.bar = isatty(STDERR_FILENO);
}

static void draw_bar(double part, const char *tail)
{
    size_t width = terminal_width(stderr, 80), bar, used = strlen(progress.what) + strlen(tail) + 10;
    const char *full = output.utf8 ? "\u2501" : "=", *rest = output.utf8 ? "\u2500" : "-";

    bar = width > used + 8 ? width - used : 0;
    bar = bar > 40 ? 40 : bar;
    fprintf(stderr, "\r%s %3.0f%% ", progress.what, floor(100 * part));
    fputs(colour_on(stderr, GREEN), stderr);
    size_t filled = (size_t)(part * (double)bar);
    for (size_t i = 0; i < bar; i++) {
        if (i == filled)
            fprintf(stderr, "%s%s", colour_off(stderr, GREEN), colour_on(stderr, DIM));
        fputs(i < filled ? full : rest, stderr);
    }
    fprintf(stderr, "%s %.*s\033[K", colour_off(stderr, DIM), (int)(width - strlen(progress.what) - 8), tail);
    fflush(stderr);
    progress.drawn = true;
}

void progress_show(void *context, const struct mw_run_progress *now)
{
    double part = now->steps ? (double)now->step / (double)now->steps : 1, time = mw_now();
    char tail[128];

    (void)context;
    if (output.quiet || (!progress.bar && time - progress.last < 10))
        return;
    progress.last = time;
    snprintf(tail, sizeof(tail), "%llu/%llu  %s  %s left", (unsigned long long)now->step,
             (unsigned long long)now->steps, rate_text(now->steps_per_second * progress.cells).text,
             seconds_text(now->seconds_left).text);
    if (progress.bar)
        draw_bar(part, tail);
    else
        fprintf(stderr, "%s %.0f%%  step %s\n", progress.what, floor(100 * part), tail);
}

void progress_end(void)
{
    clear_bar();
    fflush(stderr);
}

/* ---- JSON ---- */

#ifdef HAVE_JANSSON
static bool js_lost;

int js_available(void)
{
    return 0;
}

static struct json *made(json_t *value)
{
    js_lost |= !value;
    return (struct json *)value;
}

struct json *js_object(void)
{
    return made(json_object());
}

struct json *js_array(void)
{
    return made(json_array());
}

void js_put(struct json *to, const char *key, struct json *value)
{
    json_t *into = (json_t *)to, *v = (json_t *)value;

    js_lost |= key ? json_object_set_new(into, key, v) : json_array_append_new(into, v);
}

/* JSON is UTF-8; drivers and file names need not be. */
void js_text(struct json *to, const char *key, const char *value)
{
    json_t *text = json_string(value);
    struct mw_text safe = { 0 };

    if (!text) {
        for (const char *c = value; *c; c++)
            mw_text_append(&safe, *c & 0x80 ? "?" : c, 1);
        text = json_string(safe.data ? safe.data : "");
        mw_text_free(&safe);
    }
    js_put(to, key, made(text));
}

void js_count(struct json *to, const char *key, uint64_t value)
{
    js_put(to, key, made(value > INT64_MAX ? json_real((double)value) : json_integer((json_int_t)value)));
}

void js_real(struct json *to, const char *key, double value)
{
    js_put(to, key, made(isfinite(value) ? json_real(value) : json_null()));
}

void js_flag(struct json *to, const char *key, bool value)
{
    js_put(to, key, made(json_boolean(value)));
}

int js_print(struct json *value)
{
    bool lost = js_lost || json_dumpf((json_t *)value, output.results, JSON_INDENT(2)) != 0;

    fputc('\n', output.results);
    json_decref((json_t *)value);
    if (lost && !ferror(output.results))
        return mw_fail(MW_ENOMEM, "not enough memory for the JSON of the results");
    return 0;
}

void js_free(struct json *value)
{
    json_decref((json_t *)value);
}
#else
int js_available(void)
{
    return mw_fail(MW_ENOTSUP, "--json: meshwork was built without jansson: install libjansson-dev and build it again");
}

/* Never reached: js_available has refused --json before any result exists. */
struct json *js_object(void) { return NULL; }
struct json *js_array(void) { return NULL; }
void js_put(struct json *to, const char *key, struct json *value) { (void)to, (void)key, (void)value; }
void js_text(struct json *to, const char *key, const char *value) { (void)to, (void)key, (void)value; }
void js_count(struct json *to, const char *key, uint64_t value) { (void)to, (void)key, (void)value; }
void js_real(struct json *to, const char *key, double value) { (void)to, (void)key, (void)value; }
void js_flag(struct json *to, const char *key, bool value) { (void)to, (void)key, (void)value; }
int js_print(struct json *value) { (void)value; return js_available(); }
void js_free(struct json *value) { (void)value; }
#endif

int list_variants(const struct settings *set, mw_variant_table *variants)
{
    struct json *json = set->json ? js_array() : NULL;
    const struct mw_variant *v;
    bool aliases = false;
    struct table table;
    int rc;

    for (size_t i = 0; (v = variants(i)) != NULL; i++)
        aliases |= v->alias != NULL;
    table_start(&table, aliases ? "variant|alias|~" : "variant|~");
    for (size_t i = 0; (v = variants(i)) != NULL; i++) {
        if (json) {
            struct json *o = js_object();
            js_text(o, "name", v->name);
            if (v->alias)
                js_text(o, "alias", v->alias);
            js_text(o, "description", v->description);
            js_put(json, NULL, o);
            continue;
        }
        table_add(&table, PLAIN, "%s", v->name);
        if (aliases)
            table_add(&table, PLAIN, "%s", v->alias ? v->alias : "");
        table_add(&table, PLAIN, "%s", v->description);
    }
    rc = json ? js_print(json) : table_print(&table, results());
    table_free(&table);
    return rc;
}
