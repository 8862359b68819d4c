#!/bin/sh
# Every example in README.md and in the manual's chapters prints the documented output.
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache
has_png || skip "there is no libpng"

build=${MESHWORK%/tools/*}
export MESHWORK
# Pages that show no commands of meshwork; each other has examples.
bare="algorithms architecture examples/README installing network-algorithms releasing sources speed
results/h100 results/h200 results/labelling results/networks results/py-pde results/random results/rng results/walks"

left_out() { echo "left out: $1: $2"; }

for page in "$source_top"/README.md "$source_top"/doc/*.md "$source_top"/doc/results/*.md \
        "$source_top"/examples/README.md; do
    name=${page#"$source_top"/}
    name=${name#doc/}
    folder=$work/$(basename "$(dirname "$page")")-$(basename "$page" .md)
    if echo $bare | tr ' ' '\n' | grep -qx "${name%.md}"; then
        try sh "$source_top/doc/make/examples.sh" "$page" "$folder"
        grep -q ': 0 examples, 0 wrong, 0 left out$' "$scratch/out" || fail "$name stands among pages without examples"
        continue
    fi
    case $name in
        comparisons.md) has_json || { left_out "$name" "there is no jansson"; continue; } ;;
        README.md | library.md)
            [ -e "$build/.libs/libmeshwork.so" ] && command -v pkg-config >/dev/null ||
                { left_out "$name" "a program is linked with the shared library, by pkg-config"; continue; }
            ;;
    esac
    case $name-${CC:-} in
        README.md-*-fsanitize=*) left_out "$name" "billions of cells take minutes under a sanitizer"; continue ;;
    esac
    try sh "$source_top/doc/make/with-built.sh" "$source_top" "$build" "$scratch/bin" \
        sh "$source_top/doc/make/examples.sh" "$page" "$folder"
    [ "$status" -eq 0 ] || fail "an example of $page is not true: $(cat "$scratch/out")"
done

# The manual has all pages except pages for developers.
(cd "$source_top/doc" && ls ./*.md results/*.md results/papers/*.md) | sed 's|^\./||; s/\.md$//' |
    grep -vE '^(architecture|releasing)$' | sort >"$scratch/pages"
grep -v '^#' "$source_top/doc/make/chapters" | sort >"$scratch/chapters"
try diff "$scratch/chapters" "$scratch/pages"
[ "$status" -eq 0 ] || fail "doc/make/chapters does not name the pages that there are"

# A page with a wrong example is detected; machine-dependent output is not compared.
cat >"$work/page.md" <<'END'
```console
$ printf 'seconds   1.5\nsum       3\nmore\nend\n'
seconds   2.5
sum       ...
...
end
```
END
examples() {
    try sh "$source_top/doc/make/with-built.sh" "$source_top" "$build" "$scratch/bin" \
        sh "$source_top/doc/make/examples.sh" "$work/page.md" "$work/page"
}
examples
[ "$status" -eq 0 ] || fail "an example that is true is not taken for it"
for wrong in 's/^end$/End/' 's/^sum /Sum /' 's/^more$/less/;s/^\.\.\.$/less/' \
             's/^\$ printf/$ false; printf/;s/^end/meshwork: no/' \
             's/console/sh/;s/^\$.*/meshwork run --no-such-option/' 's/console/text/' 's/^\$ /# /'; do
    sed "$wrong" "$work/page.md" >"$work/wrong.md"
    cp "$work/page.md" "$scratch/page.md"
    mv "$work/wrong.md" "$work/page.md"
    examples
    [ "$status" -eq 1 ] || fail "an example that is not true is taken for it: $wrong"
    cp "$scratch/page.md" "$work/page.md"
done
finish
