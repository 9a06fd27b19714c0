#!/usr/bin/env bash
# Runs one suite with the Node of node_modules, against the programs of a folder. Skipped (77) where npm ci was not run.
#
# usage: run.sh SUITE.mjs PROGRAMS [WAY]
set -euo pipefail
suite=$1
programs=$(cd "$2" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")"
# Not node_modules/.bin/node: npm 9 does not link it when one of two packages that have a `node` is for another machine.
nodes=(node_modules/node-linux-*/bin/node)
node=${nodes[0]}

if [[ ! -x $node || ! -d node_modules/@modelcontextprotocol/inspector ]]; then
    echo "skipped: the npm packages are not installed; ./dev test does it, or: cd tests/interop && npm ci"
    exit 77
fi
# Forced: a test that failed may leave a server behind, which ends with its input when Node does.
TENON_BIN=$programs TENON_WAY=${3:-v1_stdio} exec "$node" --test-reporter=spec --test-timeout=60000 --test-force-exit "$suite"
