#!/bin/sh
# Counts patterns that plain English avoids in comments, messages, help and pages (CONTRIBUTING, "English").  Each has a
# budget; a count above it is a failure.
#
#   prose.sh             tests itself, then compares counts with budgets
#   prose.sh -v          also prints counts per thousand lines and per folder
#   prose.sh PATH...     prints the matches in these files and folders
# SPDX-License-Identifier: MIT
set -u
LC_ALL=C
export LC_ALL
lint=$(cd "$(dirname "$0")" && pwd) || exit 1
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

# Name, budget and regular expression; lines with ! have expressions that matches of a pattern must not fit.  The budget
# is 5 % of the pattern's count at revision 937c1a04, rounded down.  To count again, unpack that revision (git archive)
# and run `srcdir=FOLDER prose.sh -v`.
#
# Expressions match whole words of one sentence in lower case.  Commas, colons, semicolons, brackets and ? are words of
# their own, and other marks are spaces.  Code between backquotes, names of calls and arrays, and names in capitals are
# the word x.  ^ is the beginning of a sentence.  The pattern `long` is a part of a sentence up to a full stop,
# semicolon or colon with more than 25 words.
cat >"$folder/patterns" <<'END'
of-first     36  ^ of
what-first   35  ^ what .*
!what-first      [?]
that-first    2  ^ that (all|an?|are|each|is|it|no|some|the|there|they|was)
a-x-a-y      11  (an?|one|two|three|few|many|[0-9.]+|%[.0-9a-z]+) [a-z-]+ an? [a-z-]+
!a-x-a-y         (a|and|are|as|at|by|for|from|half|if|in|is|of|on|or|such|than|that|to|what|when|where|with) an?
!a-x-a-y         (along|around|becomes|before|begins|changes|contains|declares|gets|has|have|holds|needs) an?
!a-x-a-y         (replaces|takes|use|within|without|writes|yields) an?
as-far-as     1  as far as
behind       17  behind
beside       11  beside
none         13  (are|be|had|has|have|is|was|were) none
alike         6  (alike|likewise|meanwhile)
nobody        6  (anybody|anyone|everybody|everyone|no one|nobody|somebody|someone|whoever)
of-what      17  (at|by|for|from|in|of|on|than|to|with) what
persons      51  ([^ ]+ )?(asks?|knew|knows?|likes|said|says?|sees|speaks?|tells?|thinks?|told|wants?)
!persons         (callers?|readers?|users?|we|you) [^ ]+
looks-at      8  looks? at
stands       17  (standing|stands?|stood)
those-that   14  those (by|for|from|in|on|that|which|who|whose|with|without)
where-there   8  where there (are|is|was|were)
who           5  (who|whom)
long         30  -
END

# A sentence per pattern: counted once for the pattern, and not for another one.
cat >"$folder/bad" <<'END'
of-first      Of the cells that changed.
what-first    What is joined depends on the cell type.
that-first    That some work was queued.
a-x-a-y       Kernels take an item a vertex.
as-far-as     Frees memory as far as possible.
behind        Options follow behind the subcommand.
beside        Stored beside the kernels.
none          An endpoint that is none.
alike         Shapes are treated alike.
nobody        Freed if nobody holds it.
of-what       A list of what was measured.
persons       The driver knows the limit.
looks-at      An update looks at neighbours.
stands        Waits may stand within waits.
those-that    Counts those that changed.
where-there   Uses images where there are some.
who           For callers, who free it.
long          One or two or three or four or five or six or seven or eight or nine or ten or 11 or 12 or 13 or 14 or 15.
END

# Nothing in these sentences counts.
cat >"$folder/good" <<'END'
Number of cells.  Off by default.  Whatever the size, what is copied is a whole row.  Runs stand-alone.  The standard
deviation of an outstanding request.  Is it known what `told` means?  What is a halo?  The caller knows the size.
Thatched, `who` and `behind it`.  A file, a device and one or a few lines.  Such a graph has 1 with a given length.
If a user wants more: it can be asked for.  Names are unknown, bench/scripts/beside.py and what-if files included.
The default is `none`.  Returns NOBODY if HAS_NONE is 0 or beside[i] is who(1).  Two of the first words; seven more
words which are not the last: again some words, one, two, three, four, five, six; and the last ones.
See Leist et al. 2010, fig. 4.
END

