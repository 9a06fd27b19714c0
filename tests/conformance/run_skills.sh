#!/usr/bin/env bash
# Runs the scenarios of the official suite for skills (SEP-2640), against a server and a client. A check that the suite
# skipped counts as failed, except those that the revision does not have. Skipped (77) when npm ci was not run.
#
# usage: run_skills.sh SERVER CLIENT REVISION
set -euo pipefail
server=$(realpath "$1")
client=$(realpath "$2")
revision=$3
cd "$(dirname "${BASH_SOURCE[0]}")"
nodes=(node_modules/node-linux-*/bin/node)
node=${nodes[0]}
suite=node_modules/@modelcontextprotocol/conformance/dist/index.js

if [[ ! -x $node || ! -f $suite ]]; then
    echo "skipped: the npm packages are not installed; ./dev test does it, or: cd tests/conformance && npm ci"
    exit 77
fi

scratch=$(mktemp -d)
server_pid=
finish() {
    [[ -z $server_pid ]] || kill -KILL "$server_pid" 2>/dev/null || true
    rm -rf "$scratch"
}
trap finish EXIT

"$server" --port 0 </dev/null >/dev/null 2>"$scratch/stderr" &
server_pid=$!
for _ in {1..200}; do
    url=$(grep -oE 'https?://[^ ]+' "$scratch/stderr" | head -n 1) && break
    kill -0 "$server_pid" 2>/dev/null || break
    sleep 0.05
done
[[ -n ${url:-} ]] || { echo "the server did not say its URL; it said:"; cat "$scratch/stderr"; exit 1; }

mapfile -t names < <("$node" "$suite" list | sed -nE 's/^ *- (sep-2640-[^ ]+) .*/\1/p')
[[ ${#names[@]} -eq 7 ]] || { echo "expected 7 scenarios, and the suite has: ${names[*]}"; exit 1; }

passed=0
for name in "${names[@]}"; do
    status=0
    if [[ $name == *-client-* ]]; then
        run=(client --command "$client" --force)
    else
        run=(server --url "$url" --force)
    fi
    "$node" "$suite" "${run[@]}" --scenario "$name" --spec-version "$revision" --output-dir "$scratch/$name" \
        >"$scratch/log" 2>&1 || status=$?
    if "$node" verdict_client.mjs "$scratch/$name" "$status" >"$scratch/verdict"; then
        passed=$((passed + 1))
    else
        echo "$name"
        sed 's/^/  /' "$scratch/verdict"
        tail -n 20 "$scratch/log"
    fi
done
echo "$passed of ${#names[@]} scenarios passed"
[[ $passed -eq ${#names[@]} ]]
