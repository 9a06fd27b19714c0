#!/usr/bin/env bash
# Counts the instructions of the hot paths with callgrind and compares the counts with record.txt. Fails when a count is
# more than 5 % above the record. A commit that makes a path faster, or slower for a good reason, updates the record:
#
#   tests/instructions/guard.sh build/bin/hot_paths --record
#
# The counts are for one compiler and one set of libraries. With others the test is skipped (77).
set -euo pipefail
program=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")"
few=200 many=700

command -v valgrind >/dev/null || { echo "skipped: valgrind is not installed"; exit 77; }
machine="$(uname -m) gcc-$(gcc -dumpfullversion) libc-$(ldd --version | sed -nE '1s/.* //p')"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# count PATH TIMES: prints the instructions of the whole program.
count() {
    valgrind --tool=callgrind --callgrind-out-file="$scratch/out" "$program" "$1" "$2" 2>&1 >/dev/null |
        sed -nE 's/.*Collected : ([0-9]+).*/\1/p'
}
# Prints the cost of one round. The costs of start and end are in both counts, so they cancel out.
cost() { echo $((($(count "$1" $many) - $(count "$1" $few)) / (many - few))); }

paths=(decode validate encode http call modern-call list)
if [[ ${2:-} == --record ]]; then
    {
        echo "# instructions a time, by tests/instructions/guard.sh; the machine they belong to comes first"
        echo "machine $machine"
        for path in "${paths[@]}"; do echo "$path $(cost "$path")"; done
    } >record.txt.new
    mv record.txt.new record.txt
    cat record.txt
    exit
fi

[[ $(sed -n 's/^machine //p' record.txt) == "$machine" ]] ||
    { echo "skipped: the record is of $(sed -n 's/^machine //p' record.txt), and this is $machine"; exit 77; }
failed=0
for path in "${paths[@]}"; do
    recorded=$(sed -n "s/^$path //p" record.txt)
    now=$(cost "$path")
    verdict=ok
    if [[ -z $recorded ]] || ((now * 100 > recorded * 105)); then verdict="MORE than 5 % above the record" failed=1; fi
    if [[ $verdict == ok ]] && ((now * 100 < recorded * 95)); then verdict="less: record it with --record"; fi
    echo "$path: $now, recorded ${recorded:-nothing}: $verdict"
done
exit $failed
