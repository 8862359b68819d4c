#!/bin/sh
# Values of vertices are the same in tables, arrays and GraphML.
# shellcheck disable=SC2086 # lists of words are meant to split
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache

printf '%s\n' '"New York" Bern 3' 'Bern "=1+1" 0.5' 'Bern "a ""b"", <c>" 2' '"=1+1" "New York" 1' 'x y 1' >"$work/g.el"
results='pagerank --vertices|cores --vertices|betweenness --vertices|bridges --vertices|clustering --vertices'
results="$results|paths --vertices|paths --hops --vertices|paths --from Bern -o|components -o"
IFS='|'
for result in $results; do
    unset IFS
    for suffix in csv npy graphml; do
        gives 0 graph ${result%% *} -d native:serial -q g.el ${result#* } values.$suffix
    done
    numpy=$(with_numpy)
    if [ -n "$numpy" ]; then
        try "$numpy" "$source_top/tests/cli/graph/vertices.py" values.csv values.npy values.graphml
        [ "$status" -eq 0 ] || fail "other values of $result: $(cat "$scratch/err")"
        cat "$scratch/out"
    fi
    # The graph in the file is the analysed one, with its names and weights.
    if gives 0 graph convert -d native:serial -q values.graphml again.el; then
        sed '/^#/d' "$work/again.el" | tr '\t' ' ' | LC_ALL=C sort >"$scratch/again"
        gives 0 graph convert -d native:serial -q g.el first.el
        sed '/^#/d' "$work/first.el" | tr '\t' ' ' | LC_ALL=C sort | cmp - "$scratch/again" ||
            fail "another graph with the values of $result"
    fi
    refuses 2 'must end in ' graph ${result%% *} -d native:serial g.el ${result#* } values.png
    IFS='|'
done
unset IFS
gives 0 graph components -d native:serial -q g.el -o values.csv
[ "$(sed -n 2,3p "$work/values.csv" | tr '\n' ';')" = 'New York,New York;Bern,New York;' ] || fail "other components"
gives 0 graph pagerank -d native:serial -q g.el --vertices values.graphml.gz
[ "$(gzip -dc "$work/values.graphml.gz" | grep -c '<data key="pagerank">')" -eq 6 ] || fail "not a value per vertex"
finish
