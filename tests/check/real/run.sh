#!/usr/bin/env bash
# Runs run.mjs with the Node of node_modules. Skipped (77) when npm ci was not run.
#
# usage: run.sh PROGRAMS [--small] [OPTIONS OF run.mjs]
set -euo pipefail
programs=$(cd "$1" && pwd)
shift
cd "$(dirname "${BASH_SOURCE[0]}")"
packages=.
[[ ${1:-} != --small ]] || packages=../../interop
nodes=("$packages"/node_modules/node-linux-*/bin/node)
if [[ ! -x ${nodes[0]} ]]; then
    echo "skipped: the npm packages are not installed; ./dev test and ./dev interop do it"
    exit 77
fi
node=$(cd "$(dirname "${nodes[0]}")" && pwd)/node
TENON_BIN=$programs exec "$node" run.mjs "$@"
