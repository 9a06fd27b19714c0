// One HTTP connection of a server: parses requests, one at a time, and writes their responses. Every wait has a limit.
//
//     phase                event                                              next phase
//     receiving            the token of a request must be checked elsewhere   awaiting_admission
//     receiving            a request is complete, refused or too slow         answering
//     receiving            a request is complete, but other peers go first    awaiting_turn
//     awaiting_turn        it is its turn                                     answering
//     receiving            a large request is complete                        handling, on a worker
//     handling             the worker has read the request                    answering
//     awaiting_admission   the token was checked                              receiving, or answering when refused
//     awaiting_admission   waited too long, or the server shuts down          answering
//     answering            the end of the response was taken from its queue   flushing
//     flushing             all output is written                              receiving, or lingering before closing
//     lingering            the client has closed, or the time is over         closed
//     any                  an error, or a response that is not read in time   closed
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/byte_buffer.hpp"
#include "framing/http_request.hpp"
#include "transport/http/http_socket.hpp"
#include "transport/http_server/endpoint.hpp"
#include "transport/http_server/queued_response.hpp"
#include "transport/http_server/turns.hpp"

namespace tenon {

/// One connection. Not thread-safe, except for wake(): use it only on the thread of its io_context. Its HttpIoThread
/// owns it until `on_closed` is called.
class HttpConnection final : public QueuedResponse::Taker,
                             private HttpSocket::Reader,
                             private HttpTurns::Waiter,
                             public std::enable_shared_from_this<HttpConnection> {
 public:
    struct Shared {
        std::shared_ptr<HttpEndpoint> endpoint;
        Limits limits;
        /// Handles a large request of the peer on another thread. May throw. Empty: the connection's thread does it.
        std::function<void(const HttpPeerPtr&, std::function<void()> work)> post_large = {};
        /// The time source for the use of the thread. A simulation replaces it.
        std::function<TimePoint()> clock = [] { return Clock::now(); };
        Duration admission_time = {};  ///< how long a request may wait until its token can be checked
        OutputCountsPtr output = {};   ///< null: the output is not counted
        WireTapPtr tap = {};           ///< see Server::Impl::tap()
    };
    /// `network` is the address of the client, see network_of().
    HttpConnection(std::unique_ptr<HttpSocket> socket, std::string network, asio::io_context& context, HttpTurns& turns,
                   std::shared_ptr<const Shared> shared, std::function<void(HttpConnection*)> on_closed);

    void start();
    /// Sends an error instead of serving requests, and closes.
    void refuse(int status, std::string why);
    bool refused() const { return refused_; }
    const std::string& network() const { return network_; }
    /// Ends the current wait when it has taken too long: answers with an error, or closes.
    void check_time(TimePoint now);
    /// Takes no further request. Closes when the current response is complete.
    void finish();
    void close(const ConnectionEnd& why);
    void wake() noexcept override;

    /// What a connection without a running request waits for. Connections with a smaller value are closed first.
    enum class Waits { for_first_request, for_next_request, for_rest_of_request };
    using Expendable = std::pair<Waits, TimePoint>;
    /// Returns the priority for closing this connection when there are too many, smallest first: what it waits for, and
    /// the end of that wait. Returns nullopt while a request is being answered.
    std::optional<Expendable> expendable() const;
    /// Returns the connection that this thread worked for last. Compare the pointer only: it may be dangling.
    static HttpConnection* last_entered() { return last_entered_; }
    /// Called when this thread works for no connection.
    static void enter_none() { last_entered_ = nullptr; }

 private:
    using Parser = framing::HttpRequestParser;
    enum class Phase { receiving, awaiting_admission, awaiting_turn, handling, answering, flushing, lingering, closed };

    /// A request that a worker handles. The worker may finish when the connection is already closed: the one that comes
    /// second tells the responder.
    struct Handling {
        enum class State { running, done, abandoned };
        std::atomic<State> state{State::running};
        HttpEndpoint::ResponderPtr responder = {};
        bool failed = false;
    };

    enum class Reading { no, input, body, at_its_turn };

    void read();
    void read_body(std::size_t left);
    void on_read(error_code error, std::string_view bytes) override;
    void take(error_code error, std::string_view bytes);
    void on_end_of_input();
    void consume(std::string_view input);
    bool step(std::string_view& input);
    void on_head();
    void request_admission();
    void ask_again();
    void charge_to(const HttpPeerPtr& peer);
    base::MemoryDecision charge_input();
    bool charge_body();
    void take_turn();
    void wait_for_turn();
    void on_turn() override;
    void dispatch();
    void handle_elsewhere();
    void on_handled();
    void forget_request();
    void make_answer(web::Fields fields);
    void respond_directly(web::Response response, bool then_close);
    void tell_refused(const web::Response& response) const;

    void resume();
    void pump();
    bool take_answer();
    HttpSocket::Pieces unsent() const;
    void on_written(error_code error, std::size_t n);
    void answered();
    void linger();
    const ConnectionEnd& why_timed_out() const;
    const ConnectionEnd& why_client_left() const;
    void give_back_memory();
    void wait(Duration time);
    void wait_for_nothing();

    void enter() { last_entered_ = this; }
    bool is_closed() const { return phase_ == Phase::closed; }
    bool is_answering() const {
        return phase_ == Phase::awaiting_turn || phase_ == Phase::handling || phase_ == Phase::answering ||
               phase_ == Phase::flushing;
    }

    inline static thread_local HttpConnection* last_entered_ = nullptr;
    std::atomic<bool> wake_lost_{false};  // wake() had no memory
    std::unique_ptr<HttpSocket> socket_;
    const std::string network_;
    asio::io_context& context_;
    HttpTurns& turns_;
    const std::shared_ptr<const Shared> shared_;
    const Wire wire_;
    std::function<void(HttpConnection*)> on_closed_;
    std::function<void()> retry_;  // posts ask_again(); called when the token of a waiting request can be checked

    Parser parser_;
    std::optional<HttpEndpoint::Admitted> admitted_;
    HttpPeerPtr peer_;  // of the last request that was admitted
    base::ByteBuffer body_;
    std::string ahead_;  // input that arrived while a request was being answered
    std::shared_ptr<QueuedResponse> answer_;
    HttpEndpoint::ResponderPtr responder_;  // told when the client leaves before the response is complete
    std::shared_ptr<Handling> handling_;    // in phase handling
    std::string out_, out_body_;            // output: first out_, then out_body_
    base::MemoryCharge in_charge_;          // memory of body_ and ahead_
    base::MemoryCharge out_charge_;         // memory of out_ and out_body_
    std::size_t sent_ = 0;                  // bytes sent of out_ and out_body_ together

    std::optional<Duration> patience_;  // length of a wait whose deadline_ is not computed yet
    std::optional<TimePoint> deadline_;
    Phase phase_ = Phase::receiving;
    bool refused_ = false;  // serves no request: see refuse()
    bool served_ = false;   // a response was sent
    Reading reading_ = Reading::no;
    bool writing_ = false;                          // an operation of the socket runs
    bool dispatching_ = false, consuming_ = false;  // inside dispatch() or respond_directly(), inside consume()
    bool keep_alive_ = true, finishing_ = false;    // whether the connection stays open after the response
    bool input_ended_ = false;                      // the client will send nothing more
};

}  // namespace tenon
