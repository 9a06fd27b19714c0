// How third-party servers stop when the client closes.
#include <tenon/transport/http_client.hpp>

#include "foreign_server.hpp"
#include "gather.hpp"

namespace tenon::test {
namespace {

class Ending : public ForeignServer {};

// The exit time is one hour, so a server that ignores the end of its input makes this test time out.
TEST_F(Ending, closing_the_input_stops_a_stdio_server) {
    for (const std::vector<std::string>& script : {std::vector<std::string>{everything_script(), "stdio"},
                                                   {filesystem_script(), std::filesystem::temp_directory_path()},
                                                   {own_script("typescript_v1.mjs"), "stdio"},
                                                   {own_script("typescript_v2.mjs"), "stdio"}}) {
        Client c(process({.command = node_command(script), .exit_time = std::chrono::hours(1)}));
        c.ping();
        c.close(std::chrono::hours(1));
    }
}

TEST_F(Ending, closing_the_client_terminates_the_http_session) {
    HttpProcess& server = http_server({everything_script(), "streamableHttp"});
    Client c(http({.url = server.url("/mcp"), .proxy = ""}));
    c.ping();
    c.close();
    server.wait_until_it_says("Received session termination request");
}

}  // namespace
}  // namespace tenon::test
