#!/usr/bin/env bash
# Checks that every page and section that the rules of `tenon check` name exists in the specification.
# Skipped (77) when the specification is not there: it is the folder docs/specification of the repository
# modelcontextprotocol/modelcontextprotocol.
#
# usage: sources.sh TENON [SPECIFICATION]
# SPECIFICATION is the folder; by default it is taken from the environment variable TENON_SPECIFICATION.
set -euo pipefail
tenon=${1:?sources.sh needs the program tenon}
specification=${2:-${TENON_SPECIFICATION:-}}
site=https://modelcontextprotocol.io/specification/

if [[ -z $specification || ! -d $specification ]]; then
    echo "skipped: set TENON_SPECIFICATION to the folder docs/specification of the specification's repository"
    exit 77
fi

# anchors FILE: prints the sections of a page, as they stand in a URL. Headings inside of code blocks do not count.
anchors() {
    awk '/^ *```/ { code = !code; next }
         !code && /^#+ / {
             sub(/^#+ +/, "")
             text = tolower($0)
             gsub(/[^a-z0-9 _-]/, "", text)
             gsub(/ +/, "-", text)
             print text
         }' "$1"
    grep -oE '\bid="[^"]+"' "$1" | sed 's/^id="//; s/"$//' || true
}

# page_of REVISION/PAGE: prints the file of a page, or fails if the page does not exist.
page_of() {
    local file
    for file in "$specification/$1.mdx" "$specification/$1/index.mdx"; do
        [[ ! -f $file ]] || { printf '%s' "$file"; return; }
    done
    return 1
}

mapfile -t sources < <("$tenon" check --list --json | grep -oE "\"$site[^\"]+\"" | tr -d '"' | sort -u)
[[ ${#sources[@]} -gt 0 ]] || { echo "sources: tenon names no source"; exit 1; }

failures=0
for source in "${sources[@]}"; do
    place=${source#"$site"}
    page=${place%%#*}
    if ! file=$(page_of "$page"); then
        printf 'sources: %s: there is no such page\n' "$place"
        failures=1
    elif [[ $place == *#* ]] && ! anchors "$file" | grep -xF -- "${place#*#}" >/dev/null; then
        printf 'sources: %s: the page has no such section\n' "$place"
        failures=1
    fi
done
printf 'sources: %s places\n' "${#sources[@]}"
exit "$failures"
