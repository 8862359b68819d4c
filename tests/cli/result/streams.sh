#!/bin/sh
# Outputs named -: standard output has the bytes of a file, and standard error the summary.  Outputs that need a file,
# terminals, and two outputs of that name are refused.
# shellcheck disable=SC2086,SC2015 # lists of words are meant to split; fail always succeeds
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache

# as_file FILE TITLE COMMAND...: writes to - what it writes to FILE, and reports it.
as_file() {
    file=$1 title=$2
    shift 2
    gives 0 "$@" "$file"
    gives 0 "$@" -
    cmp -s "$scratch/out" "$work/$file" || fail "other bytes on standard output: $*"
    grep -qE "^$title +to standard output(,|\$)" "$scratch/err" || fail "no summary on standard error: $*"
    [ ! -e "$work/-" ] || fail "a file named -: $*"
}

array in.npy '|u1' '4, 6' '\1\1\0\0\0\1\0\0\0\1\1\1\0\1\0\1\0\1\1\1\0\0\0\1'
label='label -d native:serial in.npy'
walk='walk --carpet sc31 -d native:serial --steps 27'
sweep='sweep ising -d native:serial --size 8x8 --steps 20 --over T=1.5,2.5'
spins='run ising -d native:serial --no-tune --size 16x16 --steps 100 --measure-every 2 -p T=2.5'
rng='rng -d native:serial --samples 9'

as_file out.npy written $small -o
as_file out.vti vtk $small --vtk
as_file out.csv series $small --every 5 --series
as_file out.csv series $walk --every 9 --series
as_file table.csv table $walk --csv
as_file out.npy written $walk -o
as_file table.csv written $sweep -o
as_file table.csv correlation $spins --correlation
as_file out.npy written $label -o
as_file table.csv table $label --components
as_file out.npy cells $label --cells
as_file out.npy 'pattern in' label -d native:serial --pattern random --size 8x8 --save-pattern
as_file out.npy written transform -d native:serial flip=0 in.npy -o
as_file out.bin written $rng -o
as_file out.txt written $rng --format text -o
if has_png; then
    as_file out.png pictures $small --png
    as_file out.png pictures $walk --png
    as_file out.png "carpet's picture" $walk --carpet-png
    as_file out.png picture $label --png
    # A run with --every writes the final state, as -o does without a place for the step.
    gives 0 $small --png end.png
    gives 0 $small --every 5 --png -
    cmp -s "$scratch/out" "$work/end.png" || fail "not the final picture on standard output"
fi
if command -v gnuplot >/dev/null; then
    as_file out.svg plot $sweep --plot
    as_file out.svg plot $walk --plot
fi

# A row is written at once, long before the next one.
long="$small --steps 1000000000 --series - -q"
(cd "$work" && exec "$MESHWORK" $long --every 1000000000) >"$scratch/out" 2>/dev/null &
process=$!
awaits grep -q '^0,' "$scratch/out"
kill "$process"
wait "$process"
[ "$(cut -d, -f1 "$scratch/out" | head -n 2 | tr '\n' ' ')" = 'step 0 ' ] || fail "no row before the next one"
# When the reader ends, the run ends by SIGPIPE, as usual.
{ (cd "$work" && exec "$MESHWORK" $long --every 1) 2>"$scratch/err"
  echo $? >"$scratch/code"; } | head -n 3 >"$scratch/out"
[ "$(cut -d, -f1 "$scratch/out" | tr '\n' ' ')" = 'step 0 1 ' ] || fail "other rows for a reader that ends"
code=$(cat "$scratch/code")
[ "$code" -eq 141 ] && [ ! -s "$scratch/err" ] || fail "exit code $code without a reader"
# Earlier contents of a file opened for appending are kept.
echo before >"$work/all"
(cd "$work" && exec "$MESHWORK" $small --every 10 --series - -q) >>"$work/all" 2>"$scratch/err"
[ "$(cut -d, -f1 "$work/all" | tr '\n' ' ')" = 'before step 0 10 20 ' ] || fail "other rows behind those of a file"

# A checkpoint stores the position of a series in a file; on standard output a resumed run begins with the titles.
gives 0 $small --steps 10 --every 5 --series s.csv --checkpoint c.mwc
gives 0 run --restart c.mwc -d native:serial --no-tune --steps 15 --series -
[ "$(cut -d, -f1 "$scratch/out" | tr '\n' ' ')" = 'step 15 ' ] || fail "other rows after a restart"
gives 0 run --restart c.mwc -d native:serial --no-tune --steps 20 --series s.csv
[ "$(cut -d, -f1 "$work/s.csv" | tr '\n' ' ')" = 'step 0 5 10 20 ' ] || fail "the file's series is lost"

# ---- errors ----

refuses 2 'two outputs go to standard output' $small -o - --series -
refuses 2 'two outputs go to standard output' $walk --csv - --series -
refuses 2 'two outputs go to standard output' $label -o - --cells -
refuses 2 '--checkpoint needs a file' $small --checkpoint -
refuses 2 '--checkpoint needs a file' $small --restart-or-start - -q
refuses 2 'must end in .png, .svg or .pdf' $sweep --plot plot.gif
refuses 2 'must end in .png, .svg or .pdf' $walk --plot plot.gif
"$MESHWORK" bench list >/dev/null 2>&1 && refuses 2 'needs a file' bench stream -o -
[ ! -e "$work/-" ] || fail "a file named -"

# Binary data never go to a terminal, text does.
if script -qec true /dev/null >/dev/null 2>&1; then
    for output in "$small -o" "$label --cells" "$rng -o"; do
        (cd "$work" && exec script -qec "$MESHWORK $output -" /dev/null) >"$scratch/out" 2>"$scratch/err" </dev/null
        [ $? -eq 2 ] && grep -q 'standard output is a terminal' "$scratch/out" || fail "bytes on a terminal: $output"
    done
    (cd "$work" && exec script -qec "$MESHWORK $small --every 10 --series - -q 2>/dev/null" /dev/null) \
        >"$scratch/out" </dev/null
    [ "$(cut -d, -f1 "$scratch/out" | tr '\n' ' ')" = 'step 0 10 20 ' ] || fail "no rows on a terminal"
fi

finish
