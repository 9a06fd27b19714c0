# Functions of the scripts in this folder. Sets `root`, and `work`: a folder that is deleted at the end.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(realpath "$here/../..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() { printf '%s: %s\n' "${0##*/}" "$*" && exit 1; }
# Shows the output of a command only when the command fails.
quietly() { "$@" >"$work/log" 2>&1 || { cat "$work/log"; fail "failed: $*"; }; }

# expect_answers PROGRAM: holds a short conversation with a consumer.
expect_answers() {
    local answers expected
    answers=$("$1" <<'END'
{"jsonrpc":"2.0","id":0,"method":"ping"}
{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add","arguments":{"a":2,"b":3}}}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"add","arguments":{"a":-2,"b":3}}}
END
    )
    for expected in '"id":0,"result":{}' '"name":"consumer"' '"structuredContent":{"result":5}' 'the first number is negative'; do
        [[ $answers == *"$expected"* ]] || fail "$1: no $expected among the answers: $answers"
    done
}

# needed FILE: prints the shared libraries that a program or library names, one per line.
needed() { readelf -dW "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\].*/\1/p'; }

# expect_no_openssl FILE: neither the file nor a library that it loads is OpenSSL.
expect_no_openssl() {
    local loaded
    loaded=$(ldd "$1")
    [[ $loaded != *libssl* && $loaded != *libcrypto* ]] || fail "$1 links OpenSSL: $loaded"
}

# finish_build TREE BUILD TARGET...: builds targets of TREE, whose modules BUILD has compiled with the same options. The
# objects of the modules are copied. Everything else (archives, links) is done with the commands of TREE.
finish_build() {
    local tree=$1 build=$2 folder command
    shift 2
    folder=$(ninja -C "$tree" -t targets all | sed -nE 's,^(.*src/CMakeFiles)/tenon_base\.dir/.*\.o: .*,\1,p' | sort -u)
    mkdir -p "$tree/$folder"
    cp -r "$build"/src/CMakeFiles/tenon_*.dir "$tree/$folder"
    while IFS= read -r command; do
        [[ ! $command =~ \ -o\ $folder/tenon_[a-z]+\.dir/ ]] || continue
        (cd "$tree" && quietly bash -c "$command")
    done < <(ninja -C "$tree" -t commands "$@")
}
