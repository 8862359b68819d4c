# Prints the declarations of public headers with MW_API, one per line, without comments and preprocessor lines.
# SPDX-License-Identifier: MIT
/^#/ || /^ *extern "C"/ { next }
{ text = text $0 " " }
END {
    while ((from = index(text, "/*")) > 0) {
        rest = substr(text, from + 2)
        text = substr(text, 1, from - 1) " " substr(rest, index(rest, "*/") + 2)
    }
    count = split(text, statement, /[;{}]/)
    for (i = 1; i <= count; i++) {
        if (!match(statement[i], /MW_API[^A-Z_]/))
            continue
        declared = substr(statement[i], RSTART + 7)
        gsub(/ +/, " ", declared)
        print declared
    }
}
