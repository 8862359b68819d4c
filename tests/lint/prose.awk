# Prose of source files and pages: "FILE:LINE<tab>KIND<tab>TEXT", one line for each comment, message, paragraph or item.
# KIND is comment, string or text.  Code in pages, licences, includes and older releases in NEWS are left out; names and
# code within sentences are X.
# SPDX-License-Identifier: MIT
function flush(    n, i, line_of) {
    n = split(text, line_of, "\n")
    for (i = 1; i <= n; i++) {
        gsub(/[ \t]+/, " ", line_of[i])
        sub(/^ /, "", line_of[i])
        sub(/ $/, "", line_of[i])
        if (line_of[i] ~ / /)
            print name ":" start "\t" kind "\t" line_of[i]
    }
    text = ""
}
function add(new_kind, words) {
    if (kind != new_kind)
        flush()
    if (text == "")
        start = FNR
    kind = new_kind
    text = text " " words
}
# Whether a comment's line begins an item of a list, a declaration of a model, or a row of a table with two columns.
function begins_item(words) {
    return words ~ /^@/ || words ~ /^[ \t]*([-*]|[0-9]+\.) / || words ~ /^[ \t][ \t]+[^ \t](.*[^ .:;?!])?  +[^ ]/
}
# Within an item, lines are indented.
function add_comment(words,  empty, begins) {
    empty = words ~ /^[ \t]*$/ || words ~ /SPDX-Licen[s]e|^!\/bin\/|^ shellcheck /
    begins = begins_item(words)
    if (empty || begins || (in_item && words ~ /^ ?[^ \t]/))
        flush()
    in_item = begins || (in_item && words ~ /^  /)
    if (!empty)
        add("comment", words)
}
FNR == 1 {
    flush()
    name = FILENAME
    sub(/^\.\//, "", name)
    type = name
    sub(/.*\//, "", type)
    if (!sub(/.*\./, "", type) && type != "NEWS")
        type = "sh"
    code = within = docstring = in_item = releases = 0
}
type ~ /^(c|h|cl|clh|cpp)$/ {
    line = $0
    if (!within && line ~ /^[ \t]*#[ \t]*include/) { flush(); next }
    spoken = within
    for (;;) {
        if (within) {
            end = index(line, "*/")
            words = end ? substr(line, 1, end - 1) : line
            sub(/^[ \t]*\*+/, "", words)
            spoken = 1
            add_comment(words)
            if (!end)
                break
            within = 0
            line = substr(line, end + 2)
            flush()
            continue
        }
        if (!match(line, /\/\*|\/\/|"|'/))
            break
        mark = substr(line, RSTART, RLENGTH)
        before = substr(line, 1, RSTART - 1)
        line = substr(line, RSTART + RLENGTH)
        if (mark == "/*") {
            within = 1
            sub(/^\*/, "", line)
        } else if (mark == "//") {
            spoken = 1
            add_comment(line)
            break
        } else {
            if (!match(line, mark == "\"" ? "^([^\"\\\\]|\\\\.)*\"" : "^([^'\\\\]|\\\\.)*'"))
                break
            if (mark == "\"") {
                if (before !~ /^[ \t]*(PRI[a-zA-Z0-9]+ *)?$/ && kind == "string")
                    flush()
                spoken = 1
                words = substr(line, 1, RLENGTH - 1)
                gsub(/\\n/, "\n", words)
                gsub(/\\"/, "\"", words)
                text = text == "" || kind != "string" ? text : text "\001"
                add("string", words)
                sub(/\001 /, "", text)
            }
            line = substr(line, RLENGTH + 1)
            if (line ~ /^[ \t]*[,;)]/)
                flush()
        }
    }
    if (!spoken)
        flush()
    next
}
type == "NEWS" && /^[^ ]+ [0-9.]+$/ { flush(); releases++; next }
type == "NEWS" && releases > 1 { next }
type ~ /^(md|NEWS)$/ {
    if (/^ *```/) { flush(); code = !code; next }
    if (code || /^ *\|[-| ]*$|^<!--/) next
    if (/^ *$/ || /^#/ || /^ *([-*|]|[0-9]+\.) ?/)
        flush()
    line = $0
    gsub(/`[^`]*`/, "X", line)
    gsub(/\]\([^)]*\)/, "]", line)
    n = split(line, cell, /\|/)
    for (i = 1; i <= n; i++) {
        if (i > 1) flush()
        add("text", cell[i])
    }
    next
}
type == "mdoc" || type ~ /^[0-9]$/ {
    if (/^\.Bd/) code = 1
    if (/^\.Ed/) code = 0
    if (/^@/)
        flush()
    if (code || /^@|^\.(\\"|Dd|Os|Sh|Dt)/) next
    if (/^\.(Pp|It|El|Bl|Ss|Ed)/)
        flush()
    line = $0
    sub(/^\.It /, "", line)
    if (line ~ /^\.(Bl|El|Bd|Ed|Pp|Ss)/) next
    if (line ~ /^\.Sm/)
        next
    if (line ~ /^\.(Pq )?(Ar|Cm|Ev|Fl|Ic|Li|Nm|Pa) /)
        line = (line ~ /^\.Pq/ ? "(X)" : "X") (match(line, / [.,;:)]+( [.,;:)]+)*$/) ? substr(line, RSTART) : "")
    sub(/^\.[A-Z][a-z] /, "", line)
    add("text", line)
    if (/^\.It/)
        flush()
    next
}
type == "py" && (docstring || /^[ \t]*"""/) {
    line = $0
    if (!docstring) {
        flush()
        sub(/^[ \t]*"""/, "", line)
    }
    docstring = !sub(/""".*/, "", line)
    add_comment(line)
    if (!docstring)
        flush()
    next
}
/^[ \t]*#/ {
    line = $0
    sub(/^[ \t]*#+/, "", line)
    add_comment(line)
    next
}
{ flush() }
END { flush() }
