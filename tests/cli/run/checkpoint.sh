#!/bin/sh
# Checkpoints: a resumed run has the bits and the series of the uninterrupted run, or an error names the reason.
# shellcheck disable=SC2086,SC2013,SC2015 # lists of words are meant to split; fail always succeeds
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache

model='run cahn-hilliard -d native:serial --no-tune'
base="$model --size 48x32 --seed 7 -p K=0.5 --dt 0.02 --integrator euler --boundary periodic,periodic"

# flip OFFSET FILE: inverts all bits of a byte.
flip() {
    byte=$(od -An -tu1 -j "$1" -N 1 "$2" | tr -d ' ')
    # shellcheck disable=SC2059 # the byte as an escape is the format
    printf "\\$(printf %03o $((255 - byte)))" | dd of="$2" bs=1 seek="$1" conv=notrunc 2>/dev/null
}

# The uninterrupted run.
gives 0 $base --steps 100 --every 7 --series whole.csv -o whole.npy
expected=$(checksum)
[ -n "$expected" ] || fail "no checksum"
cp "$work/whole.csv" "$work/whole.npy" "$scratch"
folder_holds whole.csv whole.npy

# same WHAT: the last run has the same bits and the same series.
same() {
    [ "$(checksum)" = "$expected" ] || fail "another checksum $1"
    cmp -s "$work/s.csv" "$scratch/whole.csv" || fail "another series $1"
}

# In parts, each with the options of the first; the parts do not end at steps of --every.
for first in 0 1 7 40 99 100; do
    gives 0 $base --steps $first --every 7 --series s.csv --checkpoint ck
    prints "^checkpoint +ck, at step $first\$"
    gives 0 $model --restart ck --steps 100 --series s.csv -o end.npy
    prints "^restarted +at step $first, from ck\$"
    silent
    same "from step $first"
    cmp -s "$work/end.npy" "$scratch/whole.npy" || fail "another state from step $first"
done
rm -f "$work/ck.old"
folder_holds ck end.npy s.csv

# Two generations; also from the older one.  Options not given come from the checkpoint.
gives 0 $base --steps 100 --every 7 --series s.csv --checkpoint ck --checkpoint-every 30
gives 0 $model --restart ck.old --checkpoint other --series s.csv
prints '^restarted +at step 90, from ck.old$'
prints '^steps +100, dt = 0.02, euler$'
same 'from the older generation'
cmp -s "$work/ck" "$work/other" || fail "other bits in the checkpoint of the same step"
gives 0 $model --restart ck --series s.csv --verify
same 'with nothing to do'
gives 0 $base --steps 100 --every 7 --series s.csv --restart ck.old --checkpoint other
same 'with all options given once more'
for id in native:pthreads $("$MESHWORK" devices -q | sed -n 's/^[* ] *[0-9]* *\(opencl:[0-9.]*\) .*/\1/p'); do
    gives 0 $base --steps 60 --every 7 --series s.csv --checkpoint here
    gives 0 run cahn-hilliard -d $id --no-tune --restart here --steps 100 --series s.csv --verify
    same "on $id"
done

# The plan of a restart; nothing is written.
gives 0 $model --restart ck.old --dry-run
prints '^restarted +at step 90'
prints '^checkpoint +every 30 steps and at the end, ck.old and ck.old.old, each of 6 KiB$'
if has_json; then
    gives 0 $model --restart ck.old --checkpoint other --steps 100 --json
    json_keys model time energy checkpoint restarted_at domain_size variances integrator boundary laplacian
    grep -q '"checkpoint": "other"' "$scratch/out" || fail "no name of the checkpoint in JSON"
    grep -q '"restarted_at": 90' "$scratch/out" || fail "no step of the restart in JSON"
fi

