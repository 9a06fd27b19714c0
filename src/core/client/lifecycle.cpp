// Finds out the era of the server. The client sends `server/discover` first. A server that does not answer like a
// modern server gets `initialize`.
#include <algorithm>

#include <tenon/auth/error.hpp>

#include "core/client/engine.hpp"
#include "json/reader.hpp"
#include "protocol/read_server.hpp"

namespace tenon::core {

using protocol::Rules;
using protocol::Trait;

void ClientEngine::opened(TimePoint now) {
    if (over_ || phase_ == Phase::ready || probe_ || introduction_) return;
    now_ = now;
    if (phase_ == Phase::unopened) introduction_until_ = later(now, limits_.connect_time);
    const bool legacy = rules_ && rules_->is_legacy();  // a server that was started again
    if (settings_->era == Era::legacy || reopened_ || legacy) return initialize();
    probe();
}

void ClientEngine::probe() {
    phase_ = Phase::probing;
    const Rules rules(protocol::modern_revision());
    probe_ = jsonrpc::Id(next_request_);
    // In Era::modern there is no fallback to `initialize`, so only connect_time limits the wait.
    if (settings_->era == Era::automatic) probe_until_ = later(now_, limits_.probe_time);
    Encoded params;
    json::Writer w(params.json);
    w.begin_object();
    w.field("_meta", protocol::request_meta(settings_->identity, rules));
    w.end_object();
    OutgoingMessage message =
        outgoing(OutgoingMessage::Kind::request, jsonrpc::encode_request(*probe_, "server/discover", params));
    message.id = next_request_++;
    message.method = "server/discover";
    message.revision = rules.name();
    message.stateless = true;
    actions_.push_back(Transmit{std::move(message)});
}

protocol::Revision ClientEngine::wanted_revision() const {
    const auto asked = protocol::revision(settings_->revision);
    return asked && Rules(*asked).is_legacy() ? *asked : protocol::legacy_revisions().front();
}

void ClientEngine::initialize() {
    phase_ = Phase::initializing;
    probe_until_.reset();
    introduction_ = jsonrpc::Id(next_request_);
    const Encoded params = protocol::encode_introduction(settings_->identity, Rules(wanted_revision()));
    OutgoingMessage message =
        outgoing(OutgoingMessage::Kind::request, jsonrpc::encode_request(*introduction_, "initialize", params));
    session_since_ = next_request_;
    message.id = next_request_++;
    message.method = "initialize";
    message.revision.clear();  // not the revision of an earlier session
    actions_.push_back(Transmit{std::move(message)});
}

bool ClientEngine::lifecycle_answer(jsonrpc::Response& response) {
    if (probe_ && *probe_ == response.id) {
        probe_.reset();
        // The answer may come late, after `initialize` was sent. Then only a successful answer counts.
        if (phase_ == Phase::probing || (phase_ == Phase::initializing && response.outcome))
            on_probe_answer(std::move(response.outcome));
        return true;
    }
    if (introduction_ && *introduction_ == response.id) {
        introduction_.reset();
        if (phase_ == Phase::initializing) on_introduction(std::move(response.outcome));
        return true;
    }
    return false;
}

void ClientEngine::on_probe_answer(Result<json::value> answer) {
    if (answer) {
        auto info = protocol::read_discovery(*answer);
        if (info) return become_modern(*std::move(info));
        answer = info.error();  // not the answer of a modern server
    }
    const Error& error = answer.error();
    if (error.code == code::unsupported_version) return on_unsupported(error);
    const bool modern = error.code == code::missing_capability || error.code == code::header_mismatch;
    // When signing in failed, `initialize` would only make the user sign in again.
    if (modern || error.code == code::not_authorised || settings_->era == Era::modern) return give_up(error);
    if (phase_ != Phase::probing) return;
    probe_error_ = error;
    initialize();
}

// -32022: a modern server without support for our modern revision. The error lists the revisions that it supports.
void ClientEngine::on_unsupported(const Error& error) {
    const json::object* data = error.data.if_object();
    const json::value* list = data ? data->if_contains("supported") : nullptr;
    const json::array* supported = list ? list->if_array() : nullptr;
    const auto offers = [&](protocol::Revision r) {
        return supported && std::ranges::any_of(*supported, [&](const json::value& v) {
                   return v.is_string() && v.get_string() == Rules(r).name();
               });
    };
    // The server lists the revision that it has just refused. This may be a temporary fault, so ask once more.
    if (phase_ == Phase::probing && offers(protocol::modern_revision()) && !std::exchange(asked_again_, true))
        return probe();
    if (settings_->era == Era::automatic && std::ranges::any_of(protocol::legacy_revisions(), offers))
        return phase_ == Phase::probing ? initialize() : void();
    give_up({error.code, "the server supports none of the revisions that this client supports: " + quote(error.message),
             error.data});
}

void ClientEngine::become_modern(ServerInfo info) {
    const auto newest = protocol::modern_revision();
    if (std::ranges::find(info.supportedVersions, Rules(newest).name()) == info.supportedVersions.end())
        return on_unsupported(
            {code::unsupported_version, "it offers other revisions",
             json::object{{"supported", json::array(info.supportedVersions.begin(), info.supportedVersions.end())}}});
    become_ready(std::move(info), newest);
}

void ClientEngine::on_introduction(Result<json::value> answer) {
    if (answer) {
        auto info = protocol::read_introduction(*answer);
        if (!info) return give_up(info.error());
        const auto revision = protocol::revision(info->protocolVersion);
        if (revision && Rules(*revision).is_legacy()) {
            become_ready(*std::move(info), *revision);
            return;
        }
        return give_up({code::unsupported_version, "the server answered with the revision `" +
                                                       quote(info->protocolVersion) +
                                                       "`, which this client does not support"});
    }
    Error error = answer.error();
    if (probe_error_ && probe_error_->message != error.message)
        error.message += " (before that, to server/discover: " + quote(probe_error_->message) + ")";
    give_up(std::move(error));
}

void ClientEngine::become_ready(ServerInfo info, protocol::Revision revision) {
    phase_ = Phase::ready;
    ready_since_ = heard_ = now_;
    probe_until_.reset(), introduction_until_.reset();
    rules_.emplace(revision);
    info.protocolVersion = rules_->name();
    server_ = std::move(info);
    request_meta_ = protocol::request_meta(settings_->identity, *rules_);
    if (rules_->is_legacy()) notify("notifications/initialized", {});
    start_listening();
    if (std::exchange(renewed_, false)) restore_session();
    while (!waiting_.empty()) {
        const CallId id = waiting_.front();
        waiting_.pop_front();
        if (calls_.contains(id)) start(id);
    }
}

void ClientEngine::give_up(Error why) {
    why.message = "no connection to the server: " + why.message;
    end(why);
    actions_.push_back(Hangup{});
}

void ClientEngine::wait_on() {
    if (probe_until_) probe_until_ = later(now_, limits_.probe_time);
    if (introduction_until_) introduction_until_ = later(now_, limits_.connect_time);
}

void ClientEngine::tick_lifecycle() {
    if (user_asked_) wait_on();
    if (probe_until_ && *probe_until_ <= now_) {
        probe_error_ = Error{code::request_timeout, "no answer"};
        note(LogLevel::info, "the server does not answer server/discover; trying initialize");
        initialize();
    }
    if (introduction_until_ && *introduction_until_ <= now_)
        give_up({code::request_timeout, "the handshake did not finish in time"});
}

void ClientEngine::session_lost(std::int64_t request, TimePoint now) {
    if (over_) return;
    now_ = now;
    if (phase_ == Phase::ready && rules_->is_legacy() && (request == 0 || request > session_since_)) {
        note(LogLevel::warning, "the server has ended the session; beginning a new one");
        introduction_until_ = later(now_, limits_.connect_time);
        while (!asks_.empty()) drop_ask(asks_.begin()->first);
        renewed_ = true;
        initialize();
    }
    const auto wire = on_wire_.find(jsonrpc::Id(request));
    if (wire != on_wire_.end()) send_anew(wire->second);
}

// Sends a call again in the new session. This is safe: the refused request had no effect.
void ClientEngine::send_anew(CallId id) {
    const auto it = calls_.find(id);
    Pending& p = it->second;
    on_wire_.erase(*p.request);
    p.request.reset();
    if (std::exchange(p.sent_anew, true))
        return finish(it, Error{code::connection_closed, "the server has ended the session again"});
    if (phase_ == Phase::ready) {
        start(id);
    } else {
        waiting_.push_back(id);
    }
}

void ClientEngine::closed(Error why, TimePoint now) {
    if (over_) return;
    now_ = now;
    if (restart(why)) return;
    // Some servers exit when they get an unknown method. Try once more, without `server/discover`.
    const bool of_probe = phase_ == Phase::probing || phase_ == Phase::initializing;
    if (of_probe && settings_->era == Era::automatic && !reopened_) {
        reopened_ = true;
        probe_.reset(), introduction_.reset(), probe_until_.reset();
        phase_ = Phase::initializing;
        note(LogLevel::info, "the server closed the connection after server/discover; trying again with initialize");
        actions_.push_back(Reopen{std::move(why)});
        return;
    }
    cannot_reopen(std::move(why));
}

void ClientEngine::cannot_reopen(Error why) {
    if (phase_ != Phase::ready && !server_) why.message = "no connection to the server: " + why.message;
    end(why);
}

}  // namespace tenon::core
