#!/usr/bin/env bash
# Every benchmark, side by side with its peers, as tables of ratios. ./dev bench builds what it needs and calls it.
# usage: bench/run.sh [ROUNDS]
set -euo pipefail
cd "$(dirname "$0")/.."
echo "JSON Schema: CPU time of one validation, best of ${1:-3} rounds (ratios above 1 mean Tenon is faster)"
bash bench/schema.sh build/bench "${1:-3}"
echo
echo "One tool call from the command line: the program with the server it starts, best of ${1:-3} rounds (ratios above 1 mean Tenon costs less)"
bash bench/call.sh build/bench "${1:-3}"
