#!/usr/bin/env bash
# Tests readme.sh: it must fail for a quote that differs, for a missing file, for an unknown command and for a long
# example.
set -euo pipefail
readme=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/readme.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failures=0

plant() {
    rm -rf "${tree:?}"/*
    mkdir "$tree/examples"
    printf '// a\nint main() {}\n' >"$tree/examples/a.cpp"
    printf 'command_run() {\n}\ncommand_test() {\n}\n' >"$tree/dev"
    printf '%s\n' './dev run' './dev test' '```cpp' 'not an example' '```' >"$tree/README.md"
}

quote() { printf '%s\n' "<!-- example: $1 -->" '```cpp' "${@:2}" '```' 'after' >>"$tree/README.md"; }

# expect STATUS WORDS: readme.sh must exit with this status and print these words.
expect() {
    local output status=0
    output=$("$readme" "$tree") || status=$?
    [[ $status -eq $1 && $output == *"$2"* ]] ||
        { printf 'readme_selftest: expected %s and "%s", got %s:\n%s\n' "$1" "$2" "$status" "$output"; failures=1; }
}

plant
expect 0 ''
quote a.cpp '// a' 'int main() {}'
expect 0 ''
quote b.cpp '// b'
expect 1 'examples/b.cpp, which is not there'
plant
quote a.cpp '// a' 'int main() { return 1; }'
expect 1 '> int main() {}'
plant
quote a.cpp '// a'
expect 1 'README.md (<) and examples/a.cpp (>) differ'
plant
printf './dev fly\n' >>"$tree/README.md"
expect 1 './dev fly, which'
plant
printf 'only ./dev run\n' >"$tree/README.md"
expect 1 'does not say ./dev test'
plant
printf '//\n%.0s' {1..60} >"$tree/examples/a.cpp"
expect 1 'has 60 lines'
cp "$tree/examples/a.cpp" "$tree/examples/everything.cpp"
rm "$tree/examples/a.cpp"
expect 0 ''
plant
printf '//\n%.0s' {1..149} >"$tree/examples/tickets.cpp"
expect 0 ''
printf '//\n%.0s' {1..150} >"$tree/examples/tickets.cpp"
expect 1 'has 150 lines'
exit "$failures"
