#!/usr/bin/env bash
# Compares Tenon with other implementations over generated cases. Skipped (77) when Node or its packages are missing.
#
# usage: run.sh PROGRAM SUBJECT|all [SEED [COUNT]]
set -euo pipefail
program=$(realpath "$1") subject=$2 seed=${3:-1} count=${4:-1000}
cd "$(dirname "${BASH_SOURCE[0]}")"
modules=../../tests/interop/node_modules
nodes=("$modules"/node-linux-*/bin/node)
node=$(command -v "${nodes[0]}" || command -v node) || { echo "skipped: node is not installed"; exit 77; }

# compare SUBJECT
compare() {
    if [[ $1 == schema || $1 == jws ]] && [[ ! -d $modules/ajv || ! -d $modules/jose ]]; then
        echo "skipped: the npm packages are not installed; ./dev test does it, or: cd tests/interop && npm ci"
        return 77
    fi
    "$node" --no-warnings compare.mjs "$program" "$1" "$seed" "$count"
}

[[ $subject == all ]] || { compare "$subject"; exit; }
failed=no
for subject in json url regex http schema jws; do compare "$subject" || failed=yes; done
[[ $failed == no ]]
