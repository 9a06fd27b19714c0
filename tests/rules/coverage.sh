#!/usr/bin/env bash
# Lists the tests of each rule. Fails when a rule has no test and not_here.txt gives no reason.
#
# A test names its rules in a comment: "// rules: RPC-1, INT-6" in C++ and JavaScript, "# rules: RPC-1" in a golden
# dialogue or a script. ids.txt has the ids of the catalogue. If the catalogue itself is present, both must agree.
#
# usage: coverage.sh [TESTS [CATALOGUE]]
set -euo pipefail
tests=${1:-$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)}
catalogue=${2:-$tests/../../shared/rules.md}
groups='RPC|INT|LIFE|TOOL|RES|PROMPT|STDIO|HTTP|SEC|ANTI|AUDIT'
any_id='[A-Z]+-[0-9]+'
failed=0

fail() {
    printf 'coverage: %s\n' "$*"
    failed=1
}

without_comments() { sed -E 's/[[:space:]]*#.*//; /^[[:space:]]*$/d' "$1"; }

# Prints the ids of the catalogue: the first cell of each table row, the numbers in the list of anti-patterns, and AUDIT-1,
# the one rule of the section AUDIT.
catalogue_ids() {
    grep -oE "^\| *($groups)-[0-9]+ *\|" "$catalogue" | tr -d '| '
    sed -n '/^## ANTI/,/^## AUDIT/p' "$catalogue" | grep -oE '(^|· *)[0-9]+ ' | grep -oE '[0-9]+' | sed 's/^/ANTI-/'
    grep -q '^## AUDIT' "$catalogue" && echo AUDIT-1
}

# Prints "id file" for each rule that a test names.
claims() {
    grep -rIE "^[[:space:]]*(//|#|/?\*)[[:space:]]*rules:" "$tests" --exclude-dir=rules --exclude-dir=node_modules |
        while IFS=: read -r file line; do
            grep -oE "$any_id" <<<"$line" | sed "s|\$| ${file#"$tests"/}|"
        done | sort -u
}

check_catalogue() {
    [[ -f $catalogue ]] || { printf 'coverage: no catalogue at hand, going by ids.txt alone\n'; return 0; }
    local difference
    difference=$(diff <(catalogue_ids | sort) <(printf '%s\n' "${!is_rule[@]}" | sort)) ||
        fail "ids.txt (>) and the catalogue (<) differ:"$'\n'"$difference"
}

declare -A is_rule=() reason=() shown_by=()
mapfile -t ids < <(without_comments "$tests/rules/ids.txt")
for id in "${ids[@]}"; do is_rule[$id]=yes; done

while read -r id why; do
    reason[$id]=$why
    [[ -n $why ]] || fail "not_here.txt gives no reason for $id"
    [[ -n ${is_rule[$id]:-} ]] || fail "not_here.txt names $id, which is not a rule of ids.txt"
done < <(without_comments "$tests/rules/not_here.txt")

while read -r id file; do
    shown_by[$id]="${shown_by[$id]:+${shown_by[$id]}, }$file"
    [[ -n ${is_rule[$id]:-} || ! $id =~ ^($groups)- ]] || fail "$file names $id, which is not a rule of ids.txt"
done < <(claims || true)

check_catalogue
for group in ${groups//|/ }; do  # without the catalogue, nothing else would notice that a group was dropped
    [[ " ${ids[*]}" == *" $group-"* ]] || fail "ids.txt has no rule of the group $group"
done
untested=()
for id in "${ids[@]}"; do
    if [[ -n ${shown_by[$id]:-} ]]; then
        printf '%-10s %s\n' "$id" "${shown_by[$id]}"
    elif [[ -n ${reason[$id]:-} ]]; then
        printf '%-10s (not here: %s)\n' "$id" "${reason[$id]}"
    else
        printf '%-10s NO TEST\n' "$id"
        untested+=("$id")
    fi
done

[[ ${#untested[@]} -eq 0 ]] || fail "${#untested[@]} rules have no test: ${untested[*]}"
exit "$failed"
