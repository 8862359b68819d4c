/* Values of options: parsing and formatting. */
#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "tools/cli/options.h"

/* Scans an unsigned whole number: digits, 1e6 or 1.5e6.  Returns its end, NULL: no number.  `whole` is false for values
 * such as 1.5, `fits` for values beyond 64 bits. */
struct number {
    uint64_t value;
    bool whole, fits;
};
static const char *scan_number(const char *text, struct number *number)
{
    const size_t digits = strspn(text, "0123456789"), dot = text[digits] == '.';
    const size_t decimals = dot ? strspn(text + digits + 1, "0123456789") : 0;
    const char *end = text + digits + (decimals ? dot + decimals : 0), *exponent = end;
    uint64_t power = 0;
    if (!digits)
        return NULL;
    if (*end == 'e' || *end == 'E') {
        exponent += 1 + (end[1] == '+');
        for (; mw_is_digit(*exponent); exponent++)
            power = power < 1000 ? 10 * power + (uint64_t)(*exponent - '0') : power;
        if (mw_is_digit(exponent[-1]))
            end = exponent;
    }
    *number = (struct number){ 0, true, true };
    for (uint64_t place = 0; place < digits + (decimals > power ? decimals : power); place++) {
        const char *at = text + place + (place >= digits);
        const uint64_t digit = place < digits + decimals ? (uint64_t)(*at - '0') : 0;
        if (place >= digits + power)
            number->whole &= digit == 0;
        else if (number->value)
            number->fits &= !__builtin_mul_overflow(number->value, 10, &number->value);
        if (place < digits + power)
            number->fits &= !__builtin_add_overflow(number->value, digit, &number->value);
        if (!number->fits)
            break;
    }
    return end;
}

/* Scans hexadecimal digits after 0x. */
static const char *scan_hexadecimal(const char *digits, struct number *number)
{
    const size_t count = strspn(digits, "0123456789abcdefABCDEF");
    errno = 0;
    *number = (struct number){ strtoull(digits, NULL, 16), true, errno == 0 };
    return count ? digits + count : NULL;
}

int value_count(const char *text, uint64_t least, uint64_t most, uint64_t *value)
{
    struct number number;
    const char *end =
        text[0] == '0' && (text[1] | 32) == 'x' ? scan_hexadecimal(text + 2, &number) : scan_number(text, &number);
    if (!end || *end || !number.whole)
        return mw_fail(MW_EINVAL, "'%s' is not a whole number of %llu or more", text, (unsigned long long)least);
    if (!number.fits || number.value < least || (most && number.value > most))
        return mw_fail(MW_EINVAL, "'%s' is out of range: must be %llu to %llu", text, (unsigned long long)least,
                       (unsigned long long)(most ? most : UINT64_MAX));
    *value = number.value;
    return 0;
}

/* Reads bytes with a unit (a power of 1024): 64K, 64 KiB or 64kb. */
static int read_bytes(const char *text, uint64_t *value)
{
    static const char units[] = "KMGTPE";
    const size_t digits = strspn(text, "0123456789.");
    char *end;
    double bytes = strtod(text, &end);
    bool number = digits && (size_t)(end - text) == digits;
    end += *end == ' ';
    const char *unit = *end ? strchr(units, mw_upper(*end)) : NULL;
    if (unit) {
        bytes = ldexp(bytes, 10 * (int)(unit - units + 1));
        end++;
        end += *end == 'i';
    }
    end += mw_upper(*end) == 'B';
    if (!number || *end || !(bytes >= 1) || bytes >= ldexp(1, 63))
        return mw_fail(MW_EINVAL, "'%s' is not a number of bytes: expected a value such as 65536, 500M or 1.5G", text);
    *value = (uint64_t)bytes;
    return 0;
}

static int read_real(const char *text, double *value)
{
    char *end;
    double v = strtod(text, &end);
    if (end == text || *end || mw_is_space(text[0]) || !isfinite(v) || v <= 0)
        return mw_fail(MW_EINVAL, "'%s' is not a number above 0", text);
    *value = v;
    return 0;
}

/* Scans decimal digits, or unless `whole` a number that starts with a digit.  Returns its end, or NULL without a
 * number. */
static const char *scan_part(const char *text, bool whole, double *value)
{
    const size_t digits = strspn(text, "0123456789");
    char *end;
    *value = strtod(text, &end);
    return !digits || text[digits] == 'x' || text[digits] == 'X' || (whole && end != text + digits) ? NULL : end;
}

