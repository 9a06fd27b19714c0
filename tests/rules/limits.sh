#!/usr/bin/env bash
# Checks that every limit has a test that reaches it: TEST_F(...Limit, member) in tests/limits, or a test of another folder
# that tests/limits/elsewhere.txt names. The limits of a server must be in tests/limits.
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

# tests_of FIXTURE: prints the names of the tests in tests/limits whose fixture matches.
tests_of() { grep -rhoE "^TEST_F\($1, [a-z_]+\)" "$folder" | sed -E 's/.*, ([a-z_]+)\)/\1/' | sort -u || true; }

elsewhere=$(sed '/^#/d' "$folder/elsewhere.txt")
all_limits=''  # that elsewhere.txt may name

# is_tested LIMIT TESTS PLACE: PLACE is "elsewhere" when a test of another folder counts.
is_tested() {
    grep -qxF "${1#*::}" <<<"$2" || { [[ $3 == elsewhere ]] && grep -qE "^$1 " <<<"$elsewhere"; }
}

# check FIXTURE PLACE LIMIT...: compares these limits with the tests of these fixtures.
check() {
    local fixture=$1 place=$2 tests name limit limits
    shift 2
    tests=$(tests_of "$fixture")
    limits=$(printf '%s\n' "$@")
    for limit in "$@"; do
        is_tested "$limit" "$tests" "$place" ||
            complain "$limit has no test: add TEST_F($fixture, ${limit#*::}) to tests/limits$([[ $place == here ]] || echo ', or a line to elsewhere.txt')"
        [[ $place == here ]] || all_limits+=$limit$'\n'
    done
    for name in $tests; do
        grep -qE "::$name$" <<<"$limits" || complain "tests/limits has TEST_F($fixture, $name), but there is no such limit"
    done
}

# limits_of STRUCT HEADER NAMES: prints STRUCT::member for each member.
limits_of() {
    local found
    found=$(members "$@" | sed "s/^/$1::/")
    [[ -n $found ]] || { complain "no member was found in $1 of $root/include/tenon/$2"; exit 1; }
    echo "$found"
}

server=$(limits_of Limits limits.hpp '[a-z_]+')
http_server=$(limits_of HttpOptions transport/http_server.hpp 'max_[a-z_]+')
client=$(limits_of ClientLimits client_options.hpp '[a-z_]+')
http_client=$(limits_of HttpClientOptions transport/http_client.hpp 'max_[a-z_]+|[a-z_]+_time')
resource=$(limits_of ResourceLimits auth/resource_server.hpp '[a-z_]+')
skills=$(limits_of SkillLimits skills.hpp 'max_[a-z_]+')
metrics=$(limits_of MetricsOptions metrics.hpp 'max_[a-z_]+')
listener=$(limits_of MetricsAddress transport/metrics_listener.hpp 'max_[a-z_]+|[a-z_]+_time')
traces=$(limits_of TraceExporterOptions trace_exporter.hpp 'max_[a-z_]+|[a-z_]+_time')

# other_limits: prints FILE::STRUCT::member for each member `max_...` of a public struct that is not listed above. A struct
# whose name another one has, too, is named with its file.
other_limits() {
    find "$root/include/tenon" -name '*.hpp' | sort | xargs awk '
        /^struct [A-Za-z]+ \{/ { name = $2; file = FILENAME; sub(/.*\//, "", file); sub(/\.hpp$/, "", file) }
        /^\};/ { name = "" }
        name != "" && /^    [A-Za-z_:<>0-9]+ max_[a-z_]+( =|\{)/ {
            member = $2; sub(/[={].*/, "", member)
            if (name == "Limits" || name == "Options") print file "::" name "::" member; else print name "::" member
        }' | grep -vE '^(limits::Limits|HttpOptions|ClientLimits|HttpClientOptions|ResourceLimits|SkillLimits|MetricsOptions|MetricsAddress|TraceExporterOptions)::' || true
}
others=$(other_limits)

# Each list has one limit per word.
# shellcheck disable=SC2086
{
    check '(Endpoint|TaskEndpoint|Memory|Session|Socket)Limit' here $server $http_server
    check '(Queue)?ClientLimit' elsewhere $client
    check HttpClientLimit elsewhere $http_client
    check ResourceLimit elsewhere $resource
    check SkillLimit elsewhere $skills
    check MetricsLimit elsewhere $metrics $listener
    check TraceLimit elsewhere $traces
    check OtherLimit elsewhere $others
}

while read -r limit test; do
    [[ -n $limit ]] || continue
    grep -qxF "$limit" <<<"$all_limits" || complain "elsewhere.txt names $limit, which is not a limit"
    grep -rqE --include='*.cpp' --exclude-dir=node_modules "^TEST(_F|_P)?\(${test%.*}, ${test#*.}\)" "$root/tests" || complain "elsewhere.txt names $test, which is not a test"
done <<<"$elsewhere"
exit "$failed"
