#!/usr/bin/env bash
# Tests coverage.sh: it must fail for a rule without a test, for an unknown rule, and when the lists differ.
set -euo pipefail
coverage=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/coverage.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failures=0
others=(INT TOOL RES PROMPT STDIO HTTP)  # groups that have one rule here, with a reason instead of a test

plant() {
    rm -rf "${tree:?}"/*
    mkdir -p "$tree"/tests/{rules,golden,unit}
    printf '| id | rule |\n| RPC-1 | S |\n| RPC-10 | S |\n| LIFE-1 | C |\n| SEC-1 | S |\n## ANTI\n\n1 noise (RPC-1) · 2 more\n## AUDIT\n' >"$tree/rules.md"
    printf '| %s-1 | S |\n' "${others[@]}" >>"$tree/rules.md"
    printf '# ids\nRPC-1\nRPC-10\nLIFE-1\nSEC-1\nANTI-1\nANTI-2\nAUDIT-1\n' >"$tree/tests/rules/ids.txt"
    printf '%s-1\n' "${others[@]}" >>"$tree/tests/rules/ids.txt"
    printf 'LIFE-1  the client does it\n' >"$tree/tests/rules/not_here.txt"
    printf '%s-1  another test\n' "${others[@]}" >>"$tree/tests/rules/not_here.txt"
    printf '# rules: RPC-10, ANTI-1\n' >"$tree/tests/golden/a.txt"
    printf '// rules: RPC-1, ANTI-2, SEC-1, AUDIT-1\n' >"$tree/tests/unit/a_test.cpp"
}

# expect STATUS WORDS: coverage.sh must exit with this status and print these words.
expect() {
    local output status=0
    output=$("$coverage" "$tree/tests" "$tree/rules.md") || status=$?
    [[ $status -eq $1 && $output == *"$2"* ]] ||
        { printf 'coverage_selftest: expected %s and "%s", got %s:\n%s\n' "$1" "$2" "$status" "$output"; failures=1; }
}

plant
expect 0 'RPC-10     golden/a.txt'
rm "$tree/tests/unit/a_test.cpp"
expect 1 '4 rules have no test: RPC-1 SEC-1 ANTI-2 AUDIT-1'
plant
printf '// rules: RPC-99\n' >"$tree/tests/unit/b_test.cpp"
expect 1 'names RPC-99'
for unknown in SEC-99 AUDIT-2; do
    plant
    printf '// rules: %s\n' "$unknown" >"$tree/tests/unit/b_test.cpp"
    expect 1 "names $unknown"
done
for rule in SEC-1 AUDIT-1; do
    plant
    sed -i "s/, $rule//" "$tree/tests/unit/a_test.cpp"
    expect 1 "1 rules have no test: $rule"
done
for group in SEC AUDIT; do
    plant
    rm "$tree/rules.md"
    sed -i "/^$group-/d" "$tree/tests/rules/ids.txt"
    sed -i "s/, $group-1//" "$tree/tests/unit/a_test.cpp"
    expect 1 "no rule of the group $group"
done
plant
printf '| RPC-11 | S |\n' >>"$tree/rules.md"
expect 1 '< RPC-11'
plant
printf 'RPC-1\n' >>"$tree/tests/rules/not_here.txt"
expect 1 'no reason for RPC-1'
plant
rm "$tree/rules.md"
expect 0 'ids.txt alone'

exit "$failures"
