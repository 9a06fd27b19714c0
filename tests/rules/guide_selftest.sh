#!/usr/bin/env bash
# Tests guide.sh: it must accept equal texts, and find a changed block, a missing part and a part that is not quoted.
set -euo pipefail
script=$(realpath "$(dirname "${BASH_SOURCE[0]}")/guide.sh")
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
mkdir -p "$root/docs" "$root/examples"
printf '    // [one]\n    int a;\n        int b;\n    // [/one]\n' >"$root/examples/guide.cpp"

# expect STATUS WHAT TEXT: guide.sh must exit with this status for a guide with this text.
expect() {
    local status=0
    printf "$3" >"$root/docs/guide.md"
    "$script" "$root" >/dev/null 2>&1 || status=$?
    [[ $status == "$1" ]] || { echo "guide.sh exits with $status instead of $1: $2"; exit 1; }
}

expect 0 "equal texts" 'Text.\n<!-- part: one -->\n```cpp\nint a;\n    int b;\n```\n'
expect 1 "a changed block" '<!-- part: one -->\n```cpp\nint a;\n```\n'
expect 1 "a part that does not exist" '<!-- part: one -->\n```cpp\nint a;\n    int b;\n```\n<!-- part: two -->\n```cpp\n```\n'
expect 1 "a part that is not quoted" 'Text.\n'
