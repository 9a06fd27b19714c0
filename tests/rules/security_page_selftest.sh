#!/usr/bin/env bash
# security_page.sh sees each kind of test that does not exist.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

mkdir -p "$scratch/tests/golden" "$scratch/tests/attack"
echo 'TEST(Uri, sees_traversal) {' >"$scratch/tests/a_test.cpp"
echo 'TEST_F(Http, serves_2) {' >>"$scratch/tests/a_test.cpp"
touch "$scratch/tests/golden/a_dialogue.txt"
echo '    {"slow-calls", "many", slow_calls},' >"$scratch/tests/attack/clients.cpp"
expect() {
    local status=0
    printf '| CVE-2025-1 | %s |\n' "$2" >"$scratch/page.md"
    "$here/security_page.sh" "$scratch/page.md" "$scratch/tests" 2>"$scratch/said" || status=$?
    [[ $status -eq $1 ]] || { echo "'$2': expected the status $1, got $status" >&2; cat "$scratch/said" >&2; exit 1; }
}

expect 0 '`Uri.sees_traversal`, `Http.serves_2`, `a_dialogue.txt`, attack `slow-calls`'
expect 1 '`Uri.sees`'
expect 1 '`Url.sees_traversal`'
expect 1 '`other_dialogue.txt`'
expect 1 'attack `slow`'
echo 'no table' >"$scratch/page.md"
! "$here/security_page.sh" "$scratch/page.md" "$scratch/tests" 2>/dev/null || { echo 'a page without a table passes' >&2; exit 1; }
