#!/bin/sh
# Each file names its licence, or REUSE.toml does for it.  `tests/lint/licence.sh add` writes the line where it is
# missing.
# SPDX-License-Identifier: MIT
set -u
source=${srcdir:-.}
cd "$source" || exit 1
command -v git >/dev/null 2>&1 && git rev-parse --git-dir >/dev/null 2>&1 ||
    { echo "no clone of a repository: nothing to look at"; exit 77; }
words='SPDX-License''-Identifier: MIT'                # which this line is not

# Those without, but for the files that REUSE.toml names.
untagged() {
    git ls-files | grep -Ev '\.(html|mdoc|pgm|png|txt)$|^packaging/debian/' |
        grep -vx 'COPYING\|NEWS\|doc/make/chapters\|src/libmeshwork\.symbols' |
        tr '\n' '\0' | xargs -0 grep -L "$words" --
}

# after_comment FILE LINE: behind the comment that the file begins with.
after_comment() {
    awk -v line="$2" 'NR == 1 && !/^#/ { print line; done = 1 } !done && !/^#/ { print line; done = 1 } { print }
        END { if (!done) print line }' "$1"
}

# tagged FILE: its text with the line.
tagged() {
    case $1 in
        *.[ch] | *.cpp | *.cl | *.clh) cat "$1"; echo "/* $words */" ;;    # lines keep their numbers
        *.css) cat "$1"; echo "/* $words */" ;;
        *.lua) cat "$1"; echo "-- $words" ;;
        *.md) cat "$1"; echo; echo "<!-- $words -->" ;;
        *.xml) sed "1a <!-- $words -->" "$1" ;;
        *.[1-9]) echo ".\\\" $words"; cat "$1" ;;
        *.ac) echo "dnl $words"; cat "$1" ;;
        *) after_comment "$1" "# $words" ;;
    esac
}

if [ "${1:-}" = add ]; then
    folder=$(mktemp -d) || exit 1
    trap 'rm -rf "$folder"' EXIT
    untagged | while read -r file; do
        tagged "$file" >"$folder/text" && cat "$folder/text" >"$file"
    done
    exit
fi
missing=$(untagged)
[ -z "$missing" ] && exit
echo "no licence (tests/lint/licence.sh add writes it):"
echo "$missing"
exit 1
