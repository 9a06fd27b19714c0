#!/usr/bin/env bash
# Runs the fuzz targets of the tree build/fuzz. ./dev fuzz builds them and calls this script.
#
# usage: run.sh list                  prints the names of the targets
#        run.sh one TARGET SECONDS    runs one target and shows the output of libFuzzer
#        run.sh all MINUTES           divides the time among all targets and prints a table
#
# An input that takes more than 2 seconds of CPU time or 256 MiB counts as a crash. The harness measures the CPU time. The
# timeout of libFuzzer is for endless loops only: it counts the time of day, which passes while the machine is busy.
# New inputs are kept in build/fuzz/corpus. The inputs that crash a target are saved in build/fuzz/crashes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
tree=build/fuzz
# quarantine_size_mb: the sanitizer keeps freed memory for a while, which alone would exceed the limit. The others save
# half of the time. To see where memory was allocated, run the saved input again without malloc_context_size.
export ASAN_OPTIONS=${ASAN_OPTIONS:-quarantine_size_mb=8:malloc_context_size=0:detect_stack_use_after_return=0}

targets() {
    local file
    for file in fuzz/*.cpp; do basename "$file" .cpp; done
}

# fuzz TARGET SECONDS
fuzz() {
    local target=$1 seconds=$2 corpus="$tree/corpus/$1" options=()
    mkdir -p "$corpus" "$tree/crashes"
    [[ ! -f fuzz/$target.dict ]] || options+=(-dict="fuzz/$target.dict")
    # Without -entropic=0, libFuzzer takes more time for its statistics than most targets take for an input.
    "$tree/bin/fuzz_$target" -max_total_time="$seconds" -timeout=60 -rss_limit_mb=256 -entropic=0 -print_final_stats=1 \
        -artifact_prefix="$tree/crashes/$target-" "${options[@]}" "$corpus" "fuzz/corpus/$target"
}

# one TARGET SECONDS
one() {
    fuzz "$1" "$2" && return
    printf '\nThe target %s failed. The input is in %s/crashes. To run it again:\n' "$1" $tree
    printf '    %s/bin/fuzz_%s FILE\n' $tree "$1"
    return 1
}

# stat TARGET NAME: prints a number of libFuzzer's final statistics.
stat() { sed -nE "s/^stat::$2: +//p" "$tree/logs/$1"; }

row() { printf '%-16s %12s %9s %9s %8s %8s\n' "$@"; }

# row_of TARGET: prints the row of one target.
row_of() {
    local target=$1 log="$tree/logs/$1" edges inputs crashes
    edges=$(grep -oE ' cov: [0-9]+' "$log" | tail -n 1 | grep -oE '[0-9]+' || true)
    inputs=$(find "$tree/corpus/$target" -type f | wc -l)
    crashes=$(grep -c 'Test unit written to' "$log" || true)
    row "$target" "$(stat "$target" number_of_executed_units)" "$(stat "$target" average_exec_per_sec)" \
        "${edges:-?}" "$inputs" "$crashes"
}

# all MINUTES
all() {
    local jobs count seconds target failed=no
    jobs=$(nproc) count=$(targets | wc -l)
    seconds=$(($1 * 60 * jobs / count))
    mkdir -p "$tree/logs"
    printf 'run.sh: %d targets, %d seconds each, %d at a time\n' "$count" "$seconds" "$jobs" >&2
    targets | xargs -P "$jobs" -I{} "${BASH_SOURCE[0]}" logged {} "$((seconds > 0 ? seconds : 1))"
    row target executions per-second coverage inputs crashes
    for target in $(targets); do row_of "$target"; done
    for target in $(targets); do
        grep -q 'Test unit written to' "$tree/logs/$target" || continue
        failed=yes
        sed -nE "s/.*Test unit written to /$target crashed: /p" "$tree/logs/$target"
    done
    [[ $failed == no ]] || { printf 'The reports are in %s/logs.\n' $tree; return 1; }
}

case ${1:-} in
    list) targets ;;
    one) one "$2" "$3" ;;
    logged) fuzz "$2" "$3" >"$tree/logs/$2" 2>&1 || true ;;
    all) all "$2" ;;
    *) echo "usage: run.sh list | one TARGET SECONDS | all MINUTES" >&2; exit 2 ;;
esac
