/* The frame of a page, and escaping. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "tools/page/page.h"

/* Characters not allowed in XML become the replacement character. */
void html_text(struct mw_text *to, const char *text)
{
    static const struct {
        char of;
        const char *as;
    } names[] = { { '<', "&lt;" }, { '>', "&gt;" }, { '&', "&amp;" }, { '"', "&quot;" }, { '\'', "&#39;" } };

    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        const char *as = (c < ' ' && c != '\n' && c != '\t') || c == 127 ? "\xEF\xBF\xBD" : NULL;
        for (size_t i = 0; i < MW_COUNT(names); i++)
            as = names[i].of == *text ? names[i].as : as;
        mw_text_append(to, as ? as : text, as ? strlen(as) : 1);
    }
}

static void add_cell(struct mw_text *to, const char *start, const char *format, va_list ap)
{
    char words[1200];
    vsnprintf(words, sizeof(words), format, ap);
    mw_text_add(to, "%s", start);
    html_text(to, words);
    mw_text_add(to, "</td>");
}

void html_cell(struct mw_text *to, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    add_cell(to, "<td>", format, ap);
    va_end(ap);
}

void html_number(struct mw_text *to, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    add_cell(to, "<td class=\"n\">", format, ap);
    va_end(ap);
}

struct digits digits_text(double x)
{
    struct digits d = { "" };
    char plain[40];
    size_t n = 0;
    snprintf(plain, sizeof(plain), x < 1e15 ? "%.0f" : "%.3g", x);
    for (size_t i = 0, length = strlen(plain); i < length; i++) {
        if (i && x < 1e15 && (length - i) % 3 == 0)
            n += (size_t)snprintf(d.text + n, sizeof(d.text) - n, "\xC2\xA0");
        d.text[n++] = plain[i];
    }
    return d;
}

/* Colours of the light page, and of the dark one. */
#define LIGHT                                                                                                          \
    "color-scheme:light;--ink:#1b1f24;--paper:#fff;--soft:#59636e;--line:#d1d9e0;--band:#f3f5f7;"                      \
    "--good:#116329;--bad:#b42318;--link:#0550ae"
#define DARK                                                                                                           \
    "color-scheme:dark;--ink:#e6e9ed;--paper:#14171b;--soft:#9aa4af;--line:#363d46;--band:#1d2228;"                    \
    "--good:#5bc27a;--bad:#ff8a80;--link:#79b8ff"
static const char style[] =
    ":root{" LIGHT "}\n"
    "@media screen and (prefers-color-scheme:dark){:root{" DARK "}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0 auto;max-width:62rem;padding:1rem;font:1rem/1.5 system-ui,-apple-system,'Segoe UI',Roboto,"
    "'DejaVu Sans',sans-serif;color:var(--ink);background:var(--paper);overflow-wrap:break-word}\n"
    "h1{font-size:1.7rem;line-height:1.2;margin:.5rem 0}\n"
    "h2{font-size:1.35rem;line-height:1.25;margin:3rem 0 .25rem;padding-top:1rem;border-top:1px solid var(--line)}\n"
    "h3{font-size:1.05rem;margin:1.75rem 0 .4rem}\n"
    "p{margin:.4rem 0}a{color:var(--link)}\n"
    ".soft,figcaption{color:var(--soft)}\n"
    "code{font:.9em ui-monospace,'DejaVu Sans Mono',monospace}\n"
    ".scroll{overflow-x:auto}\n"
    "table{border-collapse:collapse;width:100%;font-size:.875rem;font-variant-numeric:tabular-nums}\n"
    "th,td{padding:.25rem .6rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}\n"
    "thead th{border-bottom:2px solid var(--line);vertical-align:bottom}\n"
    "th{font-weight:600}tbody th{font-weight:400}"
    "td:first-child,th[scope]{min-width:7.5rem}.n{text-align:right;white-space:nowrap}\n"
    "tbody tr:nth-child(even){background:var(--band)}\n"
    ".best{font-weight:700}.good{color:var(--good)}.bad{color:var(--bad);font-weight:700}\n"
    "figure{margin:.75rem 0}\n"
    "figure svg{display:block;width:100%;max-width:46rem;height:auto}\n"
    "@media screen and (max-width:40rem){table{font-size:.75rem}th,td{padding:.2rem .3rem}"
    ".n{white-space:normal}td:first-child,th[scope]{min-width:0}}\n"
    ".field img{display:block;width:100%;max-width:20rem;height:auto;image-rendering:pixelated}\n"
    "details{margin:.5rem 0}summary{cursor:pointer;padding:.25rem 0}\n"
    /* Tables of sizes are on screen only: they take four pages of five. */
    "@media print{@page{size:A4;margin:10mm}body{max-width:none;padding:0;font-size:8pt;line-height:1.3}"
    "section{columns:2;column-gap:6mm;break-inside:avoid;border-top:1px solid var(--line);padding-top:2mm}"
    "h2{font-size:10.5pt;margin:0;padding:0;border:0;column-span:all}h3{font-size:8pt;margin:1mm 0}"
    "h2,h3{break-after:avoid}p{margin:.5mm 0}figure{margin:1mm 0}figure svg{max-width:7.5cm}"
    "figure,tr,section>p{break-inside:avoid}.scroll{overflow:visible;break-inside:avoid}"
    "table{font-size:6.5pt;margin:0}th,td{padding:.1rem .25rem}td:first-child,th[scope]{min-width:0}"
    ".n{white-space:normal}.field img{max-width:5cm}.results{display:none}"
    "a{color:inherit;text-decoration:none}}\n";

void html_begin(struct mw_text *to, const char *title)
{
    mw_text_add(to,
                "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
                "<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
                "<meta http-equiv=\"Content-Security-Policy\" "
                "content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\"/>\n<title>");
    html_text(to, title);
    mw_text_add(to, "</title>\n<style>\n%s</style>\n</head>\n<body>\n", style);
}

void html_end(struct mw_text *to) { mw_text_add(to, "</body>\n</html>\n"); }
/* SPDX-License-Identifier: MIT */
