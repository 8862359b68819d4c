#!/bin/sh
# A release has the files of the repository, byte for byte, and the products of bootstrap, and nothing else. `make
# check-dist` calls it in a clone, with the folder of the release that it made.
# SPDX-License-Identifier: MIT
set -u
source=$(cd "${srcdir:-.}" && pwd)
release=$1
command -v git >/dev/null 2>&1 && git -C "$source" rev-parse --git-dir >/dev/null 2>&1 ||
    { echo "no clone of a repository: nothing to compare with"; exit 0; }
made='Makefile.in|aclocal.m4|build-aux/[a-z.-]*|config.h.in|configure|m4/libtool.m4|m4/lt[a-z~]*.m4'
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
failures=0

git -C "$source" ls-files | LC_ALL=C sort >"$folder/kept"
(cd "$release" && find . ! -type d) | sed 's|^\./||' | LC_ALL=C sort >"$folder/released"
LC_ALL=C comm -23 "$folder/kept" "$folder/released" >"$folder/missing"
LC_ALL=C comm -13 "$folder/kept" "$folder/released" | grep -Evx "$made" >"$folder/more"
if [ -s "$folder/missing" ]; then
    echo "not in the release, for want of a line in a .am file:"
    cat "$folder/missing"
    failures=1
fi
if [ -s "$folder/more" ]; then
    echo "in the release, and neither in the repository nor made by bootstrap:"
    cat "$folder/more"
    failures=1
fi
while read -r file; do
    [ ! -f "$release/$file" ] || cmp -s "$source/$file" "$release/$file" || { echo "$file differs"; failures=1; }
done <"$folder/kept"
[ $failures -eq 0 ]
