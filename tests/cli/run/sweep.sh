#!/bin/sh
# meshwork sweep: against exact values, the same numbers on every device, files, a plot, the crossing, tempering and
# annealing, what is refused.
# shellcheck disable=SC2086,SC2016 # lists of words are meant to split; dollars are awk's
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache
sweep='sweep ising -d native:serial'

# A chain of four spins with free ends: all of its states.
exact='
NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
function check(name, value) {
    if (!(($column[name] - value) ^ 2 < (4 * $column[name "_error"]) ^ 2) || $column[name "_error"] > 0.05)
        print name, "at T =", $2, "is", $column[name], "+-", $column[name "_error"], "instead of", value
}
{
    z = e = e2 = m1 = m2 = m4 = 0; n++
    for (state = 0; state < 16; state++) {
        for (i = 0; i < 4; i++) s[i] = 2 * (int(state / 2 ^ i) % 2) - 1
        energy = -(s[0] * s[1] + s[1] * s[2] + s[2] * s[3]) / 4
        m = (s[0] + s[1] + s[2] + s[3]) / 4
        z += w = exp(-4 * energy / $2)
        e += w * energy; e2 += w * energy ^ 2; m1 += w * (m < 0 ? -m : m); m2 += w * m ^ 2; m4 += w * m ^ 4
    }
    check("energy", e / z)
    check("magnetisation", 0)
    check("magnetisation_absolute", m1 / z)
    check("specific_heat", 4 * (e2 / z - (e / z) ^ 2) / $2 ^ 2)
    check("susceptibility", 4 * (m2 / z - (m1 / z) ^ 2) / $2)
    check("binder", 1 - m4 / z / (3 * (m2 / z) ^ 2))
}
END { if (n != 3) print n, "values" }'
for how in '' '--temper 4' '--anneal' '--update heat-bath' '--variant crinkled --temper 3'; do
    gives 0 $sweep --size 4 --boundary mirror --over T=1:3:1 --systems 40 --steps 4000 -o exact.csv $how
    prints '^size +4, in one dimension$'
    wrong=$(LC_ALL=C awk -F, "$exact" "$work/exact.csv")
    [ -z "$wrong" ] || fail "other than exact values, $how: $wrong"
done
prints '^exchanges +4: [0-9]+ % accepted.* [1-9][0-9]* round trips'
folder_holds exact.csv

# The same on every device, and on two together.
both='sweep ising --size 8x6 --size 6x4x2 --over T=3,2.5,2 -p h=0.125 --systems 3 --steps 40 --temper 5 --seed 3'
gives 0 $both -d native:serial -o first.csv
"$MESHWORK" devices -q >"$scratch/devices" 2>&1
for id in $(sed -n 's/^[* ] *[0-9]* *\([a-z]*:[0-9a-z.]*\) .*/\1/p' "$scratch/devices"); do
    gives 0 $both -d "$id" -o other.csv
    cmp -s "$work/first.csv" "$work/other.csv" || fail "other numbers on $id"
    echo "checked on $id"
done
gives 0 $both -d native:serial,native:pthreads -o other.csv
cmp -s "$work/first.csv" "$work/other.csv" || fail "other numbers on two devices"
several='sweep potts --size 7x6 --over T=2,1 --systems 3 --steps 12 --update wolff'
gives 0 $several -d native:serial -o first-potts.csv
gives 0 $several -d native:serial,native:pthreads -o other-potts.csv
cmp -s "$work/first-potts.csv" "$work/other-potts.csv" || fail "other clusters on two devices"
rm -f "$work"/*-potts.csv
[ "$(wc -l <"$work/other.csv")" -eq 7 ] || fail "not seven lines"
gives 0 $both -d native:serial --seed 4 -o other.csv
cmp -s "$work/first.csv" "$work/other.csv" && fail "the seed changes nothing"
folder_holds first.csv other.csv

# The critical point in two dimensions, 2.269, from two small sizes.
gives 0 $sweep --over T=2.15:2.4:0.05 --size 8x8 --size 16x16 --systems 16 --steps 6000
at=$(sed -n 's/^crossing .*8x8 and 16x16: T = \([0-9.]*\)(.*/\1/p' "$scratch/out")
LC_ALL=C awk "BEGIN { exit !(\"$at\" > 2.24 && \"$at\" < 2.30) }" || fail "a critical point of $at"

# A signal ends it cleanly.
: >"$scratch/err"
(cd "$work" && exec "$MESHWORK" $sweep --over T=2,3 --size 64x64 --size 8x8 --steps 1000000000 --measure-every 1000000 \
    --warm-up 0 -v -o stopped.csv) >"$scratch/out" 2>"$scratch/err" &
process=$!
awaits grep -q '64x64: 16 systems, variant bits' "$scratch/err"
kill -TERM $process
wait $process
status=$?
[ "$status" -eq 5 ] || fail "exit code $status of a sweep that was stopped"
says 'stopped by a signal'
folder_holds stopped.csv

if has_json; then
    gives 0 $both -d native:serial --json
    json_keys model over systems steps warm_up measure_every points crossings exchanges seconds timings stopped
    prints '"susceptibility_error": [0-9]'
