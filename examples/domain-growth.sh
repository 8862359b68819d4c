#!/bin/sh
# Measures the growth of domains after a quench.  Domains of the Cahn-Hilliard equation grow as time^(1/3), the law of
# Lifshitz and Slyozov.  Domains of spins that flip independently grow as time^(1/2), the law of Lifshitz, Allen and
# Cahn. Domains of spins that swap places grow as time^(1/3) again.
#
#   domain-growth.sh [-m MODEL] [-s SEEDS] [-n SIDE] [-t TIME] [-d DEVICE] [-o FOLDER]
#
#   -m MODEL   cahn-hilliard (the default); ising, at temperature 0 by heat bath; or kawasaki, ising by exchange of
#              neighbours at temperature 1.5, two thirds of the critical one
#   -s SEEDS   independent runs to average over, at least 2 (default 5)
#   -n SIDE    cells along each side of the mesh, at least 32 (default 512, of ising 2048)
#   -t TIME    time of a run, at least 100 (default 5000); for spins in steps, rounded up to thousands (default 1000,
#              kawasaki 10000).  The exponent is fitted over the last decade.
#   -d DEVICE  as meshwork's own -d (default: meshwork's choice)
#   -o FOLDER  folder of the results, created if missing (default domain-growth)
#
# Prints the mean size of domains at times spaced evenly on a logarithmic scale, and the exponent, each with its
# standard error over the seeds.  Writes the same numbers, also per seed, to FOLDER/domain-growth.csv, and with gnuplot
# a plot to FOLDER/domain-growth.png.  $MESHWORK is the command if it is not in the PATH.
# SPDX-License-Identifier: MIT
set -u
LC_ALL=C
export LC_ALL

name=cahn-hilliard seeds=5 side=usual time=usual device='' folder=domain-growth

# Interfaces are 4 cells wide.  The law holds once domains are much larger than interfaces, so thinner interfaces reach
# it sooner; much thinner ones would depend on the mesh.  The isotropic Laplacian has no preferred direction, and its
# largest eigenvalue is 16/3 instead of 8.  The midpoint method is stable up to this step, with b = u = 1 and |c| up to
# 1.05: 2 / (16/3 (3 * 1.05^2 - 1 + K 16/3)) = 0.075.
looks=1000 noise=0
choose() {
    case $1 in
        cahn-hilliard)
            model='cahn-hilliard -p K=0.5 --laplacian isotropic --integrator rk2 --boundary periodic'
            largest_step=0.07 law='1/3' words=Cahn-Hilliard usual_side=512 usual_time=5000 ;;
        # Metropolis' rule would flip all spins at once whose flip costs nothing.
        ising)
            model='ising -p T=0 --update heat-bath --boundary periodic'
            largest_step=1 law='1/2' words='Ising spins' usual_side=2048 usual_time=1000 ;;
        # Hot enough that spins leave walls.  Single spins within domains cut lines as walls do; `noise` is their number
        # in equilibrium (Onsager 1944), which is subtracted.
        kawasaki)
            model='ising -p T=1.5 --update exchange --boundary periodic'
            largest_step=1 law='1/3' words='spins by exchange' usual_side=512 usual_time=10000
            noise=0.012221 ;;
        *) die 2 "unknown model '$1': must be cahn-hilliard, ising or kawasaki" ;;
    esac
}

work='' child='' made=''

die() { code=$1; shift; printf 'domain-growth: %s\n' "$*" >&2; exit "$code"; }

# at_least LEAST OPTION VALUE: a whole number.
at_least() {
    case $3 in
        ''|*[!0-9]*|0*|???????*) ;;
        *) [ "$3" -lt "$1" ] || return 0 ;;
    esac
    die 2 "$2 takes a whole number from $1 to 999999, not '$3'"
}

tidy() {
    trap '' HUP INT TERM
    if [ -n "$child" ]; then
        kill "$child" 2>/dev/null
        wait "$child"
    fi
    [ -z "$work" ] || rm -rf "$work"
    [ -z "$made" ] || rmdir "$folder" 2>/dev/null
}

# evolve SEED: writes the series of a run.  In the background, so that a signal is heard while it computes.
evolve() {
    # shellcheck disable=SC2086 # the model is words
    "$meshwork" run $model --start noise --size "${side}x$side" ${dt:+--dt "$dt"} --steps "$steps" --seed "$1" \
        --every "$every" -q ${device:+-d "$device"} --series "$work/seed-$1.csv" >/dev/null </dev/null &
    child=$!
    wait "$child"
    status=$?
    child=''
    [ $status -eq 0 ] || exit $status
}

