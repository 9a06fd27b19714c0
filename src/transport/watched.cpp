#include <tenon/transport/watched.hpp>

namespace tenon {
namespace {

class Watched final : public ClientTransport {
 public:
    Watched(std::shared_ptr<ClientTransport> inner, std::function<void(const Error&)> gone)
        : inner_(std::move(inner)), gone_(std::move(gone)) {}

    json::object extensions() const override { return inner_->extensions(); }
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
    std::string_view network_transport() const override { return inner_->network_transport(); }
    void close(TimePoint deadline) override { inner_->close(deadline); }

 private:
    const std::shared_ptr<ClientTransport> inner_;
    const std::function<void(const Error&)> gone_;
    bool reopened_ = false;  // used on the inner transport's thread only
};

}  // namespace

std::shared_ptr<ClientTransport> watched(std::shared_ptr<ClientTransport> inner,
                                         std::function<void(const Error&)> gone) {
    return std::make_shared<Watched>(std::move(inner), std::move(gone));
}

}  // namespace tenon
