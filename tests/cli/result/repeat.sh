#!/bin/sh
# meshwork repeat: the same result again, whatever the device; other results, other files and hostile ones are refused.
# shellcheck disable=SC2086 # lists of words are meant to split
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache
has_json || skip "built without jansson"

# again WORD...: repeats these arguments, computed by the serial executor, on the threaded one.
again() {
    gives 0 "$@" -d native:serial --json -q
    cp "$scratch/out" "$work/r.json"
    gives 0 repeat r.json -d native:pthreads
    prints '^checksum +[0-9a-f]{16}, as before$'
    prints '^device +native:pthreads, before it was native:serial$'
}

printf '1 2\n2 3\n3 1\n4 5\n' >"$work/g.el"
gives 0 run heat -d native:serial --size 24x16 --steps 2 --no-tune -q -o f.npy
again run heat --size 48x32 --steps 20 --no-tune --seed 7 -p D=0.5
again run heat --input f.npy --steps 3 --no-tune
again run ising --size 64x64 --steps 20 -p T=2 --start up
again sweep ising --size 8x8 --over T=2,3 --steps 20 --systems 2
again walk --steps 20 --seed 3
again label --pattern random --size 40x30 --seed 2
again transform flip=0 f.npy
again rng --samples 5000 --seed 3 --distribution normal
again graph generate ws -p n=60 -p k=4 --seed 3
for measure in info components paths clustering pagerank cores betweenness bridges; do
    again graph $measure g.el
done
gives 0 -d native:serial graph -q paths --json g.el
cp "$scratch/out" "$work/r.json"
gives 0 repeat r.json -d native:pthreads
prints '^task +graph paths --kernel-path=[^ ]* -d native:serial -q --json g.el$'
gives 0 repeat r.json --json -q
json_has '"agrees":true'
json_keys checksum checksum_before device device_before seconds seconds_before version_before task input
rm "$work/r.json"

# Nothing is written: output options of the result are left out.
png=
has_png && png='--png p-%d.png --every 10 --range -1,1 --scale 2 --show T'
gives 0 run heat -d native:serial --size 24x16 --steps 20 --no-tune -o out.npy --series s.csv --vtk v.vti \
    --checkpoint c.ck --checkpoint-every 10 $png --json -q
mv "$scratch/out" "$work/r.json"
rm -f "$work"/out.npy "$work"/s.csv "$work"/*.vti "$work"/v.pvd "$work"/c.ck* "$work"/p-*.png
gives 0 repeat r.json
gives 0 rng -d native:serial --samples 100 --format text -o n.txt --json -q
cp "$scratch/out" "$work/n.json"
gives 0 repeat n.json
gives 0 graph generate ring -p n=9 -d native:serial -o g.mtx --output-format mtx --json -q
cp "$scratch/out" "$work/m.json"
rm "$work/n.txt" "$work/g.mtx"
gives 0 repeat m.json
gives 0 graph betweenness g.el -d native:serial --vertices v.csv --json -q
cp "$scratch/out" "$work/v.json"
rm "$work/v.csv"
gives 0 repeat v.json
rm "$work"/[mnv].json
there=$(cd "$work" && find . -type f | sort | tr '\n' ' ')
[ "$there" = './f.npy ./g.el ./r.json ' ] || fail "repeat has written files: $there"

# changed SED: h.json is the result after a change.
changed() { sed "$1" "$work/r.json" >"$work/h.json"; }
changed 's/\("checksum": "\)./\1x/'
gives 6 repeat h.json
says 'the results differ'
prints 'before it was x'
changed 's/\("model_hash": "\)./\1x/'
gives 6 repeat h.json
says 'the model differs from the one'
gives 0 label f.npy -d native:serial --json -q
cp "$scratch/out" "$work/l.json"
printf '\001' | dd of="$work/f.npy" bs=1 seek=200 conv=notrunc 2>/dev/null
refuses 1 'f.npy is not the input of l.json' repeat l.json

# Invalid results.
changed 's/"meshwork-1"/"meshwork-2"/'
refuses 1 'its format is not' repeat h.json
changed '/"checksum":/d'
refuses 1 'it has no checksum' repeat h.json
echo '{}' >"$work/h.json"
refuses 1 'it has no schema' repeat h.json
echo 'none' >"$work/h.json"
refuses 1 'h.json holds no result printed by meshwork with --json: line 1 is no JSON' repeat h.json
refuses 1 'nosuch.json' repeat nosuch.json
gives 2 run heat --nosuch --json
cp "$scratch/out" "$work/h.json"
refuses 1 'the command failed' repeat h.json
# A run stopped by a signal or a time limit has "stopped" and "error".
changed 's/"stopped": false/"stopped": true, "error": {}/'
refuses 1 'the run was stopped' repeat h.json
printf '1 2\n' | (cd "$work" && "$MESHWORK" graph components - -d native:serial --json -q) >"$work/h.json"
refuses 1 'its input was a pipe: give it a file' repeat h.json
gives 0 run heat --dry-run -d native:serial --json
cp "$scratch/out" "$work/h.json"
refuses 1 'cannot repeat the result' repeat h.json

# hostile WORDS: a result with these arguments, in JSON.
hostile() {
    echo "{\"schema\": \"meshwork-1\", \"version\": \"0.1.0\", \"checksum\": \"0123456789abcdef\", \"command\": [$1]}" \
        >"$work/h.json"
}
rm -f "$work"/l.json "$work"/r.json
for words in '"cache", "clear"' '"report", "h.json"' '"bench", "all"' '"repeat", "h.json"' '"worker"' '"tune"' \
             '"graph", "convert", "g.el", "x.mtx"' '"compare", "run", "heat"'; do
    hostile "$words"
    refuses 1 'cannot repeat the result' repeat h.json
done
hostile '"run", "heat", "--help"'
refuses 1 'compute nothing' repeat h.json
hostile '"run", 1'
refuses 1 'an argument is not a text' repeat h.json
hostile '"sh", "-c", "touch x"'
refuses 1 'h.json: unknown subcommand' repeat h.json
hostile '"run", "heat", "--nosuch"'
refuses 1 'h.json: unknown option' repeat h.json
sed 's/model heat/model other/' "$MESHWORK_KERNEL_PATH/models/field/heat.cl" >"$work/other.cl"
hostile '"run", "./other.cl", "--size", "8x8", "--steps", "1", "--device", "native:serial"'
refuses 2 'other.cl, which is a program' repeat h.json
gives 6 repeat h.json --allow-code
hostile '"run", "heat", "--size", "8x8", "--steps", "1", "--device", "native:serial", "--kernel-path", "/nonexistent"'
gives 6 repeat h.json
folder_holds f.npy g.el h.json other.cl
finish
