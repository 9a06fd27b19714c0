#include "transport/http_server/access_control.hpp"

#include "io/random.hpp"

namespace tenon {

std::unique_ptr<AccessControl> AccessControl::make(const HttpOptions& options, LogNote note, SharedAccess shared) {
    std::unique_ptr<AccessControl> guard(new AccessControl);
    std::unique_ptr<auth::TokenGate> gate;
    if (const auto* tokens = std::get_if<auth::StaticTokens>(&options.auth)) {
        gate = std::make_unique<auth::TokenGate>(*tokens);
    } else if (const auto* resource = std::get_if<auth::ResourceServer>(&options.auth)) {
        gate = std::make_unique<auth::TokenGate>(*resource, io::random_bytes<32>(), std::move(shared.nonce_secrets));
        // The gate limits the fetches at once. A fetch that has just ended may still count here.
        guard->fetches_.emplace(FetchOptions{.ca_file = resource->ca_file,
                                             .max_at_once = 2 * SharedTokenGate::max_fetches,
                                             .time = resource->limits.wait_time},
                                note);
    } else {
        return nullptr;
    }
    SharedTokenGate::Options how;
    how.fetch = [g = guard.get()](auth::FetchOrder order, SharedTokenGate::Fetched done) {
        g->fetch(std::move(order), std::move(done));
    };
    how.clock = [] { return auth::Now{std::chrono::system_clock::now(), Clock::now()}; };
    how.note = std::move(note);
    if (shared.node) how.claim = claim_with(std::move(shared.node));
    guard->admission_ = std::make_shared<SharedTokenGate>(std::move(gate), std::move(how));
    return guard;
}

std::map<std::string, std::string, std::less<>> AccessControl::documents() const {
    const auto& metadata = admission_->gate().metadata();
    if (!metadata) return {};
    return {{metadata->path, metadata->document}, {std::string(auth::metadata_root), metadata->document}};
}

void AccessControl::fetch(auth::FetchOrder order, SharedTokenGate::Fetched done) {
    FetchRequest request{order.method, std::move(order.url), std::move(order.fields), std::move(order.body),
                         order.public_only};
    fetches_->fetch(std::move(request), [done = std::move(done)](Result<FetchResponse> answer) {
        if (!answer) return done(answer.error());
        if (answer->status == 200) return done(std::move(answer->body));
        done(Error{code::invalid_answer, "the answer has the status " + std::to_string(answer->status)});
    });
}

}  // namespace tenon
