# Entries of the search index of a page of the manual: [address, title, words], one per section of the second level.
# -v page=ADDRESS
# SPDX-License-Identifier: MIT
function plain(html) {
    gsub(/<[^>]*>/, " ", html)
    gsub(/&#39;/, "\047", html)
    gsub(/&[a-z0-9#]*;/, " ", html)
    gsub(/[\\"]/, " ", html)
    gsub(/[ \t]+/, " ", html)
    sub(/^ /, "", html)
    sub(/ $/, "", html)
    return html
}
function put() {
    if (title != "")
        printf "[\"%s%s\", \"%s\", \"%s\"],\n", page, mark, section == "" ? title : title ": " section, words
    words = ""
}
/<main>/ { open = 1 }
/<nav class="turn">/ { open = 0 }
!open { next }
/<h1/ && title == "" { title = plain($0); next }
/<h2/ {
    put()
    section = plain($0)
    mark = match($0, /id="[^"]*"/) ? "#" substr($0, RSTART + 4, RLENGTH - 5) : ""
    next
}
{ words = words " " plain($0) }
END { put() }
