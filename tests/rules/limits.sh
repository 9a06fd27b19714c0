#!/usr/bin/env bash
# Every member of tenon::Limits has a test that hits it: TEST_F(...Limit, member) in tests/limits.
#   limits.sh [HEADER [FOLDER]]
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
header=${1:-$root/include/tenon/limits.hpp}
folder=${2:-$root/tests/limits}

# The names of the members: a type, a name, and a default behind "=" or in braces.
members=$(sed -n '/^struct Limits {/,/^};/p' "$header" |
    grep -oE '^    [A-Za-z_:<>]+ [a-z_]+( =|\{)' | sed -E 's/^ +[^ ]+ ([a-z_]+).*/\1/' | sort || true)
tests=$(grep -rhoE '^TEST_F\([A-Za-z]*Limit, [a-z_]+\)' "$folder" | sed -E 's/.*, ([a-z_]+)\)/\1/' | sort -u || true)

failed=0
[[ -n $members ]] || { echo "limits.sh: no member was found in $header" >&2; failed=1; }
for name in $(comm -23 <(printf '%s\n' "$members") <(printf '%s\n' "$tests")); do
    echo "Limits::$name has no test: add TEST_F(...Limit, $name) to tests/limits" >&2
    failed=1
done
for name in $(comm -13 <(printf '%s\n' "$members") <(printf '%s\n' "$tests")); do
    echo "tests/limits has a test for $name, and Limits has no such member" >&2
    failed=1
done
exit "$failed"
