#!/usr/bin/env bash
# Counts the instructions (with callgrind) and the allocations of the hot paths, and compares them with record.txt. Fails
# when a count is more than 2 % above the record. A commit that makes a path faster, or slower for a good reason, updates
# the record:
#
#   tests/instructions/guard.sh build/bin/hot_paths --record
#
# The counts are for one compiler, one set of libraries and one kind of processor. With others the test is skipped (77).
set -euo pipefail
program=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")"
few=200 many=700

command -v valgrind >/dev/null || { echo "skipped: valgrind is not installed"; exit 77; }
# The C library has other functions for processors with AVX2.
machine="$(uname -m) gcc-$(gcc -dumpfullversion) libc-$(ldd --version | sed -nE '1s/.* //p')$(grep -qw avx2 /proc/cpuinfo && echo ' avx2')"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# instructions PATH TIMES: prints the instructions of the whole program.
instructions() {
    valgrind --tool=callgrind --callgrind-out-file="$scratch/out" "$program" "$1" "$2" 2>&1 >/dev/null |
        sed -nE 's/.*Collected : ([0-9]+).*/\1/p'
}
# allocations PATH TIMES: prints the calls of operator new in the whole program.
allocations() { "$program" "$1" "$2" | sed -n 's/^allocations //p'; }
# cost COUNTER PATH: prints the count of one round. The counts of start and end are in both runs, so they cancel out.
cost() { echo $((($("$1" "$2" $many) - $("$1" "$2" $few)) / (many - few))); }

paths=(decode validate encode http call modern-call list audited-call measured-call traced-call)
if [[ ${2:-} == --record ]]; then
    {
        echo "# counts of one round, by tests/instructions/guard.sh; the machine they belong to comes first"
        echo "machine $machine"
        for path in "${paths[@]}"; do
            for counter in instructions allocations; do echo "$path $counter $(cost $counter "$path")"; done
        done
    } >record.txt.new
    mv record.txt.new record.txt
    cat record.txt
    exit
fi

[[ $(sed -n 's/^machine //p' record.txt) == "$machine" ]] ||
    { echo "skipped: the record is of $(sed -n 's/^machine //p' record.txt), and this is $machine"; exit 77; }
failed=0
# compare PATH COUNTER
compare() {
    local recorded now verdict=ok
    recorded=$(sed -n "s/^$1 $2 //p" record.txt)
    now=$(cost "$2" "$1")
    if [[ -z $recorded ]] || ((now * 100 > recorded * 102)); then verdict="MORE than 2 % above the record" failed=1; fi
    if [[ $verdict == ok ]] && ((now * 100 < recorded * 98)); then verdict="less: record it with --record"; fi
    echo "$1: $now $2, recorded ${recorded:-nothing}: $verdict"
}
for path in "${paths[@]}"; do
    compare "$path" instructions
    compare "$path" allocations
done
exit $failed
