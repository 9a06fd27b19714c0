#!/usr/bin/env bash
# Runs the client scenarios of the official suite for a revision against a client program. Prints the checks that
# failed, and exits with 0 if all passed. Skipped (77) when npm ci was not run.
#
# usage: run_client.sh PROGRAM REVISION auth|others
#   PROGRAM: the suite starts it for each scenario, with the URL of a server as its last argument.
#   auth: the authorisation scenarios, including those of extensions, which belong to no revision.
set -euo pipefail
client=$(realpath "$1")
revision=$2
group=$3
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

names() { "$node" "$suite" list --client "$@"; }
case $group in
    auth)
        mapfile -t scenarios < <(
            names --spec-version "$revision" | sed -nE 's/^ *- (auth\/[^ ]+) .*/\1/p'
            # Extensions run with one revision that has a handshake and one that has none.
            [[ $revision < 2025-11-25 ]] || names | sed -nE 's/^ *- (auth\/[^ ]+) \[extension\].*/\1/p'
        )
        ;;
    others)
        mapfile -t scenarios < <(names --spec-version "$revision" | sed -nE 's/^ *- ([^ ]+) .*/\1/p' | grep -v '^auth/')
        ;;
    *) echo "there is no group \`$group\`" && exit 2 ;;
esac
[[ ${#scenarios[@]} -gt 0 ]] || { echo "the suite has no scenarios for $revision"; exit 1; }

passed=0
for scenario in "${scenarios[@]}"; do
    status=0
    "$node" "$suite" client --command "$client" --scenario "$scenario" --spec-version "$revision" --force \
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
