# meshwork's completion for bash, with completion.awk.
# SPDX-License-Identifier: MIT
function write_case(i,    o, v) {
    printf "        '%s')\n            operand='%s %s'\n            table='", sub_name[i],
           operand_kind(sub_name[i], sub_operands[i]), operand_words(sub_operands[i])
    for (o = first[i]; o <= last[i]; o++) {
        v = type_of[o] == "flag" ? "" : "=" kind_of(value[o]) " " literals(value[o])
        if (letter[o] != "")
            print "-" letter[o] v
        print (type_of[o] == "alone" ? "?" : "") "--" option[o] v
        if (type_of[o] == "alone")
            print "--" option[o]
    }
    print "' ;;"
}

function write(    i, n, list, k) {
    print "# bash completion for meshwork.  Made of the command's tables of options."
    print "\n# What a subcommand takes: $operand, and $table, a line an option, behind = what its value is."
    print "_meshwork_load()\n{\n    case $1 in"
    for (i = 1; i <= subcommands; i++)
        write_case(i)
    print "    esac\n}\n"
    print "_meshwork_subcommands()\n{\n    case $1 in"
    for (i = 1; i <= subcommands; i++) {
        n = parts_of(i, list)
        if (!n)
            continue
        printf "        '%s') echo '", sub_name[i]
        for (k = 1; k <= n; k++)
            printf "%s%s", (k > 1 ? " " : ""), last_word(list[k])
        print "' ;;"
    }
    print "    esac\n}"
    write_functions()
}