/* Scans "MINUTES:SECONDS" or "HOURS:MINUTES:SECONDS". */
static bool scan_clock(const char *text, double *seconds)
{
    const char *at = text;
    double part;
    for (unsigned parts = 0; parts < 3; parts++) {
        const char *end = scan_part(at, true, &part);
        if (!end || (parts > 0 && (end != at + 2 || part >= 60)))
            return false;
        *seconds = 60 * *seconds + part;
        if (!*end)
            return parts > 0;
        if (*end != ':')
            return false;
        at = end + 1;
    }
    return false;
}

/* Scans seconds, or numbers with units, the largest unit first. */
static bool scan_units(const char *text, double *seconds)
{
    static const struct {
        char unit;
        double seconds;
    } units[] = { { 'd', 86400 }, { 'h', 3600 }, { 'm', 60 }, { 's', 1 } };
    size_t next = 0;
    double part;

    for (const char *at = text; *at || at == text; next++) {
        const char *end = scan_part(at, false, &part);
        if (!end || (!*end && at > text))
            return false;
        while (next < MW_COUNT(units) && *end && units[next].unit != *end)
            next++;
        if (next == MW_COUNT(units))
            return false;
        *seconds += part * (*end ? units[next].seconds : 1);
        at = end + (*end != 0);
    }
    return true;
}

static int read_seconds(const char *text, uint64_t least, double *value)
{
    double seconds = 0;
    const bool read = strchr(text, ':') ? scan_clock(text, &seconds) : scan_units(text, &seconds);
    if (!read || !isfinite(seconds) || (least && seconds <= 0))
        return mw_fail(MW_EINVAL,
                       "'%s' is not a time%s: expected seconds, or a value such as 20s, 5m, 1h30m or 00:10:00", text,
                       least ? " above 0" : "");
    *value = seconds;
    return 0;
}

/* Returns the bytes of a separator of lengths; 0: end of text; -1: neither. */
static int between_lengths(const char *at)
{
    return !*at ? 0 : strchr("xX,", *at) ? 1 : !strncmp(at, "\xC3\x97", 2) ? 2 : -1; /* U+00D7 */
}

static int read_size(const char *text, struct size *value)
{
    struct size size = { 0 };
    size_t cells = sizeof(double); /* widest element: no array of that size then overflows */
    const char *at = text;
    for (;;) {
        struct number number;
        const char *end = scan_number(at, &number);
        if (!end || between_lengths(end) < 0 || !number.whole || (number.fits && number.value == 0))
            return mw_fail(MW_EINVAL,
                           "'%s' is not a size: give a length of 1 or more for each dimension, such as 512x512", text);
        if (size.dims == MW_DIMS_MAX)
            return mw_fail(MW_EINVAL, "'%s' has too many dimensions: the maximum is %d", text, MW_DIMS_MAX);
        if (!number.fits || number.value > SIZE_MAX || __builtin_mul_overflow(cells, (size_t)number.value, &cells))
            return mw_fail(MW_EINVAL, "'%s' has more cells than memory can address: choose a smaller size", text);
        size.length[size.dims++] = (size_t)number.value;
        if (!*end)
            break;
        at = end + between_lengths(end);
    }
    *value = size;
    return 0;
}

/* Returns THAT for a word THIS of a list "THIS=THAT|..." and its length; "": not found. */
static const char *meant_by(const char *pairs, const char *text, size_t length, size_t *meant)
{
    *meant = 0;
    for (const char *at = pairs; at; at = strchr(at, '|') ? strchr(at, '|') + 1 : NULL)
        if (mw_same_start(at, text, length) && at[length] == '=') {
            *meant = strcspn(at + length + 1, "|");
            return at + length + 1;
        }
    return "";
}

/* Finds a choice by name; the text ends after `length` characters. */
static int find_choice(const char *text, size_t length, const struct option *option, int *value)
{
    const char *words = option->value;
    size_t n = strcspn(words, "|");
    int i = 0;
    for (; n != length || strncmp(words, text, n) != 0; i++) {
        if (!words[n])
            return MW_EINVAL;
        words += n + 1;
        n = strcspn(words, "|");
    }
    for (*value = option->named ? 0 : i; option->named; (*value)++) {
        const char *name = option->named(*value);
        if (!name || (!strncmp(name, text, length) && !name[length]))
            return name ? 0 : MW_EINVAL;
    }
    return 0;
}

static int read_choice(const char *text, size_t length, const struct option *option, int *value)
{
    size_t n;
    const char *meant = meant_by(option->alias, text, length, &n);
    return n ? find_choice(meant, n, option, value) : find_choice(text, length, option, value);
}

/* Rejects an unknown word, and suggests the choice for a known synonym. */
static int no_choice(const char *text, size_t length, const struct option *option)
{
    size_t n;
    const char *meant = meant_by(option->also, text, length, &n);
    return mw_fail(MW_EINVAL, "'%.*s' is unknown: expected %s%s%.*s%s", (int)length, text, option->value,
                   n ? ": did you mean " : "", (int)n, meant, n ? "?" : "");
}