cat >"$folder/count.awk" <<'END'
# The first file has patterns, standard input what prose.awk prints.  Prints pattern, place, match and sentence.
NR == FNR {
    words = $0
    sub(/^[^ ]+ +([0-9]+ +)?/, "", words)
    if (/^!/) {
        words = " " words " "
        if (patterns in reject)
            words = reject[patterns] "|" words
        reject[patterns] = words
        next
    }
    name[++patterns] = $1
    pattern[patterns] = words ~ /^\^/ ? "^ (" substr(words, 3) ") " : " (" words ") "
    next
}
# The largest number of words of `text` before a full stop, semicolon or colon.
function longest(text,  word, n, i, length_, most) {
    n = split(text, word, " ")
    for (i = 1; i <= n; i++) {
        if (word[i] ~ /^[;:]$/)
            length_ = 0
        else if (word[i] ~ /[A-Za-z0-9]/ && ++length_ > most)
            most = length_
    }
    return most + 0
}
# Counts patterns in a sentence.  Names in capitals are the word x.
function count(sentence, continues,  p, words, rest, found) {
    words = sentence
    gsub(/[A-Z][A-Z0-9_]+/, "x", words)
    words = (continues ? "~ " : " ") tolower(words) " "
    for (p = 1; p <= patterns; p++) {
        if (name[p] == "long") {
            if (longest(sentence) > 25)
                print "long\t" place "\t" longest(sentence) " words\t" sentence
            continue
        }
        rest = words
        while (match(rest, pattern[p])) {
            found = substr(rest, RSTART, RLENGTH)
            if (!(p in reject) || found !~ reject[p])
                print name[p] "\t" place "\t" found "\t" sentence
            if (pattern[p] ~ /^\^/)
                break
            rest = substr(rest, RSTART + RLENGTH - 1)
        }
    }
}
{
    split($0, part, "\t")
    place = part[1]
    text = part[3]
    # Programs in strings are no prose.
    if (part[2] == "string" && text ~ /[{}]|<[\/?]|\\\\|#(if|include|define|line)|set [a-z]/)
        next
    gsub(/`[^`]*`/, "x", text)
    gsub(/[A-Za-z0-9_]+\[/, "x [", text)
    gsub(/[a-z0-9_]+\(/, "x (", text)
    while (match(text, /(e\.g|i\.e|et al|vs|cf|[Ff]igs?|[Ee]qs?|[ (][ABD-WYZ])\. /))
        text = substr(text, 1, RSTART + RLENGTH - 3) substr(text, RSTART + RLENGTH - 1)
    gsub(/\.\.\./, "", text)
    gsub(/[.!?][")*]*( |$)/, "&\001", text)
    gsub(/[()]|[,;:?]+( |$|\001)/, " & ", text)
    gsub(/[^A-Za-z0-9\047_.\/%<>=+,;:()?\001-]+/, " ", text)
    continues = part[2] != "comment" && text ~ /^ *[a-z]/
    n = split(text, sentence, "\001")
    for (i = 1; i <= n; i++) {
        sub(/^ +/, "", sentence[i])
        sub(/[.!]?[ )]*$/, "", sentence[i])
        if (sentence[i] != "")
            count(sentence[i], continues && i == 1)
    }
}
END

# matches FILE: the matches in files whose names FILE has.
matches() {
    tr '\n' '\0' <"$1" | xargs -0 ${AWK:-awk} -f "$lint/prose.awk" |
        ${AWK:-awk} -f "$folder/count.awk" "$folder/patterns" -
}

# prose_files PATH...: files below these paths that contain prose, except products of a build in the source tree.
prose_files() {
    find "$@" \( -name .libs -o -name .deps -o -path doc/notes -o -path doc/manual -o -path tests/home -o \
        -path 'src/*/native-*' \) -prune -o -type f \( -name '*.[ch]' -o -name '*.cl' -o -name '*.clh' -o \
        -name '*.cpp' -o -name '*.sh' -o -name '*.py' -o -name '*.awk' -o -name '*.am' -o -name '*.md' -o \
        -name '*.mdoc' -o -name '*.[57]' -o -name NEWS -o -name on -o -name driver -o -name lint-cl \) -print | sort
}

if [ $# -gt 0 ] && [ "$1" != -v ]; then
    prose_files "$@" >"$folder/files"
    # shellcheck disable=SC2016 # awk expands it
    matches "$folder/files" | ${AWK:-awk} -F '\t' '{ print $2 ": " $1 ":" $3 ": " $4 }'
    exit
fi

# The script tests itself.
failures=0
while read -r name words; do
    echo "/* $words */" >"$folder/planted.c"
    echo "$folder/planted.c" >"$folder/files"
    found=$(matches "$folder/files" | cut -f 1)
    [ "$found" = "$name" ] || { echo "\"$words\" counts as \"$found\", not as $name"; failures=1; }
done <"$folder/bad"
[ "$(cut -d ' ' -f 1 "$folder/bad")" = "$(grep -v '^!' "$folder/patterns" | cut -d ' ' -f 1)" ] ||
    { echo "patterns without a sentence to test them"; failures=1; }
sed 's/^/# /' "$folder/good" >"$folder/good.sh"
echo "$folder/good.sh" >"$folder/files"
found=$(matches "$folder/files")
[ -z "$found" ] || { echo "these sentences are good:"; echo "$found"; failures=1; }

cd "${srcdir:-.}" || exit 1
prose_files src cl tools include tests bench doc examples README.md CONTRIBUTING.md NEWS >"$folder/files"
[ "$(wc -l <"$folder/files")" -gt 300 ] || { echo "found only $(wc -l <"$folder/files") files"; exit 1; }
matches "$folder/files" >"$folder/matches"
lines=$(tr '\n' '\0' <"$folder/files" | xargs -0 cat | wc -l)

# shellcheck disable=SC2016 # awk expands it
${AWK:-awk} -v lines="$lines" -v verbose="${1:-}" '
    /^!/ { next }
    NR == FNR { name[++patterns] = $1; budget[$1] = $2; next }
    FNR == 1 { FS = "\t"; $0 = $0 }
    {
        folder = $2
        sub(/[^\/]*$/, "", folder)
        if (match(folder, /^[^\/]*\/([^\/]*\/)?/))
            folder = substr(folder, 1, RLENGTH)
        else
            folder = $2
        sub(/(\/|:[0-9]*)$/, "", folder)
        if (!(folder in total))
            folders[++found] = folder
        total[folder]++
        in_folder[folder, $1]++
        if (++count[$1] <= 10)
            places[$1] = places[$1] "\n    " $2 ": " $4
    }
    END {
        if (verbose != "") {
            printf "%-12s %6s %6s %14s\n", "pattern", "count", "budget", "per 1000 lines"
            for (p = 1; p <= patterns; p++)
                printf "%-12s %6d %6d %14.2f\n", name[p], count[name[p]], budget[name[p]], 1000 * count[name[p]] / lines
            printf "\n%-20s", "folder"
            for (p = 1; p <= patterns; p++)
                printf " %6s", substr(name[p], 1, 6)
            for (f = 1; f <= found; f++) {
                printf "\n%-20s", folders[f]
                for (p = 1; p <= patterns; p++)
                    printf " %6d", in_folder[folders[f], name[p]]
            }
            print ""
        }
        for (p = 1; p <= patterns; p++)
            if (count[name[p]] > budget[name[p]]) {
                print name[p] ": " count[name[p]] " times, at most " budget[name[p]] ":" places[name[p]]
                failed = 1
            }
        exit failed
    }' "$folder/patterns" "$folder/matches" || failures=1
[ $failures -eq 0 ]
