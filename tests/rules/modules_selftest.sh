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
    mkdir -p "$tree"/src/{base,json,jose,protocol,io,runtime} "$tree/include/tenon"
    mkdir -p "$tree"/src/core/{server,client,tasks} "$tree"/src/transport/{stdio,process,http_server,http_client}
    mkdir -p "$tree"/src/auth/{resource_server,client} "$tree"/src/check/{rules,server,client}
    cat >"$tree/src/CMakeLists.txt" <<'END'
# tenon_module(ghost USES nothing)
tenon_module(base LINKS Boost::headers)
tenon_module(json USES base
           LINKS Boost::json)
tenon_module(jose USES json)
tenon_module(protocol USES json)
tenon_module(observe USES protocol)
tenon_module(schema USES json)
tenon_module(jsonrpc USES json)
tenon_module(framing USES base)
tenon_module(core USES protocol)
tenon_module(skills USES json)
tenon_module(io USES base)
tenon_module(web USES core)
tenon_module(auth USES jose web)
tenon_module(runtime USES core io)
tenon_module(transport EXCEPT http_server http_client USES runtime)
tenon_module(http FOLDERS transport/http_server transport/http_client
             USES transport auth)
tenon_module(check USES http)
END
    cat >"$tree/src/public_headers.txt" <<'END'
# header     module
fwd.hpp      base     # a reason
json.hpp     json
options.hpp  core
context.hpp  runtime

asio.hpp     runtime
tenon.hpp    runtime
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
    printf '#include <tenon/context.hpp>\n' >"$tree/include/tenon/tenon.hpp"
    printf 'class Context;\n' >"$tree/include/tenon/fwd.hpp"
    printf '#include <tenon/fwd.hpp>\n' >"$tree/include/tenon/json.hpp"
    printf '#include <tenon/json.hpp>\n' >"$tree/include/tenon/options.hpp"
    printf '#include <thread>\n#include <tenon/options.hpp>\n' >"$tree/include/tenon/context.hpp"
    printf '#include <mutex>\n#include "base/a.hpp"\n' >"$tree/src/io/lock.hpp"
    printf '#include <tenon/context.hpp>\n#include "core/server/engine.hpp"\n#include "core/client/engine.hpp"\n' >"$tree/src/runtime/g.hpp"
    printf '#include <tenon/options.hpp>\n#include "protocol/c.hpp"\n#include "core/shared.hpp"\n' >"$tree/src/core/server/engine.hpp"
    printf '#include "core/server/engine.hpp"\n' >"$tree/src/core/tasks/task_methods.cpp"
    printf '#include "core/shared.hpp"\n' >"$tree/src/core/client/engine.hpp"
    printf '#include <tenon/json.hpp>\n' >"$tree/src/core/shared.hpp"
    printf '#include "transport/http_client/fetch_thread.hpp"\n' >"$tree/src/transport/http_server/access_control.hpp"
    printf '#include <thread>\n' >"$tree/src/transport/http_client/fetch_thread.hpp"
    printf '#include "core/client/engine.hpp"\n' >"$tree/src/transport/lines.hpp"
    printf '#include "jose/key.hpp"\n' >"$tree/src/auth/form.hpp"
    printf 'struct Key;\n' >"$tree/src/jose/key.hpp"
    printf '#include "check/rules/row.hpp"\n#include "transport/http_client/fetch_thread.hpp"\n' >"$tree/src/check/server/probe.hpp"
    printf 'struct Row;\n' >"$tree/src/check/rules/row.hpp"
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

