#!/bin/sh
# Files of networks by NetworkX, igraph and SciPy are read, and these read the files that meshwork writes.
# shellcheck disable=SC2086 # lists of words are meant to split
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache

python=
for candidate in /usr/bin/python3 python3; do
    for module in scipy igraph networkx; do
        [ -n "$python" ] || ! "$candidate" -c "import numpy, $module" 2>/dev/null || python=$candidate
    done
done
[ -n "$python" ] || skip "python3-networkx, python3-igraph and python3-scipy are not installed"
script=$source_top/tests/cli/graph/readers.py
convert='graph convert -d native:serial -q'

# Sorted edges of a list without its comments; in undirected graphs, each from the smaller name.
sorted_edges() {
    LC_ALL=C awk -F '\t' -v directed="$2" -v OFS='\t' '/^#/ { next }
        { gsub(/^"|"$/, "", $1); gsub(/^"|"$/, "", $2); gsub(/""/, "\"", $1); gsub(/""/, "\"", $2) }
        !directed && ($1 "") > ($2 "") { t = $1; $1 = $2; $2 = t } { print }' "$1" | LC_ALL=C sort
}

try "$python" "$script" write "$work"
[ "$status" -eq 0 ] || fail "$(tail -n 1 "$scratch/err")"
cat "$scratch/out" "$scratch/err"
: >"$scratch/readers"
read_files=0
for file in "$work"/*.gml "$work"/*.graphml "$work"/*.net "$work"/*.dot "$work"/*.npz; do
    [ -e "$file" ] || continue
    name=${file##*/}
    case $name in
        *-d*) directed=1 option=--directed ;;
        *) directed=0 option= ;;
    esac
    # Without expat, GraphML is not read.
    if ! "$MESHWORK" $convert "$file" "$work/found.el" $option >"$scratch/out" 2>&1; then
        grep -q 'built without expat' "$scratch/out" && continue
        cat "$scratch/out"
        fail "$name is not read"
    fi
    sorted_edges "$work/found.el" "$directed" >"$scratch/found"
    (cat "$file.edges" && echo) | LC_ALL=C sort | sed '/^$/d' >"$scratch/wanted"
    cmp "$scratch/found" "$scratch/wanted" || {
        diff "$scratch/found" "$scratch/wanted" | head -n 5
        fail "$name is read differently"
    }
    read_files=$((read_files + 1))
    # The same graph, written by meshwork, is read by the libraries.
    for suffix in gml graphml npz; do
        case $name-$suffix in
            *.npz-npz | *-gml | *-graphml) ;;
            *) continue ;;
        esac
        gives 0 $convert "$name" "by-$name.$suffix" $option
        try "$python" "$script" read "$work/by-$name.$suffix" "$file.edges"
        [ "$status" -eq 0 ] || fail "$(tail -n 1 "$scratch/err")"
        cat "$scratch/out" >>"$scratch/readers"
    done
done
sort "$scratch/readers" | uniq -c
[ "$read_files" -ge 6 ] || fail "only $read_files files are tested"

# Edges to subgraphs, with and without names, are those of Graphviz.
if "$python" -c 'import pygraphviz' 2>/dev/null; then
    try "$python" "$source_top/tests/cli/graph/subgraphs.py" "$MESHWORK" "$work" "${MESHWORK_TEST_SEED:-1}"
    [ "$status" -eq 0 ] || fail "seed ${MESHWORK_TEST_SEED:-1}: $(tail -n 1 "$scratch/err")"
else
    echo 'SKIPPED: subgraphs of DOT need python3-pygraphviz'
fi
finish
