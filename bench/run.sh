#!/usr/bin/env bash
# Runs every benchmark, for Tenon and its peers, and prints tables of ratios. ./dev bench builds everything first.
# usage: bench/run.sh [--quick] [schema | call | observe | store | inspect | WORD...]     see bench/load/main.mjs for the words and other options
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=3

schema() {
  echo "JSON Schema: CPU time of one validation, best of $rounds rounds (ratios above 1 mean Tenon is faster)"
  bash bench/schema.sh build/bench "$rounds"
}

call() {
  echo "One tool call from the command line: the program with the server it starts, best of $rounds rounds (ratios above 1 mean Tenon costs less)"
  bash bench/call.sh build/bench "$rounds"
}

observe() {
  echo "Observability: CPU time that one call costs more with metrics or audit (goal 1000 ns), or traces (goal 3000 ns); the calls show it for a whole call"
  build/bench/bin/observe_bench --benchmark_min_time=0.3
}

store() {
  echo "Stores: operations per second with 256 open, CPU time per operation, and the time of one operation (goal: sqlite appends 20000/s)"
  build/bench/bin/store_bench 2
  echo
  echo "Calls over HTTP: time of a call, and CPU time of all nodes (goals: a stream with redis + 150 us and 1.5 x the CPU time of memory; JSON: nothing; 3 nodes: 1.1 x)"
  node bench/store_calls.mjs build/bench/bin
}

inspect() {
  echo "A web inspector: from the start of the program to a usable page, best of 5 rounds (ratios above 1 mean Tenon costs less)"
  local nodes=(tests/interop/node_modules/node-linux-*/bin/node)
  "${nodes[0]}" bench/inspect.mjs build/bench 5
}

load() {
  ulimit -n "$(ulimit -Hn)"  # 10,000 sessions need 10,000 descriptors
  node bench/load/main.mjs "$@"
}

case ${1:-} in
  schema | call | observe | store | inspect) "$1" ;;
  '') load; echo; schema; echo; call; echo; observe; echo; store; echo; inspect ;;
  *) load "$@" ;;
esac
