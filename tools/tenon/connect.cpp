#include "connect.hpp"

#include <tenon/transport/http_client.hpp>

namespace tenon::program {
namespace {

using namespace std::chrono_literals;

// At this time the answer has arrived. A server that does not exit soon gets SIGTERM and then SIGKILL.
constexpr Duration exit_time = 500ms, term_time = 1s;

std::shared_ptr<ClientTransport> by_url(const Target& target, std::shared_ptr<auth::Authoriser> authoriser) {
    try {
        return http({.url = target.url, .headers = target.headers, .auth = std::move(authoriser)});
    } catch (const Exception& e) {
        throw usage_failure(e.what(), "give an address such as https://example.com/mcp");
    }
}

}  // namespace

Connection connection_to(const Target& target, std::function<void(std::string_view)> on_stderr,
                         std::shared_ptr<auth::Authoriser> authoriser) {
    if (!target.url.empty()) return {by_url(target, std::move(authoriser))};
    const auto child = process({.command = target.command,
                                .directory = target.directory,
                                .environment = target.environment,
                                .on_stderr = std::move(on_stderr),
                                .exit_time = exit_time,
                                .term_time = term_time});
    return {child, child};
}

}  // namespace tenon::program