static int read_choices(const char *text, const struct option *option, struct choices *value)
{
    struct choices choices = { 0 };
    for (const char *at = text;; at++) {
        const size_t n = strcspn(at, ",");
        if (choices.count == MW_DIMS_MAX)
            return mw_fail(MW_EINVAL, "'%s' has too many values: the maximum is %d, one per dimension", text,
                           MW_DIMS_MAX);
        if (read_choice(at, n, option, &choices.item[choices.count++]))
            return no_choice(at, n, option);
        at += n;
        if (!*at)
            break;
    }
    *value = choices;
    return 0;
}

static int read_word(const char *text, size_t arguments, struct words *words)
{
    if (!words->item) {
        TRY_RETURN(mw_new(arguments, sizeof(*words->item), &words->item));
    }
    words->item[words->count++] = text;
    return 0;
}

int value_read(const struct placed *placed, size_t arguments, const char *text)
{
    const struct option *option = placed->option;
    void *target = placed->target;
    if (option->others && strchr(text, '='))
        return read_word(text, arguments, (struct words *)((char *)target + option->others));
    switch (option->type) {
    case OPTION_FLAG: *(bool *)target = true; return 0;
    case OPTION_TEXT:
    case OPTION_FILE:
        if (!*text)
            return mw_fail(MW_EINVAL, "the value is empty");
        *(const char **)target = text;
        return 0;
    case OPTION_COUNT: return value_count(text, option->least, option->most, target);
    case OPTION_BYTES: return read_bytes(text, target);
    case OPTION_REAL: return read_real(text, target);
    case OPTION_SECONDS: return read_seconds(text, option->least, target);
    case OPTION_SIZE: return read_size(text, target);
    case OPTION_CHOICE:
        return read_choice(text, strlen(text), option, target) ? no_choice(text, strlen(text), option) : 0;
    case OPTION_CHOICES: return read_choices(text, option, target);
    case OPTION_WORDS: return read_word(text, arguments, target);
    }
    return mw_fail(MW_EINVAL, "internal error: an option has no type in its table: please report this");
}

static void format_choice(const struct option *option, int value, struct mw_text *text)
{
    const char *words = option->named ? option->named(value) : option->value;
    if (option->named)
        value = 0;
    for (; value > 0; value--)
        words += strcspn(words, "|") + 1;
    mw_text_append(text, words, strcspn(words, "|"));
}

void value_format(const struct placed *placed, struct mw_text *text)
{
    const struct option *option = placed->option;
    const void *target = placed->target;
    const struct words *words = target;
    const struct choices *choices = target;
    switch (option->type) {
    case OPTION_FLAG: mw_text_add(text, "%s", *(const bool *)target ? "yes" : "no"); break;
    case OPTION_TEXT:
    case OPTION_FILE: mw_text_add(text, "%s", *(const char *const *)target ? *(const char *const *)target : ""); break;
    case OPTION_COUNT:
        if (*(const uint64_t *)target >= option->least)
            mw_text_add(text, "%llu", (unsigned long long)*(const uint64_t *)target);
        break;
    case OPTION_BYTES:
        if (*(const uint64_t *)target)
            mw_text_add(text, "%llu", (unsigned long long)*(const uint64_t *)target);
        break;
    case OPTION_REAL:
        if (*(const double *)target != 0)
            mw_text_add(text, "%.15g", *(const double *)target);
        break;
    case OPTION_SECONDS:
        if (*(const double *)target != 0 || !option->least)
            mw_text_add(text, "%.15gs", *(const double *)target);
        break;
    case OPTION_SIZE: mw_text_add(text, "%s", size_text(target, "x").text); break;
    case OPTION_CHOICE: format_choice(option, *(const int *)target, text); break;
    case OPTION_CHOICES:
        for (unsigned i = 0; i < choices->count; i++) {
            mw_text_add(text, "%s", i ? "," : "");
            format_choice(option, choices->item[i], text);
        }
        break;
    case OPTION_WORDS:
        for (size_t i = 0; i < words->count; i++)
            mw_text_add(text, "%s%s", i ? " " : "", words->item[i]);
        break;
    }
    const struct words *others = (const struct words *)((const char *)target + option->others);
    for (size_t i = 0; option->others && i < others->count; i++)
        mw_text_add(text, " %s", others->item[i]);
}

struct size_text size_text(const struct size *size, const char *between)
{
    struct size_text t = { "" };
    size_t n = 0;
    for (unsigned i = 0; i < size->dims && n < sizeof(t.text); i++)
        n += (size_t)snprintf(t.text + n, sizeof(t.text) - n, "%s%zu", i ? between : "", size->length[i]);
    return t;
}
/* SPDX-License-Identifier: MIT */
