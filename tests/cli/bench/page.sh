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

plots=$(command -v gnuplot >/dev/null && echo 1 || echo 0)

# A picture of one cell.
png=iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==

# row SERIES DEVICE VARIANT SECONDS: a row of five rounds around that time.
row() {
    S=$1 D=$2 awk -v v="$3" -v t="$4" 'BEGIN {
        s = ENVIRON["S"]
        d = ENVIRON["D"]
        printf "{\"series\": \"%s\", \"device\": \"%s\", \"variant\": \"%s\", \"seconds\": %g, \"seconds_min\": %g, ",
               s, d, v, t, t * 0.9
        printf "\"seconds_max\": %g, \"seconds_lower\": %g, \"seconds_upper\": %g, ", t * 1.1, t * 0.95, t * 1.05
        printf "\"rate\": 3e8, \"rate_unit\": \"cells/s\", \"agrees\": true, \"chosen\": \"%s\", ",
               v == "auto" ? "runs" : v
        printf "\"seconds_each\": [%g, %g, %g, %g, %g]}", t * 0.9, t * 0.95, t, t * 1.05, t * 1.1 }'
}

# results NAME DEVICE [FACTOR]: figure 19 of the labels at five sizes; one row has no times at the largest size.
results() {
    printf '{"format": 3, "version": "0.1.0", "asked": "all", "rounds": 5, '
    printf '"machine": {"system": "Linux", "release": "6",'
    printf '"processor": "x", "date": "2026-01-02 03:04 UTC", "load": 0.25, "build": "compiled by <9>"},\n'
    printf '"devices": [{"id": "native:serial", "type": "native", "name": "Some <b>CPU</b>",\n'
    printf '"memory_bytes": 1073741824, '
    printf '"fp64": true, "speed": {"copy": 1.5e10, "launch": 2e-6}}, {"id": "gpu:0", "type": "gpu"}],\n'
    printf '"figures": [{"suite": "labels", "name": "figure 19", "title": "Title of %s",\n' "$1"
    printf '"paper": "paper & figure",\n'
    printf '"grows": "field length", "shows": "seconds", "left_out": [8192.0],\n'
    printf '"picture": {"task": "label --pattern <x>", "png": "%s"}, "cases": [\n' "$png"
    for x in 32 64 128 256 4096; do
        printf '{"x": %d, "task": "label --size %dx%d", "took": 1, "rows": [\n' $x $x $x
        row "CPU II" native:serial equivalence "$(awk "BEGIN { print 1e-6 * $x * $x }")"
        printf ',\n'
        row "kernel A" "$2" neighbour "$(awk "BEGIN { print 2e-8 * $x * $x * $x }")"
        printf ',\n'
        row "kernel D" "$2" equivalence "$(awk "BEGIN { print 1e-7 * $x * $x }")"
        printf ',\n'
        row "meshwork today" "$2" auto "$(awk "BEGIN { print 5e-8 * ${3-1} * $x * $x }")"
        printf ',\n{"series": "kernel B", "device": "%s", "variant": "tile", ' "$2"
        printf '"reason": "took <too> long", "agrees": null}'
        printf ']}%s\n' "$([ $x -eq 4096 ] || echo ,)"
    done
    printf ']}]}\n'
}

results labels gpu:0 >"$work/b.json"
gives 0 report b.json -o b.html
[ -s "$scratch/err" ] && [ "$plots" -gt 0 ] && fail "messages where none belongs"
page b.html
# The page is text, which may go to a terminal.
if script -qec true /dev/null >/dev/null 2>&1; then
    (cd "$work" && exec script -qec "$MESHWORK report -q b.json -o -" /dev/null) >"$scratch/out" 2>&1 </dev/null
    grep -q '</html>' "$scratch/out" || fail "no page on a terminal"
fi
[ "$(grep -c '<svg' "$work/b.html")" -eq "$plots" ] || fail "not $plots plots"
holds b.html '2026-01-02 03:04 UTC, 5 rounds, load of the machine 0.25, seeds from 1, meshwork 0.1.0 (compiled by &lt;'
holds b.html 'Title of labels'
holds b.html 'paper &amp; figure'
holds b.html 'Some &lt;b&gt;CPU&lt;/b&gt;'
holds b.html '15.0 GB/s'
holds b.html 'took &lt;too&gt; long'
holds b.html 'Not measured within the budget: field length 8'
holds b.html "<img alt=\"Title of labels\" src=\"data:image/png;base64,$png\"/>"
holds b.html '<figcaption><code>meshwork label --pattern &lt;x&gt;</code></figcaption>'
# Rows with times; exponents of each line over all rounds; the error is from their scatter of 7 %.
[ "$(grep -c '<td class="n">300 Mcells/s</td>' "$work/b.html")" -eq 20 ] || fail "not twenty rows"
grep -Eq '<th scope="row">kernel A</th><td class="n">3\.00 .* 0\.01</td>' "$work/b.html" || fail "not the exponent of A"
grep -Eq '<th scope="row">CPU II</th><td class="n">2\.00 ' "$work/b.html" || fail "not the exponent of CPU II"
# The paper's statement is compared with the same lines at the same size only: A / D = 0.2 x.
grep -Eq 'over 450 000 times .*</td><td>819 on gpu:0 at field length 4.*096</td><td>1.64e\+03 on gpu:0 by runs' \
    "$work/b.html" || fail "not the factor of the statement"
