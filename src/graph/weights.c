/* Decimal numbers, and their conversion to integer multiples of a unit. */
#include "graph/weights.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/base.h"
#include "graph/file/text.h"
#include "graph/graph_internal.h"

enum { DIGITS_MOST = 15, POWER_BITS = 13, POWER_MOST = 4000, SIZE_MOST = 280 };
#define WEIGHT_MOST INT32_MAX
#define ZEROS_MOST 15 /* most trailing zeros before the exponent form is used */

static const int64_t powers[] = {
    1,         10,         100,         1000,         10000,         100000,         1000000,         10000000,
    100000000, 1000000000, 10000000000, 100000000000, 1000000000000, 10000000000000, 100000000000000, 1000000000000000
};

static mw_decimal pack(int64_t digits, int power)
{
    return digits * ((int64_t)1 << POWER_BITS) + (power + (1 << (POWER_BITS - 1)));
}

static int power_of(mw_decimal d) { return (int)(d & ((1 << POWER_BITS) - 1)) - (1 << (POWER_BITS - 1)); }
static int64_t digits_of(mw_decimal d) { return (d - (d & ((1 << POWER_BITS) - 1))) / ((int64_t)1 << POWER_BITS); }

/* ---- as text ---- */

struct scanned {
    int64_t digits;
    int count, power;
    bool any, up;
};

static void take_digit(struct scanned *s, int digit, bool after_point)
{
    s->any = true;
    if (s->count < DIGITS_MOST) {
        s->digits = 10 * s->digits + digit;
        s->count += s->digits > 0;
        s->power -= after_point;
        return;
    }
    if (s->count == DIGITS_MOST)
        s->up = digit >= 5;
    s->count++;
    s->power += !after_point && s->power < POWER_MOST;
}

static int digits_in(int64_t value)
{
    int digits = 0;
    while (digits <= DIGITS_MOST && value >= powers[digits])
        digits++;
    return digits;
}

static const char *take_exponent(const char *at, int *power)
{
    if (*at != 'e' && *at != 'E')
        return at; /* an "e" without digits is not part of the number */
    const char *s = at + 1;
    const bool below = *s == '-';
    int exponent = 0;
    s += *s == '-' || *s == '+';
    if (*s < '0' || *s > '9')
        return at;
    for (; *s >= '0' && *s <= '9'; s++)
        exponent = exponent < POWER_MOST ? 10 * exponent + (*s - '0') : exponent;
    *power += below ? -exponent : exponent;
    return s;
}

const char *mw_decimal_read(const char *at, mw_decimal *decimal)
{
    struct scanned s = { 0 };
    const bool below = *at == '-';
    at += *at == '-' || *at == '+';
    for (; *at >= '0' && *at <= '9'; at++)
        take_digit(&s, *at - '0', false);
    if (*at == '.')
        for (at++; *at >= '0' && *at <= '9'; at++)
            take_digit(&s, *at - '0', true);
    if (!s.any)
        return NULL;
    at = take_exponent(at, &s.power);
    s.digits += s.up;
    while (s.digits != 0 && ((s.power < 0 && s.digits % 10 == 0) || s.digits >= powers[DIGITS_MOST])) {
        s.digits /= 10;
        s.power++;
    }
    if (s.digits != 0 && s.power + digits_in(s.digits) > SIZE_MOST)
        return NULL;
    if (s.power < -POWER_MOST || s.digits == 0)
        s.digits = s.power = 0;
    *decimal = pack(below ? -s.digits : s.digits, s.power);
    return at;
}

char *mw_weight_put(char *to, int64_t value, int decimals)
{
    uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
    if (value < 0)
        *to++ = '-';
    while (rest != 0 && rest % 10 == 0) {
        rest /= 10;
        decimals--;
    }
    if (decimals > 0 && decimals <= DIGITS_MOST && rest != 0) {
        const uint64_t unit = (uint64_t)powers[decimals];
        to = mw_put_number(to, rest / unit);
        *to++ = '.';
        for (int d = decimals - 1; d >= 0; d--)
            *to++ = (char)('0' + rest / (uint64_t)powers[d] % 10);
        return to;
    }
    to = mw_put_number(to, rest);
    if (decimals < 0 && decimals >= -ZEROS_MOST && rest != 0) {
        for (; decimals < 0; decimals++)
            *to++ = '0';
    } else if (decimals != 0 && rest != 0) {
        *to++ = 'e';
        if (decimals > 0)
            *to++ = '-';
        to = mw_put_number(to, (uint64_t)(decimals < 0 ? -decimals : decimals));
    }
    return to;
}

bool mw_weight_is_whole(int64_t value, int decimals)
{
    for (; decimals > 0 && value != 0 && value % 10 == 0; decimals--)
        value /= 10;
    return decimals <= 0 || value == 0;
}

const char *mw_weight_text(int64_t value, int decimals, char text[MW_WEIGHT_CAPACITY])
{
    *mw_weight_put(text, value, decimals) = '\0';
    return text;
}

/* ---- in a unit ---- */

void mw_decimals_look(struct mw_decimals *about, const mw_decimal *from, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const int power = power_of(from[i]);
        long double size = (long double)digits_of(from[i]);
        if (from[i] == MW_DECIMAL_NONE || size == 0)
            continue;
        size = size < 0 ? -size : size;
        if (power != 0)
            size *= powl(10, power);
        about->largest = size > about->largest ? size : about->largest;
        about->least = power < about->least ? power : about->least;
    }
}

void mw_decimals_join(struct mw_decimals *about, const struct mw_decimals *others)
{
    about->largest = others->largest > about->largest ? others->largest : about->largest;
    about->least = others->least < about->least ? others->least : about->least;
}

int mw_decimals_choose(const struct mw_decimals *about)
{
    int decimals = -about->least;
    while (about->largest * powl(10, decimals) > WEIGHT_MOST)
        decimals--;
    return decimals;
}

bool mw_decimals_round(const mw_decimal *from, size_t count, int decimals, int32_t *to, uint64_t *zeros)
{
    bool rounded = false;
    for (size_t i = 0; i < count; i++) {
        const int64_t digits = digits_of(from[i]), size = digits < 0 ? -digits : digits;
        const int power = power_of(from[i]) + decimals;
        int64_t value = from[i] == MW_DECIMAL_NONE ? 0 : size;
        if (power >= 0) {
            value *= value ? powers[power] : 0;
        } else {
            const int64_t unit = powers[-power <= DIGITS_MOST ? -power : DIGITS_MOST];
            const int64_t near = -power <= DIGITS_MOST ? (value + unit / 2) / unit : 0;
            rounded = rounded || (-power <= DIGITS_MOST ? near * unit : 0) != value;
            *zeros += near == 0 && value != 0;
            value = near;
        }
        value = value > WEIGHT_MOST ? WEIGHT_MOST : value;
        to[i] = (int32_t)(digits < 0 ? -value : value);
    }
    return rounded;
}

void mw_weights_warn_rounded(const char *name, int decimals, uint64_t zeros)
{
    char unit[MW_WEIGHT_CAPACITY], lost[60] = "";
    if (zeros > 0)
        snprintf(lost, sizeof lost, ", and %" PRIu64 " of them became 0", zeros);
    mw_log(MW_LOG_NOTICE, "%s: weights were rounded to multiples of %s%s", name, mw_weight_text(1, decimals, unit),
           lost);
}
/* SPDX-License-Identifier: MIT */
