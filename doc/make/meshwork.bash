# SPDX-License-Identifier: MIT

# The first words of what a list of meshwork's shows below its titles.
_meshwork_names()
{
    meshwork "$@" 2>/dev/null | sed -n '2,$s/^\([^ ][^ ]*\).*/\1/p'
}

_meshwork_devices()
{
    echo 'cpu gpu accelerator native'
    meshwork devices -q 2>/dev/null | sed -n '2,$s/^[* ] *[0-9][0-9]* *\([^ ]*\) .*/\1/p'
}

# Of a model, where one stands on the line.
_meshwork_parameters()
{
    [[ -z $1 ]] || meshwork models -q "$1" 2>/dev/null | sed -n '/^parameter /,/^$/ { /^parameter /d; s/ .*/=/p; }'
}

# Completes words, the last one of several with commas between them.
_meshwork_words()
{
    local before=
    [[ $cur == *,* ]] && before=${cur%,*},
    mapfile -t COMPREPLY < <(compgen -P "$before" -W "$1" -- "${cur##*,}")
    __ltrim_colon_completions "$cur"
}

# What an option of $table takes, in $value.  Fails where it takes nothing from the next word.
_meshwork_value()
{
    local line
    while IFS= read -r line; do
        if [[ $line == "$1="* ]]; then
            value=${line#*=}
            return 0
        fi
    done <<<"$table"
    return 1
}

# Completes $cur as a value: its kind, a space, words.
_meshwork_complete()
{
    local kind=${1%% *} words=${1#* }
    case $kind in
        devices) words+=" $(_meshwork_devices)" ;;
        models) words+=" $(_meshwork_names models -q)" ;;
        listed) words+=" list $(_meshwork_names $name list)" ;;
        names*) words+=" $(_meshwork_names $name ${operands[0]} "$option" list)" ;;
        subcommands) words+=" $(_meshwork_subcommands "$name")" ;;
        parameters) words+=" $(_meshwork_parameters "${operands[0]}")" ;;
        folders) _filedir -d ;;
    esac
    [[ $kind == folders ]] || _meshwork_words "$words"
    case $kind in
        models) _filedir cl ;;
        files | names-files) _filedir ;;
        parameters) compopt -o nospace ;;
        operations)
            compopt -o nospace
            _filedir
            ;;
    esac
}

_meshwork()
{
    local cur prev words cword split=false
    local name= table= own= operand= option= value= i word
    local -a operands=()
    _init_completion -s -n : || return

    _meshwork_load ''
    for ((i = 1; i < cword; i++)); do
        word=${words[i]}
        if [[ $word == -* ]]; then
            [[ $word != *=* ]] && _meshwork_value "$word" && ((i++))
        elif [[ $name == '' || $name == graph ]]; then
            name=${name:+$name }$word
            _meshwork_load "$name"
            table+=$own
        elif [[ $operand == subcommands* ]]; then
            # A task, whose options stand beside those of what does it.
            own=$table name=$word
            _meshwork_load "$name"
            table+=$own
        else
            operands+=("$word")
        fi
    done
    if $split; then
        option=$prev
        _meshwork_value "$prev" || _meshwork_value "?$prev" && _meshwork_complete "$value"
    elif _meshwork_value "$prev"; then
        option=$prev
        _meshwork_complete "$value"
    elif [[ $cur == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(sed -n 's/=.*//; /^-/p' <<<"$table")" -- "$cur")
    else
        _meshwork_complete "$operand"
    fi
} && complete -F _meshwork meshwork
