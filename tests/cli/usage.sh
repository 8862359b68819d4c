#!/bin/sh
# Wrong usage: one line, exit code 2 (3 for a device that is not there), and no file.
# shellcheck disable=SC2086,SC2013,SC2015 # lists of words are meant to split; fail always succeeds
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"

run='run cahn-hilliard -d native:serial'

refuses 2 'missing subcommand.*--help'
refuses 2 "unknown subcommand 'rum': did you mean run" rum
refuses 2 "unknown subcommand 'zzzzzzz': .*--help" zzzzzzz
refuses 2 'missing operand: meshwork run' -v run
refuses 2 "unknown option '--size': put options of a subcommand after it" --size 64x64 run heat
refuses 2 "unknown subcommand 'hepl': did you mean help" hepl
refuses 2 "unknown subcommand 'graph pats': did you mean paths" help graph pats
refuses 2 "unknown option '--stepz': did you mean --steps" run --stepz 4 cahn-hilliard
refuses 2 "unknown option '--zzzzzzzz'.*run --help" run --zzzzzzzz
refuses 2 "unknown option '-Z'" devices -Z
refuses 2 'missing operand' run
refuses 2 "unexpected operand 'second'" run first second
refuses 2 'missing operand' cache
refuses 2 'list, clear or warm' cache lst
refuses 2 'takes no value' devices --verbose=yes
refuses 2 'needs a value' $run --steps
refuses 2 'needs a value' run cahn-hilliard -d
refuses 2 'empty' $run --output=

# A word that looks like an option is not a value; a negative number, `-` and text after = are.
for option in --variant --device -d --colours; do
    refuses 2 "$option needs a value, but '-q' is an option: .*=-q if" $run $option -q
done
refuses 2 "negative|not a whole number" $run --steps -1
refuses 1 'nosuch.npy' label --background -1 nosuch.npy -d native:serial
refuses 3 "no device is '-q'" run heat --device=-q
# Option names of other programs, parameters as options, devices separated by blanks.
refuses 2 "'--gpu': did you mean -d gpu" $run --gpu
refuses 2 "'--cpu': did you mean -d cpu" label --cpu in.npy
refuses 2 "'--jobs': did you mean --threads" $run --jobs 4
refuses 2 "'-j4': did you mean --threads" $run -j4
refuses 2 "'--iterations=3': did you mean --steps" $run --iterations=3
refuses 2 "'--resume': did you mean --restart" $run --resume
refuses 2 "'--temperature': did you mean -p T=VALUE" run ising --temperature 2
refuses 2 "'-T': .*-p T=2\$" run ising -T 2
refuses 2 "'-T2.5': .*-p T=2.5\$" run ising -T2.5
refuses 2 "'-T=2': .*-p T=2\$" sweep ising -T=2
refuses 2 "'-T': .*-p T=VALUE\$" run ising -T
refuses 2 "no parameter 'temperature': did you mean T\?" run ising -p temperature=2
refuses 2 "no parameter 'vertices': did you mean n\?" graph generate er -p vertices=10
refuses 2 "'gpu' looks like a device of --device: .*--device cpu,gpu" run heat -d cpu gpu
refuses 2 "'native:serial' looks like a device of --devices: .*" compare --devices cpu native:serial run heat
# A list given twice would replace the first.
refuses 2 '--over is given twice' sweep ising --over T=1,2 --over J=1
refuses 2 '--over is given twice' run heat --over D=1 --over D=2
refuses 2 '--at is given twice' walk --at 10 --at 20
refuses 2 '--devices is given twice' compare --devices cpu --devices native run heat

for size in '' x 0x0 64x0 0x64 64x 64xx64 -3x4 +3x4 ' 3x4' 3x4y 64,x64 "64," 64*64 1.5x2 0x10x; do
    refuses 2 '--size' $run --size "$size"
done
for size in 18446744073709551616x1 99999999999x99999999999 4294967296x4294967296; do
    refuses 2 'more cells' $run --size $size
