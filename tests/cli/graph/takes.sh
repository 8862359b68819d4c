#!/bin/sh
# Measures use or ignore weights, directions, loops and multi-edges as doc/networks.md and graph info document.
# shellcheck disable=SC2086 # lists of words are meant to split
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache
page=$source_top/doc/networks.md

# Triangles with and without a cycle, a bridge, a leaf, two shortest paths between some vertices.
cat >"$work/plain.txt" <<'END'
a b 1
b c 1
c a 3
c d 2
d e 1
e f 1
d f 2
f g 1
e g 1
a h 4
END
{ cat "$work/plain.txt"; printf 'h h 1\ne e 1\n'; } >"$work/loops.txt"
{ cat "$work/plain.txt"; printf 'a h 4\nd e 1\nc d 2\n'; } >"$work/multi.txt"

# Prints the result of a measure (by its name on the page) for a graph.
finds() { # MEASURE FILE [OPTION...]
    measure=$1
    shift
    rm -f "$work/found.csv" "$work/found.txt"
    case $measure in
    degrees* | assortativity* | 'mean distance'*)
        gives 0 graph info -d native:serial -q "$@" --budget 60
        case $measure in
        degrees*) expected='^(out-)?degrees' ;;
        assortativity*) expected='^assortativity' ;;
        *) expected='^(mean distance|diameter)' ;;
        esac
        grep -E "$expected" "$scratch/out" | sed 's/^[^0-9]*//; s/ edges//' >"$scratch/found" ;;
    *components*)
        gives 0 graph $measure -d native:serial -q "$@" -o found.txt
        cp "$work/found.txt" "$scratch/found" ;;
    bridges)
        gives 0 graph bridges -d native:serial -q "$@" --bridges found.csv
        cp "$work/found.csv" "$scratch/found" ;;
    *)
        gives 0 graph $measure -d native:serial -q "$@" --vertices found.csv
        cp "$work/found.csv" "$scratch/found" ;;
    esac
    [ -s "$scratch/found" ] || fail "nothing found: $measure $*"
}

# differs MEASURE WORD OTHER: checks whether another graph gives a different result, according to the page's word.
differs() {
    case $2 in
    used* | followed* | count*) wanted=1 ;;
    'not used'* | ignored* | 'change nothing'*) wanted=0 ;;
    *) fail "$1: a word that says nothing: $2" ;;
    esac
    cp "$scratch/found" "$scratch/first"
    measure_of=$1
    shift 2
    finds "$measure_of" "$@"
    cmp -s "$scratch/first" "$scratch/found"
    [ $? -eq $wanted ] || fail "$measure_of of $*: not as doc/networks.md says"
}

gives 0 graph info -d native:serial loops.txt
prints '^weights +whole numbers, not used by this measure$'
sed -n 's/^\(by weights\|loops count in\)  *//p' "$scratch/out" >"$work/of-info"
gives 0 graph info -d native:serial multi.txt --directed
sed -n 's/^\(by directions\|multi-edges in\)  *//p' "$scratch/out" >>"$work/of-info"
[ "$(wc -l <"$work/of-info")" -eq 4 ] || fail "graph info does not name the measures"

# named NUMBER MEASURE WORD: checks whether graph info names a measure on that line, according to the page's word.
named() {
    short=${2%%,*}
    sed -n "$1p" "$work/of-info" | tr ',' '\n' | sed 's/^ //' | grep -Fqx -- "$short"
    state=$?
    case $3 in
    used* | followed* | count*) [ $state -eq 0 ] ;;
    *) [ $state -ne 0 ] ;;
    esac || fail "graph info and doc/networks.md differ about $2: $3"
}

sed -n '/^| measure | weights/,/^$/s/^| \(.*\) |$/\1/p' "$page" |
    sed '1d; s/`//g; s/ (info)//; s/ | /|/g' >"$work/table"
[ "$(wc -l <"$work/table")" -eq 11 ] || fail "not eleven measures"
while IFS='|' read -r name weights directions loops multi rest; do
    finds "$name" plain.txt
    differs "$name" "$weights" plain.txt --weights remove
    finds "$name" plain.txt
    differs "$name" "$directions" plain.txt --directed
    finds "$name" plain.txt
    differs "$name" "$loops" loops.txt
    finds "$name" plain.txt
    differs "$name" "$multi" multi.txt
    finds "$name" plain.txt --directed
    differs "$name" "$multi" multi.txt --directed
    named 1 "$name" "$weights"
    named 2 "$name" "$loops"
    named 3 "$name" "$directions"
    named 4 "$name" "$multi"
    [ -n "$rest" ] || fail "no costs of $name"
    case $name in degrees* | assortativity* | 'mean distance'*) name=info ;; esac
    case $weights in used*) used=true ;; *) used=false ;; esac
    if has_json; then
        gives 0 graph $name plain.txt -d native:serial --json
        grep -q "\"weights_used\": *$used" "$scratch/out" || fail "graph $name: weights_used is not $used"
    fi
    gives 0 graph ${name%% *} --help
    tr -s '\n ' ' ' <"$scratch/out" | grep -Eq 'Weights are not used|sums? of (its |their )?weights' ||
        fail "the help of graph $name says nothing of weights"
done <"$work/table"

# Without --weights.
for measure in paths betweenness; do
    gives 0 graph $measure plain.txt -d native:serial --hops
    prints '^weights +whole numbers, not used \(--hops\)$'
done
gives 0 graph convert plain.txt other.mtx -d native:serial
prints '^weights +whole numbers$'
rm -f "$work"/*.txt "$work/found.csv" "$work/of-info" "$work/table" "$work/other.mtx"
# --connected draws until a graph is connected; the second draw has the seed plus 2^32.
gives 0 graph components --generate er -p n=60 -p m=130 --seed 3 --connected --json
prints '"components": 1,'
prints '"seed": ([0-9]+),'
seed=$(sed -n 's/^  "seed": \([0-9]*\),$/\1/p' "$scratch/out")
[ $((seed % 4294967296)) -eq 3 ] || fail "the seed of a connected graph is $seed"
gives 0 graph generate er -p n=60 -p m=130 --seed "$seed" -o drawn.el -q
gives 0 graph generate er -p n=60 -p m=130 --seed 3 --connected -o found.el -q
cmp -s "$work/drawn.el" "$work/found.el" || fail "not the graph of its seed"
gives 0 graph components --generate er -p n=60 -p m=130 --seed 3 --json
[ "$seed" -eq 3 ] || ! grep -q '"components": 1,' "$scratch/out" || fail "a connected graph was drawn again"
refuses 1 'no connected graph in 100 draws; the last one has [0-9]+ components' \
    graph generate er -p n=60 -p m=20 --connected
refuses 2 'requires --generate' graph components "$work/drawn.el" --connected
finish
