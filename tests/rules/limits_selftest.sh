#!/usr/bin/env bash
# limits.sh sees a limit without a test, a test without a limit, and a header that it cannot read.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cat >"$scratch/limits.hpp" <<'END'
struct Limits {
    std::size_t max_things = 10;             ///< a comment = with a sign
    std::chrono::milliseconds poll{1000};    ///< braces
    Duration some_time = std::chrono::hours(1);
};
END
mkdir "$scratch/tests"
write() { printf 'TEST_F(EndpointLimit, %s) {\n' "$@" >"$scratch/tests/a_test.cpp"; }
expect() {
    local status=0
    "$here/limits.sh" "$scratch/limits.hpp" "$scratch/tests" 2>"$scratch/said" || status=$?
    [[ $status -eq $1 ]] || { echo "$3: expected the status $1, got $status" >&2; cat "$scratch/said" >&2; exit 1; }
    grep -q "$2" "$scratch/said" || [[ $1 -eq 0 ]] || { echo "$3: it does not say '$2'" >&2; exit 1; }
}

write max_things poll some_time
expect 0 '' 'a test for each'
write max_things some_time
expect 1 'Limits::poll has no test' 'a limit without a test'
write max_things poll some_time max_ghosts
expect 1 'max_ghosts' 'a test without a limit'
write max_things_of_all poll some_time
expect 1 'Limits::max_things has no test' 'a longer name is another limit'
echo 'struct Other {};' >"$scratch/limits.hpp"
write max_things
expect 1 'no member was found' 'a header without limits'
