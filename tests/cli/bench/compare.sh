#!/bin/sh
# meshwork compare: rows of devices and variants, whether they agree, and what becomes of rows that fail.
# shellcheck disable=SC2086 # lists of words are meant to split
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache

try "$MESHWORK" compare devices
grep -q jansson "$scratch/err" && skip "built without jansson"

# Copies of small buffers are quick to measure.
MESHWORK_MEMORY_LIMIT=64M
export MESHWORK_MEMORY_LIMIT
field='run cahn-hilliard --size 48x32 --steps 20 --no-tune'
native='native:serial,native:pthreads,native:serial+native:pthreads'

# Devices, and two of them together; options of the task and of compare in any order.
gives 0 compare $field --devices $native --rounds 2 --seed 3
prints '^task +run cahn-hilliard --size 48x32 --steps 20 --no-tune --seed 3$'
prints '^native:serial +auto: temporal .* 1\.00 .*cell-steps/s +[0-9]+\.[0-9]+ +[0-9]+\.[0-9]+ +the first$'
prints '^native:pthreads +auto.* the same$'
prints '^native:serial,native:pthreads +auto.* the same$'
silent
gives 0 compare --json $field --devices native:serial --rounds 3
for key in task version rounds rows device variant chosen seconds seconds_min seconds_max whole seconds_each \
           speedup rate rate_unit bandwidth_fraction arithmetic_fraction agrees; do
    prints "\"$key\": "
done
[ "$(sed -n '/"seconds_each"/,/]/p' "$scratch/out" | grep -c '[0-9]')" -eq 3 ] || fail "not three seconds"

# Arguments with special characters are quoted for the shell.
printf '0 1\n' >"$work/it's a graph.txt"
gives 0 compare graph components "it's a graph.txt" --devices native:serial --rounds 1
prints "^task +graph components 'it'.''s a graph.txt'\$"

# Operations of tasks: of a heat equation (the rate 1, its Laplacian 5, Euler's method 2); of words of Philox.
gives 0 run heat -d native:serial --no-tune --integrator euler --size 16x8 --steps 10 --json
prints '"operations": 10240(\.0)?,'
gives 0 rng -d native:serial --samples 1024 --json
prints '"operations": 25088(\.0)?,'
gives 0 graph paths --generate ring -p n=10 -d native:serial --variant floyd --json
prints '"operations": 2000(\.0)?,'
gives 0 run ising -d native:serial --size 16x16 --steps 2 --variant plane --json
prints '"operations": 15104(\.0)?,'

# With all variants, rows that cannot run on the device have a reason.
gives 0 compare label --pattern spiral --size 40x30 --devices native:pthreads --variants all --rounds 1
prints '^native:pthreads +auto: runs .* the first$'
prints '^native:pthreads +equivalence .* the same$'
prints '^without +native:pthreads: .*union-find'
# Spin variants are compared only with variants that use the same random numbers.
gives 0 compare run ising --size 32x32 --steps 5 --devices native:serial,native:pthreads --variants bits,lengths,plane \
    --rounds 1
[ "$(grep -c 'the same$' "$scratch/out")" -eq 4 ] || fail "not four rows like an earlier one"
prints '^native:serial +lengths .*only row with its input and random numbers$'

# A device with different results, here caused by a kernel file that differs between compilers.
cp -R "$source_top/cl" "$work/cl"
kernels="--kernel-path $work/cl"
cat >"$work/other.cl" <<'MODEL'
//@ model other "dc/dt = the mean of the neighbours on some devices, twice that on others"
//@ field c mean=1
rate(c) = avg(c);
MODEL
change_average() { # TEXT: the average of neighbours, in kernels that are not OpenCL's
    sed "/^#define AVG(f)/c\\
#ifdef MW_OPENCL\\
#define AVG(f) NEAREST(f, 1)\\
#else\\
#define AVG(f) $1\\
#endif" "$source_top/cl/field/view.clh" >"$work/cl/field/view.clh"
}
change_average '(R(0.25) * NEAREST(f, 1))'
device=$(driven)
if [ -n "$device" ]; then
    gives 6 compare run other.cl $kernels --size 16x16 --steps 2 --devices native:serial,$device --rounds 1
    prints "^$device .* no: means, .*checksum"
    says "$device, auto: results differ from native:serial, auto, in means"
    gives 6 compare run other.cl $kernels --size 16x16 --steps 2 --devices native:serial,$device --rounds 1 --json
    prints '"agrees": false'
    prints '"differs": "means'
