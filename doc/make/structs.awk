# doxygen2man shows a struct whole on the first page of a header alone, and cuts what members are on later ones to a word:
# all get the longest.  Twice the same pages: structs.awk PAGE... PAGE..., of which the second ones are written anew.
# SPDX-License-Identifier: MIT
FNR == 1 {
    if (writing != "")
        close(writing)
    second = seen[FILENAME]++
    writing = second ? FILENAME ".new" : ""
    if (second)
        printf "" >writing
}
/^(struct|union) [a-z_0-9]+ \{$/ { name = $2; text = "" }
name != "" {
    text = text $0 "\n"
    if ($0 == "};") {
        if (!second && length(text) > length(longest[name]))
            longest[name] = text
        if (second)
            printf "%s", longest[name] >writing
        name = ""
    }
    next
}
second { print >writing }
