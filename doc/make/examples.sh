#!/bin/sh
# Runs the examples of a page of the documentation, and compares their output with the page.
#
#     examples.sh PAGE.md FOLDER
#
# Runs in FOLDER, in the page's order, with meshwork from $PATH:
#
#   ```console      runs each line after `$ ` (and its continuations after `> `).  The following lines are its output,
#                   and its messages if it fails.  A line `...` matches any lines, and `...` within a line any text.
#                   Words after `device`, `shape`, `seconds` and `rate` are not compared, nor is the line of other
#                   times below.
#   ```console any  runs the commands, which must succeed; the output is not compared.
#   ```sh           checks the options of each command of meshwork by --print-config.
#   ```c NAME       writes the file NAME, in any language.
#
# Examples on opencl: devices are skipped without such a device.  Prints differences and the number of examples.  Exits
# with 1 if an example differs, or if the page has no example.
# SPDX-License-Identifier: MIT
set -u
page=$1 folder=$2
mkdir -p "$folder" || exit 1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
LC_ALL=C
export LC_ALL

# Each example gets a folder with `kind`, `line`, `name`, and `text`, or `command` and `wanted`.
${AWK:-awk} -v to="$scratch" '
    function begin(kind, name) {
        number = sprintf("%04d", ++examples)
        at = to "/" number
        system("mkdir " at)
        print kind >(at "/kind")
        print NR >(at "/line")
        print name >(at "/name")
        close(at "/kind")
        close(at "/line")
        close(at "/name")
        printf "" >(at "/wanted")
        printf "" >(at "/command")
    }
    function put(file, text) { print text >(at "/" file) }
    /^ *```/ && !open {
        info = $0
        sub(/^ *```/, "", info)
        split(info, words, " ")
        open = 1
        kind = ""
        if (words[1] == "console")
            kind = words[2] == "any" ? "any" : "console"
        else if (words[1] == "sh")
            begin(kind = "sh", "")
        else if (words[2] != "")
            begin(kind = "file", words[2])
        next
    }
    /^ *```/ { open = 0; next }
    !open || kind == "" { next }
    kind == "sh" { put("command", $0); next }
    kind == "file" { put("text", $0); next }
    /^\$ / { begin(kind, ""); put("command", substr($0, 3)); next }
    /^> / { put("command", substr($0, 3)); next }
    { put("wanted", $0) }' "$page" || exit 1

# same WANTED THERE: compares the lines of two files.
same() {
    ${AWK:-awk} '
        function blurred(line) {
            if (line ~ /^(device|shape|seconds|rate) /)
                sub(/ .*/, "", line)
            else if (line ~ /^ +(setup|build|open|read) [0-9.]+ [mun]?s, /)
                line = "times"
            sub(/ +$/, "", line)
            return line
        }
        # Returns whether a text matches a line, in which "..." matches anything.
        function agrees(line, text,    n, i, part, at) {
            n = split(line, part, /\.\.\./)
            if (n < 2)
                return line == text
            if (substr(text, 1, length(part[1])) != part[1])
                return 0
            text = substr(text, length(part[1]) + 1)
            for (i = 2; i < n; i++) {
                at = part[i] == "" ? 1 : index(text, part[i])
                if (!at)
                    return 0
                text = substr(text, at + length(part[i]))
            }
            at = length(text) - length(part[n])
            return at >= 0 && substr(text, at + 1) == part[n]
        }
        FNR == NR { wanted[++lines] = blurred($0); next }
        { there[++found] = blurred($0) }
        END {
            at = 1
            for (i = 1; i <= lines; i++) {
                if (wanted[i] == "...") {
                    if (i == lines)
                        exit 0
                    while (at <= found && !agrees(wanted[i + 1], there[at]))
                        at++
                } else if (at > found || !agrees(wanted[i], there[at++]))
                    exit 1
            }
            exit at <= found
        }' "$1" "$2"
}

# Prints the commands of meshwork in shell lines, from its name to the end of the command.  Variables become 1.
commands() {
    sed -e :a -e '/\\$/N; s/\\\n//; ta' "$1" |
        sed -n 's/^\( *\)\(meshwork .*\)$/\2/p' | sed 's/ \{1,\}#.*//; s/ [|&;>].*//; s/\$[a-z]*/1/g'
}

examples=0 wrong=0 left_out=0
for example in "$scratch"/[0-9]*; do
    [ -d "$example" ] || continue
    read -r kind <"$example/kind"
    read -r line <"$example/line"
    case $kind in
        file)
            read -r name <"$example/name"
            cp "$example/text" "$folder/$name"
            continue
            ;;
        sh)
            commands "$example/command" >"$example/each"
            while IFS= read -r command; do
                examples=$((examples + 1))
                (cd "$folder" && eval "$command --print-config") >"$example/there" 2>&1 </dev/null && continue
                wrong=$((wrong + 1))
                echo "$page:$line: $command: $(tail -n 1 "$example/there")"
            done <"$example/each"
            continue
            ;;
    esac
    if grep -q 'opencl:' "$example/command"; then
        meshwork devices -q 2>/dev/null | grep -q ' opencl:' ||
            { left_out=$((left_out + 1)); continue; }
    fi
    examples=$((examples + 1))
    (cd "$folder" && sh "$example/command") >"$example/there" 2>"$example/said" </dev/null
    status=$?
    [ $status -eq 0 ] || grep '^meshwork: ' "$example/said" >>"$example/there"
    if [ $kind = any ]; then
        [ $status -eq 0 ] || { wrong=$((wrong + 1)); echo "$page:$line: exit code $status"; cat "$example/said"; }
    elif ! same "$example/wanted" "$example/there"; then
        wrong=$((wrong + 1))
        echo "$page:$line: $(head -n 1 "$example/command"): - as it stands there, + as it is"
        diff -U 2 "$example/wanted" "$example/there" | sed 1,2d
    fi
done
echo "$page: $examples examples, $wrong wrong, $left_out left out"
[ $wrong -eq 0 ] && [ $((examples + left_out)) -gt 0 ]