# Contradicting options are rejected by name, without side effects.
cp "$work/ck" "$scratch/ck"
cp "$work/s.csv" "$scratch/s.csv"
refuses 2 'size 48x32 \(here 64x64\)' $model --restart ck --size 64x64
refuses 2 'precision single \(here double\)' $model --restart ck --precision double
refuses 2 'integrator euler \(here rk2\)' $model --restart ck --integrator rk2
refuses 2 'boundary periodic,periodic \(here periodic,mirror\)' $model --restart ck --boundary periodic,mirror
refuses 2 'laplacian second \(here fourth\)' $model --restart ck --laplacian fourth
refuses 2 'dt 0.02 \(here 0.01\)' $model --restart ck --dt 0.01
refuses 2 'seed 7 \(here 8\)' $model --restart ck --seed 8
refuses 2 'parameter K 0.5 \(here 1\)' $model --restart ck -p K=1
refuses 2 'size 48x32 \(here 48x33\), dt 0.02 \(here 1\)' $model --restart ck --dt 1 --size 48x33
refuses 2 'fast-math no \(here yes\)' $model --restart ck --fast-math
refuses 2 'step 100, beyond --steps 99' $model --restart ck --steps 99
refuses 2 'exclude each other' $model --restart ck --input whole.npy
refuses 2 'exclude each other' $model --restart ck --start constant
refuses 2 '--checkpoint FILE' $model --checkpoint-every 5
sed 's/about "/about "Another text. /' "$MESHWORK_KERNEL_PATH/models/field/cahn-hilliard.cl" >"$scratch/changed.cl"
sed 's/model cahn-hilliard/model other/' "$MESHWORK_KERNEL_PATH/models/field/cahn-hilliard.cl" >"$scratch/other.cl"
refuses 2 'text of the model' run "$scratch/changed.cl" --no-tune --restart ck
refuses 2 'model cahn-hilliard \(here other\)' run "$scratch/other.cl" --no-tune --restart ck
refuses 1 'not a checkpoint' $model --restart "$scratch/changed.cl"
refuses 1 'No such file' $model --restart nowhere
refuses 1 'not a regular file' $model --restart .
cp "$scratch/whole.npy" "$work/whole.npy"
sed 's/^7,/8,/' "$scratch/whole.csv" >"$work/whole.csv"
refuses 1 'whole.csv.*does not match the checkpoint' $model --restart ck --steps 200 --series whole.csv
cmp -s "$work/ck" "$scratch/ck" || fail "a refused restart changes the checkpoint"
cmp -s "$work/s.csv" "$scratch/s.csv" || fail "a refused restart changes the series"

# A damaged checkpoint: the previous one is used, with one note, and not overwritten by the damaged one.
gives 0 $base --steps 60 --every 7 --series s.csv --checkpoint ck --checkpoint-every 30
size=$(wc -c <"$work/ck")
for at in 0 9 200 $((size / 2)) $((size - 1)); do
    cp "$work/ck" "$scratch/ck"
    cp "$work/ck.old" "$scratch/ck.old"
    cp "$work/s.csv" "$scratch/s.csv"
    flip $at "$work/ck"
    gives 0 $model --restart ck --series s.csv --steps 100 --checkpoint other
    [ "$(wc -l <"$scratch/err")" -eq 1 ] && grep -q 'resuming from the previous checkpoint, ck.old, at step 30' \
        "$scratch/err" || fail "no note of the older generation, byte $at"
    same "after damage to byte $at"
    gives 0 $model --restart ck --steps 31 -q
    silent
    cmp -s "$work/ck.old" "$scratch/ck.old" || fail "a damaged file took the place of the last good one"
    cp "$scratch/ck.old" "$work/ck.old"
    cp "$scratch/ck" "$work/ck"
    cp "$scratch/s.csv" "$work/s.csv"
done
flip 300 "$work/ck"
flip 300 "$work/ck.old"
refuses 1 'ck is damaged.*; and .*ck.old is damaged' $model --restart ck
: >"$work/ck"
rm "$work/ck.old"
refuses 1 'ck is damaged: empty file' $model --restart ck

