// Messages that cannot be read. The call that waits for the answer gets the reason, as soon as it is known which call
// that is:
//
// - The message names a request of ours: that call fails.
// - The message is an answer, and its id cannot be read: every call on the wire fails, since one of them will never be
//   answered.
// - A response that is readable but has no id may answer a notification, which some servers do. No call fails at once;
//   one that times out later quotes it.
// - Anything else (a line that a server prints to its stdout, a notification) is logged and dropped.
#include "core/client/engine.hpp"
#include "core/client/unreadable.hpp"

namespace tenon::core {

ClientEngine::Fault ClientEngine::fault_of(const jsonrpc::Message& message) {
    const auto* invalid = std::get_if<jsonrpc::Invalid>(&message);
    if (!invalid) {
        const std::string why = quote(std::get<jsonrpc::Ignored>(message).why);
        note(LogLevel::warning, "ignored a message: " + why);
        return {answer_unreadable(why)};
    }
    const std::string why = quote(invalid->error.message);
    note(LogLevel::warning, "the server sent text that is not a JSON-RPC message: " + why);
    // Only a request is known to have wrong parameters; anything else may have been an answer.
    if (invalid->id && invalid->error.code == code::invalid_params) respond(*invalid->id, invalid->error);
    return {answer_unreadable(why), !invalid->id};
}

void ClientEngine::cannot_receive(std::string_view message, std::string_view why, TimePoint now) {
    if (over_) return;
    now_ = now;
    note(LogLevel::error, "cannot read a message of the server: " + std::string(why));
    blame(message, {answer_unreadable(why), true});
}

void ClientEngine::receive_too_long(std::size_t limit, TimePoint now) {
    if (over_) return;
    now_ = now;
    note(LogLevel::error, answer_too_long(limit).message);
    fail_all_open(answer_too_long(limit));
}

// The text is scanned once, whatever number of faults it has: a batch may have many.
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
