#!/bin/sh
# packaging/deb.sh FOLDER [OPTION...]: makes Debian packages in FOLDER, from the last commit of a clone or from an
# unpacked release.  OPTIONs are dpkg-buildpackage's (-b without a source package, -aarm64 for another machine,
# -Pcross,nocheck ...).
#
# The same commit gives the same bytes wherever FOLDER is: times are the changelog's.
# SPDX-License-Identifier: MIT
set -eu
[ $# -gt 0 ] || { sed -n '2,6s/^# *//p' "$0" >&2; exit 2; }
folder=$1
shift
cd "$(dirname "$0")/.."
version=$(sed -n '1s/^meshwork (\(.*\)-[^-]*) .*/\1/p' packaging/debian/changelog)
case $folder in /*) ;; *) folder=$OLDPWD/$folder ;; esac
mkdir -p "$folder"
name=meshwork-$version
rm -rf "${folder:?}/$name" "$folder/meshwork_$version.orig.tar.gz"
if [ -e .git ]; then
    command -v git >/dev/null 2>&1 || { echo "deb.sh: a clone needs git: install it, or unpack a release" >&2; exit 1; }
    git archive --prefix="$name/" HEAD
else
    tar -c --exclude=./build --exclude='./build-*' --sort=name --owner=0 --group=0 --numeric-owner \
        --mtime="@$(stat -c %Y NEWS)" --transform="s|^\.|$name|" .
fi | gzip -9n >"$folder/meshwork_$version.orig.tar.gz"
tar -xzf "$folder/meshwork_$version.orig.tar.gz" -C "$folder"
cd "$folder/$name"
cp -R packaging/debian debian
exec dpkg-buildpackage -us -uc "$@"
