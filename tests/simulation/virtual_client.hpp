// A client of a simulated world: the engine and its HTTP traffic. It does what Client::Impl does, on the clock of the
// simulation.
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
#include "transport/http_client/conversation.hpp"

namespace tenon::test {

class VirtualClient {
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
    void drive(const std::function<void(core::ClientEngine&)>& what);
    void begin(core::ClientCall call, CallRecord record);
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

    ClientTransport::Events events();
    std::unique_ptr<RequestTokens> tokens();

    TimePoint now() const { return setting_.agenda.now(); }
    void note(const std::string& text) const;
    /// Plans work that is dropped when the client is gone.
    void after(Duration wait, std::function<void()> work);

    const Setting setting_;
    const Options options_;
    Dice dice_;
    const std::string secret_;
    core::ClientEngine engine_;
    const ClientTransport::Events events_;
    HttpConversation conversation_;
    std::map<std::size_t, core::CallId> open_;  // the user's calls, by their place in the ledger
    std::optional<TimePoint> planned_;          // the time of the next tick of the engine
    bool finished_ = false, over_ = false;
    std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace tenon::test
