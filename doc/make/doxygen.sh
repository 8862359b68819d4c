#!/bin/sh
# The library's reference, by doxygen from the headers, as FOLDER/xml and FOLDER/library:
# doxygen.sh SOURCE FOLDER [LINE...], with more lines of configuration.  Prints what doxygen warns of.
# SPDX-License-Identifier: MIT
set -eu
source=${1:?} to=${2:?}
shift 2
{
    cat "$source/doc/make/Doxyfile"
    echo "INPUT = $source/include $source/doc/make/mainpage.dox"
    echo "HTML_EXTRA_STYLESHEET = $source/doc/make/library.css"
    echo "STRIP_FROM_PATH = $source/include"
    echo "INPUT_FILTER = \"${AWK:-awk} -f $source/doc/make/headers.awk\""
    echo "OUTPUT_DIRECTORY = $to"
    [ $# -eq 0 ] || printf '%s\n' "$@"
} | doxygen -
