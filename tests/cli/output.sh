#!/bin/sh
# Output of runs: summary, JSON, state, pictures; and refused outputs.
# shellcheck disable=SC2086,SC2013,SC2015 # lists of words are meant to split; fail always succeeds
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"

gives 0 $small
for row in model size steps time device shape seconds rate c checksum; do
    prints "^$row +"
done
silent
folder_holds ''

if has_json; then
    gives 0 $small --json
    json_keys model size steps time seconds cell_steps_per_second device variant means checksum timings
    silent
else
    refuses 2 'jansson' $small --json
fi

# The state: a header of 128 bytes and the cells; to a pipe with the summary on standard error.
gives 0 $small -o state.npy
prints '^written +state.npy'
[ "$(wc -c <"$work/state.npy")" -eq $((128 + 4 * 48 * 32)) ] || fail "state.npy has another size"
gives 0 $small -o -
cmp -s "$scratch/out" "$work/state.npy" || fail "-o - gives other bytes than -o FILE"
grep -q '^checksum ' "$scratch/err" || fail "no summary on standard error"
folder_holds state.npy

if has_png; then
    gives 0 $small --png end.png
    folder_holds end.png
    gives 0 $small --png frame.png --every 8
    prints '^pictures +4, '
    folder_holds frame-000000.png frame-000008.png frame-000016.png frame-000020.png
    mkdir "$work/a.b"
    gives 0 $small --png 'a.b/100%%-%04d' --every 20
    folder_holds 'a.b/100%-0000' 'a.b/100%-0020'
    mkdir "$work/a.b"
    gives 0 $small --png a.b/none --every 20
    folder_holds a.b/none-000000 a.b/none-000020
else
    refuses 2 'libpng' $small --png end.png
fi

# Impossible outputs are rejected before the computation: these runs would take hours.
long='run cahn-hilliard -d native:serial --no-tune --size 2048x2048 --steps 1000000000'
refuses 1 'folder nowhere does not exist' $long -o nowhere/state.npy
refuses 1 'is a folder' $long -o /
if has_png; then
    refuses 1 'folder nowhere does not exist' $long --png nowhere/a.png
fi
# Two outputs must not have the same name, by any path.
refuses 2 'same is the file of two outputs' $long -o same --vtk same
refuses 2 'same.npy is the file of two outputs' $long -o same.npy --checkpoint ./same.npy
refuses 2 'same.npy is the file of two outputs' $long -o "$work/same.npy" --series same.npy
refuses 2 'is the file of two outputs' $long --every 5 -o 'a%d' --vtk 'a%d'
ln -s there.npy "$work/link.npy" # which leads nowhere yet
refuses 2 'there.npy is the file of two outputs' $long -o link.npy --checkpoint there.npy
: >"$work/there.npy"
refuses 2 'link.npy is the file of two outputs' $long -o there.npy --checkpoint link.npy
rm "$work/link.npy" "$work/there.npy"
# A step of a series, or one at which a run may be stopped; and the other files of a checkpoint.
for name in a50 ./a50 a7; do
    refuses 2 'a(50|7) is the file of two outputs' $long --every 5 -o 'a%d' --series $name
    refuses 2 'a(50|7) is the file of two outputs' $long --every 5 -o $name --vtk 'a%d'
done
refuses 2 'f-000050.vti is the file of two outputs' $long --every 5 --vtk f.vti --checkpoint f-000050.vti
refuses 2 'ck.old is the file of two outputs' $long --series ck.old --checkpoint ck
refuses 2 'ck.new is the file of two outputs' $long --series "$work/ck.new" --checkpoint ck
for name in a050 a b50 a50.csv a99999999999; do
    gives 0 $long --every 5 -o 'a%d' --series $name --dry-run
done
gives 0 $small --steps 49 -o 'b%d' --series b50.csv --dry-run
gives 0 $small -o /dev/null --vtk /dev/null
# Input files are not replaced either.
gives 0 $small -o state.npy
ln -s state.npy "$work/link.npy"
refuses 2 'state.npy is an input file that an output would replace' $small --input state.npy -o ./state.npy
refuses 2 'link.npy is an input file' $small --input state.npy --checkpoint link.npy
refuses 2 'state.npy is an input file' label -d native:serial state.npy -o state.npy
refuses 2 'state.npy is an input file' transform -d native:serial flip=x link.npy -o state.npy
rm "$work/link.npy" "$work/state.npy"
if [ "$(id -u)" -ne 0 ]; then
    mkdir "$work/closed"
    chmod 500 "$work/closed"
    refuses 1 'closed' $long -o closed/state.npy
    chmod 700 "$work/closed"
    : >"$work/locked.npy"
    chmod 400 "$work/locked.npy"
    refuses 1 'locked.npy' $long -o locked.npy
    rm -f "$work/locked.npy"
