#!/bin/sh
# The library's pages of the manual, section 3, a page a function and a header, from doxygen's XML.
# pages3.sh XML-FOLDER FOLDER DATE
set -eu
xml=$1 to=$2 date=$3
# The types of members are links, which doxygen2man takes for nothing.
sed -i 's|<type>\([a-z ]*\)<ref[^>]*>\([^<]*\)</ref>|<type>\1\2|' "$xml"/struct*.xml
rm -rf "$to"
mkdir -p "$to"
for header in "$xml"/*_8h.xml; do
    name=$(basename "$header" _8h.xml | sed 's/__/_/g')
    [ "$name" != meshwork ] || continue
    doxygen2man -m -g -p meshwork -H "The library of meshwork" -i meshwork/ -D "$date" -d "$xml/" -o "$to" \
        "$(basename "$header")" >/dev/null
    sed "s/^\.TH [^ ]*/.TH MESHWORK_$(echo "$name" | tr '[:lower:]' '[:upper:]').H/; s/^$name\.h /meshwork_$name.h /" \
        "$to/$name.h.3" >"$to/meshwork_$name.h.3"
    rm "$to/$name.h.3"
done
# Who has made the tool is not who has written this.
for page in "$to"/*.3; do
    sed -i '/^\.SH "COPYRIGHT"/,$d; /^\.RE$/d; s/  *$//' "$page"
done
