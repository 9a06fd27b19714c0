// A client of a simulated world: the engine, the state machine of its HTTP traffic, and its connections. It does what
// Client::Impl and HttpConversation do, on the clock of the simulation.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "core/client/engine.hpp"
#include "simulation/ledger.hpp"
#include "simulation/virtual_sign_in.hpp"
#include "transport/http_client/calls.hpp"
#include "web/client_conversation.hpp"

namespace tenon::test {

class VirtualClient final : private HttpCall::User {
 public:
    struct Setting {
        Agenda& agenda;
        Network& network;
        Oracle& oracle;
        Ledger& ledger;
        std::function<void(const std::string&)> note;  ///< writes a line of the trace
        AuthorisationServer* authority = nullptr;      ///< null: the client does not sign in
    };
    struct Options {
        std::size_t number = 0;
        Era era = Era::automatic;
        web::OwnFields headers = {};
        std::uint64_t seed = 0;
        std::string host = {};
    };
    VirtualClient(Setting setting, Options options);
    ~VirtualClient();
    VirtualClient(const VirtualClient&) = delete;
    VirtualClient& operator=(const VirtualClient&) = delete;

    // What the user does.
    void call(const std::string& tool);
    void cancel(std::size_t which);
    void subscribe();
    /// Returns the URI of the client's resource.
    std::string uri() const { return "mem://" + secret_; }
    void finish();

    bool finished() const { return finished_; }
    /// Returns whether the engine has given up. Only a new client can connect then.
    bool over() const { return over_; }
    std::size_t number() const { return options_.number; }

 private:
    using HttpCallId = web::conversation::CallId;
    /// A call between Start and its last event.
    struct Running {
        web::conversation::Start start;
        std::shared_ptr<HttpCall> http = {};
        std::uint64_t generation = 0;  // of the tokens that the request carries
        std::optional<VirtualSignIn::Refused> refused = {};
    };

    void drive(const std::function<void(core::ClientEngine&)>& what);
    void begin(core::ClientCall call, CallRecord record);
    void resume(web::conversation::Event event);
    void launch(HttpCallId call);
    bool sign_in_may_help(HttpCallId call, const framing::HttpResponse& head);
    void plan_tick();

    // Actions of the engine.
    void on(core::Transmit& transmit);
    void on(core::HandOver& over) { std::move(over.reply).send(std::move(over.answer)); }
    void on(core::ReportProgress& report) { (*report.sink)(report.progress); }
    void on(core::Ask& ask);
    void on(core::StopAsk& stop) { stop.stop.request_stop(); }
    void on(core::Announce& news);
    void on(core::Reopen& reopen);
    void on(core::Hangup&);
    void on(core::ClientNote&) {}

    // Actions of the conversation.
    void on(web::conversation::Start& start);
    void on(web::conversation::Cancel& cancel);
    void on(web::conversation::SignIn& sign_in);
    void on(web::conversation::Deliver& deliver);
    void on(web::conversation::FailRequest& failed);
    void on(web::conversation::SessionLost& lost);
    void on(web::conversation::ConnectionLost& lost);
    void on(web::conversation::SetTimer& timer);
    void on(web::conversation::Finished&);
    void on(web::conversation::Log&) {}

    // HttpCall::User
    void on_sent(HttpCallId call) override { resume(web::conversation::Sent{call}); }
    void on_head(HttpCallId call, const framing::HttpResponse& head) override;
    void on_piece(HttpCallId call, std::string_view bytes) override { resume(web::conversation::Piece{call, bytes}); }
    void on_end(HttpCallId call) override;
    void on_failed(HttpCallId call, Error why) override;

    TimePoint now() const { return setting_.agenda.now(); }
    void note(const std::string& text) const;
    /// Plans work that is dropped when the client is gone.
    void after(Duration wait, std::function<void()> work);

    const Setting setting_;
    const Options options_;
    Dice dice_;
    const std::string secret_;
    core::ClientEngine engine_;
    web::ClientConversation machine_;
    HttpCalls calls_;
    std::unique_ptr<VirtualSignIn> sign_in_;  // may be null
    std::map<HttpCallId, Running> running_;
    std::map<std::size_t, core::CallId> open_;  // the user's calls, by their place in the ledger
    std::optional<TimePoint> planned_;          // the time of the next tick of the engine
    std::optional<TimePoint> timer_;            // of the conversation
    bool finished_ = false, over_ = false;
    std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace tenon::test
