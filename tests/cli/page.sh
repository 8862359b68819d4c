#!/bin/sh
# meshwork report: a page that is well-formed and whole, whatever the names in it, or one line and no page.
# shellcheck disable=SC2015 # fail always succeeds
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache
TMPDIR=$scratch/files
export TMPDIR
mkdir "$TMPDIR"

try "$MESHWORK" report nosuch.json
grep -q jansson "$scratch/err" && skip "built without jansson"

# page FILE: checks properties that make a page portable to browsers and XML parsers.
page() {
    if command -v xmllint >/dev/null; then
        xmllint --noout "$work/$1" >"$scratch/out" 2>"$scratch/err" || fail "$1 is not well-formed"
    elif command -v python3 >/dev/null; then
        python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$work/$1" \
            >"$scratch/out" 2>"$scratch/err" || fail "$1 is not well-formed"
    fi
    sed 's|<img alt="[^"]*" src="data:image/png;base64,[A-Za-z0-9+/=]*"/>||' "$work/$1" |
        grep -Eiq '<script|<link|<img|src=|url\(|href="http' && fail "$1 needs more than itself"
    sed -n 's/.* id=["'\'']\([^"'\'']*\).*/\1/p' "$work/$1" | sort | uniq -d >"$scratch/out"
    [ ! -s "$scratch/out" ] || fail "$1 has names twice"
}

# holds FILE TEXT: the page contains the text.
holds() { grep -Fq -- "$2" "$work/$1" || fail "$1 has no $2"; }

plots=$(command -v gnuplot >/dev/null && echo 3 || echo 0)

# A picture of one cell.
png=iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==

# results NAME DEVICE: three sizes, two variants, one of them without times at the largest size.
results() {
    row='"seconds_max": 0.5, "seconds_min": 1e-3, "whole": 1.5, "speedup": 2.5, "rate": 3e8, "rate_unit": "cells/s",
         "bandwidth_fraction": 0.25, "agrees": true, "seconds_each": [0.01]'
    cat <<RESULTS
{"format": 2, "version": "0.1.0", "asked": "all", "machine": {"system": "Linux", "release": "6", "processor": "x"},
 "devices": [{"id": "native:serial", "name": "Some <b>CPU</b>", "memory_bytes": 1073741824, "fp64": true,
              "speed": {"copy": 1.5e10, "launch": 2e-6}}],
 "suites": [{"name": "$1", "title": "Title of $1", "source": "paper & figure", "grows": "cells",
   "picture": {"task": "label --pattern <x>", "png": "$png"}, "cases": [
   {"x": 100, "task": "label --size 10x10", "took": 1, "rows": [
     {"device": "native:serial", "variant": "auto", "chosen": "runs", "seconds": 0.01, $row},
     {"device": "$2", "variant": "tile", "seconds": 0.04, $row}]},
   {"x": 1000, "task": "label --size 100x10", "rows": [
     {"device": "native:serial", "variant": "auto", "chosen": "runs", "seconds": 0.1, $row},
     {"device": "$2", "variant": "tile", "seconds": 0.08, $row}]},
   {"x": 10000, "task": "label --size 100x100", "rows": [
     {"device": "native:serial", "variant": "auto", "chosen": "runs", "seconds": 0.4, $row},
     {"device": "$2", "variant": "tile", "seconds": 0.16, $row},
     {"device": "$2", "variant": "lines", "reason": "took <too> long", "agrees": null}]}]}]}
RESULTS
}

results labels gpu >"$work/b.json"
gives 0 report b.json -o b.html
[ -s "$scratch/err" ] && [ "$plots" -gt 0 ] && fail "messages where none belongs"
page b.html
# The page is text, which may go to a terminal.
if script -qec true /dev/null >/dev/null 2>&1; then
    (cd "$work" && exec script -qec "$MESHWORK report -q b.json -o -" /dev/null) >"$scratch/out" 2>&1 </dev/null
    grep -q '</html>' "$scratch/out" || fail "no page on a terminal"
fi
[ "$(grep -c '<svg' "$work/b.html")" -eq "$plots" ] || fail "not $plots plots"
holds b.html 'Title of labels'
holds b.html 'paper &amp; figure'
holds b.html 'Some &lt;b&gt;CPU&lt;/b&gt;'
holds b.html '15.0 GB/s'
holds b.html 'took &lt;too&gt; long'
holds b.html "<img alt=\"Title of labels\" src=\"data:image/png;base64,$png\"/>"
holds b.html '<figcaption><code>meshwork label --pattern &lt;x&gt;</code></figcaption>'
# Rows with times, the fastest device from the second size on, and an exponent: log 2 / log 10.
[ "$(grep -c '<td class="good">agree</td>' "$work/b.html")" -eq 6 ] || fail "not six rows"
holds b.html '<td>task alone</td><td class="n">100</td><td class="best">native:serial</td>'
grep -Eq '<td>task alone</td><td class="n">1.*000 to 10.*000</td><td class="best">gpu</td>' "$work/b.html" ||
    fail "gpu is not the fastest from 1000 cells on"
grep -Eq '<th scope="row">tile</th><td class="n"></td><td class="n">0\.30</td>' "$work/b.html" ||
    fail "not the exponent of tile"
holds b.html '<td>kernel D 13x a CPU on fields of 4096x4096</td><td class="n">002, 6.3.1</td><td>no such rows</td>'
cp "$work/b.html" "$work/first.html"
holds b.html '<p>auto is within 5 % of the fastest variant of its device in 3 of 3 rows.</p>'
holds b.html '<p>In all suites, auto is within 5 % of the fastest variant of its device in 3 of 3 rows.</p>'
# The variant that auto chose, measured by itself, is auto measured once more.
sed 's/"gpu"/"native:serial"/; s/tile"/runs"/' "$work/b.json" >"$work/one.json"
gives 0 report one.json
holds one.html 'of its device in 3 of 3 rows.</p>'
sed 's/"gpu"/"native:serial"/' "$work/b.json" >"$work/one.json"
gives 0 report one.json
grep -q 'in 1 of 3 rows, and takes up to 2.5 times as long: on native:serial, 10.*000 cells' "$work/one.html" ||
    fail "not how good auto is"
# A variant with other random numbers is not a better choice.
sed 's/"variant": "tile", /&"draws": "others", /' "$work/one.json" >"$work/draws.json"
gives 0 report draws.json
holds draws.html 'of its device in 3 of 3 rows.</p>'
# If steps differ between sizes, exponents are of the seconds per step.
sed 's/10x10"/10x10 --steps 2"/; s/100x10"/100x10 --steps 4"/; s/100x100"/100x100 --steps 8"/' "$work/b.json" \
    >"$work/steps.json"
gives 0 report steps.json
holds steps.html 'Seconds of a step grow as this power of cells'
grep -Eq '<th scope="row">tile</th><td class="n"></td><td class="n">-?0\.00</td>' "$work/steps.html" ||
    fail "not the exponent of a step of tile"
# The error of an exponent needs five sizes, and bars need several rounds.
sed 's/{"x": 100,/{"x": 1, "task": "a", "rows": [{"device": "gpu", "variant": "tile", "seconds": 0.01, ROW}]},\
    {"x": 10, "task": "b", "rows": [{"device": "gpu", "variant": "tile", "seconds": 0.02, ROW}]},\
    &/' "$work/b.json" >"$work/rows.json"
sed 's/ROW/"seconds_max": 0.5, "seconds_min": 1e-3, "whole": 1.5, "speedup": 2.5, "agrees": true/' "$work/rows.json" \
    >"$work/five.json"
gives 0 report five.json
grep -Eq '<th scope="row">tile</th><td class="n">0\.30 .* 0\.00</td>' "$work/five.html" ||
    fail "not the error of the exponent of tile"
if [ "$plots" -gt 0 ]; then
    holds b.html 'with all variants; bars from the least to the most of several rounds</figcaption>'
    sed 's/"seconds_max": 0.5, "seconds_min": 1e-3, //
         s/"seconds": \([0-9.]*\),/& "seconds_max": \1, "seconds_min": \1,/' "$work/b.json" >"$work/one.json"
    gives 0 report one.json
    ! grep -q 'several rounds' "$work/one.html" || fail "several rounds of one"
fi
holds b.html '2 us</td>'
for file in b.html nosuch.json .; do
    refuses 1 "$file|nosuch" report "$file" -o none.html
    [ ! -e "$work/none.html" ] || fail "a page of $file"
done
refuses 1 'b.html holds no results of .meshwork bench -o FILE.json.: line 1 is no JSON' report b.html
refuses 1 'b.html holds no results of .meshwork bench -o FILE.json.: line 1 is no JSON' bench labels --compare b.html
gives 0 report b.json
cmp -s "$work/b.html" "$work/first.html" || fail "not the same page again, beside its results"

# Names with special characters; an unknown suite.
results '<i>&' '<script>alert(1)</script>\"`'"'"'\n!touch ran\u0007\u00b5' >"$work/names.json"
gives 0 report names.json -o names.html
page names.html
holds names.html '&lt;script&gt;alert(1)&lt;/script&gt;'
[ ! -e "$work/ran" ] || fail "a name was run"

# A page without gnuplot.
mkdir "$scratch/bin"
ln -sf /bin/* /usr/bin/* "$scratch/bin/" 2>/dev/null
rm -f "$scratch/bin/gnuplot"*
try env PATH="$scratch/bin" "$MESHWORK" report b.json -o plain.html
[ "$status" -eq 0 ] || fail "no page without gnuplot"
says 'no plots'
page plain.html
holds plain.html 'Without plots'

# Opens a page in a browser, with a phone's window. The last section exists, no script ran and nothing was fetched. Only
# scrolling parts are wider than the window. The picture is visible. Light and dark pages differ and are not empty.
browse() {
    timeout 60 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$scratch/browser" \
        --window-size=390,844 "$@" 2>"$scratch/err"
}
if command -v chromium >/dev/null && browse --dump-dom "file://$work/names.html" >"$scratch/out"; then
    prints 'id="machine"'
    prints '&lt;script&gt;alert'
    { grep -vE 'Content-Security-Policy|^</(body|html)>' "$work/names.html"
      echo '<script>var d = document.documentElement; d.setAttribute("data-wider", d.scrollWidth - d.clientWidth);'
      echo 'd.setAttribute("data-shown", [].filter.call(document.images, i => i.naturalWidth).length)'
      echo '</script></body></html>'; } >"$work/measured.html"
    if browse --dump-dom "file://$work/measured.html" >"$scratch/out"; then
        prints 'data-wider="0"'
        prints 'data-shown="1"'
    fi
    for dark in 0 1; do
        browse --blink-settings=preferredColorScheme=$dark --screenshot="$scratch/page$dark.png" \
            "file://$work/b.html" >"$scratch/out" || break
    done
    if [ -s "$scratch/page1.png" ]; then
        [ "$(wc -c <"$scratch/page1.png")" -gt 10000 ] || fail "the page is empty"
        cmp -s "$scratch/page0.png" "$scratch/page1.png" && fail "dark as light"
    fi
fi

# Invalid results give one message, and leave the previous page.
wrong() {
    sed "$1" "$work/b.json" >"$work/wrong.json"
    cmp -s "$work/b.json" "$work/wrong.json" && fail "nothing is wrong: $1"
    refuses 1 "$2" report wrong.json -o b.html
    cmp -s "$work/b.html" "$work/first.html" || fail "a page has changed: $1"
}
wrong 's/"format": 2/"format": 1/' 'wrong.json has results in another format than 2'
wrong 's/"format": 2/"format": "2"/' 'format is not a number'
wrong 's/"x": 1000,/"x": "1000",/' 'suites\[0\].cases\[1\].x is not a number'
wrong 's/"x": 1000,/"x": -1,/' 'x is not a number from 0'
wrong 's/"x": 1000,/"x": 1e999,/' 'wrong.json'
wrong 's/"seconds": 0.16/"seconds": null/' 'cases\[2\].rows\[1\].seconds is not a number'
wrong 's/"seconds": 0.16/"seconds": 7/' 'not between the least and the most'
wrong 's/"seconds": 0.16, //' 'rows\[1\].seconds is not a number'
wrong 's/"variant": "lines"/"variant": ["lines"]/' 'rows\[2\].variant is not a text'
wrong 's/"png": "/"png": "\\" onload=\\"/' 'picture.png is not base64'
wrong 's/"title": "[^"]*", //' 'suites\[0\].title is not a text'
wrong 's/"id": "[^"]*", //' 'devices\[0\].id is not a text'
wrong 's/"rows": \[$/"rows": {}, "a": [/' 'rows is not a list'
wrong "s/native:serial/$(printf '%05000d' 0)/" 'too long'
wrong 9q 'wrong.json'
wrong '1s/^/[/' 'wrong.json'
refuses 1 'nosuch.json' report nosuch.json -o b.html
[ "$(grep -o nosuch.json "$scratch/err" | wc -l)" -eq 1 ] || fail "a missing file is not named once"
refuses 1 'nosuch' report b.json -o nosuch/b.html
refuses 2 'b.json' report b.json -o b.json
refuses 2 'missing operand' report
cmp -s "$work/b.html" "$work/first.html" || fail "a refused page has changed"
[ -z "$(ls "$TMPDIR")" ] && [ -z "$(find "$work" -name '*.html?*')" ] || fail "a temporary file is left"
finish
