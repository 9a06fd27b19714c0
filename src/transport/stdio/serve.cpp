#include <tenon/transport/serve.hpp>
#include <tenon/transport/stdio.hpp>

namespace tenon {

int serve(Server& server) { return serve_stdio(server); }

}  // namespace tenon
