#!/bin/sh
# Pictures, figures and films of runs, against their states.
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache
has_png || skip "built without libpng"

# gnuplot would run what stands between backquotes in a model's sentence.
if command -v gnuplot >/dev/null; then
    cat >"$work/quoted.cl" <<'END'
//@ model quoted "du/dt = -u"
//@ about "Decay of `touch ran` in time."
//@ field u noise=1
//@ dt 0.1
rate(u) = -u;
END
    for picture in figure sheet plot; do
        gives 0 run ./quoted.cl -d native:serial --size 16x12 --steps 2 --every 1 --$picture $picture.svg
        grep -q 'touch ran' "$work/$picture.svg" || fail "$picture.svg does not have the model's sentence"
    done
    [ ! -e "$work/ran" ] || fail "gnuplot ran a command of the model"
    rm -f "$work/quoted.cl" "$work/figure.svg" "$work/sheet.svg" "$work/plot.svg"
fi

by_numpy ../pictures/pictures.py
