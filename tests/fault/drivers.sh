#!/bin/sh
# Drivers that are empty or broken: each is one note, and never in the way of the devices that work.
# shellcheck disable=SC2086,SC2015 # lists of words are meant to split; fail always succeeds
# shellcheck source=tests/fault/fault.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/fault/fault.sh"

small="run cahn-hilliard --size 32x32 --steps 4 --no-tune"
for behaviour in none empty broken; do
    only_dummy $behaviour
    expect 0 '.' devices
    grep -q native:serial "$scratch/out" || fail "$behaviour: native:serial is not listed"
    grep -q opencl: "$scratch/out" && fail "$behaviour: a device is listed"
    expect 0 '' $small -q
    try "$MESHWORK" $small -d opencl:0.0
    [ "$status" -eq 3 ] && grep -q "^meshwork: no device is 'opencl:0.0'" "$scratch/err" ||
        fail "$behaviour: exit code $status for a device that is not there"
done

# Drivers that end the process listing them: a child process detects it.
for behaviour in aborts exits crashes; do
    only_dummy $behaviour
    lost='^dummy\.icd is passed over: it ends the process'
    expect 0 "$lost" devices
    grep -q native:serial "$scratch/out" || fail "$behaviour: native:serial is not listed"
    expect 0 "$lost" $small
    expect 0 '' $small -q
    expect 0 '' $small -d native:serial,native:pthreads
    try "$MESHWORK" $small -d opencl:0.0
    [ "$status" -eq 3 ] && grep -q "^meshwork: no device is 'opencl:0.0'" "$scratch/err" ||
        fail "$behaviour: exit code $status for a device that is passed over"
    grep -q "$lost" "$scratch/err" || fail "$behaviour: who asks for the driver's device is not told"
    gives 0 doctor -d native:serial
    grep -q "^warn  platform  *dummy\.icd is passed over.*; update" "$scratch/out" || fail "$behaviour: not in doctor"
done

# Two drivers: the other one stays.
only_dummy aborts
cp "$scratch/vendors/dummy.icd" "$scratch/vendors/another.icd"
expect 0 '' $small -q
gives 0 devices
[ "$(grep -c 'is passed over' "$scratch/err")" -eq 2 ] || fail "two drivers that die are not two notes"
rm "$scratch/vendors/another.icd"

# Also if the exit of children is ignored, as set by the parent of the command, a working driver is found.
only_dummy cpu
try env --ignore-signal=CHLD "$MESHWORK" devices
grep -q 'opencl:0.0' "$scratch/out" || fail "without exit codes of children a driver is passed over"
"$MESHWORK" cache clear -q >/dev/null

# A hanging driver is killed after ten seconds, and recorded; another one stays.
only_dummy hangs
[ ! -f /etc/OpenCL/vendors/pocl.icd ] || cp /etc/OpenCL/vendors/pocl.icd "$scratch/vendors/"
hung='^dummy\.icd is passed over: it did not list its devices within 10 seconds; '
expect 0 "$hung" devices
grep -q 'native:serial' "$scratch/out" || fail "with a driver that hangs native:serial is not listed"
[ ! -f "$scratch/vendors/pocl.icd" ] || grep -q '^\(opencl:0.0\|.* opencl:0.0\) .*pthread' "$scratch/out" ||
    fail "with a driver that hangs the other driver is not listed"
begun=$(date +%s)
expect 0 "$hung" devices
gives 0 doctor -d native:serial
grep -q "^warn  platform  *dummy\.icd is passed over.*cache clear" "$scratch/out" ||
    fail "a hanging driver: not in doctor"
[ $(($(date +%s) - begun)) -lt 8 ] || fail "a driver that hangs is not remembered"
rm -f "$scratch/vendors/pocl.icd"

# A working driver is recorded, and native devices do not even look.  A driver that changes its behaviour ends the
# command once.
only_dummy cpu
expect 0 '' devices
MESHWORK_DUMMY=crashes
expect 0 '' $small -d 'native:serial, Native:pthreads' -q
expect 0 '' $small -d native --dry-run -q
try "$MESHWORK" devices
[ "$status" -gt 128 ] || fail "exit code $status: the driver was tried, though it is remembered"
expect 0 "$lost" devices

# Files that name no driver, and a platform without devices, are not ok.
only_dummy empty
echo "$scratch/nowhere.so" >"$scratch/vendors/dangling.icd"
echo libmeshwork-nowhere.so.1 >"$scratch/vendors/unknown.icd"
echo /etc/passwd >"$scratch/vendors/text.icd"
echo "$MESHWORK_NO_MEMORY" >"$scratch/vendors/other.icd"
gives 0 doctor -d native:serial
for reason in 'dangling.*cannot' 'unknown.*cannot' 'text.*cannot' 'other.*is not an OpenCL driver'; do
    prints "^warn +driver file +.*$reason"
done
prints '^ok +driver files .*: dummy\.icd$'
prints '^none +platform .*has no devices'
for file in dangling unknown text other; do rm "$scratch/vendors/$file.icd"; done
"$MESHWORK" cache clear -q >/dev/null

# A device that is listed but does not open.
only_dummy closed
expect 0 '' devices
grep -q 'opencl:0.0' "$scratch/out" || fail "the dummy device is not listed"
expect 1 'Dummy device' $small -d opencl:0.0
expect 0 '' $small -d native:serial

# Without -d a CPU driver is only listed: threads are as fast, and nothing is compiled for it.
only_dummy cpu
expect 0 '' $small
grep -q '^device *native:pthreads ' "$scratch/out" || fail "the default is not native:pthreads"
finish
