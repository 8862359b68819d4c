#!/bin/sh
# All files with a version have that of configure.ac.
# SPDX-License-Identifier: MIT
set -u
source=${srcdir:-.}
version=$(sed -n 's/^AC_INIT(\[meshwork\], \[\(.*\)\])$/\1/p' "$source/configure.ac")
failures=0
[ -n "$version" ] || { echo "configure.ac tells no version"; exit 1; }

# tells FILE EXPRESSION: compares the version that sed's EXPRESSION finds in FILE.
tells() {
    told=$(sed -n "$2" "$source/$1" | head -n 1)
    [ "$told" = "$version" ] || { echo "$1: version '$told', and $version in configure.ac"; failures=1; }
}

tells NEWS '1s/^meshwork \([^ ]*\).*/\1/p'
tells CITATION.cff 's/^version: *//p'
tells packaging/appstream/org.example.meshwork.metainfo.xml 's/.*<release version="\([^"]*\)".*/\1/p'
tells packaging/arch/PKGBUILD 's/^pkgver=//p'
tells packaging/debian/changelog '1s/^meshwork (\(.*\)-[^-]*).*/\1/p'
tells packaging/nix/default.nix 's/^ *version = "\(.*\)";/\1/p'
tells packaging/rpm/meshwork.spec 's/^Version: *//p'
[ $failures -eq 0 ]