done
refuses 2 'dimensions' $run --size 2x2x2x2x2x2x2x2x2
for steps in -1 1.5 '' ten 1e 1e-3 e3 1.55e1 1e3x 1e20 1e99999999999 18446744073709551616 1.8446744073709551616e19; do
    refuses 2 '--steps' $run --steps "$steps"
done
for time in 0 -1 '' ten 1x 1:0 1:60 00:00:00 1:00:00:00 5m1h 5m5 1h1h 0x10 1e s 1..5 inf ' 5' 5s5m :30 30:; do
    refuses 2 "--time-limit: .* is not a time above 0: .*1h30m" $run --time-limit "$time"
done
for dt in 0 -1 nan inf x '' 1x; do
    refuses 2 '--dt' $run --dt "$dt"
done
refuses 2 '--every' $run --every 0
refuses 2 '--threads' $run --threads 0
refuses 2 '--threads' $run --threads 4097
for bytes in 0 -1 '' ten 1X 1GG 0x10 inf 1e30 G 9999999999G; do
    refuses 2 '--memory-limit' $run --memory-limit "$bytes"
done
refuses 2 'single\|double' $run --precision half
refuses 2 'euler\|rk2' $run --integrator rk3
refuses 2 'did you mean rolling' $run --variant roling
refuses 2 '--shape' $run --shape nonsense
for task in 'graph paths --generate ring' 'graph components --generate ring' 'graph clustering --generate ring' \
        'label --pattern domains' 'walk --steps 5' 'rng --samples 9' 'run ising --size 8x8 --steps 1'; do
    refuses 2 'group=0: expected group=N' $task -d native:serial --shape group=0
    refuses 2 'rows=4: expected group=N' $task -d native:serial --shape rows=4
    refuses 2 'work-groups .OpenCL or CUDA.; native:serial' $task -d native:serial --shape group=32
done
refuses 2 'exclude each other' $run --variant fused --shape variant=staged
refuses 2 'viridis' $run --colours red
# An impossible plan fails like the run.
for plan in 'run heat --size 4e5x4e5' 'run ising --size 4e6x4e6' 'sweep ising --over T=2 --steps 1e15' \
        'sweep ising --over T=2 --size 4e5x4e5' 'walk --steps 1e9' 'graph generate er -p n=2e9 -p m=1e12'; do
    gives 1 $plan --dry-run -d native:serial -q
    grep -Eq 'memory' "$scratch/err" || fail "no word of memory: $plan --dry-run"
done
refuses 2 'NAME=VALUE' $run -p K
refuses 2 'NAME=VALUE' $run -p =1
refuses 2 'not a number' $run -p K=one
for value in 1e39 1e-60; do
    refuses 2 'single precision' $run --dt $value
    refuses 2 'K = .*single precision' $run -p K=$value
