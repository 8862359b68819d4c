#!/bin/sh
# Arrows go down only: a file of src includes headers of its own folder and of layers below it (doc/architecture.md).
# SPDX-License-Identifier: MIT
set -u
source=${srcdir:-.}
cd "$source/src" || exit 1
# shellcheck disable=SC2016 # the dollars are of awk
wrong=$(find . \( -name '*.[ch]' -o -name '*.cpp' \) -exec grep '^#include "[^"]*/' {} + | ${AWK:-awk} '
    # Layers from the lowest; folders of one layer do not include each other. Files of dev itself are above its folders.
    function layer(folders,  names, n) {
        rank++
        for (n = split(folders, names, " "); n > 0; n--)
            rank_of[names[n]] = rank
    }
    BEGIN {
        layer("base")
        layer("dev/host")
        layer("dev/core")
        layer("dev/build")
        layer("dev/memory dev/opencl dev/cuda dev/native")
        layer("dev")
        layer("io lattice model prim rng")
        layer("components fft run speed")
        layer("field graph label spin walk")
    }
    # The folder that has a layer; what is made from kernels, and cl, have the folders of src.
    function folder(path,  parts) {
        sub(/^kernels\//, "", path)
        split(path, parts, "/")
        return (parts[1] "/" parts[2]) in rank_of ? parts[1] "/" parts[2] : parts[1]
    }
    {
        colon = index($0, ":")
        file = substr($0, 3, colon - 3)
        split($0, quoted, "\"")
        from = folder(file)
        to = folder(quoted[2])
        if (to == "native.h" || quoted[2] == "kernels/programs.inc")
            next   # the list of all kernels that were compiled with the library
        if (!(from in rank_of) || !(to in rank_of))
            print file ": " quoted[2] ": no layer is known of " (from in rank_of ? to : from)
        else if (from != to && rank_of[from] <= rank_of[to])
            print file ": " quoted[2]
    }') || exit 1
[ -z "$wrong" ] && exit
echo "includes of what is not below:"
echo "$wrong"
exit 1
