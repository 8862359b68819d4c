# The common part of all shells' completions: reads the tables of options and classifies values and operands.
# Each shell's file defines write(), which is called at the end.  The file `functions` has the shell's own functions.
# SPDX-License-Identifier: MIT
function write_functions(    line) {
    while ((getline line <functions) > 0)
        print line
}
function fail(what) { print "completion: " what >"/dev/stderr"; exit 1 }

# Returns the literal words of a value, which are separated by |, with spaces between them.
function literals(value,    n, i, parts, text) {
    gsub(/ *\| */, "|", value)
    n = split(value, parts, "|")
    for (i = 1; i <= n; i++)
        if (parts[i] ~ /^[a-z][a-z0-9-]*$/ && !(value ~ /FILE\.[a-z]*\|/))
            text = text (text == "" ? "" : " ") parts[i]
    return text
}

# Returns the kind of a value without its literals: files, folders, devices, names (shown by `list`), parameters of a
# model, or nothing.
function kind_of(value) {
    if (value ~ /DEVICE/) return "devices"
    if (value ~ /FOLDER/) return "folders"
    if (value ~ /[A-Z].*\|list$/) return value ~ /FILE/ ? "names-files" : "names"
    if (value ~ /FILE|PATTERN/) return "files"
    if (value ~ /^NAME=/) return "parameters"
    return ""
}

# Returns the kind of a subcommand's operands.
function operand_kind(name, text) {
    if (name == "graph generate" || name == "bench") return "listed"
    if (text ~ /^[a-z]+\|/) return "" # words come first
    if (text ~ /MODEL/) return "models"
    if (text ~ /TASK|SUBCOMMAND/) return "subcommands"
    if (text ~ /OP\.\.\./) return "operations"
    if (text ~ /FILE|^A B$/) return "files"
    return ""
}

# Returns the literal words of a subcommand's operands.
function operand_words(text) {
    if (text ~ /OP\.\.\./)
        return "flip= shift= crinkle= uncrinkle= permute= pad= crop= split= merge= tile= reverse= morton"
    sub(/ \[.*/, "", text)
    return literals(text)
}

# Lists the indices of the subcommands below one; returns their number.
function below(name, list,    i, n, rest) {
    n = 0
    for (i = 1; i <= subcommands; i++) {
        if (sub_name[i] == "" || (name != "" && index(sub_name[i], name " ") != 1))
            continue
        rest = name == "" ? sub_name[i] : substr(sub_name[i], length(name) + 2)
        if (rest !~ / /)
            list[++n] = i
    }
    return n
}

# Lists the subcommands that a subcommand accepts as its operand: its own, or for tasks all of the first level.
function parts_of(i, list) {
    delete list
    if (sub_operands[i] ~ /TASK/)
        return below("", list)
    return sub_operands[i] ~ /SUBCOMMAND/ ? below(sub_name[i], list) : 0
}
function last_word(i,    n, parts) {
    n = split(sub_name[i], parts, " ")
    return parts[n]
}

BEGIN { FS = "\t" }
$1 == "subcommand" {
    sub_name[++subcommands] = $2
    sub_operands[subcommands] = $3
    sub_summary[subcommands] = $4
    first[subcommands] = options + 1
}
$1 == "option" {
    option[++options] = $2
    letter[options] = $3
    type_of[options] = $5
    value[options] = $6
    help[options] = $9
    last[subcommands] = options
}
END {
    if (!options)
        fail("no tables")
    write()
}
