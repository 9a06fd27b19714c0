#!/usr/bin/env bash
# rules_page.sh sees a test that does not exist, a rule that its file does not name, and a row or page without tests.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

mkdir -p "$scratch/tests/golden"
printf '// rules: SEC-3, RES-2\nTEST(Uri, sees_traversal) {\nTEST_P(Http, serves_2) {\n' >"$scratch/tests/a_test.cpp"
printf '# rules: RPC-1\n' >"$scratch/tests/golden/a_dialogue.txt"
expect() {
    local status=0
    printf '| line | rule | test | break |\n|---|---|---|---|\n| 1 | %s | %s | all |\n' "$2" "$3" >"$scratch/page.md"
    "$here/rules_page.sh" "$scratch/page.md" "$scratch/tests" 2>"$scratch/said" || status=$?
    [[ $status -eq $1 ]] || { echo "'$2' '$3': expected the status $1, got $status" >&2; cat "$scratch/said" >&2; exit 1; }
}

expect 0 SEC-3 '`Uri.sees_traversal`, `Http.serves_2`'
expect 0 RPC-1 '`a_dialogue.txt`'
expect 0 – '`Uri.sees_traversal`'
expect 1 SEC-3 '`Uri.sees`'
expect 1 RPC-1 '`other.txt`'
expect 1 SEC-4 '`Uri.sees_traversal`'
expect 1 RES-22 '`Uri.sees_traversal`'
expect 1 SEC-3 'none'
echo 'no table' >"$scratch/page.md"
! "$here/rules_page.sh" "$scratch/page.md" "$scratch/tests" 2>/dev/null || { echo 'a page without a table passes' >&2; exit 1; }
