/* meshwork doctor: prints one line per check. */
#include <stdarg.h>
#include <stdio.h>

#include "tools/machine/doctor.h"

const char *doctor_reason(struct doctor *d, int status)
{
    d->memory_lost |= status == MW_ENOMEM;
    return mw_errmsg();
}

void doctor_report(struct doctor *d, enum verdict verdict, const char *name, const char *remedy, const char *format,
                   ...)
{
    static const struct {
        const char *name;
        enum colour colour;
    } words[] = { { "ok", GREEN }, { "none", DIM }, { "warn", YELLOW }, { "fail", RED } };
    FILE *out = results();
    char detail[700];
    struct node *row;
    va_list ap;

    va_start(ap, format);
    vsnprintf(detail, sizeof(detail), format, ap);
    va_end(ap);
    for (char *c = detail; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            *c = ' ';
    d->count[verdict]++;
    row = put_object(d->checks, NULL);
    put_text(row, "name", name);
    put_text(row, "status", words[verdict].name);
    put_text(row, "detail", detail);
    put_text(row, "remedy", remedy);
    if (report_is_json())
        return;
    fprintf(out, "%s%-4s%s  %-16s  ", colour_on(out, words[verdict].colour), words[verdict].name,
            colour_off(out, words[verdict].colour), name);
    put_printable(detail, out);
    fprintf(out, *remedy ? "; %s" : "", colour_on(out, BOLD));
    put_printable(remedy, out);
    fprintf(out, "%s\n", *remedy ? colour_off(out, BOLD) : "");
    fflush(out);
}
/* SPDX-License-Identifier: MIT */
