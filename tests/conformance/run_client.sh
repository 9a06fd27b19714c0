#!/usr/bin/env bash
# Runs every scenario that the official suite has for clients of a revision against a client program, but those of
# authorisation. Prints the checks that did not pass; 0 when there are none. Skipped (77) where npm ci was not run.
#
# usage: run_client.sh PROGRAM REVISION
#   PROGRAM is started by the suite for each scenario, with the URL of a server as its last argument.
set -euo pipefail
client=$(realpath "$1")
revision=$2
cd "$(dirname "${BASH_SOURCE[0]}")"
nodes=(node_modules/node-linux-*/bin/node)
node=${nodes[0]}
suite=node_modules/@modelcontextprotocol/conformance/dist/index.js

if [[ ! -x $node || ! -f $suite ]]; then
    echo "skipped: the npm packages are not installed; ./dev test does it, or: cd tests/conformance && npm ci"
    exit 77
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

mapfile -t scenarios < <("$node" "$suite" list --client --spec-version "$revision" |
    sed -nE 's/^ *- ([^ ]+) .*/\1/p' | grep -v '^auth/')
[[ ${#scenarios[@]} -gt 0 ]] || { echo "the suite has no scenarios for $revision"; exit 1; }

passed=0
for scenario in "${scenarios[@]}"; do
    status=0
    "$node" "$suite" client --command "$client" --scenario "$scenario" --spec-version "$revision" \
        --output-dir "$scratch/$scenario" >"$scratch/log" 2>&1 || status=$?
    if "$node" verdict_client.mjs "$scratch/$scenario" "$status" >"$scratch/verdict"; then
        passed=$((passed + 1))
    else
        echo "$scenario"
        sed 's/^/  /' "$scratch/verdict"
        tail -n 40 "$scratch/log"
    fi
done
echo "$passed of ${#scenarios[@]} scenarios passed"
[[ $passed -eq ${#scenarios[@]} ]]
