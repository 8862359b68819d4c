#!/bin/sh
# The public headers have one shape.  `tests/lint/public.sh list` prints the signatures by family: functions that make,
# free, take devices, take options.
#
#   - A struct begins with `size`, or is marked on its first line as a fixed value or the library's (status.h).
#   - `_new` gives `struct X **` as its last parameter, and there is a `_free` (or `_close`), which returns nothing and
#     takes one pointer.
#   - Several devices are the first parameters: `struct mw_device *const *devices, size_t count`.  One is the first, and
#     called `device`.
#   - Enumerators begin with the name of their enum, whose last word may be left out (MW_DEVICE_GPU of mw_device_kind),
#     and no two enums have one prefix; those of mw_status are like errno's.
#   - An enum with more than two uses in tools has mw_X_name and mw_X_find.
#   - Options are `const struct X_options *options`, before all results.
#   - Traits of drivers, thresholds and timings of benches are internal.
# SPDX-License-Identifier: MIT
set -u
export LC_ALL=C
source=${srcdir:-.}
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cat "$source"/include/meshwork/*.h >"$folder/headers"

# "RETURN|NAME|PARAMETERS" of each declaration.
${AWK:-awk} -f "$source/tests/lint/declared.awk" "$folder/headers" | ${AWK:-awk} '{
    open = index($0, "(")
    head = substr($0, 1, open - 1)
    name = head
    sub(/.*[ *]/, "", name)
    parameters = substr($0, open + 1)
    sub(/\)[^)]*$/, "", parameters)
    print substr(head, 1, length(head) - length(name)) "|" name "|" parameters
}' >"$folder/declared"

family() {
    echo "== $1"
    ${AWK:-awk} -F '|' "$2 { print \$1 \$2 \"(\" \$3 \")\" }" "$folder/declared" | sort
}
if [ "${1:-}" = list ]; then
    family "make" '$2 ~ /_new$|_open$/'
    family "free" '$2 ~ /_free$|_close$/'
    family "several devices" '$3 ~ /mw_device \*const \*/'
    family "one device" '$3 ~ /^struct mw_device \*[a-z]/'
    family "options" '$3 ~ /_options \*/'
    exit
fi

# Prints structs and enums that break these rules.
types() {
    [ "$(wc -l <"$folder/declared")" -gt 100 ] || echo "found only $(wc -l <"$folder/declared") declarations"
    # Structs: the line that opens one, or its first member.
    ${AWK:-awk} '
        opened != "" { if ($0 !~ /^ *size_t size;/) print opened ": begins with size, or is marked as a fixed value"
                       opened = "" }
        /^struct mw_[a-z0-9_]+ \{/ && !/a fixed value|the library.s, may grow|\{ size_t size;/ { opened = $2 }
        ' "$folder/headers"
    # Enums, one a line, with their enumerators.
    sed 's/MW_API//g' "$folder/headers" | tr '\n' ' ' | sed 's:/\*[^*]*\**\([^/*][^*]*\*\**\)*/: :g' |
        grep -o 'enum mw_[a-z_]* {[^}]*}' | sed 's/=[^,}]*//g; s/[{},]/ /g' >"$folder/enums"
    ${AWK:-awk} '
        $2 == "mw_status" { next }
        {
            whole = toupper($2) "_"
            short = whole
            sub(/_[A-Z]+_$/, "_", short)
            all_whole = all_short = 1
            for (i = 3; i <= NF; i++) {
                if (index($i, whole) != 1)
                    all_whole = 0
                if (index($i, short) != 1 || short == "MW_")
                    all_short = 0
            }
            if (!all_whole && !all_short)
                print $2 ": its enumerators do not begin with " whole
            prefix = all_whole ? whole : short
            if (prefix in taken)
                print $2 ": " taken[prefix] " has the prefix " prefix ", too"
            taken[prefix] = $2
        }' "$folder/enums"
}

# Prints enums that the command uses but that have no names. Exceptions: parts of results, which calls select one by
# one; sums of bits; levels of messages, which users never name.
names() {
    cat "$source"/tools/*.[ch] "$source"/tools/*/*.[ch] "$source"/tools/*/*/*.[ch] | tr -cs 'A-Z0-9_' '\n' |
        grep '^MW_' | sort | uniq -c >"$folder/uses"
    ${AWK:-awk} '
        NR == FNR { uses[$2] = $1; next }
        $2 ~ /^mw_(components_part|speed_parts|process_change|log_level)$/ { next }
        {
            count = 0
            for (i = 3; i <= NF; i++)
                count += uses[$i]
            if (count > 2)
                print $2
        }' "$folder/uses" "$folder/enums" >"$folder/named"
    [ "$(wc -l <"$folder/named")" -gt 10 ] || echo "found only $(wc -l <"$folder/named") enums that the command uses"
    while read -r enum; do
        for call in name find; do
            grep -q "|${enum}_$call|" "$folder/declared" || echo "enum $enum: there is no ${enum}_$call"
        done
    done <"$folder/named"
}

# Prints functions that break these rules.
functions() {
    ${AWK:-awk} -F '|' '
        function odd(why) { print $2 "(" $3 "): " why }
        { declared[$2] = 1; shown[$2] = $3 }
        $2 ~ /_new$/ && $3 !~ /struct mw_[a-z_]+ (\*\*|\*)[a-z_]+$/ { odd("the result is the last parameter") }
        $2 ~ /_(free|close)$/ && ($1 !~ /^void $/ || $3 ~ /,/ || $3 !~ /\*/) {
            odd("returns nothing, takes one pointer") }
        $3 ~ /mw_device \*const \*/ && $3 !~ /^struct mw_device \*const \*devices, size_t count,/ {
            odd("several devices are the first parameters, devices and count") }
        $3 ~ /struct mw_device \*[a-z]+(,|$)/ && $3 !~ /^(const )?struct mw_device \*device(,|$)/ {
            odd("a device is the first parameter, called device") }
        $3 ~ /_options \*/ && $3 !~ /const struct mw_[a-z_]+_options \*options(,|$)/ {
            odd("options are const struct X_options *options") }
        $3 ~ /_options \*options/ {
            before = $3
            sub(/const struct mw_[a-z_]+_options \*options.*/, "", before)
            if (before ~ /\*\*[a-z]/)
                odd("options stand before results")
        }
        END {
            for (name in declared) {
                if (name !~ /_new$/)
                    continue
                base = substr(name, 1, length(name) - 4)
                if (!((base "_free") in declared))
                    print name "(" shown[name] "): there is no " base "_free"
            }
        }' "$folder/declared"
}

{
    types
    names
    functions
    grep -nE -e 'struct mw_device_traits \{|struct mw_[a-z_]*(limits|threshold)[a-z_]* \{' \
        -e '[0-9] (us|million)|[0-9][ ,]000 ' "$folder/headers" |
        grep -v mw_kernel_limits
} >"$folder/odd"
cat "$folder/odd"
[ ! -s "$folder/odd" ]