# Reads the series of all seeds.  Writes the table to standard output and the values to the file csv.
# Writes for gnuplot "exponent error amplitude first last smallest largest" to the file fit.
# shellcheck disable=SC2016 # the dollars are awk's
average='
function mean(v, n,    i, s) { for (i = 1; i <= n; i++) s += v[i]; return s / n }
function error(v, n,    i, m, s) {
    m = mean(v, n)
    for (i = 1; i <= n; i++) s += (v[i] - m) ^ 2
    return sqrt(s / (n - 1) / n)
}
# The slope of log size over log time, by least squares, over the rows from a to b of a seed.
function slope(seed, a, b,    i, x, y, n, sx, sy, sxx, sxy) {
    for (i = a; i <= b; i++) {
        x = log(time[i]); y = log(size[seed, i])
        n++; sx += x; sy += y; sxx += x * x; sxy += x * y
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx)
}
BEGIN {
    # Eight rows a decade of the looks, the last one the end.
    for (j = 20; j >= 0; j--) row_of[int(looks / 10 ^ (j / 8) + 0.5)] = ++rows
}
FNR == 1 {
    seeds++
    for (i = 1; i <= NF; i++) column[$i] = i
    next
}
FNR - 2 in row_of {
    i = row_of[FNR - 2]
    time[i] = $column["time"]
    found += $column["domain_size"] > 0
    size[seeds, i] = 1 / (1 / $column["domain_size"] - noise)
}
END {
    if (found != seeds * rows) exit 1
    printf "%10s %12s %8s %10s %8s\n", "time", "domain size", "+-", "exponent", "+-"
    printf "time,size,size_error,exponent,exponent_error" >csv
    for (s = 1; s <= seeds; s++) printf ",seed_%d", s >csv
    printf "\n" >csv
    for (i = 1; i <= rows; i++) {
        for (s = 1; s <= seeds; s++) v[s] = size[s, i]
        m = mean(v, seeds); e = error(v, seeds)
        line = sprintf("%10.1f %12.3f %8.3f", time[i], m, e)
        printf "%.9g,%.9g,%.9g", time[i], m, e >csv
        if (i > 4) {
            for (s = 1; s <= seeds; s++) v[s] = slope(s, i - 4, i)
            line = line sprintf(" %10.3f %8.3f", mean(v, seeds), error(v, seeds))
            printf ",%.9g,%.9g", mean(v, seeds), error(v, seeds) >csv
        } else
            printf ",," >csv
        for (s = 1; s <= seeds; s++) printf ",%.9g", size[s, i] >csv
        printf "\n" >csv
        print line
    }
    first = rows - 8
    for (s = 1; s <= seeds; s++) v[s] = slope(s, first, rows)
    m = mean(v, seeds); e = error(v, seeds)
    for (i = first; i <= rows; i++)
        for (s = 1; s <= seeds; s++) a += log(size[s, i]) - m * log(time[i])
    print m, e, exp(a / seeds / 9), time[first], time[rows], size[1, 1], size[1, rows] >fit
    if (noise) {
        # Walls conduct as well, and the exponent of domains of the size R is lower by a constant over R (Huse 1986).
        for (s = 1; s <= seeds; s++) {
            n = sx = sy = sxx = sxy = 0
            for (i = first; i <= rows; i++) {
                x = 1 / sqrt(size[s, i] * size[s, i - 4]); y = slope(s, i - 4, i)
                n++; sx += x; sy += y; sxx += x * x; sxy += x * y
            }
            v[s] = (sy * sxx - sx * sxy) / (n * sxx - sx * sx)
        }
        printf "exponent %.3f +- %.3f of domains without end, by a line through those over 1 / size\n",
            mean(v, seeds), error(v, seeds)
    }
    printf "exponent %.4f +- %.4f over times %.0f to %.0f, %d seeds, %dx%d cells\n", m, e, time[first], time[rows],
        seeds, side, side
}'

