#!/bin/sh
# Names that files give reach neither a terminal as commands nor a spreadsheet as formulas.
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"

# A C1 control character, raw and as UTF-8; a direction mark; invalid UTF-8; harmless text.
{
    printf 'c\2331md e\302\2331mf\ng\342\200\256h e\302\2331mf\n'
    printf 'i\377j g\342\200\256h\nZo\303\253 i\377j\n'
} >"$work/names.el"
gives 0 graph pagerank names.el -d native:serial --top 5
if LC_ALL=C grep -q "$(printf '[\033\233\377]\\|\342\200\256\\|\302\233')" "$scratch/out"; then
    fail "control characters in the output"
fi
for shown in 'c\x9b1md' 'e\xc2\x9b1mf' 'g\xe2\x80\xaeh' 'i\xffj' "$(printf 'Zo\303\253')"; do
    grep -qF -- "$shown" "$scratch/out" || fail "no $shown in the output"
done
gives 1 graph info "$(printf 'no\302\233file.el')"
says 'no\\xc2\\x9bfile\.el'

# Formulas are marked, numbers and other names are not; a name that looks marked gets another mark.
printf '%s\n' '=1+1 +x' '@sum -5' '-2+3 +0.5e-3' "'=a plain" "'b -.5" '-inf ok' >"$work/cells.el"
gives 0 graph pagerank cells.el -d native:serial --vertices cells.csv
for cell in "\"'=1+1\"" "\"'+x\"" "\"'@sum\"" '-5' "\"'-2+3\"" '+0.5e-3' "\"''=a\"" 'plain' "'b" '-.5' "\"'-inf\"" \
    ok; do
    cut -d , -f 1 "$work/cells.csv" | grep -qxF -- "$cell" || grep -qF -- "$cell," "$work/cells.csv" ||
        fail "no cell $cell"
done
# Tables of networks have the same marks, and are read back.
printf '%s\t%s\n' '=1+1' '+x' "'=a" '-2+3' '@sum' "b'" >"$work/signs.el"
gives 0 graph convert signs.el signs.csv
for cell in "\"'=1+1\"" "\"'+x\"" "\"''=a\"" "\"'-2+3\"" "\"'@sum\""; do
    grep -qF -- "$cell" "$work/signs.csv" || fail "no cell $cell in a table"
done
gives 0 graph convert signs.csv again.el
words() { sed '/^#/d' "$work/$1" | tr '\t' '\n' | LC_ALL=C sort; }
[ "$(words signs.el)" = "$(words again.el)" ] || fail "other names after a table: $(words again.el)"
finish
