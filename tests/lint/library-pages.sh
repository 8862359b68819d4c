#!/bin/sh
# Each exported function has a page of section 3 with a description.
# SPDX-License-Identifier: MIT
set -u
for tool in doxygen doxygen2man; do
    command -v $tool >/dev/null || { echo "SKIP: there is no $tool"; exit 77; }
done
source=$(cd "${srcdir:-.}" && pwd)
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
sh "$source/doc/make/doxygen.sh" "$source" "$folder" "GENERATE_HTML = NO" >"$folder/log" 2>&1 ||
    { cat "$folder/log"; exit 1; }
# Warnings of doxygen are failures.
if grep -E 'warning|error' "$folder/log"; then
    exit 1
fi
sh "$source/doc/make/pages3.sh" "$folder/xml" "$source/include/meshwork" "$folder/man3" today || exit 1
wrong=0
while read -r function _; do
    if ! grep -Eq "^$function .- .+" "$folder/man3/$function.3" 2>/dev/null; then
        echo "$function has no page that says what it does"
        wrong=1
    fi
done <"$source/src/libmeshwork.symbols"
exit $wrong
