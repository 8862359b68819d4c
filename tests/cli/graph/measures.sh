#!/bin/sh
# Measures of a graph's vertices.
# shellcheck disable=SC2086 # lists of words are meant to split
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache
cp "$source_top/tests/graphs/karate.txt" "$work"
printf 'a b\nb c\nc a\nd a\n' >"$work/arcs.txt"

# ---- PageRank: as in igraph, 0.1009 for member 34 ----
pagerank='graph pagerank -d native:serial'
gives 0 $pagerank karate.txt --verify --top 3 --vertices ranks.csv
prints '^rounds +[1-9]'
prints '^verified '
prints '^ +34 +0\.10091918'
[ "$(wc -l <"$work/ranks.csv")" -eq 35 ] || fail "not a line a member"
[ "$(head -n 1 "$work/ranks.csv")" = vertex,pagerank ] || fail "other columns"
awk -F, 'NR > 1 { sum += $2 } END { exit !(sum > 0.9999999 && sum < 1.0000001) }' "$work/ranks.csv" ||
    fail "the sum of ranks is not 1"
if has_json; then
    gives 0 $pagerank karate.txt -d native:pthreads --json --top 1
    grep -q '"vertex": *"34"' "$scratch/out" || fail "another first member"
fi
gives 0 $pagerank arcs.txt --directed --damping 0.5 --top 4
prints '^ +d +0\.125$'
refuses 2 "at least 0.000001 and below 1" $pagerank karate.txt --damping 1
refuses 2 "must end in .csv" $pagerank karate.txt --vertices ranks.txt
for measure in pagerank betweenness cores bridges; do
    gives 0 graph $measure -d native:serial karate.txt --dry-run --vertices plan.csv
    prints '^memory +about [1-9]'
    [ ! -e "$work/plan.csv" ] || fail "a plan wrote a file"
done
for devices in native:serial,native:pthreads native:pthreads,native:serial; do
    gives 0 graph pagerank -d $devices karate.txt --verify --top 1
    prints '^devices +native'
    prints '^ +34 +0\.10091918'
    gives 0 graph pagerank -d $devices arcs.txt --directed --damping 0.5 --top 4 --verify
    prints '^ +d +0\.125$'
    gives 0 graph pagerank -d $devices karate.txt --dry-run
    prints '^memory +about [1-9].* on each device$'
done

# ---- betweenness: in Freeman's units, as published: 231.07 of the 528 pairs without member 1 ----
betweenness='graph betweenness -d native:serial'
for variant in vectors queue lanes; do
    gives 0 $betweenness karate.txt --variant $variant --verify --top 2 --vertices between.csv
    prints '^ +1 +231\.0714286$'
    prints '^ +34 +160\.551587'
done
[ "$(wc -l <"$work/between.csv")" -eq 35 ] || fail "not a line a member"
gives 0 graph betweenness -d native:serial,native:pthreads karate.txt --sample 20 --sample-seed 3 --verify
prints '^sample +paths from 20 of the vertices$'
gives 0 $betweenness arcs.txt --directed --top 1
prints '^ +a +3$'
gives 0 $betweenness --variant list
refuses 2 "did you mean lanes" $betweenness karate.txt --variant lane

# ---- cores: ten members of the club are in the fourth core ----
cores='graph cores -d native:serial'
for variant in auto rounds; do
    gives 0 graph cores -d native:serial,native:pthreads karate.txt --variant $variant --verify --top 1
    prints '^variant +rounds$'
    prints '^largest +core 4, of 10 vertices$'
    prints '^verified +all values agree with native:serial by order'
done
gives 0 graph cores -d native:serial,native:pthreads karate.txt --dry-run
prints '^memory +about [1-9].* on each device$'
refuses 2 "variant order runs on one device only" \
    graph cores -d native:serial,native:pthreads karate.txt --variant order
for variant in order rounds; do
    gives 0 $cores karate.txt --variant $variant --verify --top 1 --vertices cores.csv
    other=rounds
    [ $variant = order ] || other=order
    prints "^verified +all values agree with native:serial by $other, in"
    prints '^largest +core 4, of 10 vertices$'
    prints '^ +1 +4$'
    [ "$(sed 1d "$work/cores.csv" | cut -d, -f2 | sort -n | uniq -c | tr -s ' \n' ' ')" = ' 1 1 11 2 12 3 10 4 ' ] ||
        fail "other cores"
done
gives 0 $cores --variant list
refuses 2 "did you mean rounds" $cores karate.txt --variant round

# ---- no output replaces an input graph, through any links ----
cp "$work/karate.txt" "$work/kept.txt"
cp "$work/karate.txt" "$work/kept.csv"
ln -s kept.txt "$work/link.txt"
ln -s kept.csv "$work/link.csv"
group='graph components -d native:serial'
refuses 2 'kept.txt is an input file that an output would replace' $group kept.txt -o kept.txt
refuses 2 'link.txt is an input file' $group kept.txt -o link.txt
refuses 2 'kept.txt is an input file' $group link.txt --largest "$work/kept.txt"
for command in "$pagerank" 'graph betweenness -d native:serial' "$cores" 'graph paths -d native:serial' \
               'graph clustering -d native:serial' 'graph bridges -d native:serial'; do
    refuses 2 'kept.csv is an input file' $command kept.csv --format edges --vertices ./kept.csv
    refuses 2 'link.csv is an input file' $command kept.csv --format edges --vertices link.csv
