// One HTTP connection: bytes to requests, answers to bytes, one request after another, and a limit on every wait.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/byte_buffer.hpp"
#include "framing/http_request.hpp"
#include "transport/http_server/endpoint.hpp"
#include "transport/http_server/queued_response.hpp"
#include "transport/http_socket.hpp"

namespace tenon {

/// For one thread: that of its io_context, which owns it until `on_closed`.
class HttpConnection final : public QueuedResponse::Taker,
                             private HttpSocket::Reader,
                             public std::enable_shared_from_this<HttpConnection> {
 public:
    struct Shared {
        std::shared_ptr<HttpEndpoint> endpoint;
        Limits limits;
        Duration admission_time = {};  ///< for it to become clear who sends a request
    };
    HttpConnection(std::unique_ptr<HttpSocket> socket, asio::io_context& context, std::shared_ptr<const Shared> shared,
                   std::function<void(HttpConnection*)> on_closed);

    void start();
    /// Says why nothing can be served, and closes.
    void refuse(int status, std::string why);
    bool refused() const { return refused_; }
    /// Closes when it has waited too long.
    void check_time(TimePoint now);
    /// No further request is taken; closes when the one that is being answered is.
    void finish();
    void close();
    void wake() override;

    /// What a connection waits for that no running request needs, the least of a loss first.
    enum class Waits { for_first_request, for_next_request, for_rest_of_request };
    using Expendable = std::pair<Waits, TimePoint>;
    /// Returns what it waits for and when it gives up, for the choice of a connection to close: the smallest goes
    /// first. Nothing while a request is being answered.
    std::optional<Expendable> expendable() const;
    /// Returns the connection that this thread worked for last. It may be gone.
    static HttpConnection* last_entered() { return last_entered_; }

 private:
    using Parser = framing::HttpRequestParser;

    void read();
    void on_read(error_code error, std::string_view bytes) override;
    void take(error_code error, std::string_view bytes);
    void on_end_of_input();
    void consume(std::string_view input);
    bool step(std::string_view& input);
    void on_head();
    void ask_to_enter();
    void ask_again();
    void pay_with(const HttpPeerPtr& peer);
    base::MemoryDecision pay_for_input();
    bool afford_body();
    void dispatch();
    void make_answer(web::Fields fields);
    void answer_by_myself(web::Response response, bool then_close);

    void on_wake();
    void pump();
    bool take_answer();
    HttpSocket::Pieces unsent() const;
    void on_written(error_code error, std::size_t n);
    void answered();
    void linger();
    void give_back_memory();
    void wait(Duration time);
    void wait_for_nothing();

    void enter() { last_entered_ = this; }

    inline static thread_local HttpConnection* last_entered_ = nullptr;
    std::unique_ptr<HttpSocket> socket_;
    asio::io_context& context_;
    const std::shared_ptr<const Shared> shared_;
    std::function<void(HttpConnection*)> on_closed_;
    std::function<void()> retry_;  // asks again whether a request may enter

    Parser parser_;
    std::optional<HttpEndpoint::Admitted> admitted_;
    HttpPeerPtr peer_;  // of the last request that was admitted
    base::ByteBuffer body_;
    std::string ahead_;  // what came while a request was being answered
    std::shared_ptr<QueuedResponse> answer_;
    HttpEndpoint::ResponderPtr responder_;  // while there is an answer to come
    std::string out_, out_body_;            // one after the other
    base::MemoryCharge in_charge_;          // for the body and what came ahead
    base::MemoryCharge out_charge_;         // for what is being sent
    std::size_t sent_ = 0;                  // of both

    std::optional<Duration> patience_;  // of a wait that nobody has looked at yet
    std::optional<TimePoint> deadline_;
    bool refused_ = false;
    bool reading_ = false, writing_ = false, dispatching_ = false, consuming_ = false, answer_done_ = false;
    bool at_gate_ = false;  // the head of a request is there, and it is not clear yet who sends it
    bool keep_alive_ = true, input_ended_ = false, finishing_ = false, lingering_ = false, closed_ = false;
};

}  // namespace tenon
