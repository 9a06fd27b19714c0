#!/usr/bin/env bash
# Tests modules.sh: a small correct tree must pass, and each violation added to it must be found.
set -euo pipefail
modules=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/modules.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failures=0

# Creates the correct tree: several modules, and comments and strings that mention forbidden names.
plant() {
    rm -rf "${tree:?}"/*
    mkdir -p "$tree"/src/{base,json,jose,protocol,io} "$tree/include/tenon"
    cat >"$tree/src/CMakeLists.txt" <<'END'
# tenon_module(ghost USES nothing)
tenon_module(base LINKS Boost::headers)
tenon_module(json USES base
           LINKS Boost::json)
tenon_module(jose USES json)
tenon_module(protocol USES json)
tenon_module(io USES base)
END
    cat >"$tree/src/base/a.hpp" <<'END'
#include <chrono>
#include <stop_token>
// Not ::now(), not std::cerr, and not the random header.
const char* text = "std::cout << printf(1) and revision >= 2";
END
    printf '#include "base/a.hpp"\n#include <boost/json.hpp>\n' >"$tree/src/json/b.cpp"
    printf '#include "base/a.hpp"\n#include "json/b.hpp"\nbool newer(R revision) { return revision >= R::b; }\n' >"$tree/src/protocol/c.cpp"
    printf '#include <thread>\n#include "base/a.hpp"\nauto t = clock::now();\nstd::optional<Revision> r;\nfor (i = 0; i < versions.size(); ++i) out << revision;\n' >"$tree/src/io/d.cpp"
    printf '#include <openssl/evp.h>\n' >"$tree/src/jose/f.cpp"
    printf '#include <boost/asio.hpp>\n' >"$tree/include/tenon/asio.hpp"
    printf '#include <tenon/json.hpp>\n' >"$tree/include/tenon/tenon.hpp"
    mkdir -p "$tree/tools/tenon"
    printf 'void f();\n' >"$tree/tools/tenon/own.hpp"
    printf '#include "own.hpp"\n#include <tenon/json.hpp>\n#include <unistd.h>\n#include <vector>\nstd::snprintf(b, n, "x");\njson::write(v);\n' >"$tree/tools/tenon/e.cpp"
    printf 'auto n = ::write(fd, p, 1);\n' >"$tree/tools/tenon/out.cpp"
}

fail() {
    printf 'modules_selftest: %s\n' "$*"
    failures=1
}

expect_clean() {
    local output
    output=$("$modules" "$1" "$tree") || fail "$1 refuses a clean tree: $output"
}

# expect_found CHECK FILE LINE: with LINE added to FILE, CHECK must fail and name the file.
expect_found() {
    local output
    plant
    printf '%s\n' "$3" >>"$tree/$2"
    if output=$("$modules" "$1" "$tree"); then
        fail "$1 overlooks '$3' in $2"
    elif [[ $output != *"$2:"* ]]; then
        fail "$1 finds '$3' but does not name $2: $output"
    fi
}

plant
for check in includes purity public versions encoder tools; do expect_clean "$check"; done

expect_found includes src/base/a.hpp '#include "json/b.hpp"'
expect_found includes src/json/b.cpp '#  include <protocol/c.hpp>'
expect_found includes src/io/d.cpp '#include "json/b.hpp"'
expect_found includes src/CMakeLists.txt 'tenon_module(lost USES nowhere)'

for header in thread mutex condition_variable future random iostream fstream cstdio unistd.h sys/socket.h netinet/in.h poll.h signal.h \
    csignal ctime time.h boost/asio.hpp boost/asio/post.hpp boost/beast/http.hpp openssl/ssl.h; do
    expect_found purity src/protocol/c.cpp "#include <$header>"
    [[ $header == openssl/* ]] || expect_found purity src/jose/f.cpp "#include <$header>"
done
for code in 'auto t = std::chrono::steady_clock::now();' 'int r = std::rand();' 'printf("x");' 'fprintf(f, "x");' 'std::cerr << 1;' \
    'std::cout << 1;' 'auto e = getenv("X");' 'auto e = std::getenv("X"); // why'; do
    expect_found purity src/base/a.hpp "$code"
done

for header in boost/asio/io_context.hpp boost/beast/core.hpp openssl/ssl.h asio.hpp src/base/a.hpp ../../src/base/a.hpp base/a.hpp; do
    expect_found public include/tenon/tenon.hpp "#include <$header>"
done

for code in 'if (revision >= other) {}' 'if (session.revision() < other) {}' 'if (limit > revision) {}' 'if (version_ <= 3) {}' \
    'if (r >= protocol::Revision::v2025_06_18) {}' 'if (r == Revision::v2025_06_18) {}' 'case Revision::v2025_06_18: break;'; do
    expect_found versions src/io/d.cpp "$code"
done

expect_found encoder src/io/d.cpp 'w.field("jsonrpc", "2.0");'
expect_found encoder src/io/d.cpp 'out += "{\"jsonrpc\":\"2.0\",\"id\":";'
expect_found encoder src/io/d.cpp 'out += R"({"jsonrpc":"2.0"})";'

for header in base/a.hpp ../../src/base/a.hpp boost/asio.hpp boost/asio/io_context.hpp other.hpp; do
    expect_found tools tools/tenon/e.cpp "#include <$header>"
done
for code in 'printf("x");' 'std::printf("x");' 'std::fprintf(stderr, "x");' 'std::cout << server_text;' 'std::cerr << 1;' 'std::puts(t);' \
    '::write(1, t, n);' 'fwrite(t, 1, n, stdout);' 'fputs(t, stderr);'; do
    expect_found tools tools/tenon/e.cpp "$code"
done

exit "$failures"
