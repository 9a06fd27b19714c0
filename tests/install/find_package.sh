#!/usr/bin/env bash
# Installs Tenon into an empty prefix, as static and as shared libraries, and uses it from there with find_package and
# pkg-config. Checks that a consumer of tenon::core needs no OpenSSL, and what the shared libraries export.
#
# usage: find_package.sh BUILD [CMAKE OPTIONS]      BUILD is a tree with static libraries
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
build=$(realpath "$1")
shift

# configure_consumer NAME PREFIX [OPTIONS]: configures the consumer project in $work/NAME.
configure_consumer() {
    local name=$1 prefix=$2
    shift 2
    cmake -G Ninja -S "$here/consumer" -B "$work/$name" "-DCMAKE_PREFIX_PATH=$prefix" "$@"
}

# Static libraries. OpenSSL is not needed for the component core.
quietly cmake --install "$build" --prefix "$work/static"
quietly configure_consumer consumer "$work/static" -DTENON_COMPONENTS=core -DCMAKE_DISABLE_FIND_PACKAGE_OpenSSL=ON "$@"
quietly cmake --build "$work/consumer"
expect_answers "$work/consumer/consumer"
expect_no_openssl "$work/consumer/consumer"
[[ ! -e $work/static/include/tenon/check.hpp ]] || fail 'the header of the checker is installed, but its library is not'

# With all components, OpenSSL is needed, and found. The object of tools.cpp is compiled already.
if configure_consumer refused "$work/static" -DCMAKE_DISABLE_FIND_PACKAGE_OpenSSL=ON "$@" >"$work/log" 2>&1; then
    fail 'find_package(tenon) does not look for OpenSSL'
fi
quietly configure_consumer consumer "$work/static" -DTENON_COMPONENTS= -DCMAKE_DISABLE_FIND_PACKAGE_OpenSSL=OFF "$@"
quietly cmake --build "$work/consumer"
expect_answers "$work/consumer/http_consumer"
if configure_consumer refused "$work/static" -DTENON_COMPONENTS=attic "$@" >"$work/log" 2>&1; then
    fail 'find_package(tenon COMPONENTS attic) succeeds'
fi
grep -q 'without the component attic' "$work/log" || fail "find_package does not name the unknown component: $(<"$work/log")"

# Shared libraries, from the same objects.
quietly cmake -G Ninja -S "$root" -B "$work/tree" -DBUILD_SHARED_LIBS=ON -DTENON_BUILD_TESTS=OFF -DTENON_BUILD_EXAMPLES=OFF \
    -DTENON_BUILD_PROGRAM=OFF "$@"
finish_build "$work/tree" "$build" tenon-core tenon-http
quietly cmake --install "$work/tree" --prefix "$work/shared"
library=$(dirname "$(find "$work/shared" -name libtenon-core.so)")
for name in core http; do
    file=$library/libtenon-$name.so
    [[ $(readlink -f "$file") == *.so.[0-9]*.[0-9]*.[0-9]* ]] || fail "$file is not a link to a versioned library"
    readelf -dW "$file" | grep -E "SONAME.*libtenon-$name\.so\.[0-9]+\.[0-9]+\]" >/dev/null || fail "$file has no soname"
done
expect_no_openssl "$library/libtenon-core.so"
needed "$library/libtenon-http.so" | grep '^libtenon-core\.so\.' >/dev/null || fail 'libtenon-http.so does not use libtenon-core.so'

# Hidden symbols: those of Asio and of the standard library, and of modules that no other library uses.
for name in core http; do
    exported=$(nm -DC --defined-only "$library/libtenon-$name.so" | sed 's/^[0-9a-f]* . //')
    hidden=$(sed -E 's/^(vtable|typeinfo|typeinfo name|guard variable) for //' <<<"$exported" |
        grep -E '^tenon::(schema::Compiler|web|jose|HttpEndpoint|HttpConnection)\b|^[^t]|^t[^e]' | head -n 5 || true)
    [[ -z $hidden ]] || fail "libtenon-$name.so exports private symbols: $hidden"
    printf 'libtenon-%s.so exports %s symbols\n' "$name" "$(wc -l <<<"$exported")"
done

# find_package finds the shared libraries without RE2 and OpenSSL. pkg-config links the objects that were compiled above.
quietly configure_consumer shared_consumer "$work/shared" -DCMAKE_DISABLE_FIND_PACKAGE_OpenSSL=ON \
    -DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON "$@"
compiler=$(sed -n 's/^CMAKE_CXX_COMPILER:[A-Z]*=//p' "$work/consumer/CMakeCache.txt")
objects=$work/consumer/CMakeFiles
for kind in static shared; do
    PKG_CONFIG_PATH=$(find "$work/$kind" -type d -name pkgconfig)
    export PKG_CONFIG_PATH
    for name in core http; do
        main=$objects/consumer.dir/main.cpp.o
        [[ $name == core ]] || main=$objects/http_consumer.dir/http_main.cpp.o
        read -ra flags < <(pkg-config --libs "tenon-$name")
        quietly "$compiler" -o "$work/$kind-$name" "$main" "$objects/consumer_tools.dir/tools.cpp.o" "${flags[@]}"
        LD_LIBRARY_PATH=$library expect_answers "$work/$kind-$name"
    done
    LD_LIBRARY_PATH=$library expect_no_openssl "$work/$kind-core"
done
