# doxygen2man shows a whole struct only on the first page of a header, and shortens its members on later ones.  This
# copies the longest text of a struct to all pages: structs.awk PAGE... PAGE..., with the same pages twice, writes
# PAGE.new.
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
