#!/bin/sh
# Makes the library's pages of section 3, one per function and per header, from doxygen's XML.
# pages3.sh XML-FOLDER HEADERS FOLDER DATE
# SPDX-License-Identifier: MIT
set -eu
xml=$1 headers=$2 to=${3:?} date=$4
# The types of members are links, which doxygen2man omits.
sed -i 's|<type>\([a-z ]*\)<ref[^>]*>\([^<]*\)</ref>|<type>\1\2|' "$xml"/struct*.xml
mkdir -p "$to"
rm -f "$to"/*.3
for header in "$xml"/*_8h.xml; do
    name=$(basename "$header" _8h.xml | sed 's/__/_/g')
    [ "$name" != meshwork ] || continue
    doxygen2man -m -g -p meshwork -H "The library of meshwork" -i meshwork/ -D "\"$date\"" -d "$xml/" -o "$to" \
        "$(basename "$header")" >/dev/null
    sed "s/^\.TH [^ ]*/.TH MESHWORK_$(echo "$name" | tr '[:lower:]' '[:upper:]').H/; s/^$name\.h /meshwork_$name.h /" \
        "$to/$name.h.3" >"$to/meshwork_$name.h.3"
    rm "$to/$name.h.3"
    # doxygen2man omits enumerations.
    ${AWK:-awk} '/^enum [a-z_]* \{/ { inside = 1 } inside { gsub(/\\/, "&e"); print } /};/ { inside = 0 }' \
        "$headers/$name.h" >"$to/enums"
    ${AWK:-awk} -v enums="$to/enums" '
        /^\.SH SEE ALSO/ && (getline line <enums) > 0 {
            print ".SH ENUMERATIONS\n.nf"
            do print line; while ((getline line <enums) > 0)
            print ".fi"
        }
        { print }' "$to/meshwork_$name.h.3" >"$to/page"
    mv "$to/page" "$to/meshwork_$name.h.3"
    rm "$to/enums"
done
${AWK:-awk} -f "$(dirname "$0")/structs.awk" "$to"/*.3 "$to"/*.3
for page in "$to"/*.3; do
    mv "$page.new" "$page"
done
# Remove the tool's copyright, which is not of this text, and link functions to their header's page.
for page in "$to"/*.3; do
    header=$(sed -n 's|^\.B #include <meshwork/\(.*\)>|\1|p' "$page")
    sed -i '/^\.SH "COPYRIGHT"/,$d; /^\.RE$/d; s/  *$//; s|\([^ ]\)\*/$|\1 */|' "$page"
    case $page in */mw_*) sed -i "/^\.SH SEE ALSO/,\$ s/^\.ad l$/&\n\\\\fImeshwork_$header\\\\fR(3),/" "$page" ;; esac
done