# A series that does not match the checkpoint: missing, or with fewer rows.
gives 0 $base --steps 60 --every 7 --series s.csv --checkpoint ck
sed '$d' "$work/s.csv" | sed '$d' >"$work/fewer.csv"
refuses 1 'fewer.csv.*which was longer' $model --restart ck --steps 100 --series fewer.csv
refuses 1 'missing.csv of the checkpoint is missing' $model --restart ck --steps 100 --series missing.csv
rm -rf "${work:?}"/*

# The checkpoint suffices: it has model, settings and series.  A run without the series keeps its position.
gives 0 $base --steps 60 --every 7 --series s.csv --checkpoint ck
gives 0 run --restart ck -d native:serial --no-tune --steps 100
prints '^model +cahn-hilliard$'
prints '^series +s.csv$'
same 'with nothing but the checkpoint'
gives 0 $base --steps 60 --every 7 --series s.csv --checkpoint ck
gives 0 $model --restart ck --steps 80 --series none
grep -q '^series' "$scratch/out" && fail "a series in spite of none"
gives 0 $model --restart ck --steps 90
grep -q '^series' "$scratch/out" && fail "none is forgotten"
gives 0 $model --restart ck --steps 100 --series s.csv
[ "$(cut -d , -f 1 "$work/s.csv" | tr '\n' ' ')" = 'step 0 7 14 21 28 35 42 49 56 91 98 100 ' ] ||
    fail "rows before or behind those left out are lost"
mv "$work/s.csv" "$work/t.csv"
gives 0 $model --restart ck --steps 110 --series t.csv
prints '^series +t.csv$'
refuses 2 'belongs to another run: model cahn-hilliard \(here heat\)' run heat --restart ck
refuses 2 'missing operand.*--restart' run --steps 5
cp "$MESHWORK_KERNEL_PATH/models/field/heat.cl" "$work/mine.cl"
gives 0 run mine.cl -d native:serial --no-tune --size 16x16 --steps 10 --checkpoint own -q
gives 0 run --restart own -d native:serial --no-tune --steps 20 -q
prints '^restarted +at step 10, from own$'
mv "$work/mine.cl" "$work/other.cl"
refuses 1 'the model of checkpoint own: no such file: mine.cl' run --restart own --steps 30
gives 0 run other.cl --restart own -d native:serial --no-tune --steps 30 -q

# A file that is not a series of this run is not replaced.
printf 'name,value\na,1\n' >"$work/foreign.csv"
refuses 1 'foreign.csv is not a series of this run' $base --steps 10 --series foreign.csv
[ "$(cat "$work/foreign.csv")" = "$(printf 'name,value\na,1\n')" ] || fail "a foreign table is changed"
gives 0 $base --steps 10 --every 5 --series s.csv --checkpoint ck
gives 0 $base --steps 20 --every 5 --checkpoint bare
refuses 1 's.csv begins at step 0, before the checkpoint' $model --restart bare --steps 30 --series s.csv
[ "$(wc -l <"$work/s.csv")" -eq 4 ] || fail "rows of another run are lost"
gives 0 $model --restart bare --steps 30 --series fresh.csv
gives 0 $base --steps 5 --every 5 --series s.csv
[ "$(wc -l <"$work/s.csv")" -eq 3 ] || fail "a run from the start does not start its series anew"
rm -rf "${work:?}"/*

# A resumed run continues all files of the first one, with the same options; given options, and `none`, replace these.
files='--vtk v-%03d.vti -o s-%03d.npy'
! has_png || files="$files --png p-%03d.png --colours gray"
written() { (cd "$work" && ls -- *-[0-9]* | tr '\n' ' '); }
gives 0 $base --steps 60 --every 20 $files -q
all=$(written)
(cd "$work" && mkdir "$scratch/whole" && mv -- *-[0-9]* "$scratch/whole")
gives 0 $base --steps 30 --every 20 $files -q --checkpoint ck
gives 0 $model --restart ck --steps 60 -q
[ "$(written | sed 's/[spv]-030[a-z.]* //g')" = "$all" ] || fail "files are $(written) instead of $all"
(cd "$work" && for file in $all; do cmp -s "$file" "$scratch/whole/$file" || echo "$file"; done) >"$scratch/differ"
[ ! -s "$scratch/differ" ] || fail "other files after a restart: $(cat "$scratch/differ")"
rm "$work"/*-[0-9]*
gives 0 $base --steps 30 $files -q --checkpoint ck
gives 0 $model --restart ck --steps 40 --vtk none -o other.npy -q
[ -f "$work/other.npy" ] && [ ! -f "$work/v-040.vti" ] && [ ! -f "$work/s-040.npy" ] || fail "other files: $(written)"
rm "$work"/*-[0-9]*
gives 0 $model --restart ck --steps 50 -q
[ ! -f "$work/v-050.vti" ] && [ ! -f "$work/s-050.npy" ] || fail "none is forgotten: $(written)"
gives 0 $base --steps 10 -o - --checkpoint ck -q
gives 0 $model --restart ck --steps 20 -q
prints '^checksum'
rm -rf "${work:?}"/*

# A checkpoint from other people only names files in the current folder.
mkdir "$work/sub"
for file in "$scratch/far.npy" sub/../far.npy ../far.npy; do
    gives 0 $base --steps 10 -o "$file" --checkpoint ck -q
    (cd "$work" && echo words >"$file")
    refuses 2 "checkpoint ck names --output .*far.npy.*outside the current folder.*: give --output FILE, or .* none" \
        $model --restart ck --steps 20
    [ "$(cd "$work" && cat "$file")" = words ] || fail "a checkpoint replaced $file"
    gives 0 $model --restart ck --steps 20 -o none -q
    gives 0 $base --steps 10 -o "$file" --checkpoint ck -q
    gives 0 $model --restart ck --steps 20 -o "$file" -q
    rm "$work/$file" 2>/dev/null || rm "$file"
done
gives 0 $base --steps 10 -o sub/..far.npy --checkpoint ck -q
gives 0 $model --restart ck --steps 20 -q
rm -rf "${work:?}"/*

# --restart-or-start: the same command starts, resumes, and finds nothing left to do.
gives 0 $base --steps 100 --start constant --every 7 --series whole.csv -q
expected=$(checksum)
once="$base --start constant --every 7 --series s.csv --restart-or-start ck"
gives 0 $once --steps 40
says 'checkpoint ck does not exist: starting'
! grep -q '^restarted' "$scratch/out" || fail "a restart from nothing"
prints '^checkpoint +ck, at step 40$'
gives 0 $once --steps 100
prints '^restarted +at step 40, from ck$'
[ "$(checksum)" = "$expected" ] && cmp -s "$work/s.csv" "$work/whole.csv" || fail "other bits after one line twice"
silent
gives 0 $once --steps 100
prints '^restarted +at step 100'
[ "$(checksum)" = "$expected" ] || fail "other bits with nothing left to do"
gives 0 $once --steps 100 --checkpoint-every 30
mv "$work/ck" "$work/ck.old" # killed between two names
gives 0 $once --steps 110
prints '^restarted +at step 100'
refuses 2 'exclude each other' $once --restart ck
refuses 2 'seed 7 \(here 8\)' $once --seed 8 --steps 200
: >"$work/empty"
refuses 1 'empty is damaged' $base --restart-or-start empty
cp "$scratch/whole.npy" "$work/in.npy"
once="$model --dt 0.02 --input in.npy --restart-or-start from"
gives 0 $once --steps 10 -q
gives 0 $once --steps 20 -q
prints '^restarted +at step 10'
refuses 2 'does not go with compare' compare run heat --restart-or-start ck
rm -rf "${work:?}"/*

# Files that are not checkpoints, or of another version, are not replaced; the error comes before the computation.
endless='run cahn-hilliard -d native:serial --no-tune --size 64x64 --steps 1000000000000'
for name in ck ck.old; do
    echo words >"$work/$name"
    refuses 2 "$name is not a checkpoint and is not replaced" $endless --checkpoint ck
    [ "$(cat "$work/$name")" = words ] || fail "a text was replaced"
    rm "$work/$name"
done
gives 0 $base --steps 5 --checkpoint ck
at=$(LC_ALL=C grep -abo '1 little' "$work/ck" | head -n 1 | cut -d : -f 1)
if [ -n "$at" ]; then
    printf 2 | dd of="$work/ck" bs=1 seek="$at" conv=notrunc 2>/dev/null
    refuses 2 'ck is not replaced .*format version 2' $endless --checkpoint ck
fi
rm "$work/ck"
: >"$work/there"
ln -s there "$work/ck.new"
refuses 2 'ck.new exists and belongs to another user' $endless --checkpoint ck
[ ! -s "$work/there" ] || fail "a link was followed"
rm "$work/ck.new" "$work/there"
if [ "$(id -u)" -eq 0 ]; then
    : >"$work/ck.new"
    chown 65534 "$work/ck.new"
    refuses 2 'ck.new exists and belongs to another user' $endless --checkpoint ck
    rm "$work/ck.new"
fi

# A signal, or the time limit, writes a checkpoint, and the message has the command to resume.
gives 5 $endless --time-limit 0.1 --checkpoint ck
grep -q '^meshwork: stopped by --time-limit .*--restart ck' "$scratch/err" || fail "no word of how to go on"
prints '^checkpoint +ck, at step [0-9]*$'
for signal in INT TERM USR1 USR2 XCPU; do
    begins $endless --every 1000000000 --checkpoint ck
    kill -$signal $process
    wait $process
    status=$?
    [ $status -eq 5 ] || fail "exit code $status instead of 5 after SIG$signal"
    step=$(sed -n 's/^checkpoint  *ck, at step \([0-9]*\)$/\1/p' "$scratch/out")
    [ -n "$step" ] || fail "no checkpoint after SIG$signal"
    stopped=$(checksum)
    gives 0 $model --restart ck --steps "$step" --time-limit 100
    [ "$(checksum)" = "$stopped" ] || fail "another state in the checkpoint after SIG$signal"
done
refuses 2 'checkpoint nothing.ck does not exist, and there is no MODEL to start with' run --restart-or-start nothing.ck
finish
