#!/usr/bin/env bash
# Runs fuzz targets of the tree build/fuzz. Called by ./dev fuzz, which builds them.
#
# usage: run.sh one TARGET SECONDS    one target, with libFuzzer's own output
#        run.sh all MINUTES           each target for so many minutes, two at a time, and a table at the end
#
# An input that takes longer than 2 seconds or more than 256 MiB counts as a crash. What is found stays in
# build/fuzz/corpus, and crashes are written to build/fuzz/crashes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
tree=build/fuzz
mkdir -p $tree/crashes $tree/logs
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1:allocator_may_return_null=0}

targets() {
    local file
    for file in fuzz/*.cpp; do basename "$file" .cpp; done
}

fuzz() {
    local target=$1 seconds=$2 corpus="$tree/corpus/$1" options=()
    mkdir -p "$corpus"
    [[ ! -f fuzz/$target.dict ]] || options+=(-dict="fuzz/$target.dict")
    "$tree/bin/$target" -max_total_time="$seconds" -timeout=2 -rss_limit_mb=256 -print_final_stats=1 \
        -artifact_prefix="$tree/crashes/$target-" "${options[@]}" "$corpus" "fuzz/corpus/$target"
}

# One row of the table, out of what libFuzzer printed.
row() {
    local target=$1 log="$tree/logs/$1" runs rate edges inputs crashes
    runs=$(sed -nE 's/^stat::number_of_executed_units: +//p' "$log")
    rate=$(sed -nE 's/^stat::average_exec_per_sec: +//p' "$log")
    edges=$(grep -oE ' cov: [0-9]+' "$log" | tail -n 1 | grep -oE '[0-9]+' || true)
    inputs=$(find "$tree/corpus/$target" -type f | wc -l)
    crashes=$(grep -c 'Test unit written to' "$log" || true)
    printf '%-16s %12s %8s %7s %7s %8s\n' "$target" "${runs:-?}" "${rate:-?}" "${edges:-?}" "$inputs" "$crashes"
}

all() {
    local target failed=0
    # shellcheck disable=SC2016
    targets | xargs -P 2 -I{} bash -c '"$1" quiet "$2" "$3" || true' - "${BASH_SOURCE[0]}" {} $(($1 * 60))
    printf '%-16s %12s %8s %7s %7s %8s\n' target executions exec/s edges inputs crashes
    for target in $(targets); do
        row "$target"
        ! grep -q 'Test unit written to' "$tree/logs/$target" || failed=1
    done
    [[ $failed == 0 ]] || printf 'The inputs that crash are in %s/crashes; the reports are in %s/logs.\n' $tree $tree
    return $failed
}

case $1 in
    one) fuzz "$2" "$3" ;;
    quiet) fuzz "$2" "$3" >"$tree/logs/$2" 2>&1 ;;
    all) all "$2" ;;
    *) echo "run.sh: there is no way $1" >&2 && exit 2 ;;
esac