done
refuses 2 'kept.csv is an input file' graph bridges -d native:serial kept.csv --format edges --bridges kept.csv
refuses 2 'kept.csv is an input file' graph paths -d native:serial kept.csv --format edges --from 1 -o kept.csv
cmp -s "$work/karate.txt" "$work/kept.txt" && cmp -s "$work/karate.txt" "$work/kept.csv" || fail "a graph was replaced"
gives 0 $group - -o labels.txt <"$work/kept.txt"
# Except the same graph in its own place, which has been read before.
gives 0 graph convert -d native:serial kept.txt kept.txt
gives 0 graph convert -d native:serial kept.txt kept.mwg
gives 0 graph convert -d native:serial kept.mwg kept.mwg
gives 0 graph convert -d native:serial kept.mwg kept.el
[ "$(sort "$work/kept.el" | cksum)" = "$(sort "$work/kept.txt" | cksum)" ] || fail "another graph in its own place"
rm -f "$work"/kept.* "$work"/link.* "$work/labels.txt"

# ---- strong components ----
strong='graph components -d native:serial --strong'
for variant in tarjan colours; do
    gives 0 $strong arcs.txt --directed --verify --variant $variant -o labels.txt
    prints '^components +2$'
    prints '^largest +3 vertices, label a$'
    prints '^verified '
    [ "$(tr '\t\n' ' ;' <"$work/labels.txt")" = 'a a;b a;c a;d d;' ] || fail "other labels"
    rm -f "$work/labels.txt"
done
gives 0 $strong --variant list
prints '^tarjan '
refuses 2 "did you mean colours" $strong arcs.txt --variant colors
gives 0 graph components --strong -d native:serial,native:pthreads arcs.txt --directed --verify -o labels.txt
prints '^variant +colours$'
prints '^components +2$'
prints '^verified '
[ "$(tr '\t\n' ' ;' <"$work/labels.txt")" = 'a a;b a;c a;d d;' ] || fail "other labels on two devices"
rm -f "$work/labels.txt"
gives 0 graph components --strong -d native:serial,native:pthreads arcs.txt --directed --dry-run
prints '^devices +2: '
refuses 2 "variant tarjan runs on one device only" \
    graph components --strong -d native:serial,native:pthreads arcs.txt --variant tarjan

# ---- bridges: member 12 is connected only to the first, an articulation point ----
bridges='graph bridges -d native:serial'
gives 0 graph bridges -d native:serial,native:pthreads karate.txt --bridges bridges.csv --top 2 --verify
prints '^variant +skeleton$'
prints '^components +3 biconnected$'
prints '^verified +all values agree with native:serial by search'
[ "$(tr '\n' ';' <"$work/bridges.csv")" = 'vertex,other;1,12;' ] || fail "other bridges on two devices"
rm -f "$work/bridges.csv"
gives 0 graph bridges -d native:serial,native:pthreads karate.txt --dry-run
prints '^memory +about [1-9].* on each device$'
refuses 2 "variant search runs on one device only" \
    graph bridges -d native:serial,native:pthreads karate.txt --variant search
for variant in search skeleton; do
    gives 0 $bridges karate.txt --bridges bridges.csv --top 2 --verify --variant $variant
    prints "^variant +$variant\$"
    prints '^bridges +1$'
    prints '^articulation +1 vertex$'
    prints '^components +3 biconnected$'
    prints '^largest +28 vertices$'
    prints '^ +1 +3$'
    [ "$(tr '\n' ';' <"$work/bridges.csv")" = 'vertex,other;1,12;' ] || fail "other bridges"
    rm -f "$work/bridges.csv"
done
gives 0 $bridges --variant list
prints '^skeleton '
refuses 2 "did you mean skeleton" $bridges karate.txt --variant skeletons
refuses 2 "must end in .csv" $bridges karate.txt --bridges bridges.txt

# ---- the table of graph info, and its picture ----
info='graph info -d native:serial'
# Undefined means are null in all outputs.
printf '1 1\n' >"$work/loop.txt"
for command in "$info" 'graph paths -d native:serial'; do
    gives 0 $command loop.txt
    prints '^mean distance +none: there are no paths$'
done
printf '1 2\n' >"$work/edge.txt"
for command in "$info" 'graph clustering -d native:serial'; do
    gives 0 $command edge.txt
    prints '^clustering +none: no vertex has two neighbours$'
