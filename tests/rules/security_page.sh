#!/usr/bin/env bash
# Every test that docs/security.md names exists.
#   security_page.sh [PAGE [TESTS]]
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
page=${1:-$root/docs/security.md}
tests=${2:-$root/tests}

failed=0
complain() {
    echo "$page names $1, and there is no such test" >&2
    failed=1
}

rows=$(grep '^|' "$page" || true)
known=$(grep -rhoE --include='*.cpp' --exclude-dir=node_modules '^TEST(_F)?\([A-Za-z]+, [a-z0-9_]+\)' "$tests" | sed -E 's/^TEST(_F)?\(([A-Za-z]+), ([a-z0-9_]+)\)/\2.\3/' | sort -u || true)
for name in $(grep -oE '`[A-Z][A-Za-z]+\.[a-z0-9_]+`' <<<"$rows" | tr -d '`' | sort -u || true); do
    grep -qxF "$name" <<<"$known" || complain "$name"
done
for name in $(grep -oE '`[a-z0-9_]+\.txt`' <<<"$rows" | tr -d '`' | sort -u || true); do
    [[ -f $tests/golden/$name ]] || complain "$name"
done
for name in $(grep -oE 'attack `[a-z-]+`' <<<"$rows" | sed -E 's/.*`(.*)`/\1/' | sort -u || true); do
    grep -rqF "{\"$name\"," "$tests/attack" || complain "the attack $name"
done
# A table without tests would pass all of the above.
[[ -n $known && $rows == *'CVE-'* ]] || { echo "$page has no table of vulnerabilities, or $tests has no tests" >&2; failed=1; }
exit "$failed"
