// Requests whose state was sealed with a key that this node does not know. That happens only on a node that could not
// read the key ring for a while, because a new key is published long before it is used.
#include <mutex>

#include "transport/http_server/endpoint.hpp"
#include "web/response.hpp"

namespace tenon {
namespace {

/// Stands for a responder that comes later. Thread-safe.
class LateResponder final : public web::Responder {
 public:
    void client_gone(const web::ResponseWriter& writer) override {
        if (const auto to = responder(true)) to->client_gone(writer);
    }
    void probe(const web::ResponseWriter& writer) override {
        if (const auto to = responder(false)) to->probe(writer);
    }
    /// Passes everything on to `to`. The client may have left before.
    void pass_to(HttpEndpoint::ResponderPtr to, const web::ResponseWriter& writer) {
        {
            const std::lock_guard lock(mutex_);
            to_ = to;
            if (!gone_) return;
        }
        if (to) to->client_gone(writer);
    }

 private:
    HttpEndpoint::ResponderPtr responder(bool gone) {
        const std::lock_guard lock(mutex_);
        gone_ = gone_ || gone;
        return to_;
    }

    std::mutex mutex_;  // guards the members below
    HttpEndpoint::ResponderPtr to_;
    bool gone_ = false;
};

}  // namespace

bool HttpEndpoint::needs_key(const jsonrpc::Request& request) const {
    const json::value* state = request.params.if_contains("requestState");
    return state && state->is_string() && options_.keys->should_read_for(state->get_string());
}

HttpEndpoint::ResponderPtr HttpEndpoint::run_with_key(const Post& post, PeerSlot slot, jsonrpc::Incoming&& in) {
    struct Waiting {
        Admitted admitted;
        WriterPtr writer;
        PeerSlot slot;
        jsonrpc::Incoming in;
    };
    const auto late = std::make_shared<LateResponder>();
    const auto waiting = std::make_shared<Waiting>(Waiting{post.admitted, post.writer, std::move(slot), std::move(in)});
    auto run = [self = shared_from_this(), late, waiting](const std::optional<Error>& error) {
        if (error)
            return waiting->writer->respond(web::try_later(
                503, {code::server_error, "the store of the keys cannot be used at the moment; try again"}));
        auto runs = self->run_stateless(waiting->admitted, waiting->writer, std::move(waiting->slot), false,
                                        std::move(waiting->in));
        late->pass_to(std::move(runs), *waiting->writer);
    };
    options_.keys->read_for_request([node = options_.cluster, run](const std::optional<Error>& error) {
        node ? node->run([&] { run(error); }) : run(error);
    });
    return late;
}

}  // namespace tenon
