// One request of an HttpMount: what HttpConnection does for a request, without a socket.
//
//     phase                event                                       next phase
//     awaiting_admission   the token was checked                       receiving, or answering when refused
//     receiving            the end of the body                         handling, on a worker if it is large
//     handling             the request was read                        answering
//     answering            the end of the response was taken           over
//     any                  the client has left                         over
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include <tenon/transport/http_mount.hpp>

#include "framing/http_request.hpp"
#include "io/event.hpp"
#include "transport/http_server/endpoint.hpp"
#include "transport/http_server/queued_response.hpp"

namespace tenon {

/// The peer of the last request of a connection. Thread-safe.
class LastPeer {
 public:
    HttpPeerPtr get() const {
        const std::lock_guard lock(mutex_);
        return peer_;
    }
    void set(HttpPeerPtr peer) {
        const std::lock_guard lock(mutex_);
        peer_.swap(peer);  // frees the previous peer after the lock
    }

 private:
    mutable std::mutex mutex_;
    HttpPeerPtr peer_;
};

/// The implementation of HttpMount::Exchange. Thread-safe.
class HttpMount::ExchangeState final : public QueuedResponse::Taker,
                                       public std::enable_shared_from_this<ExchangeState> {
 public:
    /// What all exchanges of a mount share.
    struct Shared {
        std::shared_ptr<HttpEndpoint> endpoint;
        Limits limits;
        std::function<TimePoint()> clock;
        Duration admission_time = {};  ///< how long a request may wait until its token can be checked
        /// Handles a large request of the peer on another thread. May throw.
        std::function<void(const HttpPeerPtr&, std::function<void()>)> post_large = {};
        OutputCountsPtr output = {};  ///< null: the output is not counted
        WireTapPtr tap = {};          ///< see Server::Impl::tap()
    };
    ExchangeState(std::shared_ptr<const Shared> shared, std::shared_ptr<LastPeer> last, std::string network,
                  std::function<void()> wake);
    /// Reads the head and asks for admission. Call it once, first.
    void open(const HttpRequestHead& head);
    /// Answers with an error, unless there is a response already.
    void refuse(int status, const Error& why);

    bool wants_body();
    void body(std::string_view bytes);
    void end_of_body();
    HttpOutput take();
    HttpOutput wait_and_take(Duration time);
    void client_gone();

    /// Ends a wait for the token or the body that takes too long, and repeats a wake that failed. Returns false when
    /// the exchange is over.
    bool tick(TimePoint now);
    void wake() noexcept override;

 private:
    /// Holds the lock. Tells the observers of a refusal after that, without the lock.
    class Turn;
    enum class Phase { awaiting_admission, receiving, handling, answering, over };

    void request_admission();
    void prepare();
    void handle(bool must_wake);
    void add_to_body(std::string_view bytes);
    void make_answer(web::Fields fields, const HttpPeerPtr& peer);
    void respond_directly(web::Response response);
    void tell_refused(const web::Response& response);
    void go_on(std::unique_lock<std::mutex>& lock);
    void do_work(std::unique_lock<std::mutex>& lock);
    void post(std::function<void()> work, std::unique_lock<std::mutex>& lock);
    HttpOutput take_output();
    void forget_request();

    const std::shared_ptr<const Shared> shared_;
    const Wire wire_;
    const std::shared_ptr<LastPeer> last_;
    const std::string network_;
    const std::function<void()> wake_;
    io::Event woken_;  // for wait_and_take()
    std::atomic<bool> gone_{false}, retry_{false}, missed_wake_{false};

    std::mutex mutex_;  // guards the members below; wake() does not take it
    Phase phase_ = Phase::awaiting_admission;
    framing::HttpRequestParser parser_;  // keeps the text of the head
    std::optional<HttpEndpoint::Admitted> admitted_;
    std::string body_;
    base::MemoryCharge in_charge_, out_charge_;
    TimePoint deadline_ = {};
    bool body_ended_ = false, head_taken_ = false;
    bool ready_ = false;            // the request can be handled, by do_work()
    bool held_back_ = false;        // the end of the response was not shown, in the phase `handling`
    std::function<void()> report_;  // of a refusal, for Turn
    std::shared_ptr<QueuedResponse> answer_;
    HttpEndpoint::ResponderPtr responder_;
};

}  // namespace tenon
