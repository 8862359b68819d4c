#!/bin/sh
# meshwork graph: known graphs, names, formats, generators, devices and variants, and where it refuses.
# shellcheck disable=SC2013,SC2015,SC2046,SC2086 # lists of words are meant to split; fail always succeeds
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache

info='graph info -d native:serial'
components='graph components -d native:serial'
convert='graph convert -d native:serial'
generate='graph generate -d native:serial'

# file NAME LINE...: makes a text file.
file() {
    name=$1
    shift
    printf '%s\n' "$@" >"$work/$name"
}

# holds NAME LINE...: the file has exactly these lines, with blanks in place of tabs.
holds() {
    name=$1
    shift
    [ "$(tr '\t' ' ' <"$work/$name")" = "$(printf '%s\n' "$@")" ] ||
        fail "$name holds '$(tr '\t\n' ' ;' <"$work/$name")' instead of '$(printf '%s;' "$@")'"
}

# Zachary 1977, friendships in a karate club: the neighbours of each member with larger numbers.
karate() {
    while read -r member others; do
        for other in $others; do echo "$member $other"; done
    done <<'MEMBERS'
1 2 3 4 5 6 7 8 9 11 12 13 14 18 20 22 32
2 3 4 8 14 18 20 22 31
3 4 8 9 10 14 28 29 33
4 8 13 14
5 7 11
6 7 11 17
7 17
9 31 33 34
10 34
14 34
15 33 34
16 33 34
19 33 34
20 34
21 33 34
23 33 34
24 26 28 30 33 34
25 26 28 32
26 32
27 30 34
28 34
29 32 34
30 33 34
31 33 34
32 33 34
33 34
MEMBERS
}

# ---- known graphs ----

karate >"$work/karate.txt"
gives 0 $info karate.txt --degrees
prints '^file +karate.txt$'
prints '^graph +undirected$'
prints '^vertices +34$'
prints '^edges +78$'
prints '^degrees +1 to 17, mean 4\.58824$'
prints '^assortativity +-0\.475613$'
prints '^isolated +0$'
prints '^loops +0$'
prints '^multi-edges +0$'
[ "$(sed -n '/^ *degree  vertices$/,$p' "$scratch/out" | tr -s ' ' | tr '\n' ';')" = \
    'degree vertices; 1 1; 2 11; 3 6; 4 6; 5 3; 6 2; 9 1; 10 1; 12 1; 16 1; 17 1;' ] || fail "other degrees"
silent
if has_json; then
    gives 0 $components karate.txt --json --variant frontier
    json_keys components timings allocate upload compute download free
    gives 0 $components karate.txt --json --strong
    grep -q '"allocate"' "$scratch/out" && fail "strong components report an allocation that was not measured"
fi
gives 0 $components karate.txt --sizes --verify -o labels.txt
prints '^vertices +34$'
prints '^edges +78$'
prints '^components +1$'
prints '^largest +34 vertices, label 1$'
prints '^mean size +34 vertices$'
prints '^verified '
prints '^ +34 +1$'
silent
[ "$(cut -f 2 "$work/labels.txt" | sort -u)" = 1 ] && [ "$(cut -f 1 "$work/labels.txt" | sort -un | wc -l)" -eq 34 ] ||
    fail "not one label for all members"
rm -f "$work/labels.txt"

# The marriages of Florentine families (Padgett, Ansell 1993) are one component; with another pair, and a single vertex.
file names.txt '# families' 'Acciaiuoli Medici' 'Barbadori Medici 1' 'Medici Albizzi' '' 'Zeno Loredan' '% Venice' \
    'Dandolo Loredan' 'Sforza Sforza'
gives 0 $components names.txt -o labels.txt --sizes --verify
prints '^components +3$'
prints '^largest +4 vertices, label Acciaiuoli$'
prints '^mean size +2\.66667 vertices$'
[ "$(sed -n '/^ *size  components$/,$p' "$scratch/out" | tr -s ' ' | tr '\n' ';')" = \
    'size components; 1 1; 3 1; 4 1;' ] || fail "other sizes"
holds labels.txt 'Acciaiuoli Acciaiuoli' 'Medici Acciaiuoli' 'Barbadori Acciaiuoli' 'Albizzi Acciaiuoli' 'Zeno Zeno' \
    'Loredan Zeno' 'Dandolo Zeno' 'Sforza Sforza'
