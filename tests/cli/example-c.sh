#!/bin/sh
# examples/components.c, built against the library as users build it.
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache

program=${MESHWORK%/tools/*}/examples/components
[ -x "$program" ] || fail "$program was not built"
expected='8 vertices, 7 edges
component 1: 5 vertices
component 2: 1 vertices
component 3: 2 vertices'
for device in native:serial '' $(driven); do
    MESHWORK_DEVICE=$device try "$program"
    [ "$status" -eq 0 ] || fail "exit code $status on '$device'"
    [ "$(sed -n 1,4p "$scratch/out")" = "$expected" ] || fail "on '$device' it says: $(cat "$scratch/out")"
    prints '^vertex 5 is in component 2$'
    prints '^vertex 7 is in component 3$'
done
MESHWORK_DEVICE=nosuchdevice try "$program"
[ "$status" -eq 1 ] || fail "exit code $status for a device that is not there"
grep -q '^components: .*nosuchdevice' "$scratch/err" || fail "no reason: $(cat "$scratch/err")"
finish