fi

# A task that ends its process.
change_average '(__builtin_trap(), NEAREST(f, 1))'
refuses 2 'native:serial: ended by signal' compare run other.cl $kernels --size 16x16 --steps 2 --no-tune \
    --devices native:serial
if [ -n "$device" ]; then
    gives 0 compare run other.cl $kernels --size 16x16 --steps 2 --no-tune --devices native:serial,$device --rounds 1
    prints '^native:serial +auto +ended by signal [0-9]+ '
    prints "^$device .* the first$"
fi

# --fast-math: numbers agree within a tolerance, and bits differ.
gives 0 compare $field --fast-math --devices native:serial,native:pthreads --rounds 1
prints 'to 0.001, for --fast-math$'

# A failing row is reported; if all fail, the first one's reason is the error.
gives 0 compare $field --devices native:serial,native:pthreads --rounds 1 --variants rolling,tile
prints '^native:serial +tile +variant tile needs a device with work-groups'
refuses 2 'native:serial: unknown model .nosuch' compare run nosuch --devices native:serial --rounds 1
refuses 2 "native:serial: unknown option '--nonsense'" compare $field --nonsense --devices native:serial
refuses 2 'it took more than 0.8 s' compare $field --steps 100000000 --limit 0.2 --devices native:serial --rounds 1
refuses 2 "unknown subcommand 'nosuch'" compare nosuch
refuses 2 "compare cannot run 'devices'" compare devices
refuses 2 "compare cannot run '--size'" compare --size 64x64 run heat
refuses 2 'compare sets -d itself' compare $field -d native
refuses 2 'compare sets --variant itself' compare $field --variant=rolling
refuses 2 "'--restart' does not go with compare" compare run --restart c.ck --devices native:serial
refuses 2 "'-' does not go with compare" compare graph components - --devices native:serial
for pipe in /dev/stdin /dev/fd/0; do
    refuses 2 "'$pipe' does not go with compare" compare graph components $pipe --devices native:serial
done
mkfifo "$work/pipe"
refuses 2 "pipe' does not go with compare" compare $field --output=pipe --devices native:serial
refuses 2 "'pipe' does not go with compare" compare $field -o pipe --devices native:serial
refuses 2 '.meshwork graph generate. has no variants' compare graph generate ring --variants all
refuses 2 'missing operand' compare --rounds 2
refuses 3 'nosuch' compare $field --devices nosuch
refuses 2 '.rounds' compare $field --rounds 0

# Options of compare and advise do not exist in any task.
for option in $({ "$MESHWORK" compare --help; "$MESHWORK" advise --help; } |
                sed -nE '/^(Comparison|Advice)/,/^General/s/^ *--([a-z]*) .*/\1/p' | sort -u); do
    for task in run walk label transform rng 'graph components' 'graph paths' 'graph clustering' 'graph pagerank'; do
        "$MESHWORK" $task --help | grep -q -- "--${option}[ =]" && fail "--$option is an option of $task as well"
    done
done

# Rates of devices.
gives 0 speed -d native:serial --bytes 4096
gives 0 speed -d native:serial --bytes 1M --json
for key in device device_name copy triad single double atomics_one atomics_many launch launch_waited to_device \
           to_device_staged from_device from_device_staged; do
    prints "\"$key\": "
done
grep -E '": (0|0\.0),?$' "$scratch/out" && fail "a rate of nothing"
gives 0 speed -d native:serial --only copy,launches --bytes 1M
prints '^copy +[0-9.]+ GB/s$'
prints '^launch +[0-9.e-]+ us queued$'
[ "$(wc -l <"$scratch/out")" -eq 4 ] || fail "more than was asked for"
refuses 2 'at least 4096' speed -d native:serial --bytes 100
refuses 1 'supports at most|has .* left' speed -d native:serial --bytes 1G
if [ -n "$device" ]; then
    gives 0 speed -d "$device" --bytes 1M
    prints '^single +[0-9.]+ G additions'
fi

# A signal ends the current run, and the results so far are printed.
(cd "$work" && exec "$MESHWORK" compare $field --steps 20000 --devices native:serial --rounds 99) \
    >"$scratch/out" 2>"$scratch/err" &
process=$!
sleep 1
kill -INT $process
wait $process
[ $? -eq 5 ] || fail "exit code is not 5 after a signal"
says 'stopped'
finish
