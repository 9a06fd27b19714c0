#!/usr/bin/env bash
# Checks docs/guide.md: each ```cpp block under "<!-- part: NAME -->" must be the part NAME of examples/guide.cpp, and
# each part must be quoted. Indentation is ignored.
#
# usage: guide.sh [ROOT] [--write]     --write copies the parts into the guide
set -euo pipefail
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}"
guide=docs/guide.md code=examples/guide.cpp

# Prints the guide with each block replaced by its part, without the indentation of the part's first line.
filled() {
    awk '
        FNR == NR && /^ *\/\/ \[\/?[a-z-]+\]$/ {
            name = $2
            gsub(/[][\/]/, "", name)
            if ($2 ~ /^\[\//) { open = "" } else { open = name; match($0, /^ */); indent = RLENGTH; found[name] = 1 }
            next
        }
        FNR == NR { if (open != "") part[open] = part[open] substr($0, indent + 1) "\n"; next }
        /^<!-- part: [a-z-]+ -->$/ { wanted = $3 }
        inside && /^```$/ { inside = 0 }
        inside { next }
        { print }
        wanted != "" && /^```cpp$/ {
            if (!(wanted in found)) { print "there is no part " wanted > "/dev/stderr"; failed = 1 }
            printf "%s", part[wanted]
            quoted[wanted] = 1
            wanted = ""
            inside = 1
        }
        END {
            for (name in found) if (!(name in quoted)) { print "no block quotes the part " name > "/dev/stderr"; failed = 1 }
            exit failed
        }' "$code" "$guide"
}

new=$(mktemp)
trap 'rm -f "$new"' EXIT
filled >"$new"
if [[ ${2:-} == --write ]]; then
    cp "$new" "$guide"
else
    diff -u "$guide" "$new" || { echo "guide: $guide and $code differ; tests/rules/guide.sh . --write copies the code" >&2; exit 1; }
fi
