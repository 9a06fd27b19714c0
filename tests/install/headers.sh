#!/usr/bin/env bash
# Checks that <tenon/tenon.hpp> does not include network or TLS headers, not even indirectly. Prints the cost of
# compiling it.
#
# usage: headers.sh COMPILER
set -euo pipefail
compiler=$1
cd "$(dirname "${BASH_SOURCE[0]}")"
compile=("$compiler" -std=c++20 -O0 -I ../../include minimal.cpp)

headers=$("${compile[@]}" -M | tr -s ' \\\n' '\n')
found=$(grep -E '/(asio|beast|openssl)(/|\.hpp)' <<<"$headers" || true)
[[ -z $found ]] || { printf 'headers.sh: <tenon/tenon.hpp> pulls in:\n%s\n' "$found" && exit 1; }

TIMEFORMAT='%U s of CPU to compile minimal.cpp at -O0'
time "${compile[@]}" -c -o /dev/null
printf '%s headers, %s lines of them\n' "$(wc -l <<<"$headers")" "$("${compile[@]}" -E -P | wc -l)"
