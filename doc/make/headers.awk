# Converts a public header for doxygen.  Plain comments become doxygen's, with its command characters escaped.  A
# comment before a blank line belongs to the file, and one before several declarations to each of them.
# SPDX-License-Identifier: MIT
function escaped(text) {
    gsub(/[@\\<>#%&]/, "\\\\&", text)
    gsub(/file:line:/, "file, line:", text)    # is no address
    return text
}

# Appends a line of a comment to `comment`, and copies the text after its end to `rest`.  Returns whether the comment
# continues.
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
    # The comment that has just ended belongs to the file, a member or the declaration on this line.
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
    # A comment after a member or a value.
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
