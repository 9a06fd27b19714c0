#!/usr/bin/env bash
# Has a short conversation with an MCP server, as a client would. Shows and explains every line sent or received.
#
# usage: talk.sh [SERVER]        the default for SERVER is build/bin/everything
set -euo pipefail
export LC_ALL=C.UTF-8
server=$(realpath "${1:-$(dirname "${BASH_SOURCE[0]}")/../build/bin/everything}")
[[ -x $server ]] || { echo "talk.sh: $server is not there; ./dev build makes it" >&2; exit 1; }

width=120
[[ ! -t 1 ]] || read -r _ width < <(stty size 2>/dev/null </dev/tty || echo 24 120)
[[ $width -ge 40 ]] || width=120
if [[ -t 1 && -z ${NO_COLOR:-} ]]; then
    bold=$'\e[1m' blue=$'\e[34m' green=$'\e[32m' plain=$'\e[0m'
else
    bold='' blue='' green='' plain=''
fi

# Prints one line. Leaves out the middle of a line that is wider than the screen.
show() {
    local colour=$1 arrow=$2 line=$3 room=$((width - 4))
    if [[ ${#line} -gt $room ]]; then
        local tail=$((room / 2 - 2))
        line="${line:0:room-tail-3} … ${line: -tail}"
    fi
    printf '%s%s%s %s\n' "$colour" "$arrow" "$plain" "$line"
}

explain() { printf '\n%s%s%s\n' "$bold" "$*" "$plain"; }

coproc SERVER { exec "$server"; }
pid=$! from_server=${SERVER[0]} to_server=${SERVER[1]}

tell() {
    show "$blue" '-->' "$1"
    printf '%s\n' "$1" >&"$to_server"
}

# ask MESSAGE WORDS: sends the message and reads one line, which must contain these words.
ask() {
    tell "$1"
    IFS= read -r -t 10 answer <&"$from_server" || { echo "talk.sh: no answer within 10 seconds" >&2; exit 1; }
    show "$green" '<--' "$answer"
    [[ $answer == *"$2"* ]] || { echo "talk.sh: the answer has no $2" >&2; exit 1; }
}

printf 'This is a conversation with %s, over its standard input and output.\n' "${server##*/}"

explain 'The client sends its name and its revision of the protocol. The server answers with its capabilities.'
ask '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"talk.sh","version":"1.0.0"}}}' '"serverInfo"'

explain 'The client is ready. This is a notification: it has no id, and gets no response.'
tell '{"jsonrpc":"2.0","method":"notifications/initialized"}'

explain 'The list of tools. Each tool has a JSON Schema of its arguments, made from C++ types.'
ask '{"jsonrpc":"2.0","id":2,"method":"tools/list"}' '"inputSchema"'

explain 'A call. The result is structured, and matches the schema that the tool declared. It is also sent as text.'
ask '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"weather","arguments":{"city":"Oslo","days":2}}}' '"structuredContent"'

explain 'A call with an argument that is too large. The tool does not run. The model can read why, and try again.'
ask '{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"weather","arguments":{"city":"Oslo","days":9}}}' '"isError":true'

explain 'The client closes the stream; the server exits with status 0.'
exec {to_server}>&-
wait "$pid"

cat <<END

${bold}What next?${plain}
  your own server      README.md shows one in ten lines; examples/ has more, each on one page
  in your MCP client   {"mcpServers": {"everything": {"command": "$server"}}}
  all tests            ./dev test
END