sed 's/"x": 4096/"x": 4095/' "$work/b.json" >"$work/range.json"
gives 0 report range.json
grep -Eq 'over 450 000 times .*</td><td>not measured in this range</td>' "$work/range.html" ||
    fail "a statement is filled from another size"
# A statement on a GPU and a CPU has no factor without a GPU.
sed 's/"figure 19"/"figure 18"/' "$work/b.json" >"$work/gpu.json"
gives 0 report gpu.json
grep -Eq 'kernel D 13 times .*</td><td>10 on gpu:0 at field length' "$work/gpu.html" || fail "not the factor of a GPU"
sed 's/"type": "gpu"/"type": "cpu"/' "$work/gpu.json" >"$work/cpu.json"
gives 0 report cpu.json
grep -Eq 'kernel D 13 times .*</td><td>no GPU here</td><td>no GPU here</td>' "$work/cpu.html" || fail "a CPU is a GPU"
cp "$work/b.html" "$work/first.html"
# The choice of auto: within 5 %, unless another line is faster beyond the quartiles.
holds b.html '<p>meshwork today is within 5 % of the fastest line of its device in 5 of 5 rows with 5 rounds'
results labels gpu:0 4 >"$work/one.json"
gives 0 report one.json
grep -Eq 'in 0 of 5 rows .*, and takes up to 2 times as long: labels, figure 19, field length' "$work/one.html" ||
    fail "not how good auto is"
# If steps differ between sizes, seconds are per step.
sed 's/--size 32x32"/--size 32x32 --steps 2"/; s/--size 64x64"/--size 64x64 --steps 4"/' "$work/b.json" \
    >"$work/steps.json"
gives 0 report steps.json
holds steps.html 'Seconds per step grow as this power of field length'
# Exponents need five sizes and three rounds.
sed 's/"x": 4096/"x": 256/' "$work/b.json" >"$work/four.json"
gives 0 report four.json
sed 's/, [0-9.e-]*, [0-9.e-]*, [0-9.e-]*\]}/]}/' "$work/b.json" >"$work/two.json"
gives 0 report two.json
! grep -q '<h3>Exponents</h3>' "$work/two.html" || fail "exponents of two rounds"
if [ "$plots" -gt 0 ]; then
    holds b.html '<figcaption>Medians; bars are quartiles of the rounds</figcaption>'
    holds b.html 'kernel A</text>'
    sed 's/"seconds_each": \[\([0-9.e-]*\),.*\]}/"seconds_each": [\1]}/' "$work/b.json" >"$work/one.json"
    gives 0 report one.json
    holds one.html '<figcaption>Medians of one round</figcaption>'
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

# As many figures as the papers have are printed on at most 20 pages of A4.
{ sed '/^"figures"/,$d' "$work/b.json"
  begin='"figures": ['
  for i in $(seq 49); do
      end=$([ "$i" -eq 49 ] && echo ']}' || echo ,)
      sed -n '/^"figures"/,$p' "$work/b.json" |
          sed "s/^\"figures\": \[/$begin/; s/^\"picture\": {.*}, //; s/\"figure 19\"/\"figure $((18 + i))\"/
               \$s/ *]}\$/$end/"
      begin=
  done; } >"$work/many.json"
gives 0 report many.json
[ "$(grep -c '<section' "$work/many.html")" -ge 49 ] || fail "not 49 figures"
if command -v chromium >/dev/null && browse --no-pdf-header-footer --print-to-pdf="$scratch/many.pdf" \
    "file://$work/many.html" >"$scratch/out"; then
    pages=$(grep -aEc '/Type */Page($|[^s])' "$scratch/many.pdf")
    { [ "$pages" -ge 10 ] && [ "$pages" -le 20 ]; } || fail "the report has $pages pages"
else
    echo "SKIPPED: pages of paper: chromium is not installed, or does not print"
fi

# Invalid results give one message, and leave the previous page.
wrong() {
    sed "$1" "$work/b.json" >"$work/wrong.json"
    cmp -s "$work/b.json" "$work/wrong.json" && fail "nothing is wrong: $1"
    refuses 1 "$2" report wrong.json -o b.html
    cmp -s "$work/b.html" "$work/first.html" || fail "a page has changed: $1"
}
wrong 's/"format": 3/"format": 1/' 'wrong.json has results in another format than 3'
wrong 's/"format": 3/"format": "3"/' 'format is not a number'
wrong 's/"x": 64,/"x": "64",/' 'figures\[0\].cases\[1\].x is not a number'
wrong 's/"x": 64,/"x": -1,/' 'x is not a number from 0'
wrong 's/"x": 64,/"x": 1e999,/' 'wrong.json'
wrong 's/"seconds": [0-9.e-]*/"seconds": null/' 'rows\[0\].seconds is not a number'
wrong 's/"seconds": [0-9.e-]*/"seconds": 70000/' 'not between the least and the most'
wrong 's/"seconds": [0-9.e-]*, //' 'rows\[0\].seconds is not a number'
wrong 's/"seconds_each": \[[0-9.e-]*/"seconds_each": [-1/' 'seconds_each is not a list of numbers'
wrong 's/"variant": "tile"/"variant": ["tile"]/' 'rows\[4\].variant is not a text'
wrong 's/"series": "kernel D", //' 'rows\[2\].series is not a text'
wrong 's/"png": "/"png": "\\" onload=\\"/' 'picture.png is not base64'
wrong 's/"title": "[^"]*",//' 'figures\[0\].title is not a text'
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
