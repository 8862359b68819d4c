#!/bin/sh
# An installation works by itself: the command with the installed kernels, a small program built with the installed
# headers, library and pkg-config file, and the linked pages. `make installcheck` calls it and sets the folders;
# $DESTDIR, if set, is prepended to each.
# SPDX-License-Identifier: MIT
set -eu
: "${bindir:?}" "${libdir:?}" "${pkgdatadir:?}" "${pkgconfigdir:?}" "${docdir:?}" "${mandir:?}" "${srcdir:?}"
: "${CC:=cc}" "${PKG_CONFIG:=}" "${DESTDIR:=}"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "installcheck: $1" >&2; exit 1; }

HOME=$folder MESHWORK_CACHE_DIR=$folder/cache LD_LIBRARY_PATH=$DESTDIR$libdir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export HOME MESHWORK_CACHE_DIR LD_LIBRARY_PATH
unset MESHWORK_KERNEL_PATH MESHWORK_DEVICE XDG_CACHE_HOME POCL_CACHE_DIR
meshwork=$DESTDIR$bindir/meshwork
cd "$folder"

"$meshwork" --version | grep -q '^meshwork [0-9]' || fail "$meshwork --version does not tell its version"
"$meshwork" devices 2>/dev/null | grep -q native:serial || fail "$meshwork devices does not list native:serial"
"$meshwork" models | grep -q cahn-hilliard || fail "$meshwork models does not find the installed models"
"$meshwork" run cahn-hilliard --size 64x64 --steps 10 -q -d native:serial >serial ||
    fail "$meshwork does not run on native:serial"
"$meshwork" run cahn-hilliard --size 64x64 --steps 10 -q >best || fail "$meshwork does not run on the best device"
sum() { sed -n 's/.*checksum *\([0-9a-f]\{16\}\).*/\1/p' "$1"; }
[ -n "$(sum serial)" ] && [ "$(sum serial)" = "$(sum best)" ] || fail "the best device and native:serial differ"

# Where the command is from is where its pages are: one of each subcommand.
if "$meshwork" tables >tables && [ -f "$DESTDIR$mandir/man1/meshwork.1" ]; then
    sed -n 's/^subcommand\t\([^\t]*\).*/\1/p' tables | while read -r name; do
        page=$mandir/man1/meshwork$(echo "${name:+-$name}" | tr ' ' -).1
        [ -f "$DESTDIR$page" ] || fail "there is no $page"
    done
fi

for page in "$DESTDIR$docdir"/*.md "$DESTDIR$docdir"/*/*.md; do
    for link in $(tr ')' '\n' <"$page" | sed -n 's/.*](\([^#:]*\)$/\1/p'); do
        [ -e "$(dirname "$page")/$link" ] || fail "$page links to $link, which is not installed"
    done
done

cat >program.c <<'END'
#include <meshwork.h>
#include <stdio.h>

int main(void)
{
    struct mw_device *device;

    if (mw_device_open_by_name("native:serial", NULL, &device)) {
        fprintf(stderr, "%s\n", mw_errmsg());
        return 1;
    }
    printf("%s %s\n", mw_device_info(device)->id, mw_version());
    if (mw_version_number() != MESHWORK_VERSION_NUMBER)
        printf("but compiled for %d\n", MESHWORK_VERSION_NUMBER);
    mw_device_close(device);
    return 0;
}
END
[ -n "$PKG_CONFIG" ] || { echo "installcheck: no pkg-config, meshwork.pc is left untested"; exit 0; }
PKG_CONFIG_PATH=$DESTDIR$pkgconfigdir
export PKG_CONFIG_PATH
if [ -n "$DESTDIR" ]; then
    PKG_CONFIG_SYSROOT_DIR=$DESTDIR
    export PKG_CONFIG_SYSROOT_DIR
fi
# shellcheck disable=SC2046,SC2086 # flags are words
$CC -o program program.c $("$PKG_CONFIG" --cflags --libs meshwork) || fail "a program does not build by meshwork.pc"
[ "$(./program)" = "native:serial $("$PKG_CONFIG" --modversion meshwork)" ] || fail "a program does not run, or not \
with the version that it was compiled for: $(./program)"

# The steps of the installed manual for new users: writing a program and a model.
mkdir bin
ln -s "$meshwork" bin/meshwork
for page in library spin-models; do
    PATH=$PWD/bin:$PATH sh "$srcdir/doc/make/examples.sh" "$DESTDIR$docdir/$page.md" "$folder/$page" >said ||
        fail "the manual's examples are not true: $(cat said)"
done
echo "installcheck: the command, the kernels and the library work where they were installed"
