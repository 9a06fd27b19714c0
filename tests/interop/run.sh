#!/usr/bin/env bash
# Runs one suite against the programs of a folder, with the Node of node_modules. Skipped (77) when npm ci was not run.
#
# usage: run.sh SUITE.mjs PROGRAMS [WAY]
set -euo pipefail
suite=$1
programs=$(cd "$2" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")"
# Not node_modules/.bin/node: two packages have a `node`, and npm 9 does not link it when one is for another machine.
nodes=(node_modules/node-linux-*/bin/node)
node=${nodes[0]}

if [[ ! -x $node || ! -d node_modules/@modelcontextprotocol/inspector ]]; then
    echo "skipped: the npm packages are not installed; ./dev test does it, or: cd tests/interop && npm ci"
    exit 77
fi
# --test-force-exit: a failed test may leave a server running. The server ends when Node exits and its input ends.
TENON_BIN=$programs TENON_WAY=${3:-v1_stdio} exec "$node" --test-reporter=spec --test-timeout=60000 --test-force-exit "$suite"