# expect_says CHECK TEXT: CHECK must fail for the tree as it is, and say TEXT.
expect_says() {
    local output
    if output=$("$modules" "$1" "$tree"); then
        fail "$1 finds nothing, but should say: $2"
    elif [[ $output != *"$2"* ]]; then
        fail "$1 does not say '$2': $output"
    fi
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
for check in includes sides purity public versions encoder tools; do expect_clean "$check"; done

expect_found includes src/base/a.hpp '#include "json/b.hpp"'
expect_found includes src/json/b.cpp '#  include <protocol/c.hpp>'
expect_found includes src/io/d.cpp '#include "json/b.hpp"'
expect_found includes src/json/b.cpp '#include "../io/lock.hpp"'
expect_found includes src/CMakeLists.txt 'tenon_module(lost USES nowhere)'

# A folder of one module can belong to another module.
expect_found includes src/transport/lines.hpp '#include "transport/http_client/fetch_thread.hpp"'
expect_found includes src/transport/stdio/serve.cpp '#include "auth/form.hpp"'
expect_found includes src/CMakeLists.txt 'tenon_module(attic FOLDERS transport/attic)'
plant
printf '#include "transport/lines.hpp"\n#include "auth/form.hpp"\n' >>"$tree/src/transport/http_client/fetch_thread.hpp"
expect_clean includes

# Public headers belong to modules.
expect_found includes src/core/server/engine.hpp '#include <tenon/context.hpp>'
expect_found includes src/base/a.hpp '#include <tenon/json.hpp>'
expect_found includes include/tenon/options.hpp '#include <tenon/context.hpp>'
expect_found includes include/tenon/fwd.hpp '#include <tenon/json.hpp>'
expect_found includes include/tenon/new.hpp 'struct New;'
expect_found includes src/public_headers.txt 'gone.hpp core'
expect_found includes src/public_headers.txt 'fwd.hpp json'
expect_found includes src/public_headers.txt 'fwd.hpp'
plant
sed -i 's/^options.hpp .*/options.hpp attic/' "$tree/src/public_headers.txt"
expect_says includes "options.hpp belongs to 'attic', which is not a module"

# The two sides do not mix, in one module and between modules. Shared files include neither side.
expect_found sides src/core/server/engine.hpp '#include "core/client/engine.hpp"'
expect_found sides src/core/client/engine.hpp '#include "core/server/engine.hpp"'
expect_found sides src/core/client/engine.hpp '#include "core/tasks/board.hpp"'
expect_found sides src/transport/http_server/endpoint.cpp '#include "transport/http_client/fetch_thread.hpp"'
expect_found sides src/transport/http_server/access_control.hpp '#include "transport/http_client/wire.hpp"'
expect_found sides src/transport/http_client/fetch_thread.hpp '#include "transport/http_server/access_control.hpp"'
expect_found sides src/transport/http_client/fetch_thread.hpp '#include "core/server/engine.hpp"'
expect_found sides src/transport/stdio/serve.cpp '#include "transport/process/loop.hpp"'
expect_found sides src/transport/process/loop.cpp '#include "transport/stdio/serve.hpp"'
expect_found sides src/auth/resource_server/token.cpp '#include "auth/client/grant.hpp"'
expect_found sides src/auth/client/grant.cpp '#include "auth/resource_server/token.hpp"'
expect_found sides src/check/server/probe.hpp '#include "check/client/dialogue.hpp"'
expect_found sides src/check/client/dialogue.cpp '#include "check/server/probe.hpp"'
expect_found sides src/core/shared.hpp '#include "core/server/engine.hpp"'
expect_found sides src/check/rules/row.hpp '#include "check/client/dialogue.hpp"'
expect_found sides src/transport/lines.hpp '#include "transport/stdio/serve.hpp"'
plant
printf '\n' >"$tree/src/transport/http_server/access_control.hpp"
expect_says sides 'remove the exception'
plant
rm -r "$tree/src/auth/client"
expect_says sides 'there is no folder src/auth/client'

for header in thread mutex condition_variable future random iostream fstream cstdio unistd.h sys/socket.h netinet/in.h poll.h signal.h \
    csignal ctime time.h boost/asio.hpp boost/asio/post.hpp boost/beast/http.hpp openssl/ssl.h; do
    expect_found purity src/protocol/c.cpp "#include <$header>"
    [[ $header == openssl/* ]] || expect_found purity src/jose/f.cpp "#include <$header>"
done
for code in 'auto t = std::chrono::steady_clock::now();' 'int r = std::rand();' 'printf("x");' 'fprintf(f, "x");' 'std::cerr << 1;' \
    'std::cout << 1;' 'auto e = getenv("X");' 'auto e = std::getenv("X"); // why'; do
    expect_found purity src/base/a.hpp "$code"
done

# A pure module reaches nothing impure through headers of ours: the chain is named, and only where it begins.
expect_found purity include/tenon/options.hpp '#include <mutex>'
expect_found purity include/tenon/options.hpp 'auto t = std::chrono::steady_clock::now();'
expect_found purity src/core/server/engine.hpp '#include <tenon/context.hpp>'
expect_says purity 'src/core/server/engine.hpp -> include/tenon/context.hpp -> <thread>'
expect_found purity src/core/shared.hpp '#include "runtime/g.hpp"'
expect_says purity 'src/core/shared.hpp -> src/runtime/g.hpp -> include/tenon/context.hpp -> <thread>'
[[ $("$modules" purity "$tree" | wc -l) == 1 ]] || fail 'purity reports the files that include an impure file'
expect_found purity include/tenon/json.hpp '#include "io/lock.hpp"'
expect_says purity 'include/tenon/json.hpp -> src/io/lock.hpp -> <mutex>'
plant
printf '#include <poll.h>\n' >"$tree/src/io/near.hpp"
printf '#include "near.hpp"\n' >"$tree/src/io/wide.hpp"
printf '#include "io/wide.hpp"\n' >>"$tree/src/base/a.hpp"
expect_says purity 'src/base/a.hpp -> src/io/wide.hpp -> src/io/near.hpp -> <poll.h>'
plant
printf '#include <openssl/evp.h>\n' >>"$tree/src/jose/key.hpp"
expect_says purity 'src/auth/form.hpp -> src/jose/key.hpp -> <openssl/evp.h>'
plant
sed -i '/tenon_module(web/d' "$tree/src/CMakeLists.txt"
expect_says purity 'web is listed as pure, but is not a module'

for header in boost/asio/io_context.hpp boost/beast/core.hpp openssl/ssl.h asio.hpp src/base/a.hpp ../../src/base/a.hpp base/a.hpp; do
    expect_found public include/tenon/tenon.hpp "#include <$header>"
done

expect_found public include/tenon/options.hpp 'namespace tenon {'
plant
printf '#pragma GCC visibility push(default)\nnamespace tenon {\n}\n#pragma GCC visibility pop\n' >>"$tree/include/tenon/options.hpp"
printf 'namespace tenon::check {\n' >"$tree/include/tenon/check.hpp"
expect_clean public

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