gives 0 $components names.txt --largest largest.el -o - -q
[ "$(tr '\t' ' ' <"$scratch/out" | tail -n 1)" = 'Sforza Sforza' ] || fail "no labels on standard output"
grep -q '^largest in *largest.el$' "$scratch/err" || fail "no summary on standard error"
[ "$(grep -v '^[#%]' "$work/largest.el" | tr '\t' ' ' | sort | tr '\n' ';')" = \
    'Acciaiuoli Medici;Medici Albizzi;Medici Barbadori;' ] || fail "another largest component"
gives 0 $info names.txt
prints '^loops +1$'

# Distant numbers are also names; an array has indices.
file sparse.txt '1000000007 5' '5 42' '7 7'
gives 0 $components sparse.txt -o labels.txt
prints '^largest +3 vertices, label 1000000007$'
holds labels.txt '1000000007 1000000007' '5 1000000007' '42 1000000007' '7 7'
gives 0 $components sparse.txt -o labels.npy
[ "$(tail -c 16 "$work/labels.npy" | od -An -v -td4 | tr -s ' \n' ' ')" = ' 0 0 0 3 ' ] ||
    fail "other numbers in the array"
gives 0 $components sparse.txt --largest largest.txt
[ "$(grep -v '^[#%]' "$work/largest.txt" | tr '\t' ' ' | sort | tr '\n' ';')" = '1000000007 5;5 42;' ] ||
    fail "another largest component of sparse numbers"

# Matrix Market counts from 1, and has vertices without edges.
file five.mtx '%%MatrixMarket matrix coordinate pattern symmetric' '5 5 2' '4 2' '5 5'
gives 0 $components five.mtx -o labels.txt --largest largest.mwg
prints '^components +4$'
prints '^largest +2 vertices, label 2$'
holds labels.txt '1 1' '2 2' '3 3' '4 2' '5 5'
gives 0 $info five.mtx
prints '^isolated +2$'
gives 0 $components largest.mwg -o labels.txt
holds labels.txt '2 2' '4 2'

# ---- directions, loops and multiple edges ----

file pairs.txt '0 1' '1 0' '0 0' '0 1' '2 3' '2 2' '2 2'
gives 0 $info pairs.txt
prints '^edges +7$'
prints '^loops +3$'
prints '^multi-edges +3$'
prints '^degrees +1 to 5, mean 3\.5$'
gives 0 $info pairs.txt --self remove
prints '^edges +4$'
prints '^removed +3$'
prints '^multi-edges +2$'
gives 0 $info pairs.txt --multi remove
prints '^edges +4$'
prints '^loops +2$'
gives 0 $info pairs.txt --multi remove --self remove
prints '^edges +2$'
prints '^removed +5$'
gives 0 $info pairs.txt --directed
prints '^graph +directed$'
prints '^arcs +7$'
prints '^out-degrees +0 to 3, mean 1\.75$'
prints '^multi-edges +2$'
gives 0 $components pairs.txt --directed --verify
prints '^components +2$'
file chain.mtx '%%MatrixMarket matrix coordinate pattern general' '3 3 3' '2 1' '1 2' '2 3'
gives 0 $info chain.mtx
prints '^arcs +3$'
gives 0 $info chain.mtx --undirected
prints '^graph +undirected$'
prints '^edges +2$'
gives 0 $components chain.mtx --verify
prints '^components +1$'
refuses 2 'METIS' $convert chain.mtx chain.graph
gives 0 $convert chain.mtx chain.graph --undirected
gives 0 $info chain.graph
prints '^edges +2$'
folder_holds karate.txt names.txt sparse.txt five.mtx pairs.txt chain.mtx chain.graph labels.txt labels.npy largest.el \
    largest.txt largest.mwg

# ---- formats: the graph stays the same ----

karate >"$work/karate.txt"
gives 0 $convert karate.txt karate.mtx
prints '^written +karate.mtx$'
prints '^edges +78$'
expected=$(checksum)
[ -n "$expected" ] || fail "no checksum"
from=karate.mtx
for suffix in graph mwg el mtx; do
    gives 0 $convert $from again.$suffix
    gives 0 $info again.$suffix
    prints '^vertices +34$'
    prints '^edges +78$'
    gives 0 $components again.$suffix
    prints '^components +1$'
    from=again.$suffix
