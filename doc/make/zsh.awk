# meshwork's completion for zsh, with completion.awk.
# SPDX-License-Identifier: MIT
function quoted(text) {
    gsub(/'/, "'\\''", text)
    return "'" text "'"
}
# Returns a help text for an option's specification.
function described(text) {
    gsub(/[][\\:]/, "\\\\&", text)
    return "[" text "]"
}

# Returns the action of _arguments that completes a value.
function action(value, name, option_name,    kind, words) {
    kind = kind_of(value)
    words = literals(value)
    if (kind == "devices") return "__meshwork_devices"
    if (kind == "folders") return "_files -/"
    if (kind ~ /^names/) return "{__meshwork_names " (kind ~ /files/ ? "-f " : "") name " " option_name " list}"
    if (kind == "files") return "_files"
    return words == "" ? " " : "(" words ")"
}
function operand_action(i,    kind, words) {
    kind = operand_kind(sub_name[i], sub_operands[i])
    words = operand_words(sub_operands[i])
    if (kind == "models") return "__meshwork_models"
    if (kind == "files") return "_files"
    if (kind == "listed") return "{__meshwork_names " sub_name[i] " list}"
    if (kind == "operations") return "{compadd -S '' " words "; _files}"
    return words == "" ? "" : "(" words ")"
}

function write_option(o, name,    long, spec, v) {
    long = "--" option[o]
    spec = described(help[o])
    v = type_of[o] == "flag" ? "" : ":" (type_of[o] == "alone" ? ":" : "") "value:" action(value[o], name, long)
    printf "        %s \\\n", quoted((type_of[o] == "several" ? "*" : "") long (type_of[o] == "flag" ? "" : \
           type_of[o] == "alone" ? "=-" : "=") spec v)
    if (letter[o] != "")
        printf "        %s \\\n", quoted((type_of[o] == "several" ? "*" : "") "-" letter[o] \
               (type_of[o] == "flag" ? "" : "+") spec v)
}

function write(    i, o, n, k, list, words, f, takes_part) {
    print "#compdef meshwork\n# zsh completion for meshwork.  Made of the command's tables of options."
    write_functions()
    for (i = 1; i <= subcommands; i++) {
        f = sub_name[i]
        gsub(/ /, "_", f)
        print "\n_meshwork" (f == "" ? "" : "_" f) "()\n{"
        takes_part = n = parts_of(i, list)
        if (n) {
            print "    local -a parts=("
            for (k = 1; k <= n; k++)
                print "        " quoted(last_word(list[k]) ":" sub_summary[list[k]])
            n = split(operand_words(sub_operands[i]), words, " ")
            for (k = 1; k <= n; k++)
                print "        " words[k]
            print "    )"
        }
        print "    local context state state_descr line\n    typeset -A opt_args"
        print "    _arguments -s -S \\"
        for (o = first[i]; o <= last[i]; o++)
            write_option(o, sub_name[i])
        if (takes_part) {
            print "        '1:subcommand:{_describe subcommand parts}' '*::argument:->rest' && return"
            print "    [[ $state == rest ]] && _call_function - \"_meshwork" \
                  (sub_name[i] == "graph" ? "_graph" : "") "_$words[1]\""
        } else if (operand_action(i) != "")
            print "        " quoted("*:operand:" operand_action(i))
        else
            print "        && return"
        print "}"
    }
    print "\n_meshwork \"$@\""
}
