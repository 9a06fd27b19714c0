// Messages that cannot be read. The call that waits for the answer fails with the reason, if that call is known:
//
// - The message names an open request of this client: that call fails.
// - The message is a response, and its id cannot be read: every request without an answer fails, since one of them
//   will never get one.
// - A response that is readable but has no id may answer a notification, which some servers do. No call fails at once.
//   A call that times out later quotes the response.
// - Anything else (a line that a server prints to its stdout, a notification) is logged and dropped.
#include <algorithm>

#include "base/printable.hpp"
#include "core/client/engine.hpp"
#include "core/client/unreadable.hpp"
#include "jsonrpc/envelope_scan.hpp"

namespace tenon::core {
namespace {

constexpr std::size_t max_text_shown = 200;

}  // namespace

// `text` is quoted in the log when it is a line that the server printed by mistake. A malformed message may be a
// secret.
ClientEngine::Fault ClientEngine::fault_of(const jsonrpc::Message& message, std::string_view text) {
    const auto* invalid = std::get_if<jsonrpc::Invalid>(&message);
    if (!invalid) {
        const std::string why = quote(std::get<jsonrpc::Ignored>(message).why);
        note(LogLevel::warning, "ignored a message: " + why);
        return {answer_unreadable(why)};
    }
    const std::string why = quote(invalid->error.message);
    std::string line = "the server sent text that is not a JSON-RPC message: " + why;
    if (!jsonrpc::looks_like_message(text))
        line += ": " + base::printable(text, std::min(limits_.max_error_text_bytes, max_text_shown));
    note(LogLevel::warning, std::move(line));
    // Only requests have this error code, so the message was a request and gets a response. Any other message may have
    // been a response itself.
    if (invalid->id && invalid->error.code == code::invalid_params) respond(*invalid->id, invalid->error);
    return {answer_unreadable(why), !invalid->id};
}

void ClientEngine::cannot_receive(std::string_view message, std::string_view why) {
    note(LogLevel::error, "cannot read a message of the server: " + std::string(why));
    if (phase_ != Phase::ready) return end(answer_unreadable(why));  // the handshake cannot go on
    // A request of the server must be answered, but its id cannot be read.
    if (rules_->is_legacy() && jsonrpc::scan_envelope(message).has_call()) return broke();
    blame(message, {answer_unreadable(why), true});
}

void ClientEngine::receive_too_long(std::size_t limit, TimePoint now) {
    if (over_) return;
    now_ = now;
    note(LogLevel::error, answer_too_long(limit).message);
    fail_all_open(answer_too_long(limit));
}

// Fails the calls that the message answers. Called once, even for a batch with many faults, since it scans the text.
void ClientEngine::blame(std::string_view text, const Fault& fault) {
    const auto scan = jsonrpc::scan_envelope(text);
    const Error& why = fault.why;
    for (const std::int64_t request : scan.answers())
        if (is_open(jsonrpc::Id(request))) failed(request, why, now_);
    if (!scan.has_unknown_answer()) return;
    if (fault.unreadable) return fail_all_open(why);
    unmatched_ = why.message;
    unmatched_before_ = next_call_;
}

bool ClientEngine::is_open(const jsonrpc::Id& request) const {
    return on_wire_.contains(request) || listeners_.contains(request) || probe_ == request || introduction_ == request;
}

void ClientEngine::fail_all_open(const Error& why) {
    std::vector<jsonrpc::Id> open;
    for (const auto& [request, call] : on_wire_) open.push_back(request);
    if (probe_) open.push_back(*probe_);
    if (introduction_) open.push_back(*introduction_);
    for (const jsonrpc::Id& request : open) {
        jsonrpc::Response response{request, why};
        if (is_open(request)) on_response(response);
    }
}

}  // namespace tenon::core
