#!/usr/bin/env bash
# Tests hardening.sh: a small hardened program must pass, and each missing flag must be found and named.
set -euo pipefail
command -v readelf >/dev/null || { echo "skipped: readelf is not installed (Debian: binutils)"; exit 77; }
hardening=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/hardening.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

cat >"$work/program.cpp" <<'END'
#include <cstdio>
#include <cstring>
#include <vector>
int main(int count, char** words) {
    char text[16];
    std::strcpy(text, words[0]);
    std::vector<int> numbers{1, 2, 3};
    std::printf("%s %d\n", text, numbers[count]);
}
END
all=(-O2 -fPIE -pie -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 -D_GLIBCXX_ASSERTIONS -fstack-protector-strong
     -fcf-protection=full -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)

fail() {
    printf 'hardening_selftest: %s\n' "$*"
    failures=1
}

# expect_found WORD FLAG...: hardening.sh must reject a program built with these additional flags, and print the word.
expect_found() {
    local word=$1 output
    shift
    ${CXX:-c++} "${all[@]}" "$@" "$work/program.cpp" -o "$work/program" 2>/dev/null
    if output=$("$hardening" "$work/program"); then
        fail "overlooks $*"
    elif [[ $output != *"$word"* || $(wc -l <<<"$output") -ne 1 ]]; then
        fail "$* must be found, and nothing else: $output"
    fi
}

${CXX:-c++} "${all[@]}" "$work/program.cpp" -o "$work/program"
output=$("$hardening" "$work/program") || fail "refuses a hardened program: $output"

expect_found "-fPIE" -no-pie -fno-pie
expect_found "-z,now" -Wl,-z,lazy
expect_found "-z,relro" -Wl,-z,norelro
expect_found "noexecstack" -Wl,-z,execstack
expect_found "stack protector" -fno-stack-protector
expect_found "_FORTIFY_SOURCE" -U_FORTIFY_SOURCE
expect_found "_GLIBCXX_ASSERTIONS" -U_GLIBCXX_ASSERTIONS

if [[ $(uname -m) == x86_64 ]]; then
    for protection in full none; do
        ${CXX:-c++} "${all[@]}" -fcf-protection=$protection -c "$work/program.cpp" -o "$work/$protection.o"
        ar qc "$work/$protection.a" "$work/$protection.o"
    done
    output=$("$hardening" "$work/full.a") || fail "refuses a hardened library: $output"
    ! "$hardening" "$work/none.a" >/dev/null || fail "overlooks -fcf-protection=none in a library"
fi
exit $failures
