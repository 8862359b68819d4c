# SPDX-License-Identifier: MIT

# Whether the words before the cursor are of this subcommand; of compare, behind its task, also of that.
function __fish_meshwork_is
    set -l name
    set -l words (commandline -opc)
    for word in $words[2..-1]
        if not contains -- $word $__fish_meshwork_parts
            continue
        end
        switch "$name"
            case '' graph compare advise '* graph'
                set name (string trim -- "$name $word")
        end
    end
    switch "$argv[1]"
        case ''
            test -z "$name"
        case compare advise
            string match -q -- "$argv[1]*" "$name"
        case '*'
            test "$name" = "$argv[1]"; or test "$name" = "compare $argv[1]"; or test "$name" = "advise $argv[1]"
    end
end

# The first words of what a list of meshwork's shows below its titles.
function __fish_meshwork_names
    meshwork $argv 2>/dev/null | sed -n '2,$s/^\([^ ][^ ]*\).*/\1/p'
end

function __fish_meshwork_devices
    printf '%s\n' cpu gpu accelerator native
    meshwork devices -q 2>/dev/null | sed -n '2,$s/^[* ] *[0-9][0-9]* *\([^ ]*\) .*/\1/p'
end
