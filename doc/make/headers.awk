# A public header as doxygen wants it: plain comments become its own, what it would take for commands stands as it is, a
# comment that a blank line follows is the file's, and one that several declarations follow is each one's.
# SPDX-License-Identifier: MIT
function escaped(text) {
    gsub(/[@\\<>#%&]/, "\\\\&", text)
    gsub(/file:line:/, "file, line:", text)    # is no address
    return text
}

# Takes a line of a comment into `comment`, and what is behind its end into `rest`; whether the comment goes on.
function take(text, start,    end) {
    end = index(text, "*/")
    rest = end ? substr(text, end + 2) : ""
    if (end)
        text = substr(text, 1, end - 1)
    if (start)
        sub(/^ *\/\* ?/, "", text)
    else
        sub(/^ *\* ?/, "", text)
    sub(/ +$/, "", text)
    comment = comment (start ? "" : "\n") escaped(text)
    return !end
}

inside {
    inside = take($0, 0)
    held = !inside
    next
}
held {
    # What the comment that has just ended is of.
    if (comment !~ /^----/)
        printf "/** %s%s */\n", (files++ == 0 || $0 == "" ? "@file\n" : within ? "@details " : ""), comment
    held = 0
    fresh = 1
}
/^ *\/\* / {
    comment = ""
    within = /^ /
    inside = take($0, 1)
    held = !inside
    next
}
/^MW_API/ && !fresh {
    if ($0 ~ /_free\(/)
        print "/** Frees it. NULL is legal. */"
    else if (comment != "")
        printf "/** %s */\n", comment
}
$0 == "" { comment = "" }
{
    # Behind a member or a value: what it is.
    at = index($0, " /* ")
    if (at) {
        kept = comment
        comment = ""
        going_on = take(substr($0, at + 1), 1)
        while (going_on && (getline line) > 0)
            going_on = take(line, 0)
        print substr($0, 1, at) "/**< @details " comment " */" rest
        comment = kept
    } else
        print
    fresh = 0
}
