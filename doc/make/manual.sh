#!/bin/sh
# Makes the manual: HTML, a book in PDF, the library's reference with its pages of section 3, and the pages of section 5
# that are also chapters.  Needs pandoc.  mandoc, doxygen with doxygen2man, and weasyprint are optional.
#
#     manual.sh SOURCE PAGES TO VERSION DATE
#
# PAGES is the folder of the pages of section 1.  The examples of the chapters make the pictures, with meshwork from
# $PATH.
# SPDX-License-Identifier: MIT
set -eu
source=${1:?} pages=${2:?} to=${3:?} version=$4 date=$5
make=$source/doc/make html=$to/html
export LC_ALL=C.UTF-8
: "${AWK:=awk}" "${PANDOC:=pandoc}"
has() { command -v "$1" >/dev/null; }
for tool in $PANDOC mandoc; do
    has $tool || { echo "the manual needs $tool: install it" >&2; exit 1; }
done
rm -rf "$to/html" "$to/book" "$to/man3" "$to/man5" "$to/examples"
mkdir -p "$html/results" "$html/pictures" "$html/man" "$to/book" "$to/man5"

chapters=$(grep -v '^#' "$make/chapters")
title() { sed -n '1s/^# //p' "$source/doc/$1.md"; }

# ---- pictures ----

cp "$source"/doc/pictures/*.png "$html/pictures/"
mkdir -p "$html/results/papers"
find "$source/doc/results" -maxdepth 1 -type f ! -name '*.md' -exec cp {} "$html/results/" \;
find "$source/doc/results/papers" -type f ! -name '*.md' -exec cp {} "$html/results/papers/" \;
for chapter in $chapters; do
    grep -q '^```console' "$source/doc/$chapter.md" || continue
    echo "  examples of $chapter"
    sh "$make/examples.sh" "$source/doc/$chapter.md" "$to/examples/$chapter" >"$to/examples.log" ||
        { cat "$to/examples.log"; exit 1; }
    for picture in "$to/examples/$chapter"/*.png; do
        [ ! -f "$picture" ] || cp "$picture" "$html/pictures/"
    done
done

# ---- pages ----

# list CURRENT ROOT: the chapters, as links from a page.  Results of machines have one link, to their list.
list() {
    $AWK -v current="$1" -v root="$2" -v source="$source/doc/" '
        /^# The manual/ { next }
        /^# / { if (open) print "</ul>"; print "<h2>" substr($0, 3) "</h2>\n<ul>"; open = 1; next }
        /^results\// && $0 != "results/README" { next }
        {
            getline title <(source $0 ".md")
            sub(/^# /, "", title)
            print "<li><a href=\"" root $0 ".html\"" ($0 == current ? " aria-current=\"page\"" : "") ">" title "</a></li>"
        }
        END { print "</ul>" }' "$make/chapters"
    echo "<h2>Reference</h2><ul>"
    for place in commands library; do
        [ $place = commands ] || has doxygen || continue
        case $place in
            commands) text="Subcommands, options, files" ;;
            *) text="The library's functions" place=library/files ;;
        esac
        echo "<li><a href=\"$2$place.html\"$([ "$1" != $place ] || echo ' aria-current="page"')>$text</a></li>"
    done
    echo "</ul>"
}

# page NAME ROOT TITLE <BODY: writes a page with this HTML as its body.
page() {
    list "$1" "$2" >"$to/list"
    cat >"$to/body"
    [ -s "$to/body" ] || { echo "page $1 is empty" >&2; exit 1; }
    $PANDOC -f html -t html5 --template="$make/page.html" -M pagetitle="$3" -V root="$2" -V version="$version" \
        -V chapters="$(cat "$to/list")" -V turn="${turn-}" -V body="" /dev/null >"$to/frame"
    $AWK -v body="$to/body" '/^<p class="home">/ { print; while ((getline line <body) > 0) print line; next } { print }' \
        "$to/frame" >"$html/$1.html"
}

convert() {
    $PANDOC -f gfm -t html5 --wrap=none --lua-filter="$make/links.lua" -M chapter="$1" -M source="$source/doc" $2 "$source/doc/$1.md"
}

before=
set -- $chapters
while [ $# -gt 0 ]; do
    chapter=$1
    shift
    root=$(echo "$chapter" | sed 's|[^/]*/|../|g; s|[^/]*$||')
    turn="<span>${before:+<a href=\"$root$before.html\">← $(title "$before")</a>}</span>"
    turn="$turn<span>${1:+<a href=\"$root$1.html\">$(title "$1") →</a>}</span>"
    convert "$chapter" "" >"$to/part"
    page "$chapter" "$root" "$(title "$chapter")" <"$to/part"
    before=$chapter
