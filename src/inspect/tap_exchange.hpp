// TapExchange: one HTTP request of a client, and the server's response to it. Not thread-safe: use it on the thread of
// the tap.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "inspect/site_listener.hpp"
#include "inspect/tap_flow.hpp"
#include "inspect/tap_gate.hpp"
#include "web/client_request.hpp"

namespace tenon::framing {
struct HttpResponse;
}

namespace tenon::inspect {

/// Numbers the connections of a tap: one for each session. Requests without a session belong to the last introduction.
class TapConnections {
 public:
    /// Returns the number for a request. `begins`: it introduces a client.
    std::uint64_t of_request(const std::string& session, bool begins);
    /// Tells the session that a response has named.
    void learn(const std::string& session, std::uint64_t number);

 private:
    static constexpr std::size_t max_sessions = 1000;  // forgets one

    std::map<std::string, std::uint64_t> sessions_;
    std::uint64_t next_ = 1, current_ = 0;
};

/// Bytes on their way to the client. Thread-safe.
class TapStream {
 public:
    void add(std::string_view bytes);
    void end();
    /// Returns the bytes so far, or nullopt after the end.
    std::optional<std::string> take();
    std::size_t size() const;

 private:
    mutable std::mutex mutex_;  // guards the members below
    std::string bytes_;
    bool ended_ = false;
};

class TapExchange {
 public:
    /// What an exchange needs from the tap.
    class Owner {
     public:
        /// Sends the request to the server.
        virtual void forward(TapExchange& exchange, web::ClientRequest request) = 0;
        /// Ends the request to the server. No event follows.
        virtual void abort(TapExchange& exchange) = 0;
        /// Returns the source of the stream for the client.
        virtual StreamSource source_of(TapExchange& exchange, std::shared_ptr<TapStream> stream) = 0;
        virtual void wake_stream() = 0;
        /// The exchange is over.
        virtual void over(TapExchange& exchange) = 0;

     protected:
        ~Owner() = default;
    };
    struct Parts {
        Owner& owner;
        TapGate& gate;
        Recorder& recorder;
        TapConnections& connections;
        const web::OwnFields& own;  ///< header fields that the user gave for the server
    };
    TapExchange(Parts parts, std::uint64_t id, web::ClientRequest request, std::shared_ptr<SiteReply> reply);
    ~TapExchange();

    std::uint64_t id() const { return id_; }
    /// Shows the message of the request, and sends the request now or after the user's decision.
    void start();
    /// The user has decided about a held message, maybe of this exchange.
    void look_for_decision();

    // The response of the server.
    void on_head(const framing::HttpResponse& head);
    void on_piece(std::string_view bytes);
    void on_end();
    void on_failed(const std::string& why);

 private:
    void send();
    void begin_stream();
    void pass_on();
    void respond();
    void finish();
    void refuse(int status, const std::string& why);
    void tell(const std::string& error) const;
    bool is_of_type(std::string_view type) const;
    TapPlace place(bool sent) const { return {sent, false, connection_}; }

    const Parts parts_;
    const std::uint64_t id_;
    const double begin_;
    web::ClientRequest request_;
    std::shared_ptr<SiteReply> reply_;
    std::uint64_t connection_ = 0;
    bool is_request_ = false;  // the message of the client is a JSON-RPC request
    std::string held_;         // id of the message that waits; empty: none
    bool sent_ = false;
    int status_ = 0;
    web::OwnFields fields_;  // of the response
    std::string body_;
    std::shared_ptr<TapStream> stream_;  // null: the response is not a stream
    std::optional<TapFlow> flow_;
};

}  // namespace tenon::inspect
