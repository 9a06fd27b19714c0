#!/usr/bin/env bash
# Builds the consumer project with Tenon and sends it some requests.
#
# usage: use.sh installed|subdirectory BUILD [CMAKE OPTIONS]
#   installed      Tenon is installed from the tree BUILD into an empty prefix, and found there
#   subdirectory   Tenon is a subdirectory of the consumer project
set -euo pipefail
way=$1 build=$(realpath "$2")
shift 2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(realpath "$here/../..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

quietly() { "$@" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }; }

case $way in
    installed)
        quietly cmake --install "$build" --prefix "$work/prefix"
        options=("-DCMAKE_PREFIX_PATH=$work/prefix")
        ;;
    subdirectory) options=("-DTENON_SOURCE=$root") ;;
    *) echo "use.sh: there is no way $way" && exit 2 ;;
esac
quietly cmake -G Ninja -S "$here/consumer" -B "$work/build" "${options[@]}" "$@"
case $way in
    installed) quietly cmake --build "$work/build" --target consumer ;;
    subdirectory)
        # BUILD has compiled the modules already, so its libraries are copied here. Only the consumer is compiled and
        # linked, with the same flags and the same link command as in any other build.
        objects=(CMakeFiles/consumer.dir/{main,tools}.cpp.o)
        quietly ninja -C "$work/build" "${objects[@]}"
        mkdir -p "$work/build/tenon/src"
        cp "$build"/src/libtenon_*.a "$work/build/tenon/src"
        (cd "$work/build" && quietly bash -c "$(ninja -t commands consumer | tail -n 1)")
        ;;
esac

answers=$("$work/build/consumer" <<'END'
{"jsonrpc":"2.0","id":0,"method":"ping"}
{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add","arguments":{"a":2,"b":3}}}
END
)
printf '%s\n' "$answers"
for expected in '"id":0,"result":{}' '"name":"consumer"' '"structuredContent":{"result":5}'; do
    [[ $answers == *"$expected"* ]] || { echo "use.sh: no $expected among the answers" && exit 1; }
done
