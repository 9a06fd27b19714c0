#!/usr/bin/env bash
# Checks that every limit has a test that reaches it: TEST_F(...Limit, member) in tests/limits, or a test of another folder
# that tests/limits/elsewhere.txt names.
#   limits.sh [ROOT]
set -euo pipefail
root=${1:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}
folder=$root/tests/limits
failed=0
complain() {
    echo "limits.sh: $*" >&2
    failed=1
}

# members STRUCT HEADER NAMES: prints the members of a struct whose name matches NAMES. A member has a type, a name, and a
# default after "=" or in braces.
members() {
    sed -n "/^struct $1 {/,/^};/p" "$root/include/tenon/$2" |
        grep -oE "^    [A-Za-z_:<>]+ ($3)( =|\{)" | sed -E 's/^ +[^ ]+ ([a-z_]+).*/\1/' || true
}

limits=$(
    members Limits limits.hpp '[a-z_]+' | sed 's/^/Limits::/'
    members HttpOptions transport/http_server.hpp 'max_[a-z_]+' | sed 's/^/HttpOptions::/'
)
client_limits=$(members ClientLimits client_options.hpp '[a-z_]+' | sed 's/^/ClientLimits::/')
[[ $limits == *Limits::* && $limits == *HttpOptions::* && -n $client_limits ]] ||
    complain "no member was found in one of the headers of $root/include/tenon"

# tests_of FIXTURE: prints the names of the tests in tests/limits whose fixture matches.
tests_of() { grep -rhoE "^TEST_F\($1, [a-z_]+\)" "$folder" | sed -E 's/.*, ([a-z_]+)\)/\1/' | sort -u || true; }
server_tests=$(tests_of '(Endpoint|TaskEndpoint|Memory|Socket)Limit')
client_tests=$(tests_of '[A-Za-z]*ClientLimit')
elsewhere=$(sed '/^#/d' "$folder/elsewhere.txt")

for limit in $limits; do
    grep -qxF "${limit#*::}" <<<"$server_tests" || complain "$limit has no test: add TEST_F(...Limit, ${limit#*::}) to tests/limits"
done
for limit in $client_limits; do
    grep -qxF "${limit#*::}" <<<"$client_tests" || grep -qE "^$limit " <<<"$elsewhere" ||
        complain "$limit has no test: add TEST_F(ClientLimit, ${limit#*::}) to tests/limits, or a line to elsewhere.txt"
done
for name in $server_tests; do
    grep -qE "::$name$" <<<"$limits" || complain "tests/limits has a test for $name, but there is no such limit of a server"
done
for name in $client_tests; do
    grep -qE "::$name$" <<<"$client_limits" || complain "tests/limits has a test for $name, but ClientLimits has no such member"
done
while read -r limit test; do
    [[ -n $limit ]] || continue
    grep -qxF "$limit" <<<"$client_limits" || complain "elsewhere.txt names $limit, which is not a limit"
    grep -rqE "^TEST(_F|_P)?\(${test%.*}, ${test#*.}\)" "$root/tests" || complain "elsewhere.txt names $test, which is not a test"
done <<<"$elsewhere"
exit "$failed"