fi
if [ -w /dev/full ]; then
    refuses 1 '/dev/full' $small -o /dev/full
    (cd "$work" && exec "$MESHWORK" $small >/dev/full) 2>"$scratch/err"
    [ $? -eq 1 ] && grep -q '^meshwork: .*standard output' "$scratch/err" || fail "full standard output unnoticed"
fi

# A closed standard output is an error, and no opened file takes its place.
(cd "$work" && exec "$MESHWORK" $small -o state.npy >&-) 2>"$scratch/err"
[ $? -eq 1 ] && grep -q '^meshwork: .*standard output' "$scratch/err" || fail "a closed standard output is not noticed"
[ "$(wc -c <"$work/state.npy")" -eq $((128 + 4 * 48 * 32)) ] || fail "words were written into state.npy"
folder_holds state.npy

# A reader that ends: no message.
: >"$scratch/out"
{ "$MESHWORK" run cahn-hilliard -d native:serial --no-tune --size 512x512 --steps 1 -o - 2>"$scratch/err"
  echo $? >"$scratch/status"; } | true
grep -q '^meshwork:' "$scratch/err" && fail "a message about a lost pipe"
[ "$(cat "$scratch/status")" -ne 0 ] || fail "a lost pipe counts as success"

# A field with values that become infinite or NaN.
refuses 1 'not finite|no longer finite.*--dt' $small --dt 1000 --steps 200 -o state.npy
folder_holds ''

# A state that starts with one: its last value becomes a NaN.
gives 0 $small -o state.npy
{ head -c $((128 + 4 * 48 * 32 - 4)) "$work/state.npy"; printf '\377\377\377\177'; } >"$work/nan.npy"
refuses 1 'nan.npy.*not finite' run cahn-hilliard -d native:serial --input nan.npy --steps 1
rm "$work/nan.npy"
folder_holds state.npy

# A count beyond the integers of JSON here is not negative.
if has_json; then
    gives 0 run cahn-hilliard -d native:serial --dry-run --json --steps 18446744073709551615
    grep -q '"steps": "18446744073709551615"' "$scratch/out" || fail "a large count is not exact"
fi

# No colours and no bar without a terminal.
gives 0 $small -v
if LC_ALL=C grep -q "$(printf '\033')" "$scratch/out" "$scratch/err"; then
    fail "escape sequences without a terminal"
fi

# A warm-up step precedes the timing: a driver may compile in it.
gives 0 $small -v --shape steps=0
grep -q '^kernel field_step: 21 launches' "$scratch/err" || fail "no step before those that are timed"

# After half a second of waiting, one line gives the reason; -q prints nothing.
if command -v cc >/dev/null; then
    printf '#!/bin/sh\nsleep 1\nexec cc "$@"\n' >"$scratch/slow"
    chmod +x "$scratch/slow"
    heat='run heat -d native:serial --no-tune --size 16x16 --steps 1'
    # With its own cache, in which no other test compiles the same program.
    MESHWORK_CACHE_DIR=$scratch/own MESHWORK_CC=$scratch/slow "$MESHWORK" $heat >"$scratch/out" 2>"$scratch/err" ||
        fail "a slow compiler"
    [ "$(grep -c '^compiling (first run): field/update.cl for native:serial' "$scratch/err")" -eq 1 ] ||
        fail "not one line about a slow compiler"
    MESHWORK_CC=$scratch/slow "$MESHWORK" $heat -q --precision double >"$scratch/out" 2>"$scratch/err" ||
        fail "a slow compiler, and -q"
    silent
fi

# On a terminal there are colours, unless NO_COLOR is set.
if command -v script >/dev/null && script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
    TERM=xterm
    export TERM
    script -qec "$MESHWORK devices -q" /dev/null </dev/null >"$scratch/out" 2>"$scratch/err"
    LC_ALL=C grep -q "$(printf '\033')" "$scratch/out" || fail "no colours on a terminal"
    NO_COLOR=1 script -qec "$MESHWORK devices -q" /dev/null </dev/null >"$scratch/out" 2>"$scratch/err"
    if LC_ALL=C grep -q "$(printf '\033')" "$scratch/out"; then
        fail "colours in spite of NO_COLOR"
    fi
fi
finish