done
for suffix in graphml el.gz; do
    try "$MESHWORK" $convert karate.mtx again.$suffix
    # GraphML and gzip need libraries; without them, the message names the library.
    [ "$status" -eq 2 ] && grep -Eq 'expat|zlib' "$scratch/err" && continue
    [ "$status" -eq 0 ] || fail "exit code $status of a conversion to .$suffix"
    gives 0 $info again.$suffix
    prints '^edges +78$'
done
gives 0 $info again.mtx
same=$(checksum)
gives 0 $info again.mwg
[ "$(checksum)" = "$same" ] || fail "another checksum of the binary file than of its conversion"
(cd "$work" && "$MESHWORK" $convert - - --from edges --to mtx <karate.txt) >"$scratch/out" 2>"$scratch/err"
prints '^34 34 78$'
grep -q '^written *to standard output$' "$scratch/err" || fail "no summary on standard error"
(cd "$work" && "$MESHWORK" $info - <karate.txt) >"$scratch/out" 2>"$scratch/err"
prints '^file +standard input$'
prints '^edges +78$'
(cd "$work" && "$MESHWORK" $convert again.mwg - --to edges -q 2>/dev/null | "$MESHWORK" $components - --sizes) \
    >"$scratch/out" 2>"$scratch/err"
prints '^components +1$'
(cd "$work" && rm -f again.graphml again.el.gz)
folder_holds karate.txt karate.mtx again.graph again.mwg again.el again.mtx

# ---- generators ----

gives 0 graph generate list
cp "$scratch/out" "$scratch/list"
for kind in ws ba alpha disjoint er line ring grid rmat; do
    grep -q "^$kind  " "$scratch/list" || fail "the list lacks $kind"
    gives 0 $generate $kind
    prints "^generator +$kind, .*, seed 0\$"
    prints '^edges +[1-9]'
done
[ "$(awk '{ if (length($0) > 80) n++ } END { print n + 0 }' "$scratch/list")" -eq 0 ] || fail "a list wider than 80"
gives 0 $generate --list
cmp -s "$scratch/out" "$scratch/list" || fail "--list is not list"
gives 0 $components --generate list
cmp -s "$scratch/out" "$scratch/list" || fail "--generate list is not list"

gives 0 $generate line -p n=1000
prints '^vertices +1000$'
prints '^edges +999$'
prints '^degrees +1 to 2, mean 1\.998$'
gives 0 $generate ring -p n=100 -p k=6
prints '^edges +300$'
prints '^degrees +6 to 6, mean 6$'
gives 0 $info --generate grid -p x=5 -p y=4 -p z=3 --degrees
prints '^vertices +60$'
prints '^edges +133$'
prints '^generator +grid, x 5, y 4, z 3, periodic 0, weights 0, seed 0$'
gives 0 $components --generate grid -p x=5 -p y=4 --verify
prints '^components +1$'
gives 0 $generate er -p n=500 -p m=700 --seed 5 -o er.mwg --verify --repeat 3
prints '^edges +700$'
prints '^multi-edges +0$'
prints '^verified '
prints 'median of 3, range'
made=$(checksum)
for device in native:serial '' $(driven); do
    gives 0 graph generate er -p n=500 -p m=700 --seed 5 ${device:+-d $device}
    [ "$(checksum)" = "$made" ] || fail "another graph on '$device'"
done
# A driver may compile during the first pass, which is a warm-up pass.
device=$(driven)
if [ -n "$device" ]; then
    gives 0 graph generate er -p n=500 -p m=700 -d $device -v
    [ "$(grep -c '^kernel generate_er: 1 launches' "$scratch/err")" -eq 2 ] || fail "a first pass on $device is timed"
fi
gives 0 $generate er -p n=500 -p m=700 --seed 6
[ "$(checksum)" != "$made" ] || fail "the same graph for another seed"
gives 0 $generate disjoint -p n=300 -p c=6 -p m=3000 -o - --format edges
[ "$(grep -vc '^[#%]' "$scratch/out")" -eq 3000 ] || fail "not an edge a line on standard output"

# ---- components, whatever the device and the variant ----

