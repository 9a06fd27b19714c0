// How these servers end when the client does, with all the time they want.
#include <tenon/transport/http_client.hpp>

#include "foreign_server.hpp"
#include "gather.hpp"

namespace tenon::test {
namespace {

class Ending : public ForeignServer {};

// A server that has to be killed is a time-out here.
TEST_F(Ending, is_the_end_of_input_over_stdio) {
    for (const std::vector<std::string>& script : {std::vector<std::string>{everything_script(), "stdio"},
                                                   {filesystem_script(), std::filesystem::temp_directory_path()},
                                                   {own_script("typescript_v1.mjs"), "stdio"},
                                                   {own_script("typescript_v2.mjs"), "stdio"}}) {
        Client c(process({.command = node_command(script), .exit_time = std::chrono::hours(1)}));
        c.ping();
        c.close(std::chrono::hours(1));
    }
}

TEST_F(Ending, is_told_over_http) {
    HttpProcess& server = http_server({everything_script(), "streamableHttp"});
    Client c(http({.url = server.url("/mcp"), .proxy = ""}));
    c.ping();
    c.close();
    server.wait_until_it_says("Received session termination request");
}

}  // namespace
}  // namespace tenon::test
