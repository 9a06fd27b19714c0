#!/usr/bin/env bash
# Runs one file of tests with Node's test runner. Skipped (77) when Chromium or the npm packages are missing.
#
# usage: run.sh TEST.mjs PROGRAMS [SHARED]
# PROGRAMS is the folder of tenon and everything, SHARED the folder of the shared test suites.
set -euo pipefail
suite=$1
programs=$(cd "$2" && pwd)
shared=${3:-}
cd "$(dirname "${BASH_SOURCE[0]}")"
nodes=(../interop/node_modules/node-linux-*/bin/node)
node=${nodes[0]}

skip() {
    echo "skipped: $*"
    exit 77
}
[[ -x $node ]] || skip "the npm packages of tests/interop are not installed; ./dev test does it, or: cd tests/interop && npm ci"
if grep -q browser.mjs "$suite"; then
    [[ -d node_modules/playwright-core && -d node_modules/axe-core ]] ||
        skip "the npm packages are not installed; ./dev test does it, or: cd tests/inspect && npm ci"
    command -v chromium >/dev/null || command -v chromium-browser >/dev/null || [[ -n ${TENON_CHROMIUM:-} ]] ||
        skip "there is no Chromium; ./dev test installs it, or: apt-get install chromium"
fi
[[ -z $shared || ! -d $shared ]] || export TENON_SHARED_DIR=$shared
# --test-force-exit: a failed test may leave a browser running, which ends with Node.
# A test has no time limit of its own: each of its steps has one (browser.mjs), and CTest ends a file that hangs.
TENON_BIN=$programs exec "$node" --test-reporter=spec --test-force-exit "$suite"