fi
if command -v gnuplot >/dev/null; then
    # For equal or unknown values gnuplot would not find a range.
    gives 0 $sweep --over T=0 --steps 20 -d native:serial -q --plot zero.svg
    ! grep -q . "$scratch/err" || fail "gnuplot complains"
    rm "$work/zero.svg"
    gives 0 $both -d native:serial --plot "it's.svg"
    grep -q 'Binder cumulant' "$work/it's.svg" || fail "no plot"
    grep -q '>ising<' "$work/it's.svg" || fail "the plot does not name its model"
    # A gnuplot that fails after drawing leaves the previous plot.
    cp "$work/it's.svg" "$scratch/whole.svg"
    mkdir "$scratch/bin"
    printf '#!/bin/sh\n%s\nexit 3\n' "$(command -v gnuplot)" >"$scratch/bin/gnuplot"
    chmod +x "$scratch/bin/gnuplot"
    PATH=$scratch/bin:$PATH gives 1 $sweep --over T=1 --steps 20 -d native:serial -q --plot "it's.svg"
    says 'gnuplot did not draw'
    cmp -s "$work/it's.svg" "$scratch/whole.svg" || fail "a plot that failed replaced another"
    folder_holds "it's.svg"
else
    refuses 2 'gnuplot' $both -d native:serial --plot plot.svg
fi
# Fractions and components: the first system of each size is that of a run alone.
bcc='ising -d native:serial --size 8x6x10 --lattice bcc --update exchange --seed 5 --measure-every 5'
gives 0 run $bcc -p T=4 --fraction 0.3 --steps 40 --label-every 10 --series one.csv
gives 0 sweep $bcc --over T=4 --fraction 0.3 --systems 1 --steps 40 --warm-up 0 --label-every 10 -o other.csv
awk -F, '
FNR == 1 { delete column; for (i = 1; i <= NF; i++) column[$i] = i; next }
NR == FNR { if ($1 > 0 && $column["components"] != "") { n++; c += $column["components"]; l += $column["largest"] / 480
                                                        m += $column["largest_minority"] } next }
{ got = $column["components_mean"] - c / n; large = $column["largest_fraction"] - l / n
  minor = $column["largest_minority"] - m / n }
END { exit !(n == 4 && got ^ 2 < 1e-18 && large ^ 2 < 1e-18 && minor ^ 2 < 1e-18 && m > 0) }' \
    "$work/one.csv" "$work/other.csv" || fail "components of a sweep are not those of a run"
fractions="$bcc --over T=3,8 --fraction 0.1:0.3:0.1 --systems 3 --steps 20 --label-every 10"
gives 0 sweep $fractions -o first.csv
prints '^ +each at 3 fractions of spins up from 0.1 to 0.3$'
gives 0 sweep $fractions -d native:serial,native:pthreads -o other.csv
cmp -s "$work/first.csv" "$work/other.csv" || fail "other components on two devices"
[ "$(cut -d, -f2,3 "$work/first.csv" | tr '\n' ' ')" = 'T,fraction 3,0.1 8,0.1 3,0.2 8,0.2 3,0.3 8,0.3 ' ] ||
    fail "other points: $(cut -d, -f2,3 "$work/first.csv")"
awk -F, 'NR > 1 && ($8 - 2 * int($3 * 480 + 0.5) / 480 + 1) ^ 2 > 1e-18 { exit 1 }' "$work/first.csv" ||
    fail "magnetisations other than those of the fractions"
gives 0 sweep potts -d native:serial --size 8x6 --over T=1 --steps 20 --label-every 10 -o other.csv
head -n 1 "$work/other.csv" | grep -q 'largest_fraction_error,samples' || fail "a minority of Potts spins"
if has_json; then
    gives 0 sweep $fractions --json
    json_keys label_every fraction components_mean components_mean_error largest_fraction largest_minority
fi
if command -v gnuplot >/dev/null; then
    gives 0 sweep $fractions --plot plot.svg
    grep -q 'fraction up' "$work/plot.svg" || fail "no surface"
    rm "$work/plot.svg"
fi
rm -f "$work"/*.csv
refuses 2 'give one --fraction' sweep $fractions --anneal
refuses 2 'multiple of --measure-every' sweep $fractions --label-every 7
refuses 2 'continuous' sweep xy -d native:serial --over T=1 --label-every 5
refuses 2 'only 20 steps' sweep $fractions --label-every 25

gives 0 $both --dry-run
prints '^memory '
prints '6 x 4 x 2, 9 systems'
gives 0 sweep --variant list
prints '^bits '

refuses 2 'missing operand' sweep --over T=1:2:1
refuses 2 'no parameter to sweep' $sweep
refuses 2 "no parameter 'K'" $sweep --over K=1:2:1
refuses 2 'must not be 0' $sweep --over T=1:2:0
refuses 2 'exclude each other' $sweep --over T=1:2:1 -p T=2
refuses 2 'exclude each other' $sweep --over T=1:2:1 --anneal --temper 3
refuses 2 'exchanges temperatures' $sweep --over J=1:2:1 --temper 3
refuses 2 'needs several temperatures' $sweep --over T=2 --temper 3
refuses 2 'T=-1 .must be 0 or more' $sweep --over T=-1:1:1
refuses 2 'did you mean ising' sweep isin --over T=1:2:1
refuses 2 'not a size' $sweep --over T=1:2:1 --size 8y8
refuses 2 'end in .png, .svg or .pdf' $sweep --over T=1:2:1 --plot plot.gif
refuses 2 'more than 100000 values' $sweep --over T=1:2:1e-9
refuses 2 "over T=1:2: '' is not a number: expected FIRST:LAST:STEP" $sweep --over T=1:2
refuses 2 "over T: expected NAME=" $sweep --over T
refuses 2 'the same number of spin values' sweep potts --over q=2,3
refuses 1 'exceed the address space' \
    $sweep --over T=1:2:0.001 --systems 1000000 --steps 500000000000000000 --measure-every 1
finish
