#!/usr/bin/env bash
# Every test that docs/rules.md names exists, and its file names the rule of its row.
#   rules_page.sh [PAGE [TESTS]]
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
page=${1:-$root/docs/rules.md}
tests=${2:-$root/tests}
failed=0 rows=0

complain() {
    echo "rules_page: $*" >&2
    failed=1
}

# Prints "Suite.name file" for each test.
list_tests() {
    grep -rE '^TEST(_F|_P)?\([A-Za-z]+, [a-z0-9_]+\)' "$tests" --include='*_test.cpp' --include='golden_test.cpp' |
        sed -E 's/^([^:]+):TEST(_F|_P)?\(([A-Za-z]+), ([a-z0-9_]+)\).*/\3.\4 \1/'
}

declare -A file_of=()
while read -r name file; do file_of[$name]=$file; done < <(list_tests)

# Whether a file has the rule in one of its comments "rules: ...".
names_rule() { grep -E '^[[:space:]]*(//|#).*rules:' "$1" | grep -qE "\b$2\b"; }

while IFS='|' read -r _ line rule names _; do
    line=${line//[[:space:]]/ } rule=${rule//[[:space:]]/}
    [[ $line != ' line ' && $line != *---* ]] || continue
    rows=$((rows + 1)) shown=no
    found=$(grep -oE '`[^`]+`' <<<"$names" | tr -d '`' || true)
    [[ -n $found ]] || complain "the row '$line' names no test"
    for name in $found; do
        file=${file_of[$name]:-}
        [[ $name != *.txt ]] || file=$tests/golden/$name
        [[ -f $file ]] || { complain "the row '$line' names $name, and there is no such test"; continue; }
        [[ $rule == – ]] || ! names_rule "$file" "$rule" || shown=yes
    done
    [[ $rule == – || $shown == yes ]] || complain "no file of the row '$line' has a comment with $rule"
done < <(grep '^|' "$page" || true)

[[ $rows -gt 0 ]] || complain "$page has no table"
exit "$failed"
