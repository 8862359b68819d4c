#!/bin/sh
# Letters, digits and numbers do not depend on the locale: src/base/ascii.h has the functions of letters, mw_number_read
# that of numbers in the library; the command stays in the locale "C".
# SPDX-License-Identifier: MIT
set -u
cd "${srcdir:-.}" || exit 1
letters='strn?case(cmp|str)(_l)?|(is(alnum|alpha|blank|cntrl|digit|graph|lower|print|punct|space|upper|xdigit)'
letters="$letters|to(upper|lower))(_l)?|strn?coll|strxfrm|(isw|tow)[a-z]+|mbr?towc|setlocale"
numbers='strto(d|f|ld)|atof'
failures=0

# calls FUNCTIONS: the lines of standard input that call one of these.
calls() { grep -E "(^|[^A-Za-z0-9_])($1) ?\("; }

# lacks FUNCTIONS ADVICE FOLDER...: no file there calls one of them.
lacks() {
    functions=$1 advice=$2
    shift 2
    found=$(find "$@" \( -name '*.[ch]' -o -name '*.cpp' \) -exec grep -nF '(' {} + |
        grep -v '^src/base/text.c:.*strtod' | calls "$functions")
    [ -z "$found" ] || { echo "$found"; echo "the locale changes what these do: see $advice"; failures=1; }
}

for line in 'isdigit(c)' 'x = !strncasecmp (a, b, 2)' '(char)tolower(c)' 'strcasestr(a, b)'; do
    echo "$line" | calls "$letters" >/dev/null || { echo "not found: $line"; failures=1; }
done
echo 'mw_is_digit(c) wcstolower_x(c)' | calls "$letters" && failures=1
lacks "$letters" src/base/ascii.h src tools
lacks "$numbers" 'mw_number_read in src/base/base.h' src
[ $failures -eq 0 ]
