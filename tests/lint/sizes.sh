#!/bin/sh
# A file has at most 500 lines besides its licence, a function 60, a line 120 columns, a folder 20 files.  Larger ones
# should be split by purpose. include/meshwork may have more files: one header per subject.  At most three static
# functions of src and tools have the same name; others begin with their file's name, so that they can be distinguished
# in a debugger, a profiler and grep.
# SPDX-License-Identifier: MIT
set -u
cd "${srcdir:-.}" || exit 1
files=$(mktemp) || exit 1
trap 'rm -f "$files"' EXIT

# Hand-written files, without the products of a build in the source tree.
find bench cl examples include m4 src tests tools \
    \( -path tests/home -o -name .libs -o -name .deps -o -path 'src/field/program/native-*' -o -path 'm4/l*' \) -prune \
    -o -type f \( -name '*.[ch]' -o -name '*.cl' -o -name '*.clh' -o -name '*.cpp' -o -name '*.sh' -o -name '*.py' \
       -o -name '*.am' -o -name '*.m4' \) -print >"$files"
for file in Makefile.am configure.ac quickstart bootstrap tests/on tools/lint-cl; do echo "$file"; done >>"$files"
[ "$(wc -l <"$files")" -gt 300 ] || { echo "found only $(wc -l <"$files") files"; exit 1; }

# A function's body is between braces at the beginning of lines.
# shellcheck disable=SC2046 # names without spaces
${AWK:-awk} '
    function complain(what) { print what; found++ }
    function end_file() { if (lines > 500) complain(file ": " lines " lines, 500 at most") }
    FNR == 1 {
        end_file()
        file = folder = FILENAME
        sub(/\/?[^\/]*$/, "", folder)
        if (++files[folder] == 21 && folder != "include/meshwork" && folder != "cl/models/field") # collections
            complain(folder ": more than 20 files")
        open = licence = 0
    }
    { lines = FNR - licence }
    FILENAME ~ /^(src|tools)\/.*\.c$/ && /^static .*\)( \{.*)?$/ && match($0, /[a-z_0-9]+\(/) {
        name = substr($0, RSTART, RLENGTH - 1)
        if (!seen[name, FILENAME]++ && ++functions[name] > 3)
            complain(FILENAME ":" FNR ": the " functions[name] "th static function called " name)
    }
    /SPDX-Licen[s]e-Identifier/ { lines = FNR - (licence = 1) }
    length > 120 { complain(file ":" FNR ": " length " columns, 120 at most") }
    /^\{$/ || /^(function )?[a-z_]+\(.*\) *\{$/ { open = FNR }
    /^\}/ {
        if (open && FNR - open - 1 > 60)
            complain(file ":" open ": a function of " FNR - open - 1 " lines, 60 at most")
        open = 0
    }
    END { end_file(); exit found > 0 }' $(sort "$files")