done
refuses 2 'no parameter' $run -p nosuch=1
refuses 2 "unknown model 'cahn-hiliard': did you mean cahn-hilliard" run cahn-hiliard
refuses 2 'unknown model' models nosuch
cp "$MESHWORK_KERNEL_PATH/models/field/heat.cl" "$work/mine.cl"
cp "$work/mine.cl" "$work/heatt"
refuses 2 "unknown model 'mine': did you mean the file ./mine.cl" run mine
refuses 2 "unknown model 'heatt': did you mean the file ./heatt" run heatt
refuses 1 'no such file: heat.cl: did you mean heat\?' run heat.cl
refuses 1 'no such file: models/gray-scot.cl: did you mean gray-scott' run models/gray-scot.cl
refuses 1 'no such file: ./nosuch.cl: .*meshwork models' models ./nosuch.cl
{ printf '\357\273\277'; cat "$MESHWORK_KERNEL_PATH/models/field/heat.cl"; } >"$work/mine.cl" # a mark before UTF-8
gives 0 models ./mine.cl
rm "$work/mine.cl" "$work/heatt"
# Errors of a model have its line numbers, with the exit code of a failed kernel build.
slip() {
    sed "$2" "$MESHWORK_KERNEL_PATH/models/$1" >"$work/slip.cl"
    refuses 4 "slip.cl:[0-9:]+: .*$3" run slip.cl -d native:serial --no-tune --size 16x16 --steps 1 -q
    rm "$work/slip.cl"
}
slip field/heat.cl 's/^rate.*/rate(T) = P(nosuch);/' "no //@ param line declares 'nosuch'"
slip field/heat.cl 's/^rate.*/rate(T) { return T;/' "this '\{' is not closed"
slip field/heat.cl 's/^rate/#include "nowhere.clh"\nrate/' 'models have no preprocessor'
slip spin/ising.cl 's/^PAIR/#include "nowhere.clh"\nPAIR/' 'include "nowhere.clh": .*not found'
slip spin/ising.cl 's/^PAIR/#include "..\/models\/heat.cl"\nPAIR/' 'not a kernel file.s name'
slip spin/ising.cl 's/^PAIR/#include nothing\nPAIR/' 'expected a name in quotes after #include'
# Stages of stages of stages in place.
{ printf '//@ model nested "e"\n//@ field u noise=0.1\nSTAGE(s0) { return LAP(u); }\n'
  for i in 1 2 3 4 5; do printf 'STAGE(s%d) { return LAP(s%d); }\n' $i $((i - 1)); done
  printf 'RATE(u) { return LAP(s5); }\n'; } >"$work/nested.cl"
refuses 2 'variant fused evaluates the stages of nested in place, .*; use rolling or staged' \
    run ./nested.cl -d native:serial --size 16x16 --steps 1 --variant fused
refuses 2 'takes too long to compile; use staged' \
    run ./nested.cl -d native:serial --size 16 --steps 1 --variant fused
rm "$work/nested.cl"
for word in neumann Neumann zero-flux periodic,neumann; do
    refuses 2 "'[a-zA-Z-]*' is unknown: expected periodic\|mirror\|fixed: did you mean mirror" $run --boundary $word
done
refuses 2 'did you mean fixed' $run --boundary dirichlet,periodic
refuses 2 'did you mean double' $run --precision float64
refuses 2 'expected periodic\|mirror\|fixed$' $run --boundary neuman
refuses 2 "'8' is unknown: expected faces\|all: did you mean all \(8 neighbours" label --connectivity 8 in.npy
refuses 2 "'26' is unknown: expected faces\|all: did you mean all" label --connectivity 26 in.npy
refuses 2 "'4' is unknown: expected faces\|all: did you mean faces" label --connectivity 4 in.npy
refuses 2 "'6' is unknown: expected faces\|all: did you mean faces" label --connectivity 6 in.npy
refuses 2 'expected faces\|all$' label --connectivity 5 in.npy
refuses 2 '--fast-math' $run --verify --fast-math
refuses 2 '--list' tune --list cahn-hilliard
refuses 2 'did you mean ising' run isng --variant list
MESHWORK_KERNEL_PATH=/nowhere refuses 1 'kernel folder' run ising --variant list
refuses 3 "no device is 'nosuchdevice'.*meshwork doctor" run cahn-hilliard -d nosuchdevice
MESHWORK_DEVICE=nosuchdevice refuses 3 "environment variable MESHWORK_DEVICE: no device is" run cahn-hilliard
refuses 2 "unknown subcommand 'worke': .meshwork --help" worke
refuses 3 'no device' devices -d nosuchdevice

refuses 2 '--checkpoint' $run --checkpoint -

# The user's text is never a format.
for pattern in 'a%s.png' 'a%n.png' 'a%d%d.png' 'a%' 'a%5' 'a%-5d.png' 'a%99999999d.png' 'a%*d.png' 'a%5%.png'; do
    refuses 2 '--png' $run --png "$pattern"
done

MESHWORK_THREADS=many
export MESHWORK_THREADS
refuses 2 'environment variable MESHWORK_THREADS' $run
folder_holds ''
finish
