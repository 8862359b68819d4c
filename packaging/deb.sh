#!/bin/sh
# packaging/deb.sh FOLDER [OPTION...]: Debian packages from what is committed here, in FOLDER, which is made.  OPTIONs
# are dpkg-buildpackage's (-b without a source package, -aarm64 for another machine, -Pcross,nocheck ...).
#
# The same commit gives the same bytes wherever FOLDER is: times are the changelog's.
# SPDX-License-Identifier: MIT
set -eu
[ $# -gt 0 ] || { sed -n '2,5s/^# *//p' "$0" >&2; exit 2; }
folder=$1
shift
cd "$(dirname "$0")/.."
version=$(sed -n '1s/^meshwork (\(.*\)-[^-]*) .*/\1/p' packaging/debian/changelog)
case $folder in /*) ;; *) folder=$OLDPWD/$folder ;; esac
mkdir "$folder"
name=meshwork-$version
git archive --prefix="$name/" HEAD | gzip -9n >"$folder/meshwork_$version.orig.tar.gz"
tar -xzf "$folder/meshwork_$version.orig.tar.gz" -C "$folder"
cd "$folder/$name"
cp -R packaging/debian debian
exec dpkg-buildpackage -us -uc "$@"
