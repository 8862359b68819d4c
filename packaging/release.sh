#!/bin/sh
# packaging/release.sh FOLDER: the archive of a release from what is committed here, in FOLDER, which is made.
#
# Made twice, in folders of different names; the bytes have to be the same.  Times are those of the commit.
# SPDX-License-Identifier: MIT
set -eu
[ $# -eq 1 ] || { sed -n '2,4s/^# *//p' "$0" >&2; exit 2; }
mkdir "$1"
folder=$(cd "$1" && pwd)
source=$(cd "$(dirname "$0")/.." && pwd)
umask 022
SOURCE_DATE_EPOCH=$(git -C "$source" log -1 --format=%ct)
TAR_OPTIONS="--sort=name --owner=0 --group=0 --numeric-owner --mtime=@$SOURCE_DATE_EPOCH"
GZIP_ENV=-9n
export SOURCE_DATE_EPOCH TAR_OPTIONS GZIP_ENV

# make_dist NAME: a clone of that name, configured, and its archive.
make_dist() {
    git clone -q "$source" "$folder/$1"
    (cd "$folder/$1" && TAR_OPTIONS='' ./bootstrap && ./configure && make check-dist && make dist) \
        >"$folder/$1.log" 2>&1 && return
    tail -n 20 "$folder/$1.log" >&2
    echo "release.sh: all of it is in $folder/$1.log" >&2
    exit 1
}

make_dist first
make_dist the-second
archive=$(cd "$folder/first" && echo meshwork-*.tar.gz)
cmp "$folder/first/$archive" "$folder/the-second/$archive"
mv "$folder/first/$archive" "$folder/"
rm -rf "$folder/first" "$folder/the-second" "$folder"/*.log
(cd "$folder" && sha256sum "$archive" | tee "$archive.sha256")
