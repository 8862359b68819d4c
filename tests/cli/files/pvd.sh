#!/bin/sh
# meshwork run --vtk: the list of a series for ParaView, also by resumed runs.
# shellcheck disable=SC2015,SC2059,SC2086 # lists of words are meant to split; fail always succeeds
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache

field='run allen-cahn -d native:serial --no-tune --size 8x4 --seed 4 --dt 0.25'

# entries LIST: prints "time file" for each entry.
entries() { sed -n 's/.*timestep="\([^"]*\)".*file="\([^"]*\)".*/\1 \2/p' "$work/$1"; }
# lists LIST PATTERN STEP...: it has the files of these steps, with their times.
lists() {
    list=$1 pattern=$2
    shift 2
    wanted=$(for step; do awk -v s="$step" -v p="$pattern" 'BEGIN { printf "%g " p "\n", s / 4, s }'; done)
    [ "$(entries "$list")" = "$wanted" ] || fail "$list has: $(entries "$list")"
    for step; do
        file=$(printf "$pattern" "$step")
        grep -aq "Name=\"TimeValue\".*>$(awk -v s="$step" 'BEGIN { print s / 4 }')<" "$work/$file" ||
            fail "$file has another time than $list"
    done
}

gives 0 $field --steps 10 --every 4 --vtk 'f-%06d.vti' -q
lists f.pvd 'f-%06d.vti' 0 4 8 10
head -n 2 "$work/f.pvd" | tr -d '\n' | grep -q '^<?xml version="1.0"?><VTKFile type="Collection"' || fail "another head"
[ "$(tail -n 1 "$work/f.pvd")" = '</VTKFile>' ] || fail "another end"
gives 0 $field --steps 4 --every 4 --vtk g.vti -q
lists g.pvd 'g-%06d.vti' 0 4
mkdir "$work/in"
gives 0 $field --steps 4 --every 4 --vtk 'in/%d.vti' -q
[ "$(entries in/series.pvd | tr '\n' ' ')" = '0 0.vti 1 4.vti ' ] || fail "a list without names of its own"

# A resumed run keeps the entries of earlier times, and replaces those of later ones.
gives 0 $field --steps 8 --every 4 --vtk 'r-%d.vti' --checkpoint ck -q
cp "$work/ck" "$work/kept"
gives 0 run --restart ck --steps 16 -d native:serial --no-tune -q
lists r.pvd 'r-%d.vti' 0 4 8 12 16
cp "$work/kept" "$work/ck"
gives 0 run --restart ck --steps 14 -d native:serial --no-tune -q
lists r.pvd 'r-%d.vti' 0 4 8 12 14

# One file needs no list; names that are taken are refused.
gives 0 $field --steps 4 --vtk one.vti -q
[ ! -e "$work/one.pvd" ] || fail "a list of one file"
refuses 2 's.pvd is the file of two outputs' $field --steps 4 --every 4 --vtk 's-%d.vti' --series s.pvd
cp "$work/kept" "$work/ck"
echo mine >"$work/r.pvd"
refuses 2 'r.pvd, the list of the VTK files, has other contents' run --restart ck --steps 16 -d native:serial --no-tune
finish
