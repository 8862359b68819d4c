# Makes the manual page of a subcommand from the tables of options and the text that is written by hand.
#
#     awk -v name='graph paths' -v date=DATE -v version=VERSION -v docs=FOLDER -f page.awk TABLES common.mdoc... OWN.mdoc
#
# OWN.mdoc is mdoc with these parts:
#
#   - the description, in which `@subcommands` lists the subcommands
#   - after `@option NAME`, the text of that option
#   - after `@sections`, sections that follow the options
#   - after `@see`, arguments of .Xr or chapters of doc, one per line
#
# The other files have texts of options that several subcommands share; later files override earlier ones.  An option
# without a text gets its help.  The tables have its syntax, its default and its variable.
# SPDX-License-Identifier: MIT
function fail(what) { print "page.awk: " what >"/dev/stderr"; failed = 1; exit 1 }

# Returns a value or operand of the help as mdoc.  Words between | are literal if they are lower case.
function marked(value,    n, i, parts, text) {
    n = split(value, parts, "|")
    for (i = 1; i <= n; i++)
        text = text (i > 1 ? " | " : "") (parts[i] ~ /^[a-z0-9-]+$/ ? "Cm " : "Ar ") parts[i]
    return text
}

function operands(text,    n, i, parts, word, list) {
    print ".Nm meshwork" (name == "" ? "" : " " name) "\n.Op Ar option ..."
    n = split(text, parts, " ")
    for (i = 1; i <= n; i++) {
        word = parts[i]
        if (word == "|") {
            print ".Nm meshwork " name
            continue
        }
        list = sub(/\.\.\./, "", word) || word ~ /S\]$/ ? " ..." : ""
        if (word ~ /^\[.*\]$/)
            print ".Op " marked(substr(word, 2, length(word) - 2)) list
        else
            print "." marked(word) list
    }
}

function print_option(i,    key, line) {
    line = ".It " (letter[i] != "" ? "Fl " letter[i] " , " : "") "Fl -" option[i]
    if (kind[i] == "alone")
        line = line " Ns Op = Ns " marked(value[i])
    else if (kind[i] != "flag")
        line = line " " marked(value[i])
    print line
    key = option[i]
    if (key in own)
        printf "%s", own[key]
    else
        print toupper(substr(help[i], 1, 1)) substr(help[i], 2) (help[i] ~ /\.$/ ? "" : ".")
    used[key] = 1
    if (key in own && own[key] == "")
        fail("the text of option " key " of meshwork " name " is empty")
    if (kind[i] == "several")
        print "It may be given several times."
    if (fallback[i] != "")
        print "The default is\n.Cm " fallback[i] " ."
    if (environment[i] != "")
        print "The environment variable\n.Ev " environment[i] "\ndoes the same."
}

function print_options(    i) {
    print ".Sh OPTIONS"
    for (i = 1; i <= options; i++) {
        if (i == 1 || group[i] != group[i - 1])
            print (i > 1 ? ".El\n" : "") ".Ss " group[i] "\n.Bl -tag -width Ds"
        print_option(i)
    }
    print ".El"
}

function print_parts(    i, page) {
    print ".Bl -tag -width Ds"
    for (i = 1; i <= parts; i++) {
        page = part[i]
        gsub(/ /, "-", page)
        print ".It Xr meshwork-" page " 1\n" toupper(substr(part_summary[i], 1, 1)) substr(part_summary[i], 2) "."
    }
    print ".El"
}

# Prints a command, broken into lines that a shell joins.
function print_command(text,    n) {
    while (length(text) > 68) {
        for (n = 68; n > 0 && substr(text, n, 2) != " -"; n--)
            ;
        if (!n)
            break
        print (going ? "    " : "$ ") substr(text, 1, n) "\\e"
        text = substr(text, n + 1)
        going = 1
    }
    print (going ? "    " : "$ ") text
    going = 0
}

function print_examples(    i) {
    print ".Sh EXAMPLES"
    for (i = 1; i <= examples; i++) {
        print (i > 1 ? ".Pp\n" : "") toupper(substr(example_text[i], 1, 1)) substr(example_text[i], 2) ":"
        print ".Bd -literal -offset indent"
        print_command(example[i])
        print ".Ed"
    }
}

# Prints a reference to an installed page, or to a chapter, whose name ends in .md.
function print_see(    i, chapters) {
    print ".Sh SEE ALSO"
    if (name != "")
        print ".Xr meshwork 1 ,"
    for (i = 1; i <= sees; i++)
        if (see[i] !~ /\.md$/)
            print ".Xr " see[i] " ,"
    print ".Xr meshwork-environment 7"
    for (i = 1; i <= sees; i++)
        if (see[i] ~ /\.md$/)
            print (chapters++ ? "" : ".Pp\n") ".Pa " docs "/" see[i]
}

BEGIN { FS = "\t"; above = name == "" ? "" : name " " }
FNR == 1 { file++; last = FILENAME == ARGV[ARGC - 1]; part_of_text = "description" }
file == 1 && $1 == "subcommand" {
    here = $2 == name
    if (here) {
        operands_text = $3
        summary = name == "" ? "run simulations and analyse networks on GPUs and CPUs" : $4
        found = 1
    }
    below = substr($2, length(above) + 1)
    if (!here && (above == "" || index($2, above) == 1) && below !~ / /) {
        part[++parts] = $2
        part_summary[parts] = $4
    }
}
file == 1 && $1 == "option" && here {
    option[++options] = $2
    letter[options] = $3
    group[options] = $4
    kind[options] = $5
    value[options] = $6
    fallback[options] = $7
    environment[options] = $8
    help[options] = $9
}
file == 1 && $1 == "example" && here {
    example[++examples] = $2
    example_text[examples] = $3
}
file == 1 { next }
/^@option / {
    part_of_text = "option"
    key = substr($0, 9)
    own[key] = ""
    if (last)
        written[key] = 1
    next
}
/^@(sections|see)$/ { part_of_text = substr($0, 2); next }
part_of_text == "option" { own[key] = own[key] $0 "\n" }
part_of_text == "description" { description[++lines] = $0 }
part_of_text == "sections" { sections = sections $0 "\n" }
part_of_text == "see" { see[++sees] = $0 }
END {
    if (failed)
        exit 1
    if (!found)
        fail("there is no subcommand '" name "'")
    page = "meshwork" (name == "" ? "" : "-" name)
    gsub(/ /, "-", page)
    print ".\\\" Made by doc/make/page.awk: change the tables of options, or the text in doc/man."
    print ".Dd " date "\n.Dt " toupper(page) " 1\n.Os meshwork " version
    print ".Sh NAME\n.Nm " page "\n.Nd " summary
    print ".Sh SYNOPSIS"
    operands(operands_text)
    print ".Sh DESCRIPTION"
    for (i = 1; i <= lines; i++)
        if (description[i] == "@subcommands")
            print_parts()
        else
            print description[i]
    print_options()
    printf "%s", sections
    if (examples)
        print_examples()
    print_see()
    for (key in written)
        if (!(key in used))
            fail("meshwork " name " has no option " key ", of which there is a text")
}
