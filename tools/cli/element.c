/* Parses one array element: text to bytes. */
#include "tools/cli/groups.h"

#include <errno.h>
#include <float.h>
#include <math.h>

#include "base/base.h"

/* Stores the low bytes of a number as an unsigned element. */
static void put_whole(uint64_t value, size_t bytes, void *element)
{
    const uint8_t one = (uint8_t)value;
    const uint16_t two = (uint16_t)value;
    const uint32_t four = (uint32_t)value;
    switch (bytes) {
    case 1: memcpy(element, &one, bytes); break;
    case 2: memcpy(element, &two, bytes); break;
    case 4: memcpy(element, &four, bytes); break;
    default: memcpy(element, &value, bytes); break;
    }
}

static int parse_whole(const char *text, unsigned bits, bool negative, uint64_t *value)
{
    const uint64_t most = UINT64_MAX >> (64 - bits + negative);
    char *end;
    errno = 0;
    if (text[0] == '-' && negative) {
        const long long v = strtoll(text, &end, 10);
        *value = (uint64_t)v;
        if (mw_is_digit(text[1]) && !*end && !errno && v >= -(long long)most - 1)
            return 0;
    } else {
        *value = strtoull(text, &end, 10);
        if (mw_is_digit(text[0]) && !*end && !errno && *value <= most)
            return 0;
    }
    return mw_fail(MW_EINVAL, "'%s' is not a whole number from %s%llu to %llu", text, negative ? "-" : "",
                   negative ? (unsigned long long)most + 1 : 0, (unsigned long long)most);
}

/* Parses one number, or for complex types two with a comma between them. */
static int parse_reals(const char *text, enum mw_type type, void *element)
{
    const bool single = type == MW_TYPE_F32 || type == MW_TYPE_C64;
    const bool complex = type == MW_TYPE_C64 || type == MW_TYPE_C128;
    double part[2] = { 0 };
    const char *at = text;
    char *end;
    for (int i = 0; i <= complex; i++) {
        part[i] = strtod(at, &end);
        if (end == at || mw_is_space(*at) || (*end && !(*end == ',' && complex && i == 0)))
            return mw_fail(MW_EINVAL, "'%s' is not a number%s", text, complex ? ", or two as RE,IM" : "");
        if (single && isfinite(part[i]) && fabs(part[i]) > (double)FLT_MAX)
            return mw_fail(MW_EINVAL, "'%s' is too large for single precision", text);
        if (!*end)
            break;
        at = end + 1;
    }
    if (single) {
        const float narrow[2] = { (float)part[0], (float)part[1] };
        memcpy(element, narrow, mw_type_bytes(type));
    } else {
        memcpy(element, part, mw_type_bytes(type));
    }
    return 0;
}

/* Parses "#RRGGBB", "#RRGGBBAA", or a gray value, which becomes opaque. */
static int parse_colour(const char *text, size_t bytes, void *element)
{
    const size_t digits = strspn(text + (*text == '#'), "0123456789abcdefABCDEF");
    const uint64_t opaque = bytes == 1 ? 0xFF : 0xFFFF;
    uint64_t channel[4] = { 0, 0, 0, opaque };
    if (text[0] == '#') {
        if ((digits != 6 && digits != 8) || text[1 + digits])
            return mw_fail(MW_EINVAL, "'%s' is not a colour: #RRGGBB or #RRGGBBAA in hexadecimal digits", text);
        for (size_t i = 0; i < digits / 2; i++) {
            const char pair[] = { text[1 + 2 * i], text[2 + 2 * i], 0 };
            channel[i] = strtoull(pair, NULL, 16) * (opaque / 0xFF);
        }
    } else {
        TRY_RETURN(parse_whole(text, 8 * (unsigned)bytes, false, &channel[0]));
        channel[1] = channel[2] = channel[0];
    }
    for (size_t i = 0; i < 4; i++)
        put_whole(channel[i], bytes, (char *)element + i * bytes);
    return 0;
}

int element_parse(const char *text, enum mw_type type, bool colour, void *element)
{
    static const bool negative[] = {
        [MW_TYPE_I8] = true, [MW_TYPE_I16] = true, [MW_TYPE_I32] = true, [MW_TYPE_I64] = true, [MW_TYPE_U64] = false
    };
    const size_t bytes = mw_type_bytes(type);
    uint64_t value;
    if (colour)
        return parse_colour(text, bytes / 4, element);
    if (type >= MW_TYPE_F32)
        return parse_reals(text, type, element);
    TRY_RETURN(parse_whole(text, type == MW_TYPE_BOOL ? 1 : 8 * (unsigned)bytes, negative[type], &value));
    put_whole(value, bytes, element);
    return 0;
}
/* SPDX-License-Identifier: MIT */
