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

class WithEnd final : public ClientTransport {
 public:
    WithEnd(std::shared_ptr<ClientTransport> inner, std::function<void(const Error&)> gone)
        : inner_(std::move(inner)), gone_(std::move(gone)) {}

    void start(Events events, Bounds bounds) override {
        events.closed = [this, closed = std::move(events.closed)](const Error& why) {
            reopened_ = false;
            closed(why);
            if (!reopened_) gone_(why);  // a server that died at the first message is started once more
        };
        inner_->start(std::move(events), bounds);
    }
    Result<void> send(OutgoingMessage message) override { return inner_->send(std::move(message)); }
    bool reopen(Duration wait) override { return reopened_ = inner_->reopen(wait); }
    bool sends_mirrored() const override { return inner_->sends_mirrored(); }
    void close(TimePoint deadline) override { inner_->close(deadline); }

 private:
    const std::shared_ptr<ClientTransport> inner_;
    const std::function<void(const Error&)> gone_;
    bool reopened_ = false;  // used on the inner transport's thread only
};

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

std::shared_ptr<ClientTransport> with_end(std::shared_ptr<ClientTransport> inner,
                                          std::function<void(const Error&)> gone) {
    return std::make_shared<WithEnd>(std::move(inner), std::move(gone));
}

}  // namespace tenon::program
