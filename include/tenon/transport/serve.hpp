// serve: what main() returns.
#pragma once

#include <tenon/server.hpp>

namespace tenon {

/// Serves one client on standard input and output; see serve_stdio().
int serve(Server& server);

/// The same, or Streamable HTTP when the command line says `--http PORT`: on 127.0.0.1, at /mcp; see serve_http() for
/// more. Status 2, after a line on stderr, when it says anything else.
int serve(Server& server, int argc, const char* const* argv);

}  // namespace tenon
