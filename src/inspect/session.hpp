// Session: the connection to the inspected server, one at a time. Thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include <tenon/client.hpp>
#include <tenon/inspect.hpp>
#include <tenon/transport/process.hpp>

#include "inspect/questions.hpp"
#include "inspect/recorder.hpp"
#include "inspect/sign_in_log.hpp"

namespace tenon::inspect {

/// Returns the URL, or the command, as one line.
std::string text_of(const Target& target, const Options& options);
std::string_view name_of(Era era);
/// Throws Refusal for an unknown name.
Era era_named(std::string_view name);

/// One connection. The members above the mutex do not change.
struct Link {
    std::uint64_t number = 0;
    Target target;
    Era era = Era::automatic;
    std::string label, identity;
    std::shared_ptr<ProcessTransport> child = {};
    std::shared_ptr<Client> client = {};

    mutable std::mutex mutex = {};  // guards the members below
    std::optional<ServerInfo> info = {};
    std::optional<json::array> tools = {};  // raw; empty: not listed since the last change
    std::set<std::string> subscribed = {};

    bool stdio() const { return target.url.empty(); }
    /// Returns the raw definition of a tool. Lists the tools if necessary, so it may wait. Throws Refusal for an
    /// unknown tool, and tenon::Exception.
    json::object tool(const std::string& name);
    /// Returns all tools, and lists them again if `fresh`. May wait, and throw tenon::Exception.
    json::array all_tools(bool fresh);
};

/// Returns the tool as tenon::Consent needs it. A malformed definition is compared as a whole.
Tool definition_of(const json::object& raw);

class Session {
 public:
    Session(const Options& options, Recorder& recorder, Questions& questions);
    ~Session();

    /// Closes the old connection and starts a new one. Waits only for the old one to close.
    void connect(Target target, Era era);
    void disconnect();
    /// Returns the current connection, ready or not; null while no target is connected.
    std::shared_ptr<Link> link() const;
    /// Returns the connection when it is ready. Throws Refusal.
    std::shared_ptr<Link> ready() const;
    /// Returns the last target. Throws Refusal before the first one was chosen.
    std::pair<Target, Era> last_target() const;

    /// Returns the exchanges of signing in.
    json::array sign_in_steps() const { return log_.steps(); }
    /// Forgets what this step of signing in and the later ones gave, and connects again. Throws Refusal.
    void sign_in_again(SignInStep from);

    /// Returns the members `state`, `reason`, `target`, `era`, `connection` and `sign_in` of the status.
    json::object status() const;
    /// Makes the options of a client for a server, without handlers. For connections beside the inspected one.
    ClientOptions plain_options(Era era) const;
    std::shared_ptr<ClientTransport> transport_to(const Target& target, std::uint64_t number,
                                                  std::shared_ptr<ProcessTransport>& child) const;
    std::string identity_of(const Target& target) const;

 private:
    enum class State { idle, connecting, ready, failed, closed };
    void answer_questions(ClientOptions& options, const std::shared_ptr<Link>& link) const;
    void tell_news(ClientOptions& options, const std::shared_ptr<Link>& link) const;
    void user_must_sign_in(const auth::Page& page) const;
    void user_has_signed_in() const;
    void tell_state() const;
    void enter(std::uint64_t number, State state, std::string reason);
    void connected(const std::shared_ptr<Link>& link, Result<ServerInfo> info);
    std::shared_ptr<Link> take_link();

    const Options& options_;
    Recorder& recorder_;
    Questions& questions_;
    const std::shared_ptr<auth::TokenStore> tokens_;
    mutable SignInLog log_;
    mutable std::mutex mutex_;  // guards the members below
    std::shared_ptr<Link> link_;
    State state_ = State::idle;
    std::string reason_;
    mutable std::optional<json::object> page_;  // on which the user must sign in
    std::uint64_t next_ = 1;
    std::optional<std::pair<Target, Era>> last_;
    std::mutex connecting_;       // held during connect() and disconnect()
    mutable std::mutex telling_;  // held while the state is read and told
};

/// Returns the server as the API describes it.
json::object server_json(const Link& link);

}  // namespace tenon::inspect
