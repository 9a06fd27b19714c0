#!/usr/bin/env bash
# Looks for flaky tests: repeats tests with new seeds while the machine is busy. Prints how often each one failed, with
# which seeds, and the lines for tests/known_seeds.txt.
#
# usage: explore.sh CTEST_DIRECTORY [REGEX [MINUTES]]
set -euo pipefail

directory=${1:?explore.sh needs the directory of the tests}
regex=${2:-Property|Hostile|Simulation|Conversation|Faults}
minutes=${3:-5}
[[ $minutes =~ ^[0-9]+$ ]] || { printf 'explore: MINUTES is a whole number, not %s\n' "$minutes" >&2; exit 2; }
jobs=$(nproc 2>/dev/null || echo 2)

declare -A runs=() failures=() seeds=()
rounds=0
load=()

# Keeps every processor busy. Threads are then interrupted at places where they never are on an idle machine.
start_load() {
    local i
    for ((i = 0; i < jobs; ++i)); do
        (while :; do :; done) &
        load+=($!)
    done
}
stop_load() { kill "${load[@]}" 2>/dev/null || true; }

# Runs the tests once. Tests of known seeds are left out, because their seed is fixed.
run() {
    RC_PARAMS=seed=$1 ctest --test-dir "$directory" -R "$regex" -E '^([at]san\.)?known_seed\.' -j "$jobs" \
        --no-tests=error
}

new_seed() { printf '%d' $((RANDOM << 30 | RANDOM << 15 | RANDOM)); }

# Counts the results of one run from lines of ctest such as "12/40 Test #7: name ....   Passed    0.1 sec".
count() {
    local seed=$1 line name
    while read -r line; do
        [[ $line =~ ^[0-9]+/[0-9]+\ Test\ +#[0-9]+:\ ([^ ]+)\ \.*\ *(.*)$ ]] || continue
        name=${BASH_REMATCH[1]}
        runs[$name]=$((${runs[$name]:-0} + 1))
        [[ ${BASH_REMATCH[2]} != Passed* ]] || continue
        failures[$name]=$((${failures[$name]:-0} + 1))
        seeds[$name]+=" $seed"
        printf 'explore: %s failed; repeat with RC_PARAMS=seed=%s\n' "$name" "$seed"
    done
}

# Prints the program of a test and its name there, such as "property_core CoreProperty.every_message_conforms". Prints
# nothing for a test without a seed.
place_of() {
    ctest --test-dir "$directory" -N -V -R "^$1\$" 2>/dev/null |
        sed -n 's|^.*Test command: .*/\([^/ ]*\) "--gtest_filter=\([^"]*\)".*$|\1 \2|p'
}

# Prints the line of each failure for known_seeds.txt.
report_known_seeds() {
    local name place seed
    printf 'When a seed found a bug, add its line to tests/known_seeds.txt:\n'
    for name in "${!failures[@]}"; do
        place=$(place_of "$name")
        [[ -n $place ]] || continue
        for seed in ${seeds[$name]}; do printf '%s %s (what it found)\n' "$place" "$seed"; done
    done | sort -u
}

report() {
    local name
    printf '\n%d rounds, %d tests, %d of them failed\n' "$rounds" "${#runs[@]}" "${#failures[@]}"
    for name in "${!failures[@]}"; do
        printf '  %s: %d of %d runs; seeds%s\n' "$name" "${failures[$name]}" "${runs[$name]}" "${seeds[$name]}"
    done
    ((${#failures[@]} == 0)) || report_known_seeds
}

trap stop_load EXIT
start_load
end=$((SECONDS + minutes * 60))
while ((SECONDS < end)); do
    seed=$(new_seed)
    count "$seed" < <(run "$seed" 2>&1)
    rounds=$((rounds + 1))
done
report
((${#failures[@]} == 0))
