#!/usr/bin/env bash
# Debian's Prometheus scrapes the example server `everything` and answers queries about it.
#
# usage: prometheus.sh EVERYTHING TENON      status 77: prometheus is not installed
set -euo pipefail
everything=${1:?prometheus.sh needs the program everything} tenon=${2:?prometheus.sh needs the program tenon}
command -v prometheus >/dev/null && command -v promtool >/dev/null || { echo "prometheus is not installed"; exit 77; }

folder=$(mktemp -d)
pids=()
finish() {
    [[ ${#pids[@]} -eq 0 ]] || kill "${pids[@]}" 2>/dev/null || true
    wait || true
    rm -rf "$folder"
}
trap finish EXIT
: >"$folder/server.log"
: >"$folder/prometheus.log"
deadline=$((SECONDS + 90))

# until_true COMMAND...: repeats a command until it succeeds.
until_true() {
    until "$@"; do
        if ((SECONDS >= deadline)); then
            echo "timed out: $*" >&2
            tail -n 20 "$folder"/*.log >&2
            exit 1
        fi
        read -rt 0.2 <> <(:) || true
    done
}

# The server and Prometheus choose free ports, and their logs say which.
"$everything" --http 0 --metrics 127.0.0.1:0 2>"$folder/server.log" &
pids+=($!)
until_true grep -q 'metrics at http' "$folder/server.log"
target=$(sed -n 's@.*metrics at http://\(.*\)/metrics@\1@p' "$folder/server.log")
until_true grep -q 'serving http' "$folder/server.log"
url=$(sed -nE 's@.*serving (http://[^ ]*).*@\1@p' "$folder/server.log")
for ((i = 0; i < 3; i++)); do "$tenon" call echo message=hello --yes "$url" >/dev/null; done

cat >"$folder/prometheus.yml" <<END
global: {scrape_interval: 1s, scrape_timeout: 1s}
scrape_configs:
  - job_name: tenon
    static_configs: [{targets: ['$target']}]
END
prometheus --config.file="$folder/prometheus.yml" --storage.tsdb.path="$folder/data" \
    --web.listen-address=127.0.0.1:0 >"$folder/prometheus.log" 2>&1 &
pids+=($!)
listening='s@.*msg="Listening on" address=\(127[^ ]*\).*@\1@p'
has_port() { [[ -n $(sed -n "$listening" "$folder/prometheus.log") ]]; }
until_true has_port
prometheus=http://$(sed -n "$listening" "$folder/prometheus.log" | head -n 1)

# answers QUERY PATTERN: asks Prometheus, and compares the value with a regular expression.
answers() {
    promtool query instant "$prometheus" "$1" 2>/dev/null | sed -E 's/.* => ([^ ]*) .*/\1/' | grep -qE "^($2)\$"
}
until_true answers 'up{job="tenon"}' 1
until_true answers 'tenon_memory_budget_bytes > 0' '[0-9.e+]+'
until_true answers 'tenon_sessions' 0
until_true answers 'count({__name__=~"tenon_.*"}) >= 8' '[0-9]+'

until_true answers 'sum(mcp_server_operation_duration_seconds_count{gen_ai_tool_name="echo",outcome="ok"})' 3
until_true answers 'histogram_quantile(0.5, sum by (le) (tenon_server_duration_seconds_bucket{gen_ai_tool_name="echo"})) > 0' '[0-9.e-]+'
until_true answers 'sum(tenon_operations_total{side="server",mcp_method_name="tools/call",outcome="ok"})' 3

# The page follows the rules of Prometheus for names and types.
exec 3<>"/dev/tcp/${target%:*}/${target##*:}"
printf 'GET /metrics HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n' "$target" >&3
sed '1,/^\r$/d' <&3 >"$folder/page"
exec 3>&-
grep -q '^mcp_server_operation_duration_seconds_bucket' "$folder/page" || { echo "the page has no calls" >&2; exit 1; }
promtool check metrics <"$folder/page"
echo "prometheus scraped $target and answered"