done
turn=
cp "$make/manual.css" "$make/manual.js" "$html/"

# ---- chapters that are pages of the manual's section 5 as well ----

# section5 NAME TITLE: converts Markdown on standard input.
section5() {
    cat >"$to/part"
    [ -s "$to/part" ] || { echo "$1(5) is empty" >&2; exit 1; }
    { printf '# NAME\n\n%s - %s\n\n' "$1" "$2"; cat "$to/part"; } |
        $PANDOC -s -f gfm -t man -V title="$(echo "$1" | tr '[:lower:]' '[:upper:]')" -V section=5 -V date="$date" \
            -V footer="meshwork $version" |
        sed 's/\\f\[V\]/\\fB/g; s/\\f\[C\]/\\fR/g; s/\\f\[\([BIR]\)\]/\\f\1/g' >"$to/man5/$1.5"
}
sed '1s/.*/# DESCRIPTION/' "$source/doc/models.md" | section5 meshwork-model "models of fields, and how to write one"
sed '1s/.*/# DESCRIPTION/' "$source/doc/spin-models.md" |
    section5 meshwork-spin-model "models of spins, and how to write one"
sed -n '/^### Files of generators/,/^## /p' "$source/doc/walks.md" | sed '1s/.*/# DESCRIPTION/; $d' |
    section5 meshwork-carpet "files of generators of carpets"

# shown FILE LINKS: a page of the manual as HTML.
shown() {
    name=$(basename "$1")
    echo "<h1 class=\"title\" id=\"$name\">${name%.*}(${name##*.})</h1>"
    mandoc -T html -O fragment,man="$2" "$1" | sed 's|<a class="Xr" href="#*[^m#][^"]*">\([^<]*\)</a>|\1|g'
}

# ---- the first page, and the command's pages ----

