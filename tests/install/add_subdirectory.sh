#!/usr/bin/env bash
# Makes Tenon a part of the consumer project, which uses tenon::core. Checks that nothing else would be compiled.
#
# usage: add_subdirectory.sh BUILD [CMAKE OPTIONS]      BUILD has compiled the modules with these options
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
build=$(realpath "$1")
shift

# Neither the configuration nor the build needs OpenSSL when HTTP is off.
quietly cmake -G Ninja -S "$here/consumer" -B "$work/build" "-DTENON_SOURCE=$root" -DTENON_BUILD_HTTP=OFF \
    -DCMAKE_DISABLE_FIND_PACKAGE_OpenSSL=ON "$@"
quietly cmake -G Ninja -S "$here/consumer" -B "$work/build" "-DTENON_SOURCE=$root" -DTENON_BUILD_HTTP=ON \
    -DCMAKE_DISABLE_FIND_PACKAGE_OpenSSL=OFF "$@"
steps=$(ninja -C "$work/build" -t commands all)
unused=$(grep -oE 'tenon_(http|web|auth|jose|check|load)\.dir' <<<"$steps" | sort -u || true)
[[ -z $unused ]] || fail "a consumer of tenon::core also builds: $unused"
compiled=$(grep -c ' -c ' <<<"$steps")
printf 'a consumer of tenon::core: %s steps, of which %s compile\n' "$(wc -l <<<"$steps")" "$compiled"
[[ $compiled -le 50 ]] || fail "the consumer compiles $compiled files"

finish_build "$work/build" "$build" consumer
expect_answers "$work/build/consumer"
expect_no_openssl "$work/build/consumer"
