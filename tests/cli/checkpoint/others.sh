#!/bin/sh
# Checkpoints from untrusted sources: the files and the model that they may name, and settings that they cannot have.
# shellcheck disable=SC2086,SC2015 # lists of words are meant to split; fail always succeeds
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache

python=$(command -v python3 || command -v /usr/bin/python3) || skip "no python3"
start='run cahn-hilliard -d native:serial --no-tune --size 48x32 --seed 7 --steps 10'
resume='run -d native:serial --no-tune --steps 20 --restart'

# forge NAME=VALUE...: makes `forged`, the checkpoint ck with other settings.
forge() {
    "$python" "$source_top/tests/cli/checkpoint/forge.py" "$work/ck" "$work/forged" "$@" ||
        fail "no forged checkpoint: $*"
}

# ---- settings of the machine ----

# Normal runs never store these in a checkpoint: they are rejected, and not used before.
gives 0 $start --checkpoint ck -q
forge
cmp -s "$work/ck" "$work/forged" || fail "a forged checkpoint differs before it is forged"
for setting in kernel-path=kernels device=nowhere threads=many memory-limit=much checkpoint=next restart-or-start=next
do
    forge "$setting"
    MESHWORK_DEVICE=native:serial refuses 2 \
        "checkpoint forged belongs to another run: ${setting%=*} ${setting#*=} \\(here none\\)\$" \
        run --no-tune --steps 20 --restart forged
    [ ! -e "$work/next" ] || fail "a checkpoint names the next one"
done

# ---- files ----

# Absolute names below the current folder, and below that of the checkpoint, as in cluster jobs.
gives 0 $start --checkpoint ck -q
mkdir -p "$work/below" "$scratch/far/below"
forge "output=$work/below/x.npy"
gives 0 $resume forged -q
[ -s "$work/below/x.npy" ] || fail "no file below the current folder"
forge "output=$scratch/far/below/x.npy"
cp "$work/forged" "$scratch/far/ck"
gives 0 $resume "$scratch/far/ck" -q
[ -s "$scratch/far/below/x.npy" ] || fail "no file below the checkpoint's folder"
for file in "$scratch/far/below/x.npy" "$work/../far/x.npy" "$scratch/workshop/x.npy" /x.npy "$work/no/x.npy"; do
    forge "output=$file"
    refuses 2 "checkpoint forged names --output .*: give --output FILE, or --output none" $resume forged
done

# A file of another kind is not replaced by any output; one of the same kind is.
walk='walk -d native:serial --carpet sc31 --steps 9'
for output in output=file png=file vtk=file; do
    gives 0 $start --checkpoint ck -q
    forge "$output"
    echo words >"$work/file"
    refuses 2 "names --${output%=*} file, which has other contents" $resume forged
    [ "$(cat "$work/file")" = words ] || fail "a checkpoint replaced a file: $output"
    if [ "$output" != png=file ] || has_png; then
        rm "$work/file"
        gives 0 $resume forged -q
        forge "$output"
        gives 0 $resume forged -q
    fi
done
# The same for names that a pattern, or a series without one, gives; for unreadable files; and, without waiting, for a
# pipe.
for output in output=data%d png=data-%04d.png vtk=data.vti; do
    gives 0 $start --checkpoint ck -q
    forge "$output" every=5
    case $output in
        output*) file=data15 ;;
        png*) file=data-0020.png ;;
        *) file=data-000020.vti ;;
    esac
    echo words >"$work/$file"
    refuses 2 "names --${output%=*} ${output#*=}, which has other contents" $resume forged
    [ "$(cat "$work/$file")" = words ] || fail "a checkpoint replaced a file: $output"
    rm "$work/$file"
    [ "${output%=*}" = png ] && ! has_png && continue
    gives 0 $resume forged -q
    [ -s "$work/$file" ] || fail "no file by a pattern: $output"
    gives 0 $resume forged -q
done
ln -s loop "$work/loop"
mkfifo "$work/pipe"
for file in loop pipe; do
    forge "output=$file"
    refuses 2 "names --output $file, which has other contents" $resume forged
done
# Each folder is below the root.
forge "output=$work/below/x.npy"
# shellcheck disable=SC2016 # for the inner shell
try sh -c 'cd / && exec "$0" "$@"' "$MESHWORK" $resume "$work/forged" -q
[ "$status" -eq 0 ] || fail "a file below the current folder is refused where that is the root"
gives 0 $walk --checkpoint ck -q
for output in csv=file.csv plot=file.svg plot=file.png carpet-png=file.png; do
    forge "$output"
    file=${output#*=}
    echo words >"$work/$file"
    refuses 2 "names --${output%=*} $file, which has other contents" walk -d native:serial --restart forged
    [ "$(cat "$work/$file")" = words ] || fail "a checkpoint replaced a file: $output"
done
gives 0 run ising -d native:serial --no-tune --size 16x16 --steps 10 --checkpoint ck -q
forge correlation=file.csv
refuses 2 'names --correlation file.csv, which has other contents' $resume forged
rm "$work/file.csv"
gives 0 $resume forged -q
forge correlation=file.csv
gives 0 $resume forged -q

# ---- the model, which is a program ----

cp "$MESHWORK_KERNEL_PATH/models/field/heat.cl" "$work/mine.cl"
cp "$work/mine.cl" "$scratch/mine.cl"
gives 0 run mine.cl -d native:serial --no-tune --size 16x16 --steps 10 --checkpoint ck -q
for model in mine.cl ./mine.cl "$work/mine.cl"; do
    forge "model as given=$model"
    gives 0 $resume forged -q
done
for model in ../mine.cl "$scratch/mine.cl" "$work/../mine.cl"; do
    forge "model as given=$model"
    refuses 2 'has model .*mine.cl, a program .*: meshwork run FILE --restart forged' $resume forged
    gives 0 run "$model" -d native:serial --no-tune --steps 20 --restart forged -q
done
# Without the name as given, the model's name is used.
forge 'model as given=' model=../mine.cl
! "$MESHWORK" $resume "$work/forged" >/dev/null 2>&1 || fail "a program outside the folder by its name"

# ---- links ----

# The previous checkpoint is next to the target of a link, and is found there.
rm -rf "${work:?}"/*
mkdir "$work/sub"
ln -s sub/real "$work/link"
once='run cahn-hilliard -d native:serial --no-tune --size 48x32 --seed 7 --restart-or-start link'
gives 0 $once --steps 10 -q
gives 0 $once --steps 20 -q
[ -s "$work/sub/real.old" ] || fail "no checkpoint before the last next to what a link leads to"
rm "$work/sub/real"
gives 0 $once --steps 20
says 'resuming from the previous checkpoint'
prints '^restarted +at step 10'
refuses 2 'sub/real.old is the file of two outputs' $start --checkpoint link --series sub/real.old
gives 0 $start --checkpoint link --series link.old -q

finish
