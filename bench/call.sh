#!/usr/bin/env bash
# Measures one tool call from the command line to a local stdio server. Runs `tenon call` and the Inspector's CLI in
# turns.
# usage: bench/call.sh BUILD_FOLDER [ROUNDS]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:?usage: bench/call.sh BUILD_FOLDER [ROUNDS]}" && pwd)
rounds=${2:-3}
interop=$here/../tests/interop
[ -d "$interop/node_modules" ] || (cd "$interop" && npm ci --silent --no-audit --no-fund >/dev/null)
nodes=("$interop"/node_modules/node-linux-*/bin/node)
inspector=$interop/node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT

results=$home/results.txt
for _ in $(seq "$rounds"); do
  echo "tenon $("$build/bin/spawn_cost" 20 3.5 "$build/bin/tenon" call --yes add a=1 b=2.5 -- "$build/bin/everything")" >> "$results"
  echo "inspector $(HOME=$home "$build/bin/spawn_cost" 3 3.5 "${nodes[0]}" "$inspector" --cli "$build/bin/everything" \
    --method tools/call --tool-name add --tool-arg a=1 --tool-arg b=2.5)" >> "$results"
done

awk '
  { for (i = 2; i <= 4; i++) if (!(($1, i) in best) || $i < best[$1, i]) best[$1, i] = $i }
  END {
    printf "%-12s %12s %12s %14s\n", "", "CPU ms", "wall ms", "memory KiB"
    split("tenon inspector", who, " ")
    for (w = 1; w <= 2; w++) printf "%-12s %12.2f %12.2f %14.0f\n", who[w], best[who[w], 2], best[who[w], 3], best[who[w], 4]
    printf "%-12s %11.1fx %11.1fx %13.1fx\n", "ratio", best["inspector", 2] / best["tenon", 2],
           best["inspector", 3] / best["tenon", 3], best["inspector", 4] / best["tenon", 4]
  }' "$results"
