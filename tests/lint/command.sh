#!/bin/sh
# The command is a user of the library as any other: it includes public headers, its own, what kernels share, the header
# of formulas, and src/base, whose memory, text and hashes are linked into both.
# SPDX-License-Identifier: MIT
set -u
source=${srcdir:-.}
wrong=$(find "$source"/tools/*/ -name '*.[ch]' -exec grep -n '^#include "' {} + |
    grep -v -e '"tools/' -e '"rng\.clh"' -e '"base/base\.h"' -e '"base/formula\.h"')
[ -z "$wrong" ] && exit
echo "includes of what is inside the library:"
echo "$wrong"
exit 1