gives 0 $components er.mwg --verify
expected=$(checksum)
count=$(sed -n 's/^components  *//p' "$scratch/out")
[ "$count" -gt 1 ] || fail "a connected graph, which is no test"
gives 0 $components --generate er -p n=500 -p m=700 --seed 5
[ "$(checksum)" = "$expected" ] || fail "another checksum of what is generated than of its file"
RUSTICL_ENABLE=${RUSTICL_ENABLE:-llvmpipe}
export RUSTICL_ENABLE
devices=$("$MESHWORK" devices -q | sed -n 's/^[* ] *[0-9]* *\([a-z]*:[a-z0-9.]*\) .*/\1/p')
for device in $devices native:serial,native:pthreads $(echo $devices | tr ' ' ','); do
    gives 0 graph components -d $device er.mwg -q --verify
    [ "$(checksum)" = "$expected" ] || fail "another checksum on $device"
done
gives 0 graph components -d native:serial,native:pthreads er.mwg
prints '^devices +native:serial '
prints '^ +native:pthreads '
for variant in $("$MESHWORK" graph components --variant list | sed -n '2,$s/^\([^ ]*\).*/\1/p'); do
    try "$MESHWORK" $components er.mwg -q --verify --variant $variant --repeat 2
    # If a variant does not support the device, the message names the variant.
    [ "$status" -eq 2 ] && grep -q "^meshwork: .*$variant" "$scratch/err" && continue
    [ "$status" -eq 0 ] && [ "$(checksum)" = "$expected" ] || fail "another checksum with variant $variant"
    prints "^variant +$variant\$"
done
gives 0 graph components --variant list
prints '^name +alias'
prints '^frontier +2 '
for alias in 1=edges 2=frontier 3=bfs; do
    gives 0 $components er.mwg --variant ${alias%=*}
    prints "^variant +${alias#*=}\$"
done
for arcs in 1 7 1000; do
    gives 0 $components er.mwg --block-arcs $arcs --verify
    [ "$(checksum)" = "$expected" ] || fail "another checksum in blocks of $arcs"
done
gives 0 $components er.mwg --dry-run
prints '^memory +about '
prints '^edges +700$'
gives 0 $generate ba --dry-run
prints '^generator +ba'
gives 0 $generate ws -p n=1000000 --dry-run
prints '^edges +5000000$'
prints "^memory +[0-9.]+ MiB at most, with the host's, of [0-9.]+ [A-Z]iB$"
gives 1 $generate ws -p n=2147483647 -p k=100000 --dry-run
prints "^memory +3.2 PiB at most, with the host's, of "
grep -q '^meshwork: this machine has .* of memory, but this needs' "$scratch/err" || fail "no word of memory"
refuses 1 'needs .*, but this machine has .* of memory' $generate ws -p n=2147483647 -p k=100000
gives 0 graph components --print-config --sizes -p n=3
prints '^sizes +yes +option$'
prints '^param +n=3 +option$'
prints '^variant +auto +default$'
folder_holds er.mwg

# ---- limits ----

# The size in a matrix file is accepted, since vertices may have no entries; the message has the needed memory.
printf '%%%%MatrixMarket matrix coordinate pattern general\n9000000 9000000 1\n1 2\n' >"$work/sparse.mtx"
gives 0 $info sparse.mtx
prints '^isolated +8999998$'
grep -q '^sparse.mtx: most of its 9000000 vertices have no entries; its graph takes 68.66 MiB' "$scratch/err" ||
    fail "no word of a sparse matrix's memory"
rm "$work/sparse.mtx"

: >"$work/empty.txt"
gives 0 $info empty.txt --degrees
prints '^vertices +0$'
gives 0 $components empty.txt --sizes --verify -o labels.txt --largest largest.mwg
prints '^components +0$'
[ ! -s "$work/labels.txt" ] || fail "labels of an empty graph"
gives 0 $components empty.txt -o labels.npy
[ "$(wc -c <"$work/labels.npy")" -eq 128 ] || fail "an empty array does not stay empty"
gives 0 $components --generate line -p n=1 --verify
prints '^components +1$'
gives 0 $components --generate er -p n=50 -p m=0 --verify --sizes
prints '^components +50$'
prints '^largest +1 vertex, label 0$'
folder_holds empty.txt labels.txt labels.npy largest.mwg

# ---- JSON ----

