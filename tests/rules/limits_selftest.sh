#!/usr/bin/env bash
# Tests limits.sh: a limit without a test, a test without a limit, and a wrong line of elsewhere.txt must be found.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT

mkdir -p "$tree/include/tenon/transport" "$tree/include/tenon/auth" "$tree/tests/limits" "$tree/tests/unit"
plant() {
    cat >"$tree/include/tenon/limits.hpp" <<'END'
struct Limits {
    std::size_t max_things = 3;  ///< things
    std::chrono::milliseconds poll{1000};
    Duration some_time = std::chrono::hours(1);
};
END
    printf 'struct HttpOptions {\n    std::size_t max_wires = 0;\n    bool other = true;\n};\n' >"$tree/include/tenon/transport/http_server.hpp"
    printf 'struct ClientLimits {\n    std::size_t max_calls = 1;\n    std::size_t max_pages = 1;\n};\n' >"$tree/include/tenon/client_options.hpp"
    printf 'struct HttpClientOptions {\n    std::string url = {};\n    std::size_t max_redirects = 5;\n    Duration dial_time = 1;\n};\n' >"$tree/include/tenon/transport/http_client.hpp"
    printf 'struct ResourceLimits {\n    std::size_t max_keys = 64;\n};\n' >"$tree/include/tenon/auth/resource_server.hpp"
    printf 'struct SkillLimits {\n    std::size_t max_files = 64;\n};\n' >"$tree/include/tenon/skills.hpp"
    printf 'struct MetricsOptions {\n    std::size_t max_series = 64;\n};\n' >"$tree/include/tenon/metrics.hpp"
    printf 'struct MetricsAddress {\n    Duration request_time = 1;\n};\n' >"$tree/include/tenon/transport/metrics_listener.hpp"
    printf 'struct TraceExporterOptions {\n    std::size_t max_queue = 64;\n};\n' >"$tree/include/tenon/trace_exporter.hpp"
    printf 'TEST_F(MetricsLimit, %s) {\n' max_series request_time >"$tree/tests/limits/c_test.cpp"
    printf 'TEST_F(TraceLimit, max_queue) {\n' >>"$tree/tests/limits/c_test.cpp"
    printf 'TEST_F(EndpointLimit, %s) {\n' max_things poll some_time max_wires >"$tree/tests/limits/a_test.cpp"
    printf 'TEST_F(ClientLimit, max_calls) {\n' >>"$tree/tests/limits/a_test.cpp"
    printf 'TEST_F(HttpClientLimit, %s) {\n' max_redirects dial_time >>"$tree/tests/limits/a_test.cpp"
    printf '# limits\nClientLimits::max_pages  Lists.are_short\nResourceLimits::max_keys  Lists.are_short\nSkillLimits::max_files  Lists.are_short\n' >"$tree/tests/limits/elsewhere.txt"
    printf 'TEST(Lists, are_short) {\n' >"$tree/tests/unit/b_test.cpp"
}
# expect STATUS WORDS WHAT
expect() {
    local status=0
    "$here/limits.sh" "$tree" 2>"$tree/said" || status=$?
    [[ $status -eq $1 ]] && grep -q "$2" "$tree/said" ||
        { echo "limits_selftest: $3: expected the status $1 and '$2', got $status:" >&2; cat "$tree/said" >&2; exit 1; }
}

plant
"$here/limits.sh" "$tree" || { echo 'limits_selftest: a correct tree is refused' >&2; exit 1; }
sed -i '/poll/d' "$tree/tests/limits/a_test.cpp"
expect 1 'Limits::poll has no test' 'a limit without a test'
plant
sed -i 's/max_things)/max_things_of_all)/' "$tree/tests/limits/a_test.cpp"
expect 1 'Limits::max_things has no test' 'a longer name is another limit'
expect 1 'max_things_of_all' 'a test without a limit'
plant
sed -i '/max_wires/d' "$tree/tests/limits/a_test.cpp"
expect 1 'HttpOptions::max_wires has no test' 'an option of HTTP without a test'
plant
printf '# none\n' >"$tree/tests/limits/elsewhere.txt"
expect 1 'ClientLimits::max_pages has no test' 'a limit of a client without a test'
plant
printf 'ClientLimits::max_pages  Lists.are_long\n' >"$tree/tests/limits/elsewhere.txt"
expect 1 'Lists.are_long, which is not a test' 'a line that names no test'
plant
printf 'struct NewOptions {\n    std::size_t max_new = 5;\n};\n' >"$tree/include/tenon/new.hpp"
expect 1 'NewOptions::max_new has no test' 'a limit of a struct that limits.sh does not list'
rm "$tree/include/tenon/new.hpp"
plant
printf 'ClientLimits::max_ghosts  Lists.are_short\n' >>"$tree/tests/limits/elsewhere.txt"
expect 1 'max_ghosts, which is not a limit' 'a line that names no limit'
plant
echo 'struct Other {};' >"$tree/include/tenon/limits.hpp"
expect 1 'no member was found' 'a header without limits'
plant
sed -i '/dial_time/d' "$tree/tests/limits/a_test.cpp"
expect 1 'HttpClientOptions::dial_time has no test' 'a time limit of the HTTP client without a test'
plant
sed -i '/max_keys/d' "$tree/tests/limits/elsewhere.txt"
expect 1 'ResourceLimits::max_keys has no test' 'a limit of a resource server without a test'
plant
printf 'TEST_F(HttpClientLimit, max_calls) {\n' >>"$tree/tests/limits/a_test.cpp"
expect 1 'TEST_F(HttpClientLimit, max_calls), but there is no such limit' 'a test of a limit of another struct'
plant
printf 'Limits::max_things  Lists.are_short\n' >>"$tree/tests/limits/elsewhere.txt"
sed -i '/max_things/d' "$tree/tests/limits/a_test.cpp"
expect 1 'Limits::max_things has no test' 'a limit of a server needs a test in tests/limits'
