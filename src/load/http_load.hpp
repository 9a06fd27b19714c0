// Generates load over HTTP on one thread. Each connection has one request at a time.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "io/fd.hpp"
#include "load/http_peer.hpp"
#include "load/lookout.hpp"
#include "load/mix.hpp"

namespace tenon::load {

class HttpLoad final : public Load {
 public:
    HttpLoad(const HttpLoad&) = delete;
    HttpLoad& operator=(const HttpLoad&) = delete;
    /// The peer must outlive this object.
    static Result<std::unique_ptr<HttpLoad>> to(const HttpPeer& peer, const bench::Options& options,
                                                std::vector<PreparedCall> calls);
    ~HttpLoad() override;  ///< ends the sessions

    Result<void> run(const Phase& phase, Tally& tally, Lookout& lookout) override;
    const std::string& revision() const { return connections_.front()->context.revision; }

 private:
    struct Connection {
        explicit Connection(std::size_t max_message_bytes) : answers(max_message_bytes) {}
        Channel channel;
        web::ClientContext context;
        std::vector<std::string> heads;  // the HTTP head of each call
        HttpResponses answers;
        std::string unsent;
        std::size_t sent = 0;  // how many bytes of `unsent` were sent
        bool busy = false, waits_to_write = false, answered = false;
        std::size_t call = 0;
        std::uint64_t number = 0;
        TimePoint from = {}, left = {};  // start of the latency, start of the timeout
    };

    HttpLoad(const HttpPeer& peer, const bench::Options& options, std::vector<PreparedCall> calls);
    Result<void> add_connection();
    Result<void> reopen(Connection& c);
    bool watch(Connection& c, int operation) const;

    Result<void> fill(Pace& pace, Tally& tally);
    Result<void> send(Connection& c, TimePoint from, Tally& tally);
    void go_on_sending(Connection& c, Tally& tally);
    void receive(Connection& c, Tally& tally);
    void take(Connection& c, std::size_t bytes, Tally& tally);
    void take_message(Connection& c, std::string_view message, Tally& tally);
    void answer_ended(Connection& c, Tally& tally);
    void lost(Connection& c, const std::string& why, Tally& tally);
    void idle(Connection& c);
    void time_out_slow_requests(TimePoint now, Tally& tally);
    Result<void> wait(TimePoint until, Tally& tally, Pace& pace);

    const HttpPeer& peer_;
    const bench::Options& options_;
    std::vector<PreparedCall> calls_;
    Mix mix_;
    io::Fd epoll_;
    std::vector<std::unique_ptr<Connection>> connections_;
    std::vector<Connection*> idle_;
    std::uint64_t next_number_ = first_number;
};

}  // namespace tenon::load