file two.txt 'a b' 'b c' 'd e' 'd d'
if has_json; then
    gives 0 $info two.txt --json --degrees
    json_keys input directed vertices edges degree_min degree_mean degree_max isolated loops multi_edges degrees \
        checksum timings read graph summary total
    json_has '"degrees":[[1,3],[2,1],[3,1]]'
    json_has '"loops":1'
    gives 0 $components two.txt --json --sizes --verify
    json_keys vertices edges device device_name variant repeat seconds rate rate_unit iterations components largest \
        largest_vertex mean_size sizes checksum verified timings minimum maximum read graph build compute sizes \
        download verify output total
    json_has '"sizes":[[2,1],[3,1]]'
    json_has '"largest_vertex":"a"'
    gives 0 graph components -d native:serial,native:pthreads two.txt --json
    json_has '"devices":[{"device":"native:serial"'
    gives 0 $components two.txt --json --dry-run
    json_keys vertices edges device device_count memory_bytes device_memory_bytes
    gives 0 $components two.txt --json --variant list
    json_has '"name":"afforest"'
    gives 0 $generate ws -p n=60 -p k=4 -p p=0.5 --seed 3 --json
    json_keys generator params seed vertices edges seconds device degree_min degree_mean degree_max checksum timings
    json_has '"params":{"n":60,"k":4,"p":0.5,"weights":0}'
    json_has '"edges":120'
    gives 0 $generate --list --json
    json_keys name description parameters value least most is_whole help
    gives 0 $convert two.txt two.mtx --json --self remove
    json_keys input output vertices edges directed removed checksum timings
    json_has '"removed":1'
    rm "$work/two.mtx"
else
    refuses 2 'jansson' $info two.txt --json
fi
folder_holds two.txt

# ---- errors ----

file two.txt 'a b' 'b c'
file wrong.txt '0 1' '1 2' '7'
file wrong.mtx '%%MatrixMarket matrix coordinate pattern general' '3 3 2' '1 2' '4 1'
file short.mtx '%%MatrixMarket matrix coordinate pattern general' '3 3 2' '1 2'
file sym.mtx '%%MatrixMarket matrix coordinate pattern symmetric' '2 2 1' '2 1'
file wrong.graph '2 1' '2' '1' '1'
refuses 2 'missing subcommand of graph: .*graph --help' graph
refuses 2 "unknown subcommand 'graph componets': did you mean components" graph componets
refuses 2 "unknown subcommand 'graph zzzzzzzz': .*graph --help" graph zzzzzzzz
refuses 2 'missing operand: meshwork graph info' graph -v info
refuses 2 "unknown option '--sizez': did you mean --sizes" graph components --sizez two.txt
refuses 2 'missing operand.*graph info FILE.*--generate' graph info
refuses 2 'missing operand' graph convert two.txt
refuses 2 'missing operand.*list' graph generate
refuses 2 'unexpected operand' $info two.txt two.txt
refuses 2 "unknown generator 'wss': did you mean ws" $generate wss
refuses 2 "unknown generator 'zzzzz': .*generate list" $info --generate zzzzz
refuses 2 "no parameter 'kk'" $generate ws -p kk=1
refuses 2 'NAME=VALUE' $generate ws -p k
refuses 2 'NAME=VALUE' $generate ws -p =1
for value in '' x 1x nan inf; do
    refuses 2 'not a number' $generate ws -p "n=$value"
done
refuses 2 'whole number' $generate ws -p n=1.5 -o out.el
for value in -1 3e9; do
    refuses 2 'out of range' $generate ws -p n=$value -o out.el
