#!/usr/bin/env bash
# Plays a recorded conversation to a server under valgrind. The server must have no memory error and no definite or
# indirect leak, answer every request, and exit with status 0.
#
# usage: valgrind.sh SERVER CONVERSATION
set -euo pipefail
server=$1
conversation=$2
command -v valgrind >/dev/null || { echo "valgrind is not installed"; exit 77; }

answers=$(mktemp)
trap 'rm -f "$answers"' EXIT
valgrind --quiet --leak-check=full --show-leak-kinds=definite,indirect --errors-for-leak-kinds=definite,indirect \
    --error-exitcode=99 --track-fds=no "$server" <"$conversation" >"$answers"

# The ids of all complete requests, without the last one, which is cancelled. Each must be answered exactly once.
requests=$(grep -oE '^\{"jsonrpc": ?"2.0", ?"id": ?[0-9]+, ?"method"' "$conversation" | grep -oE 'id": ?[0-9]+' | grep -oE '[0-9]+' | sort -n | sed '$d')
answered=$(grep -oE '^\{"jsonrpc":"2.0","id":[0-9]+,"(result|error)"' "$answers" | grep -oE 'id":[0-9]+' | grep -oE '[0-9]+' | sort -n)
if ! diff <(echo "$requests") <(echo "$answered"); then
    echo "valgrind.sh: the requests (<) and the answers (>) differ"
    exit 1
fi
echo "$(wc -l <<<"$answered") requests answered, no error, no leak"
