#!/bin/sh
# The command is a user of the library as any other: it includes public headers, its own, and what kernels share.
# SPDX-License-Identifier: MIT
set -u
source=${srcdir:-.}
wrong=$(grep -n '^#include "' "$source"/tools/*/*.c "$source"/tools/*/*.h | grep -v -e '"tools/' -e '"rng\.clh"')
[ -z "$wrong" ] && exit
echo "includes of what is inside the library:"
echo "$wrong"
exit 1
