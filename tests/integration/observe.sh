#!/usr/bin/env bash
# What operators of the example server `everything` see: TENON_TRACE, /metrics of a stdio server, and `tenon top`.
#
# usage: observe.sh EVERYTHING TENON
set -euo pipefail
everything=${1:?observe.sh needs the program everything} tenon=${2:?observe.sh needs the program tenon}

folder=$(mktemp -d)
server=
finish() {
    [[ -z $server ]] || kill "$server" 2>/dev/null || true
    wait || true
    rm -rf "$folder"
}
trap finish EXIT
fail() {
    echo "observe.sh: $*" >&2
    for file in "$folder"/*; do [[ ! -f $file ]] || tail -v -n 20 "$file" >&2; done  # not the FIFO
    exit 1
}

hello='{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}'
call='{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"message":"hello","password":"canary1"},"_meta":{"token":"canary2"}}}'
talk() { printf '%s\n' "$hello" '{"jsonrpc":"2.0","method":"notifications/initialized"}' "$call"; }

# JSON lines with each message once.
talk | TENON_TRACE=json:$folder/trace "$everything" >"$folder/out"
[[ $(grep -c '"direction":"received"' "$folder/trace") == 3 ]] || fail "three messages were received"
[[ $(grep -c '"direction":"sent"' "$folder/trace") == $(wc -l <"$folder/out") ]] || fail "each message that was sent has one line"
grep -q '"method":"tools/call".*"message":"hello","password":"\*\*\*".*"token":"\*\*\*"' "$folder/trace" || fail "secrets are masked"
! grep -q canary "$folder/trace" || fail "a secret is in the trace"
[[ $(stat -c %a "$folder/trace") == 600 ]] || fail "others can read the trace"

# Lines for people, on standard error, and of a client.
talk | TENON_TRACE=stderr "$everything" 2>"$folder/lines" >"$folder/out"
grep -qE '^[0-9:.]{12} <- #1 [0-9]+ \{"jsonrpc":"2.0","id":1,' "$folder/lines" || fail "the line of a request"
grep -qE '^[0-9:.]{12} -> #1 [0-9]+ \{' "$folder/lines" || fail "the line of a response"
"$tenon" call echo message=hello --yes --trace="$folder/client" -- "$everything" >"$folder/out"
grep -q -- '-> #1 .*"tools/call"' "$folder/client" || fail "tenon --trace shows requests"

"$tenon" bench -n 3 --warmup 0 --trace="$folder/bench" -- "$everything" >"$folder/out"
[[ $(grep -c -- '-> #[12] ' "$folder/bench") -ge 4 ]] || fail "tenon bench --trace shows requests"
[[ $(grep -c -- '<- #[12] ' "$folder/bench") -ge 4 ]] || fail "tenon bench --trace shows responses"

# Every command that talks to a server, or plays one, shows its messages.
shows() {
    local requests=$1
    shift
    rm -f "$folder/shown"
    "$tenon" "$@" >"$folder/out" 2>"$folder/err" </dev/null || fail "tenon $1: $(cat "$folder/err")"
    [[ $(grep -c "\"direction\":\"$requests\".*\"method\":" "$folder/shown") -ge 1 ]] || fail "tenon $1 --trace shows requests"
    [[ $(grep -c '"result":' "$folder/shown") -ge 1 ]] || fail "tenon $1 --trace shows responses"
}
to=(--trace="json:$folder/shown")
shows sent list "${to[@]}" -- "$everything"
shows sent read note://welcome "${to[@]}" -- "$everything"
shows sent prompt simple "${to[@]}" -- "$everything"
shows sent complete prompt:letter to a "${to[@]}" -- "$everything"
shows sent check --only LIFE-1 "${to[@]}" -- "$everything"
shows sent bench --startup 1 "${to[@]}" -- "$everything"
shows received check --client --only LIFE-1 "${to[@]}" -- "$tenon" list -- {server}
shows received check --client --only LIFE-1 "${to[@]}" -- "$tenon" list {url}

# This server has no tasks, and says so.
"$tenon" tasks list --trace="json:$folder/tasks" -- "$everything" >"$folder/out" 2>"$folder/err" </dev/null || true
grep -q '"direction":"sent".*"method":' "$folder/tasks" || fail "tenon tasks --trace shows requests"

# A watch has no end of its own.
rm -f "$folder/shown"
"$tenon" watch "${to[@]}" -- "$everything" >"$folder/out" 2>"$folder/err" </dev/null &
server=$!
for ((i = 0; i < 300; i++)); do
    ! grep -q '"result":' "$folder/shown" 2>/dev/null || break
    read -rt 0.2 <> <(:) || true
done
kill "$server"
wait "$server" || true
server=
grep -q '"direction":"sent".*"method":' "$folder/shown" || fail "tenon watch --trace shows requests"
grep -q '"result":' "$folder/shown" || fail "tenon watch --trace shows responses"

# A tap shows what passes through it, in both directions. The server inherits TENON_TRACE, so its lines are there, too.
talk | "$tenon" inspect --no-open --tap --trace="json:$folder/tapped" -- "$everything" >"$folder/out" 2>"$folder/err" ||
    fail "tenon inspect --tap"
[[ $(grep -c '"side":"client","direction":"sent".*"method":' "$folder/tapped") == 3 ]] || fail "a tap shows the messages of the client"
[[ $(grep -c '"side":"client","direction":"received"' "$folder/tapped") == $(wc -l <"$folder/out") ]] || fail "a tap shows the messages of the server"
! grep -q canary "$folder/tapped" || fail "a secret is in the trace of a tap"

# Without TENON_TRACE nothing is shown.
talk | "$everything" 2>"$folder/quiet" >"$folder/out"
[[ ! -s $folder/quiet ]] || fail "there is output on standard error"

# The metrics of a stdio server.
mkfifo "$folder/in"
: >"$folder/log"
"$everything" --metrics 127.0.0.1:0 <"$folder/in" >"$folder/out" 2>"$folder/log" &
server=$!
exec 4>"$folder/in"
for ((i = 0; i < 300; i++)); do
    url=$(sed -n 's@.*metrics at \(http.*\)@\1@p' "$folder/log")
    [[ -z $url ]] || break
    read -rt 0.2 <> <(:) || true
done
[[ -n $url ]] || fail "the server did not say where its metrics are"
"$tenon" top "$url" >"$folder/table"
grep -q '^sessions 1 ' "$folder/table" || fail "the table of tenon top"
"$tenon" top --json "${url%/metrics}" | grep -q '"sessions": 1' || fail "tenon top --json"
exec 4>&-
wait "$server" || fail "the server did not end with status 0"
server=
status=0
"$tenon" top "$url" 2>"$folder/gone" || status=$?
[[ $status == 3 ]] || fail "a server that is gone has status 3, not $status"

# Its metrics count the spans that were sent or lost.
: >"$folder/log"
OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:1 "$everything" --metrics 127.0.0.1:0 --log json <"$folder/in" >"$folder/out" \
    2>"$folder/log" &
server=$!
exec 4>"$folder/in"
url=
for ((i = 0; i < 300; i++)); do
    url=$(sed -n 's@.*metrics at \(http[^"]*\)".*@\1@p' "$folder/log")
    [[ -z $url ]] || break
    read -rt 0.2 <> <(:) || true
done
[[ -n $url ]] || fail "the server did not say where its metrics are"
"$tenon" top --json "$url" >/dev/null || fail "tenon top --json with traces"
exec 5<>"/dev/tcp/127.0.0.1/$(sed -E 's@.*:([0-9]+)/.*@\1@' <<<"$url")"
printf 'GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n' >&5
grep -q '^tenon_spans_dropped_total 0' <&5 || fail "dropped spans are counted"
exec 5>&-
exec 4>&-
wait "$server" || fail "the server with traces did not end with status 0"
server=

# A wrong address is refused.
status=0
"$everything" --metrics nonsense 2>"$folder/refused" || status=$?
[[ $status == 2 ]] || fail "a malformed address has status 2, not $status"
echo "traces, metrics and top work"
