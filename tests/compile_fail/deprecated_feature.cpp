// expect: tenon: the protocol deprecates this feature: call the API of a model provider instead of sampling
#ifndef OK
#define TENON_WARN_DEPRECATED_FEATURES
#endif
#include <tenon/server.hpp>

#pragma GCC diagnostic error "-Wdeprecated-declarations"
void add(tenon::Server& server) {
    server.tool("ask", "Asks the model", [](tenon::Context& ctx) { return ctx.sample("Hello").text(); });
}
