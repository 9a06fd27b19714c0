#!/usr/bin/env bash
# Runs the official suite for a revision against a server. Uses the requirement set of the revision, including scenarios
# that are not scored. Without a requirement set, runs all scenarios of the revision. Prints the checks that failed, and
# exits with 0 if all passed. Skipped (77) when npm ci was not run.
#
# usage: run.sh PROGRAM|URL REVISION
#   PROGRAM is started with --port 0 and must print its URL on standard error.
set -euo pipefail
server=$1
revision=$2
[[ $server == http*://* ]] || server=$(realpath "$server")
cd "$(dirname "${BASH_SOURCE[0]}")"
nodes=(node_modules/node-linux-*/bin/node)
node=${nodes[0]}
suite=node_modules/@modelcontextprotocol/conformance

if [[ ! -x $node || ! -f $suite/dist/index.js ]]; then
    echo "skipped: the npm packages are not installed; ./dev test does it, or: cd tests/conformance && npm ci"
    exit 77
fi

scratch=$(mktemp -d)
server_pid=
: >"$scratch/stderr"
finish() {
    [[ -z $server_pid ]] || kill -KILL "$server_pid" 2>/dev/null || true
    rm -rf "$scratch"
}
trap finish EXIT

start_server() {
    "$server" --port 0 </dev/null >"$scratch/stdout" 2>"$scratch/stderr" &
    server_pid=$!
    for _ in {1..200}; do
        url=$(grep -oE 'https?://[^ ]+' "$scratch/stderr" | head -n 1) && return
        kill -0 "$server_pid" 2>/dev/null || break
        sleep 0.05
    done
    echo "the server did not say its URL; it said:"
    cat "$scratch/stderr"
    exit 1
}

# Fails when the server exits with a status other than 0, for example because a sanitizer found an error.
stop_server() {
    local status=0
    kill -TERM "$server_pid" 2>/dev/null || true
    wait "$server_pid" || status=$?
    server_pid=
    [[ $status -ne 0 ]] || return 0
    echo "the server ended with status $status; it said:"
    tail -n 40 "$scratch/stderr"
    return 1
}

url=$server
[[ $server == http*://* ]] || start_server

selection=(--suite all --spec-version "$revision")
[[ ! -f $suite/requirements/$revision.yaml ]] || selection=(--requirements "$revision")

# The exit status ignores scenarios that are not scored. So verdict.mjs looks at the checks.
"$node" "$suite/dist/index.js" server --url "$url" "${selection[@]}" --output-dir "$scratch/results" >"$scratch/log" 2>&1 ||
    true
failed=no
"$node" verdict.mjs "$scratch/results" "$scratch/log" || failed=yes
[[ -z $server_pid ]] || stop_server || failed=yes
[[ $failed == no ]]
