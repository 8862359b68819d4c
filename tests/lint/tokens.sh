#!/bin/sh
# `tests/lint/tokens.sh REVISION [PATH...]` lists the files whose tokens differ from that revision's: comments, white
# space and the contents of strings do not count.  An edit of texts leaves the list empty.  Without arguments it tests
# itself.
# SPDX-License-Identifier: MIT
set -u
LC_ALL=C
export LC_ALL
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

# Tokens of the C on standard input, one a line.  Adjacent strings are one.
tokens() {
    ${CC:-cc} -fpreprocessed -dD -E -P -x c - 2>/dev/null |
        sed -e 's/"\([^"\\]\|\\.\)*"/""/g' -e 's/[][(){};,]/ & /g' | tr -s ' \t\n' '\n' |
        ${AWK:-awk} '!($0 == "\"\"" && last == $0) { print } { last = $0 }'
}

# changed OLD NEW: whether the tokens of two files differ.
changed() {
    tokens <"$1" >"$folder/old.tokens"
    tokens <"$2" >"$folder/new.tokens"
    ! cmp -s "$folder/old.tokens" "$folder/new.tokens"
}

if [ $# -gt 0 ]; then
    revision=$1
    shift
    [ $# -gt 0 ] || set -- src cl tools include tests bench examples
    git diff --name-only "$revision" -- "$@" | grep -E '\.(c|h|cl|clh|cpp)$' | {
        found=0
        while read -r file; do
            git show "$revision:$file" >"$folder/old" 2>/dev/null || : >"$folder/old"
            [ -f "$file" ] || : >"$folder/none"
            if changed "$folder/old" "$([ -f "$file" ] && echo "$file" || echo "$folder/none")"; then
                echo "$file: other tokens than in $revision"
                found=1
            fi
        done
        exit $found
    }
    exit
fi

cat >"$folder/a.c" <<'END'
/* One comment. */
static const char *words = "a text"
                           " in two parts"; // and another
int f(int x) { return x < 3 ? 'a' : x; }
END
cat >"$folder/b.c" <<'END'
static const char *words = "other words, \"quoted\"";
/* Another comment, that holds "quotes" and
 * two lines. */
int f(int x)
{
    return x < 3 ? 'a' : x;
}
END
sed 's/x < 3/x <= 3/' "$folder/b.c" >"$folder/c.c"
sed "s/'a'/'b'/" "$folder/b.c" >"$folder/d.c"
failures=0
if changed "$folder/a.c" "$folder/b.c"; then echo "texts count as tokens"; failures=1; fi
for other in c d; do
    changed "$folder/b.c" "$folder/$other.c" || { echo "$other.c: a token that changed was not found"; failures=1; }
done
exit $failures