# Pages that are not chapters.
set -- "$pages"/meshwork*.1 "$source"/doc/man/*.5 "$source"/doc/man/*.7
{
    echo "<h1>The manual of meshwork</h1>"
    $PANDOC -f gfm -t html5 "$source/doc/make/first.md"
    list "" ""
} | page index "" "Manual"
{
    echo "<h1>Subcommands, options, files</h1>"
    echo "<p>The pages that <code>man</code> shows. Each option is on the page of its subcommand.</p><table>"
    for file in "$@" "$to"/man5/*.5; do
        name=$(basename "$file")
        number=${name##*.} name=${name%.*}
        about=$(sed -n 's/^\.Nd //p; s/^meshwork-[a-z-]* - //p; s/^meshwork-[a-z-]* \\- //p' "$file")
        echo "<tr><td><a href=\"man/$name.$number.html\">$name($number)</a></td><td>$about</td></tr>"
        shown "$file" "%N.%S.html" | page "man/$name.$number" ../ "$name($number)"
    done >"$to/commands"
    cat "$to/commands"
    echo "</table><h2 id=\"options\">All options</h2><table>"
    # mandoc names the anchor of an option by its letter, or without a letter by its long name.
    $AWK -F '\t' '
        $1 == "subcommand" { name = $2; page = "meshwork" (name == "" ? "" : "-" name); gsub(/ /, "-", page); next }
        !($2 in places) { order[++options] = $2 }
        {
            if ($3 != "")
                letter[$2] = "<code>-" $3 "</code>, "
            places[$2] = places[$2] (places[$2] == "" ? "" : ", ") "<a href=\"man/" page ".1.html#" \
                ($3 != "" ? $3 : $2) "\">" (name == "" ? "meshwork" : name) "</a>"
        }
        END { for (i = 1; i <= options; i++) print order[i] "\t<tr><td>" letter[order[i]] "<code>--" order[i] \
                  "</code></td><td>" places[order[i]] "</td></tr>" }' "$pages/tables" | sort | cut -f 2
    echo "</table>"
} | { cat >"$to/index"; page commands "" "Subcommands, options, files" <"$to/index"; }

# ---- the library ----

if has doxygen; then
    sh "$make/doxygen.sh" "$source" "$html" "PROJECT_NUMBER = $version" >"$to/doxygen.log" 2>&1 ||
        { cat "$to/doxygen.log"; exit 1; }
    rm -rf "$to/xml"
    mv "$html/xml" "$to/xml"
    # Its pages lead back to the manual, and look like it.
    for file in "$html"/library/*.html; do
        sed 's|<body[^>]*>|&<p class="back"><a href="../index.html">The manual of meshwork</a></p>|' "$file" >"$to/page" &&
            mv "$to/page" "$file"
    done
    ! has doxygen2man || sh "$make/pages3.sh" "$to/xml" "$source/include/meshwork" "$to/man3" "$date"
fi

# ---- the book ----

if has weasyprint; then
    {
        echo "<section class=\"cover\"><h1>meshwork</h1><p>The manual of version $version, $date</p></section>"
        echo "<section class=\"contents\"><h1>Contents</h1><ul>"
        for chapter in $chapters; do
            echo "<li><a href=\"#$(echo "$chapter" | tr / -)\">$(title "$chapter")</a></li>"
        done
        for file in "$@"; do
            name=$(basename "$file")
            echo "<li><a href=\"#$name\">${name%.*}(${name##*.})</a></li>"
        done
        [ -z "$(ls "$to"/man3/*.3 2>/dev/null)" ] || echo '<li><a href="#functions">The library&#39;s functions</a></li>'
        echo "</ul></section>"
        for chapter in $chapters; do
            convert "$chapter" "-M book=yes"
        done
        for file in "$@"; do
            # Anchors within a page would not be unique in the book, and links to pages that are chapters have no
            # target.
            shown "$file" "#%N.%S" | sed 's/ id="[^m"][^"]*"//g;
                s|<a class="Xr" href="#meshwork-[a-z-]*model.5">\([^<]*\)</a>|\1|g;
                s|<a class="Xr" href="#meshwork-carpet.5">\([^<]*\)</a>|\1|g'
        done
        [ -z "$(ls "$to"/man3/*.3 2>/dev/null)" ] || echo '<h1 id="functions">The library&#39;s functions</h1>'
        for file in "$to"/man3/*.3; do
            [ -f "$file" ] || continue
            name=$(basename "$file" .3)
            mandoc -T html -O fragment "$file" | sed "s|<h1[^>]*>.*NAME.*</h1>|<h3>$name</h3>|
                s|<h1[^>]*><a[^>]*>\([A-Z ]*\)</a></h1>|<h4>\1</h4>|; s| id=\"[^\"]*\"||g
                s|<a class=\"[^\"]*\" href=\"[^\"]*\">\([^<]*\)</a>|\1|g"
        done
    } >"$to/body"
    # The tool writes paths of pictures and of linked files into the book.  Pictures as data and links as text make it
    # the same in any folder.
    echo 's|<a href="[^#:"]*\.html">\([^<]*\)</a>|\1|g' >"$to/pictures.sed"
    for picture in "$html"/pictures/*.png; do
        printf 's|src="pictures/%s"|src="data:image/png;base64,%s"|g\n' "${picture##*/}" \
            "$(base64 "$picture" | tr -d '\n')"
    done >>"$to/pictures.sed"
    { echo '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>meshwork</title>'
      echo '<link rel="stylesheet" href="manual.css"></head><body><main>'
      sed -f "$to/pictures.sed" "$to/body"
      echo '</main></body></html>'; } >"$html/book.html"
    weasyprint -q "$html/book.html" "$to/meshwork.pdf"
    rm "$html/book.html"
fi

# ---- search ----

# An entry per page and per section of a chapter: address, title, words.
{
    echo 'window.searchIndex = ['
    for file in "$html"/*.html "$html"/results/*.html "$html"/results/papers/*.html "$html"/man/*.html; do
        $AWK -v page="${file#"$html"/}" -f "$make/search.awk" "$file"
    done
    ! has doxygen || sed -n 's/.*<li>\(mw_[a-z_0-9]*\)().*href="\([^"]*\)">.*/["library\/\2", "\1", "function"],/p' \
        "$html"/library/globals_func*.html | sort -u
    echo '];'
} >"$html/search.js"

# ---- links ----

# Every link has a target.
for file in "$html"/*.html "$html"/*/*.html "$html"/results/papers/*.html; do
    case $file in "$html"/library/*) continue ;; esac
    tr '>' '\n' <"$file" | sed -n 's/.*\(href\|src\)="\([^"#:]*\)[#"].*/\2/p' | sort -u | while read -r link; do
        [ -z "$link" ] || [ -e "${file%/*}/$link" ] || { echo "$file links to $link, which is not there"; exit 1; }
    done
done

rm -rf "$to/book" "$to/body" "$to/pictures.sed" "$to/frame" "$to/list" "$to/index" "$to/commands"
