#!/bin/sh
# meshwork run --hdf5: one file of all states, which resumed and killed runs leave readable.
# shellcheck disable=SC2015,SC2086 # lists of words are meant to split; fail always succeeds
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache

field='run gray-scott -d native:serial --no-tune --size 20x12 --seed 4'
try "$MESHWORK" $field --steps 1 --hdf5 a.h5
if [ "$status" -ne 0 ] && grep -q 'built without HDF5' "$scratch/err"; then
    skip "meshwork was built without HDF5"
fi
[ "$status" -eq 0 ] || fail "no file of the final state"
prints '^hdf5 +1 frame, a.h5'

# ---- names and plans ----

refuses 2 "must end in .h5, .hdf5 or .nc" $field --hdf5 a.txt
refuses 2 'not standard output' $field --hdf5 -
refuses 1 'folder nowhere does not exist' $field --hdf5 nowhere/a.h5
refuses 2 'a.xdmf is the file of two outputs' $field --hdf5 a.h5 --series a.xdmf
rm "$work"/a.*
gives 0 $field --steps 40 --every 10 --hdf5 a.h5 --dry-run
prints '^hdf5 +5 frames, a.h5'
folder_holds ''

# ---- resumed runs ----

# Whole; ended at step 40, between frames; continued to step 55 from a checkpoint of step 40.
gives 0 $field --steps 90 --every 20 --hdf5 whole.h5 -o 'state-%d.npy' -q
gives 0 $field --steps 40 --every 20 --hdf5 part.h5 --checkpoint ck -q
cp "$work/ck" "$work/kept"
gives 0 run --restart ck --steps 55 -d native:serial --no-tune -q
cp "$work/kept" "$work/ck"
gives 0 run --restart ck --steps 90 -d native:serial --no-tune -q
rm "$work/ck.old" "$work/kept" "$work/ck"

# The file of another run is not continued, and neither are damaged ones.
gives 0 $field --steps 20 --every 20 --hdf5 b.h5 --checkpoint ck -q
gives 0 ${field% --seed*} --seed 5 --steps 20 --every 20 --hdf5 b.h5 -q
resume='run --restart ck --steps 40 -d native:serial --no-tune'
refuses 2 'b.h5 belongs to another run: its attribute seed is not 4' $resume
head -c 1000 "$work/whole.h5" >"$work/b.h5"
refuses 1 'b.h5 cannot be continued' $resume
echo text >"$work/b.h5"
refuses 2 'b.h5, which has other contents' $resume

# ---- kinds of states ----

gives 0 run allen-cahn -d native:serial --no-tune --size 6x5x4 --spacing 0.5 --precision double --steps 4 --every 2 \
    --hdf5 volume.nc -o 'volume-%d.npy' -q
gives 0 run cahn-hilliard -d native:serial --no-tune --size 8x4 --systems 3 --steps 2 --hdf5 systems.h5 \
    -o systems.npy -q
gives 0 run ising -d native:serial --no-tune --size 16x8 --steps 4 --every 2 --hdf5 spins.h5 -o 'spins-%d.npy' -q
gives 0 run heisenberg -d native:serial --no-tune --size 6x4 --steps 2 --hdf5 vectors.h5 -o vectors.npy -q
gives 0 walk -d native:serial --level 2 --steps 8 --hdf5 walk.h5 -o walk.npy -q

# ---- a killed run ----

for delay in 0.3 0.5 0.7; do
    (cd "$work" && exec "$MESHWORK" $field --steps 100000000 --every 2000 --hdf5 killed-$delay.h5 -q) \
        >"$scratch/out" 2>&1 &
    sleep $delay
    kill -9 $!
    wait $! 2>/dev/null
done

# ---- readers ----

gives 0 label -d native:serial 'whole.h5:/u[-1]' -q
python=$(with_numpy)
[ -n "$python" ] || { echo "python3-numpy is not installed: no comparison with readers of HDF5"; finish; }
try "$python" "$source_top/tests/cli/files/hdf5.py"
cat "$scratch/out"
[ "$status" -eq 0 ] || fail "readers find other contents"
finish
