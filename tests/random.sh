#!/bin/sh
# Statistical tests of the generators of random numbers by dieharder, which take hours: no part of `make check`.
#
#   tests/random.sh MESHWORK [TEST...]      tests by dieharder's numbers; none: all of them
#
# Prints a table in Markdown, failures included.  Exits 77 where there is no dieharder.
# shellcheck disable=SC2016 # what has a dollar is awk's
set -u

meshwork=${1:?usage: tests/random.sh MESHWORK [TEST...]}
shift
command -v dieharder >/dev/null || { echo "SKIP: dieharder is not installed"; exit 77; }

# try_tests NAME [TEST...]: what dieharder says of the words on standard input.
try_tests() {
    name=$1
    shift
    if [ $# -eq 0 ]; then
        dieharder -g 200 -a -k 2 -Y 1
    else
        for test; do dieharder -g 200 -d "$test" -k 2 -Y 1; done
    fi | ${AWK:-awk} -F '|' -v name="$name" '
        $6 ~ /PASSED|WEAK|FAILED/ { gsub(/ /, ""); printf "| %s | %s | %s | %s | %s |\n", name, $1, $2, $5, $6 }'
}

echo "| generator | test | n | p | dieharder says |"
echo "|---|---|---|---|---|"
while read -r name options; do
    # shellcheck disable=SC2086 # a list of options
    "$meshwork" rng --samples 0 -o - -q --seed 1 $options 2>/dev/null | try_tests "$name" "$@"
done <<END
philox --generator philox
threefry --generator threefry
ranmar --generator ranmar
ranmar-24 --generator ranmar --streams 24
ranmar-8192 --generator ranmar --streams 8192
ranmar-92153 --generator ranmar --table 92153
END
