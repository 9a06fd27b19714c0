#!/usr/bin/env bash
# A canary in headers, environment variables, arguments and the URL must not appear in what `tenon` and a server write: the
# reports of a check, the wire view, the log, the audit and the metrics.
#
# usage: canary.sh EVERYTHING TENON
set -euo pipefail
everything=${1:?canary.sh needs the program everything} tenon=${2:?canary.sh needs the program tenon}

canary=c4n4ryS3cret
folder=$(mktemp -d)
server=
finish() {
    [[ -z $server ]] || kill "$server" 2>/dev/null || true
    wait || true
    rm -rf "$folder"
}
trap finish EXIT
fail() {
    echo "canary.sh: $*" >&2
    exit 1
}

export CANARY_TOKEN=$canary TENON_CANARY=$canary HOME=$folder/home
mkdir "$HOME"
mkdir "$folder/seen"
cd "$folder/seen"

: >server.log  # the loop below may read it before the server has opened it
TENON_TRACE=json:server.trace "$everything" --http 0 --metrics 127.0.0.1:0 --audit audit.jsonl --log json 2>server.log &
server=$!
for ((i = 0; i < 300; i++)); do
    url=$(sed -nE 's@.*(http://[^ "]*/mcp).*@\1@p' server.log | head -n 1)
    metrics=$(sed -nE 's@.*metrics at (http://[^ "]*).*@\1@p' server.log | head -n 1)
    [[ -z $url || -z $metrics ]] || break
    read -rt 0.2 <> <(:) || true
done
[[ -n $url && -n $metrics ]] || fail "the server did not say where it is: $(cat server.log)"

secrets=(-H "Authorization: Bearer $canary" -H "X-Api-Key: $canary" -H "Cookie: session=$canary" -H "X-Any: $canary"
         --env "MY_SECRET=$canary")
reports=(--junit junit.xml --sarif sarif.json --html report.html --only LIFE-1 --only RPC-1 --only TOOL-1)
"$tenon" list "$url?token=$canary" "${secrets[@]:0:8}" --trace=list.trace >list.txt 2>list.err || fail "list: $(cat list.err)"
"$tenon" call echo message=hello password="$canary" --yes "$url?token=$canary" "${secrets[@]:0:8}" --trace=json:call.trace >call.txt \
    2>call.err || true
"$tenon" check "$url?token=$canary" "${secrets[@]:0:8}" "${reports[@]}" --verbose --trace=check.trace >check.txt 2>check.err || true
"$tenon" bench "$url?token=$canary" "${secrets[@]:0:8}" -n 3 --warmup 0 --trace=bench.trace >bench.txt 2>bench.err || true
"$tenon" check --env "MY_SECRET=$canary" --verbose --junit stdio.xml --html stdio.html --only LIFE-1 --trace=stdio.trace -- \
    "$everything" >stdio.txt 2>stdio.err || true
"$tenon" bench --env "MY_SECRET=$canary" -n 3 --warmup 0 --trace=bench_stdio.trace -- "$everything" >bench_stdio.txt 2>bench_stdio.err ||
    true
"$tenon" top --once "$metrics?token=$canary" >top.txt 2>top.err || true
"$tenon" list "http://user:$canary@127.0.0.1:1/mcp?token=$canary" >refused.txt 2>refused.err || true
"$tenon" top --json "$metrics" >metrics.json || fail "top --json"
kill "$server"
wait "$server" || true
server=

# Each of these has something to hide, so it must not be empty.
for file in list.trace call.trace check.trace bench.trace stdio.trace bench_stdio.trace server.trace audit.jsonl list.txt check.txt \
    junit.xml sarif.json report.html metrics.json; do
    [[ -s $file ]] || fail "$file is empty: $(cat "${file%.*}.err" 2>/dev/null)"
done
if grep -rn "$canary" . | cut -c1-300 >../found; [[ -s ../found ]]; then
    cat ../found >&2
    fail "the canary is in a report"
fi
echo "no report has the canary"
