#!/bin/sh
# Each file names its licence, or REUSE.toml does for it.  `tests/lint/licence.sh add` writes the line where it is
# missing.
# SPDX-License-Identifier: MIT
set -u
source=${srcdir:-.}
cd "$source" || exit 1

# files: lists the files of the repository; without git, the hand-written files of the kinds that lint checks.
files() {
    if git rev-parse --git-dir >/dev/null 2>&1; then
        git ls-files
    else
        find .github bench cl doc examples include m4 packaging src tests tools \
            \( -path tests/home -o -path doc/results -o -name .libs -o -name .deps -o -path doc/manual -o \
               -path 'src/field/program/native-*' -o -path 'm4/l*' \) -prune \
            -o -type f \( -name '*.[ch]' -o -name '*.cl' -o -name '*.clh' -o -name '*.cpp' -o -name '*.sh' -o \
               -name '*.py' -o -name '*.am' -o -name '*.m4' -o -name '*.md' \) -print
        printf '%s\n' Makefile.am configure.ac quickstart bootstrap .ci/run README.md CONTRIBUTING.md SECURITY.md
    fi
}
words='SPDX-License''-Identifier: MIT'                # which this line is not

# untagged: lists files without a licence, except the files of REUSE.toml.
untagged() {
    files | grep -Ev '\.(html|mdoc|pgm|png|svg|txt)$|^packaging/debian/' |
        grep -vx 'COPYING\|NEWS\|doc/make/chapters\|src/libmeshwork\.symbols' |
        tr '\n' '\0' | xargs -0 grep -L "$words" --
}

# after_comment FILE LINE: prints FILE with LINE after its first comment.
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