done
refuses 2 'k' $generate ws -p n=10 -p k=3 -o out.el
refuses 2 "leave out 'two.txt'" $info --generate ws two.txt
refuses 2 '--seed requires --generate' $info two.txt --seed 1
refuses 2 '--param requires --generate' $components two.txt -p n=3
refuses 2 '--directed requires a file' $info --generate ws --directed
refuses 2 'exclude each other' $info two.txt --directed --undirected
refuses 2 '--directed: sym.mtx declares' $info sym.mtx --directed
refuses 2 "unknown format 'mtxx': did you mean mtx" $info two.txt --format mtxx
refuses 2 "unknown format 'zzzzzz': must be one of edges, " $convert two.txt out.el --from zzzzzz
refuses 2 "--output-format: unknown format" $convert two.txt out.el --to el
refuses 2 'suffix' $convert two.txt out.xyz
# Before any work: the input file is not even looked for.
refuses 2 'suffix' $convert nowhere.txt out.xyz
refuses 2 'without .gz' $convert two.txt out.mwg.gz
refuses 2 'give --output-format' $convert two.txt -
refuses 2 'give --output-format' $generate ws -o -
refuses 2 '--output-format requires' $generate ws --format edges
refuses 2 'keep\|remove' $info two.txt --self drop
refuses 2 'keep\|remove' $info two.txt --multi drop
refuses 1 'absent.txt' $info absent.txt
refuses 1 'absent.mwg' $components absent.mwg
refuses 1 'wrong.txt:3: ' $info wrong.txt
refuses 1 'wrong.txt:3: ' $components wrong.txt -o labels.txt --largest out.el
refuses 1 'wrong.mtx:4: ' $convert wrong.mtx out.el
refuses 1 'short.mtx' $convert short.mtx out.el
refuses 1 'wrong.graph:' $components wrong.graph
refuses 1 'folder nowhere does not exist' $convert two.txt nowhere/out.el
refuses 1 'folder nowhere does not exist' $components two.txt --largest nowhere/out.el
refuses 1 'folder nowhere does not exist' $components two.txt -o nowhere/out.npy
refuses 2 'must end in .txt, .csv, .npy or .graphml' $components two.txt -o out.png
refuses 2 'give --output-format' $components two.txt --largest -
refuses 2 "unknown variant 'nosuch': .*--variant list" $components two.txt --variant nosuch
refuses 2 "did you mean afforest" $components two.txt --variant aforest
refuses 2 '--block-arcs' $components two.txt --block-arcs 0
refuses 2 '--repeat' $components two.txt --repeat 0
refuses 3 'no device' graph components -d nosuchdevice two.txt
refuses 3 'no device' graph generate -d nosuchdevice ws -o out.el

# Unsupported formats are rejected by name.
printf 'nodedef>name\n0\n1\nedgedef>node1,node2\n0,1\n' >"$work/a.gdf"
refuses 2 'a.gdf: .*GDF: save it as GraphML' $components a.gdf
cp "$work/a.gdf" "$work/a.gdf.gz"
refuses 2 'GDF: save it as GraphML' $convert a.gdf.gz out.el
refuses 2 'format dot is only read: choose edges, mtx' $convert two.txt out.dot
refuses 2 'format npz cannot be compressed' $convert two.txt out.npz.gz
printf '0 1\n' >"$work/b.csv"
gives 0 $info b.csv --format edges
for line in '0, 1' '0 1,' 'a, b' '0, 1, 2'; do
    printf '%s\n' "$line" >"$work/comma.txt"
    refuses 1 'comma.txt:1: a name ends in a comma: only blanks' $info comma.txt
done
printf '0,1\n1,2\n' >"$work/comma.txt"
refuses 1 'comma.txt:1: the line has one name.*not a comma' $info comma.txt
rm -f "$work"/a.* "$work/b.csv" "$work/comma.txt"
folder_holds two.txt wrong.txt wrong.mtx short.mtx sym.mtx wrong.graph

# ---- help ----

gives 0 graph --help
prints '^Usage: meshwork graph SUBCOMMAND'
for part in generate info convert components paths clustering; do
    gives 0 graph --help
    prints "^  $part +[a-z]"
    gives 0 graph $part --help
    prints "^Usage: meshwork graph $part "
    silent
done

# ---- random graphs ----

if command -v python3 >/dev/null && has_json; then
    variants=auto
    for variant in $("$MESHWORK" graph components --variant list | sed -n '2,$s/^\([^ ]*\).*/\1/p'); do
        "$MESHWORK" $components --generate line -p n=3 --variant $variant >/dev/null 2>&1 && variants=$variants,$variant
    done
    try python3 "$source_top/tests/cli/graph/graph.py" "$MESHWORK" native:serial $variants 40
    [ "$status" -eq 0 ] || fail "Python disagrees on native:serial"
    try python3 "$source_top/tests/cli/graph/graph.py" "$MESHWORK" native:pthreads auto 20
    [ "$status" -eq 0 ] || fail "Python disagrees on native:pthreads"
    try python3 "$source_top/tests/cli/graph/graph.py" "$MESHWORK" "$(driven)" auto 1
    [ "$status" -eq 0 ] || fail "Python disagrees on $(driven)"
else
    echo "python3 or jansson is not there: no comparison with Python"
fi
finish
