#!/usr/bin/env bash
# Compares Tenon with another implementation over generated cases. Skipped (77) where Node or its packages are missing.
#
# usage: run.sh PROGRAM SUBJECT [SEED [COUNT]]
set -euo pipefail
program=$(realpath "$1") subject=$2
cd "$(dirname "${BASH_SOURCE[0]}")"
modules=../../tests/interop/node_modules
nodes=("$modules"/node-linux-*/bin/node)
node=$(command -v "${nodes[0]}" || command -v node || true)
[[ -n $node ]] || { echo "skipped: node is not installed"; exit 77; }
[[ $subject != schema && $subject != jws || -d $modules/ajv ]] ||
    { echo "skipped: the npm packages are not installed; ./dev test does it, or: cd tests/interop && npm ci"; exit 77; }
exec "$node" --disable-warning=DEP0111 compare.mjs "$program" "$subject" "${3:-1}" "${4:-3000}"
