#!/bin/sh
# Tests the generators of random numbers by dieharder. This takes hours and is not part of `make check`.
#
#   tests/random.sh MESHWORK [TEST...]      tests by dieharder's numbers; none: all of them
#
# RANDOM_JOBS tests run at once (default: 1); each reads its generator's words from the first on. Prints the results in
# Markdown, including failures. Exits 77 without dieharder.
# shellcheck disable=SC2016 # what has a dollar is awk's
# SPDX-License-Identifier: MIT
set -u

# One test of one generator, to a file.
if [ "${1-}" = --one ]; then
    shift
    meshwork=$1 to=$2 name=$3 test=$4 n=$5
    shift 5
    "$meshwork" rng --samples 0 -o - -q --seed 1 -d native:serial "$@" 2>/dev/null |
        dieharder -g 200 -d "$test" -n "$n" -k 2 -Y 1 | ${AWK:-awk} -F '|' -v name="$name" '
            $6 ~ /PASSED|WEAK|FAILED/ {
                gsub(/ /, "")
                printf "| %s | %s | %s | %s | %s |\n", name, $1, $2, $5, $6
            }' >"$to"
    exit 0
fi

meshwork=${1:?usage: tests/random.sh MESHWORK [TEST...]}
shift
command -v dieharder >/dev/null || { echo "SKIP: dieharder is not installed"; exit 77; }
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM

generators() {
    cat <<END
philox --generator philox
threefry --generator threefry
ranmar --generator ranmar
ranmar-24 --generator ranmar --streams 24
ranmar-8192 --generator ranmar --streams 8192
ranmar-92153 --generator ranmar --table 92153
END
}

# Tests with their sizes n, as in `dieharder -a`; 0 for a test without sizes. The longest come first.
tests() {
    for n in $(seq 32 -1 0); do echo "203 $n"; done
    for test in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 100 101 102 204 205; do echo "$test 0"; done
    for n in $(seq 1 12); do echo "200 $n"; done
    for n in $(seq 2 5); do echo "201 $n"; echo "202 $n"; done
    echo "206 256"; echo "207 32"; echo "208 0"; echo "209 12"
}

# Lists the jobs: generator, number and size of a test, and its output file.
jobs() {
    number=1000
    generators | while read -r name options; do
        tests | while read -r test n; do
            case " ${*:-$test} " in *" $test "*) echo "$name $test $n $options" ;; esac
        done
    done | while read -r name test n options; do
        number=$((number + 1))
        echo "$meshwork $folder/$number $name $test $n $options"
    done
}

jobs "$@" | xargs -P "${RANDOM_JOBS:-1}" -L 1 "${SHELL:-sh}" "$0" --one

# One row per test, one column per generator: all values of p, marked if weak or failed.
cat "$folder"/* | ${AWK:-awk} '
    function add(list, word) { return list == "" ? word : list " " word }
    {
        split($0, field, / *[|] */)
        name = field[2]; test = field[3] " | " field[4]; says = field[6]
        if (!(name in seen_name)) { seen_name[name]; names[++columns] = name }
        if (!(test in seen_test)) { seen_test[test]; tests[++rows] = test }
        count[name, says]++
        cell[test, name] = add(cell[test, name], sprintf("%.4f", field[5]) (says == "PASSED" ? "" : " " says))
    }
    END {
        print "| generator | passed | weak | failed |\n|---|---|---|---|"
        for (i = 1; i <= columns; i++)
            printf "| %s | %d | %d | %d |\n", names[i], count[names[i], "PASSED"], count[names[i], "WEAK"],
                   count[names[i], "FAILED"]
        printf "\n| test | n |"; for (i = 1; i <= columns; i++) printf " %s |", names[i]
        printf "\n|---|---|"; for (i = 1; i <= columns; i++) printf "---|"
        print ""
        for (j = 1; j <= rows; j++) {
            printf "| %s |", tests[j]
            for (i = 1; i <= columns; i++) printf " %s |", cell[tests[j], names[i]]
            print ""
        }
    }'
