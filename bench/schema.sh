#!/usr/bin/env bash
# Measures Tenon, valijson and Ajv with the same schemas and instances, in turns. Prints the best of all rounds and the
# ratios.
# usage: bench/schema.sh BUILD_FOLDER [ROUNDS]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=${1:?usage: bench/schema.sh BUILD_FOLDER [ROUNDS]}
rounds=${2:-3}
data=$build/schema_bench_data
mkdir -p "$data/ajv"
"$build/bin/schema_bench" --write "$data"
cp "$here/ajv/package.json" "$here/ajv/bench.mjs" "$data/ajv/"
[ -d "$data/ajv/node_modules" ] || (cd "$data/ajv" && npm install --silent --no-audit --no-fund >/dev/null)

results=$data/results.txt
: > "$results"
for _ in $(seq "$rounds"); do
  for filter in '^tenon/' '^valijson/'; do
    "$build/bin/schema_bench" --benchmark_filter="$filter(call|document)" --benchmark_format=csv --benchmark_min_time=0.3 2>/dev/null |
      awk -F, '/^"(tenon|valijson)/ { gsub(/"/, "", $1); print $1, $4 }' >> "$results"
  done
  node "$data/ajv/bench.mjs" "$data" >> "$results"
done

awk '
  { if (!($1 in best) || $2 < best[$1]) best[$1] = $2 }
  END {
    printf "%-10s %14s %14s %14s %12s %12s\n", "case", "tenon ns", "ajv ns", "valijson ns", "ajv/tenon", "valijson/tenon"
    split("call document", cases, " ")
    for (i = 1; i <= 2; i++) {
      c = cases[i]; t = best["tenon/" c]; a = best["ajv/" c]; v = best["valijson/" c]
      printf "%-10s %14.1f %14.1f %14.1f %11.2fx %11.2fx\n", c, t, a, v, a / t, v / t
    }
  }' "$results"
