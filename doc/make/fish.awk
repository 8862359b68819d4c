# meshwork's completion for fish, with completion.awk.
# SPDX-License-Identifier: MIT
function quoted(text) {
    gsub(/[\\']/, "\\\\&", text)
    return "'" text "'"
}

# Returns the candidates: words and the output of functions.
function offered(kind, words, name, option_name) {
    if (kind == "devices") words = words " (__fish_meshwork_devices)"
    else if (kind == "models") words = words " (__fish_meshwork_names models -q)"
    else if (kind == "listed") words = words " (__fish_meshwork_names " name " list)"
    else if (kind ~ /^names/) words = words " (__fish_meshwork_names " name " " option_name " list)"
    return words
}

function write_operands(i, condition,    kind, words) {
    kind = operand_kind(sub_name[i], sub_operands[i])
    words = offered(kind, operand_words(sub_operands[i]), sub_name[i], "")
    if (kind !~ /files|models|operations/)
        print "complete -c meshwork" condition " -f"
    if (words !~ /^ *$/)
        print "complete -c meshwork" condition " -a " quoted(words)
}

function write(    i, o, n, k, list, condition, kind, words) {
    print "# fish completion for meshwork.  Made of the command's tables of options."
    write_functions()
    printf "\nset -g __fish_meshwork_parts"
    for (i = 2; i <= subcommands; i++)
        printf " %s", last_word(i)
    print ""
    for (i = 1; i <= subcommands; i++) {
        condition = " -n " quoted("__fish_meshwork_is " quoted(sub_name[i]))
        print ""
        write_operands(i, condition)
        n = parts_of(i, list)
        for (k = 1; k <= n; k++)
            print "complete -c meshwork" condition " -a " last_word(list[k]) " -d " quoted(sub_summary[list[k]])
        for (o = first[i]; o <= last[i]; o++) {
            kind = kind_of(value[o])
            words = offered(kind, literals(value[o]), sub_name[i], "--" option[o])
            printf "complete -c meshwork%s%s -l %s", condition, letter[o] != "" ? " -s " letter[o] : "", option[o]
            print (type_of[o] == "flag" ? "" : kind ~ /files|folders/ ? " -r -F" : " -x") \
                  (words ~ /^ *$/ ? "" : " -a " quoted(words)) " -d " quoted(help[o])
        }
    }
}
