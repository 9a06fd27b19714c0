#!/usr/bin/env bash
# Checks the README: each ```cpp block under "<!-- example: NAME -->" must be identical to examples/NAME, and the
# ./dev commands in it must exist. Also checks that the examples are short.
#
# usage: readme.sh [ROOT]
set -euo pipefail
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}"
longest_example=60
longest_program=150  # an example of a whole program
failed=0

fail() {
    printf 'readme: %s\n' "$*"
    failed=1
}

# Prints the first ```cpp block after the mark of example $1.
quoted() {
    awk -v mark="<!-- example: $1 -->" '
        $0 == mark         { marked = 1; next }
        marked && /^```$/  { exit }
        inside             { print }
        marked && /^```cpp$/ { inside = 1 }' README.md
}

check_quotes() {
    local name difference
    while read -r name; do
        [[ -f examples/$name ]] || { fail "README.md quotes examples/$name, which is not there"; continue; }
        difference=$(diff <(quoted "$name") "examples/$name") ||
            fail "README.md (<) and examples/$name (>) differ:"$'\n'"$difference"
    done < <(sed -nE 's/^<!-- example: (.*) -->$/\1/p' README.md)
}

check_commands() {
    local command
    while read -r command; do
        grep -qE "^command_$command\(\)" dev || fail "README.md says ./dev $command, which ./dev does not know"
    done < <(grep -oE '\./dev [a-z]+' README.md | cut -d' ' -f2 | sort -u)
    for command in run test; do
        grep -q "\./dev $command" README.md || fail "README.md does not say ./dev $command"
    done
}

check_lengths() {
    local file lines
    for file in examples/*.cpp; do
        case $file in examples/everything.cpp | examples/guide.cpp) continue ;; esac
        lines=$(wc -l <"$file")
        longest=$longest_example
        case $file in examples/tickets.cpp | examples/mount_*.cpp) longest=$longest_program ;; esac
        [[ $lines -lt $longest ]] || fail "$file has $lines lines; an example has less than $longest"
    done
}

check_quotes
check_commands
check_lengths
exit "$failed"
