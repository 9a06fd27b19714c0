// Fetches documents over the simulated network, as HttpFetcher does over the real one.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "simulation/network.hpp"
#include "transport/http_client/calls.hpp"

namespace tenon::test {

class VirtualFetcher final : private HttpCall::User {
 public:
    struct Answer {
        int status = 0;
        std::string body = {};
    };
    using Done = std::function<void(Result<Answer>)>;

    /// `owner` is the client whose connections the fetcher opens.
    VirtualFetcher(Agenda& agenda, Network& network, std::size_t owner)
        : agenda_(agenda), network_(network), owner_(owner) {}
    ~VirtualFetcher() = default;

    void fetch(web::ClientRequest request, Done done) {
        auto route = std::make_shared<HttpRoute>();
        route->origin = request.url;
        route->connect = [this, host = request.url.host](Network::Dialed dialed) {
            network_.dial(owner_, host, std::move(dialed));
        };
        const std::uint64_t number = ++last_;
        Running& running = running_[number];
        running.done = std::move(done);
        running.calls = std::make_unique<HttpCalls>(agenda_.context(), std::move(route), HttpCalls::Bounds{1, 3, 1h});
        running.calls->start(std::move(request), *this, number);
        plan(30s, [this, number] {
            if (running_.contains(number)) end(number, Error{code::request_timeout, "the fetch took too long"});
        });
    }

 private:
    struct Running {
        std::unique_ptr<HttpCalls> calls = {};
        Answer answer = {};
        Done done = {};
    };

    void plan(Duration wait, Agenda::Work work) {
        agenda_.after(wait, [work = std::move(work), alive = std::weak_ptr(alive_)] {
            if (!alive.expired()) work();
        });
    }
    // The calls are destroyed later, because one of them may be running now.
    void end(std::uint64_t number, Result<Answer> result) {
        const auto ended = std::make_shared<Running>(std::move(running_.at(number)));
        running_.erase(number);
        ended->calls->close();
        plan(0s, [ended, result = std::move(result)] { ended->done(result); });
    }
    void on_event(web::conversation::CallEvent event) override {
        std::visit(
            [this](auto& e) {
                if (const auto it = running_.find(e.call); it != running_.end()) on(e, it->second.answer);
            },
            event);
    }
    void on(const web::conversation::Sent&, Answer&) {}
    void on(const web::conversation::Head& head, Answer& answer) { answer.status = head.response.status; }
    void on(const web::conversation::Piece& piece, Answer& answer) { answer.body += piece.bytes; }
    void on(const web::conversation::End& ended, Answer& answer) { end(ended.call, std::move(answer)); }
    void on(web::conversation::Failed& failed, Answer&) { end(failed.call, std::move(failed.why)); }

    Agenda& agenda_;
    Network& network_;
    const std::size_t owner_;
    std::uint64_t last_ = 0;
    std::map<std::uint64_t, Running> running_;
    const std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace tenon::test
