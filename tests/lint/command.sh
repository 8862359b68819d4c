#!/bin/sh
# The command uses the library like any program.  It includes public headers, its own headers, rng.clh, the header of
# formulas, and src/base, whose memory, text and hashes are linked into both.  Constants that plans of memory repeat
# have the library's values.
# SPDX-License-Identifier: MIT
set -u
source=${srcdir:-.}
wrong=$(find "$source"/tools/*/ -name '*.[ch]' -exec grep -n '^#include "' {} + |
    grep -v -e '"tools/' -e '"rng\.clh"' -e '"base/base\.h"' -e '"base/words\.h"' -e '"base/formula\.h"')
[ -z "$wrong" ] || { echo "includes of what is inside the library:"; echo "$wrong"; exit 1; }
# value NAME FILE: prints the definition of a constant, without a comment.
value() { sed -n "s/^#define $1  *\([^/]*[^/ ]\).*/\1/p" "$source/$2" | grep . || echo "none in $2"; }
while read -r name library command; do
    [ "$(value "$name" "$library")" = "$(value "$name" "$command")" ] || {
        echo "$name: $(value "$name" "$library") in $library, $(value "$name" "$command") in $command"
        exit 1
    }
done <<'END'
STRIPS_PER_UNIT src/label/plan.c tools/label/memory.c
STRIP_CELLS src/label/label.c tools/label/memory.c
PIECE src/rng/team.c tools/rng/report.c
END
