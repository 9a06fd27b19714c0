#!/usr/bin/env bash
# Tests sources.sh: it must fail for a page and for a section that the specification does not have, and be skipped
# without a specification.
set -euo pipefail
sources=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/sources.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failures=0

# names PLACE...: makes a program that lists rules with these places.
names() {
    {
        printf '#!/usr/bin/env bash\ncat <<END\n'
        printf '{"source": "https://modelcontextprotocol.io/specification/%s"}\n' "$@"
        printf 'END\n'
    } >"$tree/tenon"
    chmod +x "$tree/tenon"
}

# expect STATUS WORDS [FOLDER]: sources.sh must exit with this status and print these words.
expect() {
    local output status=0
    output=$(TENON_SPECIFICATION='' "$sources" "$tree/tenon" "${3-$tree}") || status=$?
    [[ $status -eq $1 && $output == *"$2"* ]] ||
        { printf 'sources_selftest: expected %s and "%s", got %s:\n%s\n' "$1" "$2" "$status" "$output"; failures=1; }
}

mkdir -p "$tree/2025-11-25/basic" "$tree/2025-11-25/server"
printf '%s\n' '# Basic' '### `_meta`' '```' '## Not a Heading' '```' '<a id="by-hand" />' >"$tree/2025-11-25/basic/index.mdx"
printf '%s\n' '## Security & Endpoint' >"$tree/2025-11-25/server/tools.mdx"

names 2025-11-25/basic 2025-11-25/basic#_meta 2025-11-25/basic#by-hand 2025-11-25/server/tools#security-endpoint
expect 0 '4 places'
names 2025-11-25/basic#not-a-heading
expect 1 '2025-11-25/basic#not-a-heading: the page has no such section'
names 2025-11-25/server/prompts
expect 1 '2025-11-25/server/prompts: there is no such page'
expect 77 'skipped' ''
printf '#!/usr/bin/env bash\n' >"$tree/tenon"
expect 1 'names no source'
exit "$failures"
