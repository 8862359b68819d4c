#!/bin/sh
# bench/walk: variants by their names, and times over lengths as a plot.
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache
bench=$PWD/bench/walk
[ -x "$bench" ] || skip "bench/walk is not built"

# tries CODE ARGUMENT...: the bench exits with CODE in small sizes; a message about missing numpy is allowed.
tries() {
    code=$1
    shift
    try "$bench" --small "$@"
    [ "$status" -eq "$code" ] || fail "exit code $status instead of $code: bench/walk $*"
    grep -v 'no columns of other libraries' "$scratch/err" >"$scratch/other"
    mv "$scratch/other" "$scratch/err"
}

# names: the contenders of the last lines, in order.
names() { sed 's/.*: //; s/\t.*//' "$scratch/out" | tr '\n' ' '; }

tries 0 --lines --variant rows,c,auto --steps 7 1 native:serial
[ "$(names)" = 'rows c auto copy ' ] || fail "contenders are '$(names)'"
tries 0 --lines --variant compact 1 native:serial
[ "$(grep -c 'random[0-9]* 10: compact' "$scratch/out")" -eq 3 ] || fail "not the lengths of all carpets"
grep -q scipy "$scratch/out" && fail "SciPy takes part beside variants by name"
tries 1 --variant rows,nothing 1 native:serial
says "no variant is called 'nothing'"
tries 1 --plot walk.gif 1 native:serial
says 'walk\.gif'
folder_holds

if command -v gnuplot >/dev/null; then
    # With one thread and with all; each length, and each variant.
    MESHWORK_THREADS=3 tries 0 --plot "it's.svg" 1 native:pthreads
    silent
    for threads in '1 thread' '3 threads'; do
        prints "^native:pthreads, $threads, single precision"
        grep -q ">native:pthreads, $threads<" "$work/it's.svg" || fail "no line of $threads"
    done
    [ "$(grep -cE '^(compact|iterators|rows)( +[0-9]+\.[0-9]+){6}$' "$scratch/out")" -eq 6 ] || fail "no table of times"
    tries 0 --lines --plot two.svg --variant near,rows --steps 12 1 native:serial
    silent
    [ "$(names)" = 'near rows near rows near rows ' ] || fail "contenders are '$(names)'"
    grep -q '>near<' "$work/two.svg" || fail "no line of a variant by name"
    grep -q '>compact<' "$work/two.svg" && fail "a line of another variant"
    # A single length, and a picture of the other format.
    tries 0 --plot one.png --steps 2 1 native:serial
    silent
    folder_holds "it's.svg" one.png two.svg
else
    tries 1 --plot walk.svg 1 native:serial
    says gnuplot
fi
finish
