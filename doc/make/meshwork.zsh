# SPDX-License-Identifier: MIT

# The first words of what a list of meshwork's shows below its titles; with -f also files.
__meshwork_names()
{
    [[ $1 == -f ]] && { shift; _files }
    local -a names
    names=(${(f)"$(meshwork "$@" 2>/dev/null | sed -n '2,$s/^\([^ ][^ ]*\).*/\1/p')"})
    compadd -a names
}

__meshwork_models()
{
    __meshwork_names -f models -q
}

__meshwork_devices()
{
    local -a names
    names=(cpu gpu accelerator native
        ${(f)"$(meshwork devices -q 2>/dev/null | sed -n '2,$s/^[* ] *[0-9][0-9]* *\([^ ]*\) .*/\1/p')"})
    _values -s , device ${names//:/\\:}
}