done
printf '1 2 0.5\n2 3 0.25\n' >"$work/weighted.txt"
gives 0 $info weighted.txt
prints '^mean distance +1\.333333333 edges$'
prints '^range +0\.25 to 0\.5, of the weights$'
rm -f "$work/loop.txt" "$work/edge.txt" "$work/weighted.txt"
# Numbers in files have the shortest form that reads back equal.
printf '1 2\n1 3\n2 3\n3 4\n' >"$work/tail.txt"
gives 0 graph paths -d native:serial tail.txt --vertices tail.csv
[ "$(tail -n 1 "$work/tail.csv")" = 4,3,2,5,0.6,2 ] || fail "longer numbers than are needed"
rm -f "$work"/tail.*
# Each help text contains whether several devices are supported.
for command in components paths clustering betweenness pagerank cores bridges; do
    gives 0 graph $command --help
    tr -s '\n ' ' ' <"$scratch/out" | grep -q 'several devices share the work' ||
        fail "graph $command takes several devices"
done
gives 0 graph info --help
tr -s '\n ' ' ' <"$scratch/out" | grep -q 'several devices share the work' && fail "graph info takes one device"
gives 0 $info karate.txt
prints '^density +0\.139037$'
prints '^assortativity +-0\.475613$'
prints '^components +1, the largest of 34 vertices$'
prints '^clustering +0\.255682, 45 triangles$'
prints '^mean distance +2\.408199643$'
prints '^diameter +5$'
gives 0 $info karate.txt --budget 0
prints '^not measured +components, clustering, distances: not within 0 s \(--budget\)$'
if has_json; then
    gives 0 $info --generate ws -p n=20000 -p k=10 --budget 60 --json
    grep -q '"skipped": *\[\]' "$scratch/out" || fail "something was left out"
fi
gives 0 $info --generate er -p n=1 -p m=0
gives 0 $info --generate er -p n=0 -p m=0

# ---- the plot of degrees: a gnuplot of the test keeps its script ----
info='graph info -d native:serial --budget 0 -q'
mkdir "$scratch/bin"
printf '#!/bin/sh\n[ "$1" = --version ] || cat >%s/script\necho "<svg/>"\n' "$scratch" >"$scratch/bin/gnuplot"
chmod +x "$scratch/bin/gnuplot"
for graph in '--generate ba -p n=3000 -p m=2 --seed 7' '--generate er -p n=500 -p m=400' '--generate ring -p n=5' \
    '--generate er -p n=3 -p m=0' '--generate er -p n=0 -p m=0' 'arcs.txt --directed'; do
    PATH=$scratch/bin:$PATH gives 0 $info $graph --plot degrees.svg
    gives 0 graph info -d native:serial --budget 0 -v --degrees $graph
    awk 'FILENAME ~ /out$/ {
            if (listed && NF == 2 && $1 ~ /^[0-9]+$/) {
                of[$1] = $2
                n += $2
                most = $1 > most ? $1 + 0 : most
            }
            listed = listed || $1 == "degree" && $2 == "vertices"
            next
        }
        /^END/ { block = "" }
        block == "degrees" { points++; wrong += differ($2, of[$1] / n) }
        block == "cumulative" {
            sum = 0
            for (k = $1; k <= most; k++) sum += of[k]
            steps++
            wrong += differ($2, sum / n)
        }
        block == "bins" { # bounds are the powers of 10^(1/8), rounded up
            while (!(from * (to - 1) < 1.001 * $1 ^ 2 && from * (to - 1) > 0.999 * $1 ^ 2) && i < 100) {
                from = to > 0 ? to : 1
                to = int(10 ^ (++i / 8) - 1e-9) + 1
                to = to > most + 1 ? most + 1 : to < from ? from : to
            }
            sum = 0
            for (k = from; k < to; k++) sum += of[k]
            binned += sum
            wrong += differ($2, sum / (to - from) / n)
        }
        / << END$/ { block = substr($1, 2) }
        function differ(a, b) { return a < b - 1e-8 * b || a > b + 1e-8 * b }
        END { for (k = 1; k <= most; k++) { kinds += of[k] > 0; all += of[k] }
            print points + 0, steps + 0, wrong + 0, binned + 0, all + 0
            exit wrong > 0 || points + 0 != kinds + 0 || binned + 0 != all + 0 || steps < points }' \
        "$scratch/out" "$scratch/script" || fail "another distribution of degrees of $graph"
done
if command -v gnuplot >/dev/null; then
    for graph in '--generate ba -p n=3000 -p m=2' '--generate er -p n=0 -p m=0' '--generate er -p n=3 -p m=0' \
        karate.txt; do
        gives 0 $info $graph --plot degrees.svg
        silent
    done
    grep -q 'degree k or more' "$work/degrees.svg" || fail "no cumulative curve"
    grep -q '34 vertices' "$work/degrees.svg" || fail "no title"
    gives 0 $info karate.txt --plot degrees.png
else
    refuses 2 'gnuplot' $info karate.txt --plot degrees.svg
fi
refuses 2 "must end in .png, .svg or .pdf" $info karate.txt --plot degrees.gif
finish
