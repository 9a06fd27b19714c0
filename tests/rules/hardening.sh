#!/usr/bin/env bash
# Checks with readelf that programs and static libraries are built hardened.
#
# usage: hardening.sh PROGRAM|LIBRARY.a...
#
# Exits with 77 (skipped) when readelf is missing.
set -euo pipefail
command -v readelf >/dev/null || { echo "skipped: readelf is not installed (Debian: binutils)"; exit 77; }
failures=0

# lacks PROGRAM WHAT FLAG: reports a missing protection.
lacks() {
    printf '%s: %s; build with %s (cmake/TenonHardening.cmake)\n' "$1" "$2" "$3"
    failures=1
}

check_program() {
    local program=$1 header segments dynamic symbols
    header=$(readelf -hW "$program")
    segments=$(readelf -lW "$program")
    dynamic=$(readelf -dW "$program")
    symbols=$(readelf --dyn-syms -W "$program")

    grep -qE 'Type: +DYN' <<<"$header" && grep -q 'FLAGS_1.*PIE' <<<"$dynamic" ||
        lacks "$program" "is not a position-independent executable" "-fPIE -pie"
    grep -qE 'FLAGS.*(BIND_NOW|NOW)' <<<"$dynamic" || lacks "$program" "binds its symbols late" "-Wl,-z,now"
    grep -q GNU_RELRO <<<"$segments" || lacks "$program" "has no RELRO segment" "-Wl,-z,relro"
    grep -qE 'GNU_STACK.* RW +' <<<"$segments" || lacks "$program" "may execute its stack" "-Wl,-z,noexecstack"
    grep -q __stack_chk_fail <<<"$symbols" || lacks "$program" "has no stack protector" "-fstack-protector-strong"
    grep -qE '__(mem|str|read|poll|vs?n?printf|fprintf|snprintf)[a-z]*_chk' <<<"$symbols" ||
        lacks "$program" "has no checked libc calls" "-D_FORTIFY_SOURCE=3 -O2"
    grep -q __glibcxx_assert_fail <<<"$symbols" ||
        lacks "$program" "does not check the standard library's preconditions" "-D_GLIBCXX_ASSERTIONS"
    if [[ $header == *X86-64* ]] && start_files_have_cet; then
        readelf -nW "$program" | grep -q 'IBT, SHSTK' || lacks "$program" "has no CET" "-fcf-protection=full"
    fi
}

# The linker keeps the CET note only if every object has it, including the start files of the C library. The start files
# of Debian 12 do not have it. So the libraries are checked too, because each of their objects keeps its own note.
start_files_have_cet() {
    readelf -n "$(${CXX:-c++} -print-file-name=crt1.o)" 2>/dev/null | grep -q 'IBT, SHSTK'
}

check_library() {
    local notes objects
    [[ $(uname -m) == x86_64 ]] || return 0
    objects=$(ar t "$1" | wc -l)
    notes=$(readelf -nW "$1" 2>/dev/null | grep -c 'IBT, SHSTK' || true)
    [[ $notes -eq $objects ]] || lacks "$1" "has CET in $notes of its $objects objects" "-fcf-protection=full"
}

for file in "$@"; do
    case $file in
        *.a) check_library "$file" ;;
        *) check_program "$file" ;;
    esac
done
exit $failures
