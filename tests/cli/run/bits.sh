#!/bin/sh
# One checksum: on every device of this machine, with any number of threads, variant and shape, and through a file.
# shellcheck disable=SC2086,SC2013,SC2015 # lists of words are meant to split; fail always succeeds
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache

gives 0 $small
expected=$(checksum)
[ -n "$expected" ] || fail "no checksum"

same() {
    gives 0 "$@"
    [ "$(checksum)" = "$expected" ] || fail "checksum $(checksum) instead of $expected: meshwork $*"
}

"$MESHWORK" devices -q >"$scratch/devices" 2>&1
for id in $(sed -n 's/^[* ] *[0-9]* *\([a-z]*:[0-9a-z.]*\) .*/\1/p' "$scratch/devices"); do
    same $small -d "$id"
    echo "checked on $id"
done
for threads in 1 2 3 7; do
    same $small -d native:pthreads --threads $threads
done
for variant in $("$MESHWORK" run cahn-hilliard --variant list | awk 'NR > 1 { print $1 }'); do
    # Native devices reject variants for devices with work-groups.
    if "$MESHWORK" $small --variant "$variant" 2>&1 | grep -q 'needs a device with work-groups'
    then
        echo "no device for $variant"
        continue
    fi
    same $small --variant "$variant"
done
same $small --shape rows=3
same $small --verify
prints '^verified '

# Other settings change the checksum.
for other in '--seed 8' '-p K=0.5' '--dt 0.02' '--integrator euler' '--precision double'; do
    gives 0 $small $other
    [ -n "$(checksum)" ] && [ "$(checksum)" != "$expected" ] || fail "$other changes nothing"
done

# In two parts.
gives 0 $small --steps 5 -o half.npy
same $small --steps 15 --input half.npy -o end.npy
gives 0 $small -o whole.npy
cmp -s "$work/end.npy" "$work/whole.npy" || fail "two parts differ from the whole"
refuses 2 'leave out --size' $small --size 48x33 --input half.npy
refuses 2 'contradicts --precision' run cahn-hilliard -d native:serial --precision double --input half.npy
folder_holds half.npy end.npy whole.npy

# Many stages, which are separate functions if they are stored; native devices need a compiler for them.
{ printf '//@ model nested "e"\n//@ field u noise=0.1\n//@ dt 1e-9\nSTAGE(s0) { return LAP(u); }\n'
  for i in 1 2 3 4 5; do printf 'STAGE(s%d) { return LAP(s%d) + AT(u); }\n' $i $((i - 1)); done
  printf 'RATE(u) { return LAP(s5); }\n'; } >"$work/nested.cl"
nested='run ./nested.cl --no-tune --steps 2 -q'
for id in $(sed -n 's/^[* ] *[0-9]* *\([a-z]*:[0-9a-z.]*\) .*/\1/p' "$scratch/devices"); do
    try "$MESHWORK" $nested -d "$id" --size 17 --variant staged
    [ "$status" -eq 0 ] || { echo "$id builds no models"; continue; }
    for size in 32x24 17; do
        gives 0 $nested -d "$id" --size $size --variant staged
        found=$(checksum)
        [ -f "$scratch/sum$size" ] || echo "$found" >"$scratch/sum$size"
        [ "$(cat "$scratch/sum$size")" = "$found" ] || fail "another checksum of many stages on $id"
    done
    gives 0 $nested -d "$id" --size 32x24 --variant rolling
    [ "$(cat "$scratch/sum32x24")" = "$(checksum)" ] || fail "another checksum of many stages, rolling on $id"
done

# Fluxes, mixed and one-sided differences, choices and functions: the same bits by all devices and variants.
for id in $(sed -n 's/^[* ] *[0-9]* *\([a-z]*:[0-9a-z.]*\) .*/\1/p' "$scratch/devices"); do
    for variant in fused rolling staged auto; do
        for boundary in periodic mirror,fixed; do
            try "$MESHWORK" run "$source_top/tests/device/models/fluxes.cl" --no-tune --steps 3 -q -d "$id" \
                --size 37x22 --variant $variant --boundary $boundary
            [ "$status" -eq 0 ] || { echo "$id, $variant: no model"; continue; }
            found=$(checksum)
            [ -f "$scratch/sum$boundary" ] || echo "$found" >"$scratch/sum$boundary"
            [ "$(cat "$scratch/sum$boundary")" = "$found" ] || fail "another checksum of fluxes, $variant on $id"
        done
    done
done

# Larger than the memory: streamed through windows.
large="$small --size 64x600"
gives 0 $large
expected=$(checksum)
same $large --memory-limit 250K
prints '^streams +in [0-9]+ windows, [0-9]+ steps? a visit$'
gives 0 $large --memory-limit 250K --dry-run
prints "^memory +.*the device's 250 KiB: the field is streamed"
refuses 1 'too little for the field and for windows' $large --memory-limit 1K
refuses 1 'labels do not fit' $large --memory-limit 250K --label-every 5
gives 1 $large --memory-limit 250K --label-every 5 --dry-run # after the plan
says 'labels do not fit'
# A field that just fits leaves no memory for sums, and one with too few slabs has no windows.
same $large --memory-limit 300K
prints '^streams '
refuses 1 'windows of at least .* of its 15 slabs' $small --size 800x15 --memory-limit 50K
finish
