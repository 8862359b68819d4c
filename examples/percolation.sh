#!/bin/sh
# Measures the threshold of site percolation on the square lattice, the density above which one cluster spans the
# lattice.
#
#   percolation.sh [-s SEEDS] [-n SIDE] [-d DEVICE]
#
#   -s SEEDS   samples of each density and side, at least 2 (default 50)
#   -n SIDE    cells along each side of the larger lattice, at least 64 (default 512); the smaller one has a quarter
#   -d DEVICE  as meshwork's own -d (default native: such lattices take a millisecond each)
#
# Prints for each density the largest cluster's share of the lattice, for both sides, with its standard error.  Prints
# the threshold, at which the two curves, each times SIDE^(5/48), cross.  $MESHWORK is the command if it is not in the
# PATH.
# SPDX-License-Identifier: MIT
set -u
LC_ALL=C
export LC_ALL

seeds=50 side=512 device=native
densities='0.570 0.575 0.580 0.585 0.590 0.595 0.600 0.605 0.610 0.615'

die() { code=$1; shift; printf 'percolation: %s\n' "$*" >&2; exit "$code"; }

# at_least LEAST OPTION VALUE: a whole number.
at_least() {
    case $3 in
        ''|*[!0-9]*|0*|??????*) ;;
        *) [ "$3" -lt "$1" ] || return 0 ;;
    esac
    die 2 "$2 takes a whole number from $1 to 99999, not '$3'"
}

# sample SIDE DENSITY SEED: prints these and the number of cells of the largest cluster.
sample() {
    summary=$("$meshwork" label -d "$device" -q --pattern random --size "$1x$1" --density "$2" --seed "$3" \
        </dev/null) || exit
    largest=$(printf '%s\n' "$summary" | sed -n 's/^largest  *\([0-9]*\) cells.*/\1/p')
    echo "$1 $2 $3 ${largest:-0}"
}

# At the threshold, the share of the largest cluster falls as SIDE^(-5/48) (den Nijs 1979; Nienhuis 1982).  Times
# SIDE^(5/48), the shares of two sides are equal there; below it the larger side has the smaller share, above it the
# larger one.  The error of the crossing is the jackknife's over the seeds.
# shellcheck disable=SC2016 # the dollars are awk's
evaluate='
function mean(side, row, but,    s, sum) {
    for (s = 1; s <= seeds; s++) if (s != but) sum += share[side, row, s]
    return sum / (seeds - (but > 0))
}
function error(side, row,    s, m, sum) {
    m = mean(side, row, 0)
    for (s = 1; s <= seeds; s++) sum += (share[side, row, s] - m) ^ 2
    return sqrt(sum / (seeds - 1) / seeds)
}
function excess(row, but) { return mean(large, row, but) * large ^ (5 / 48) - mean(small, row, but) * small ^ (5 / 48) }
# Returns the zero of the line through the last row below the threshold and the next one, or -1.
function crossing(but,    row, a, b) {
    for (row = rows - 1; row >= 1; row--) {
        a = excess(row, but); b = excess(row + 1, but)
        if (a < 0 && b >= 0) return density[row] + (density[row + 1] - density[row]) * a / (a - b)
    }
    return -1
}
{
    if (!($2 in number)) { number[$2] = ++rows; density[rows] = $2 }
    share[$1, number[$2], $3 > seeds ? $3 - seeds : $3] = $4 / $1 / $1
}
END {
    printf "%8s %14s %8s %14s %8s\n", "density", "share of " large, "+-", "share of " small, "+-"
    for (row = 1; row <= rows; row++)
        printf "%8.3f %14.4f %8.4f %14.4f %8.4f\n", density[row], mean(large, row, 0), error(large, row),
            mean(small, row, 0), error(small, row)
    threshold = crossing(0)
    for (s = 1; s <= seeds; s++) { c = crossing(s); if (c < 0) threshold = -1; sum += c; squares += c * c }
    if (threshold < 0) { print "no threshold: the curves do not cross; take more seeds or a larger side"; exit }
    variance = (squares - sum * sum / seeds) * (seeds - 1) / seeds
    printf "threshold %.4f +- %.4f, %d seeds, %dx%d and %dx%d cells\n", threshold, sqrt(variance > 0 ? variance : 0),
        seeds, large, large, small, small
}'

while getopts :s:n:d:h option; do
    case $option in
        s) seeds=$OPTARG ;;
        n) side=$OPTARG ;;
        d) device=$OPTARG ;;
        h) sed -n '2,/^set/{/SPDX/d;s/^# \{0,1\}//p;}' "$0"; exit 0 ;;
        :) die 2 "option -$OPTARG needs a value; -h shows the options" ;;
        *) die 2 "there is no option -$OPTARG; -h shows the options" ;;
    esac
done
shift $((OPTIND - 1))
[ $# -eq 0 ] || die 2 "unexpected word '$1'; -h shows the options"
at_least 2 -s "$seeds"
at_least 64 -n "$side"
meshwork=${MESHWORK:-meshwork}
command -v "$meshwork" >/dev/null ||
    die 1 "cannot find '$meshwork': put meshwork into the PATH, or its path into \$MESHWORK"

small=$((side / 4))
samples=$(
    for density in $densities; do
        seed=0
        while [ $seed -lt "$seeds" ]; do
            seed=$((seed + 1))
            sample "$side" "$density" $seed
            sample $small "$density" $((seeds + seed))
        done
    done
) || exit
printf '%s\n' "$samples" | awk -v seeds="$seeds" -v large="$side" -v small=$small "$evaluate"
