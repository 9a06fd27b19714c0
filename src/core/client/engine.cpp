#include "core/client/engine.hpp"

#include "base/printable.hpp"
#include "core/client/short_memory.hpp"
#include "core/client/unreadable.hpp"
#include "protocol/part_limits.hpp"

namespace tenon::core {

using protocol::Trait;

ClientEngine::ClientEngine(std::shared_ptr<const ClientSettings> settings)
    : settings_(std::move(settings)),
      limits_(settings_->limits),
      pages_(limits_),
      question_rate_(limits_),
      tools_(limits_),
      cache_(limits_) {
    hangup_.push_back(Hangup{});
}

Era ClientEngine::era() const {
    if (!rules_) return Era::automatic;
    return rules_->is_legacy() ? Era::legacy : Era::modern;
}

void ClientEngine::receive(std::string_view message, TimePoint now) {
    if (over_) return;
    now_ = heard_ = now;
    heard_bytes_ = message.size();
    if (message.size() > limits_.max_message_bytes)
        return blame(message, {answer_too_long(limits_.max_message_bytes), true});
    jsonrpc::Incoming in;
    try {
        in = jsonrpc::decode(message, protocol::client_decode_limits(limits_));
    } catch (const std::exception& e) {  // the message is too large for the memory that is left
        return cannot_receive(message, e.what());
    }
    if (in.batch && rules_ && !rules_->has(Trait::batches))
        note(LogLevel::warning, "the server sent a batch, which its revision does not allow; its messages are read");
    std::optional<Fault> first;
    for (jsonrpc::Message& one : in.messages)
        if (auto fault = accept(one, message); fault && !first) first = std::move(fault);
    if (first) blame(message, *first);
}

std::optional<ClientEngine::Fault> ClientEngine::accept(jsonrpc::Message& message, std::string_view text) {
    if (auto* response = std::get_if<jsonrpc::Response>(&message)) {
        on_response(*response);
    } else if (auto* notification = std::get_if<jsonrpc::Notification>(&message)) {
        on_notification(*notification);
    } else if (auto* request = std::get_if<jsonrpc::Request>(&message)) {
        on_request(*request);
    } else {
        return fault_of(message, text);
    }
    return std::nullopt;
}

void ClientEngine::end(const Error& why) noexcept {
    if (!over_) over_ = copy_or_short(why);
    phase_ = Phase::over;
    probe_.reset(), introduction_.reset();
    probe_until_.reset(), introduction_until_.reset();
    while (!asks_.empty()) drop_ask(asks_.begin()->first);
    while (!calls_.empty()) {
        Result<json::value> answer = copy_or_short(why);
        release(calls_.begin(), answer);
    }
    listing_ = Listing::never;
    pinging_ = false;
    waiting_.clear();
    listeners_.clear();
    broken_.clear();
}

void ClientEngine::credentials_changed() {
    ++credentials_;
    cache_.drop_private();
}

void ClientEngine::shut_down(Error why) { end(why); }

void ClientEngine::broke() noexcept {
    end(error_or_short(code::connection_closed,
                       "the connection was closed because memory is short; make a new Client"));
    actions_.splice(actions_.end(), hangup_);
}

std::string ClientEngine::quote(std::string_view s) const { return base::printable(s, limits_.max_error_text_bytes); }

}  // namespace tenon::core