# draw EXPONENT ERROR AMPLITUDE FIRST LAST SMALLEST LARGEST: the plot.
draw() {
    (cd "$work" && exec gnuplot) 2>"$work/gnuplot" <<END_OF_PLOT
set terminal pngcairo size 800,900 font "Sans,13"
set output "domain-growth.png"
set datafile separator ","
file = "domain-growth.csv"
n = $1; a = $3; t0 = $4; t1 = $5
set multiplot
set lmargin at screen 0.12
set rmargin at screen 0.96
set logscale x
set xrange [t1 / 420 : t1 * 1.3]
set grid xtics ytics lt 1 lw 1 lc rgb "#dddddd"
set samples 2000
set tmargin at screen 0.93
set bmargin at screen 0.42
set logscale y
set yrange [$6 / 1.3 : $7 * 1.5]
set ytics add (2, 3, 4, 5, 6, 7, 8, 15, 20, 30, 40, 50, 60, 80)
set format x ""
set ylabel "domain size (cells)"
set key top left reverse Left samplen 3
set title "$words after a quench: ${side}x$side cells, $seeds seeds"
plot (x >= t0 && x <= t1 ? a * x**n : NaN) lw 4 lc rgb "#e08a5b" \
        title sprintf("fit of the last decade: exponent %.3f ± %.3f", $1, $2), \
    (x >= t0 / 4 ? 0.8 * a * t1**(n - $law.) * x**($law.) : NaN) dt 2 lw 2 lc rgb "#444444" title "time^{$law}", \
    file using 1:2:3 with yerrorbars pt 7 ps 1 lw 1.5 lc rgb "#1f5fa8" title "mean and standard error over seeds"
unset title
unset logscale y
set tmargin at screen 0.39
set bmargin at screen 0.08
set format x "%g"
set xlabel "time"
set ylabel "exponent of the last half decade"
set yrange [$law. - 2 / 15. : $law. + 1 / 15.]
set ytics autofreq
set key bottom right
plot $law. dt 2 lw 2 lc rgb "#444444" title "$law", \
    file using 1:4:5 with yerrorbars pt 7 ps 1 lw 1.5 lc rgb "#1f5fa8" notitle
unset multiplot
END_OF_PLOT
}

while getopts :m:s:n:t:d:o:h option; do
    case $option in
        m) name=$OPTARG ;;
        s) seeds=$OPTARG ;;
        n) side=$OPTARG ;;
        t) time=$OPTARG ;;
        d) device=$OPTARG ;;
        o) folder=$OPTARG ;;
        h) sed -n '2,/^set/{/SPDX/d;s/^# \{0,1\}//p;}' "$0"; exit 0 ;;
        :) die 2 "option -$OPTARG needs a value; -h shows the options" ;;
        *) die 2 "there is no option -$OPTARG; -h shows the options" ;;
    esac
done
shift $((OPTIND - 1))
[ $# -eq 0 ] || die 2 "unexpected word '$1'; -h shows the options"
choose "$name"
[ "$side" != usual ] || side=$usual_side
[ "$time" != usual ] || time=$usual_time
at_least 2 -s "$seeds"
at_least 32 -n "$side"
at_least 100 -t "$time"
[ -n "$folder" ] || die 2 "-o takes the name of a folder"
case $folder in -*) folder=./$folder ;; esac
meshwork=${MESHWORK:-meshwork}
command -v "$meshwork" >/dev/null ||
    die 1 "cannot find '$meshwork': put meshwork into the PATH, or its path into \$MESHWORK"

trap tidy EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
if [ ! -d "$folder" ]; then
    mkdir "$folder" || die 1 "cannot make the folder '$folder'"
    made=yes
fi
work=$(mktemp -d "$folder/.work-XXXXXX") || die 1 "cannot write to the folder '$folder'"

# As many steps as there are looks, times a whole number, and the step that ends at the time asked for.
every=$(awk "BEGIN { n = $time / $largest_step / $looks; print int(n) + (n > int(n)) }")
steps=$((every * looks))
# Spins have steps of 1.
dt=''
[ "$name" != cahn-hilliard ] || dt=$(awk "BEGIN { printf \"%.12g\", $time / $steps }")
seed=0
while [ $seed -lt "$seeds" ]; do
    seed=$((seed + 1))
    echo "domain-growth: seed $seed of $seeds, $steps steps of ${dt:-1}" >&2
    evolve $seed
    set -- "$@" seed-$seed.csv
done
# Within the folder, because awk and gnuplot find meanings of their own in some characters of its name.
(cd "$work" && exec awk -F, -v looks=$looks -v side="$side" -v noise=$noise -v csv=domain-growth.csv \
    -v fit=fit "$average" "$@") \
    >"$work/table" || die 1 "a series of $meshwork lacks sizes of domains"
if command -v gnuplot >/dev/null; then
    # shellcheck disable=SC2046 # the fit is words
    draw $(cat "$work/fit") || die 1 "gnuplot fails: $(grep . "$work/gnuplot" | tail -n 1)"
    mv "$work/domain-growth.png" "$folder" || die 1 "cannot write to the folder '$folder'"
else
    echo "domain-growth: no plot, because there is no gnuplot" >&2
fi
mv "$work/domain-growth.csv" "$folder" || die 1 "cannot write to the folder '$folder'"
cat "$work/table"
