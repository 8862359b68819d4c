# Reports blank lines after the declarations at the beginning of a block, and functions that clang-format leaves out;
# with fix=1 prints a file without these lines.
# SPDX-License-Identifier: MIT
function declares(line) {
    return line ~ /^[ \t]+(const |static |volatile |register )*((unsigned|signed|int|long|short|char|float|double|bool|void|FILE|DIR|size_t|ssize_t|time_t|clock_t|off_t|va_list|pthread_[a-z]+|u?int[0-9]+_t|u?intptr_t|[a-z_]+_t|cl_[a-z_0-9]+|CU[a-z]+|json_t|jmp_buf|png_[a-z]+p?|MPI_[A-Z][a-z]+)|(struct|enum|union) [a-z_0-9]+)( const)? *[*]*( ?const)?[ *]*[a-z_A-Z0-9]+ *([;=,]|\[|\()/ && line !~ /^[ \t]+(return|goto|else|case) /
}
FNR == 1 { state = off = 0 }
!fix && off && /^\}$/ { print FILENAME ":" off ": clang-format is off for more than a table"; found = 1; off = 0 }
/clang-format off/ { off = FNR }
/clang-format on/ { off = 0 }
{
    drop = 0
    if (state == 2 && $0 ~ /^[ \t]*$/) {
        if (fix) drop = 1; else { print FILENAME ":" FNR ": blank line after declarations"; found = 1 }
        state = 0
    } else if (state == 3) { if ($0 ~ /;[ \t]*(\/\*.*\*\/)?$/) state = 2 }
    else if (state >= 1 && declares($0)) state = $0 ~ /;[ \t]*(\/\*.*\*\/)?$/ ? 2 : 3
    else if (state >= 1 && $0 ~ /^[ \t]*\/\*.*\*\/$/) state = state
    else state = 0
    if ($0 ~ /^\{$/ || $0 ~ /^[ \t]+.*\) \{$/ || $0 ~ /^[ \t]+(do|else|\} else) \{$/) state = 1
    if (fix && !drop) print
}
END { exit found }
