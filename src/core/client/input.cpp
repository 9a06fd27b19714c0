// Answers that ask for input (2026-07-28). The user's handlers answer the questions. Then the call is sent again, as a
// new request with the answers and the unchanged `requestState`.
#include "core/client/engine.hpp"
#include "json/reader.hpp"
#include "json/weight.hpp"

namespace tenon::core {
namespace {

Error invalid(std::string why) { return {code::invalid_answer, "The server's answer is invalid: " + std::move(why)}; }

}  // namespace

void ClientEngine::require_input(Calls::iterator it, const json::object& result) {
    const CallId id = it->first;
    Pending& p = it->second;
    on_wire_.erase(*p.request);
    p.request.reset();
    if (!protocol::may_ask(p.call.method)) return finish(it, invalid(p.call.method + " must not ask for input"));
    if (++p.rounds > limits_.max_input_rounds)
        return finish(it, Error{code::invalid_answer, "the server asked for input more than " +
                                                          std::to_string(limits_.max_input_rounds) + " times"});
    json::Reader r(result, "result");
    p.state = r.optional_string("requestState");
    const json::object* requests = r.optional_object("inputRequests");
    if (!r.ok()) return finish(it, invalid(r.error().message));
    if (!p.state && (!requests || requests->empty()))
        return finish(it, invalid("it asks for input, but has neither `inputRequests` nor a `requestState`"));
    p.inputs.clear();
    if (!requests || requests->empty()) return send_again(id);
    if (auto ok = ask(id, p, *requests); !ok) finish(it, ok.error());
}

// Asks the user's handlers all questions, or none when one of them is invalid.
Result<void> ClientEngine::ask(CallId id, Pending& p, const json::object& questions) {
    if (questions.size() > limits_.max_input_requests)
        return Error{code::invalid_answer,
                     "the server asks more than " + std::to_string(limits_.max_input_requests) + " questions at once"};
    std::vector<std::pair<Ask, OpenAsk>> asks;
    std::size_t bytes = 0;
    for (const auto& [key, request] : questions) {
        const std::string path = "result.inputRequests." + quote(key);
        const json::object* o = request.if_object();
        if (!o) return invalid("`" + path + "` must be an object");
        json::Reader q(*o, path);
        const std::string method = q.string("method");
        const json::object* params = q.optional_object("params");
        if (!q.ok()) return invalid(q.error().message);
        OpenAsk open;
        open.call = id;
        open.key = key;
        open.bytes = json::weight(request);
        bytes += open.bytes;
        auto one = read_ask(method, params ? *params : json::object(), open);
        if (!one) return invalid("`" + path + "`: " + one.error().message);
        asks.emplace_back(*std::move(one), std::move(open));
    }
    if (ask_bytes_ + bytes > limits_.max_server_request_bytes)
        return Error{code::invalid_answer, "the server's questions take too much memory: the limit is " +
                                               std::to_string(limits_.max_server_request_bytes) +
                                               " bytes (ClientLimits::max_server_request_bytes)"};
    for (auto& [one, open] : asks) {
        one.id = next_ask_++;
        p.asks.insert(one.id);
        put(std::move(one), std::move(open));
    }
    return {};
}

void ClientEngine::input_arrived(CallId id, const std::string& key, Encoded answer) {
    Pending& p = calls_.at(id);
    auto value = json::parse(answer.json, {limits_.max_depth});
    if (!value)
        return finish(calls_.find(id),
                      Error{code::internal_error,
                            "the answer to the server's question cannot be sent: " + value.error().message});
    p.inputs.insert_or_assign(key, *std::move(value));
    if (p.asks.empty()) send_again(id);
}

void ClientEngine::send_again(CallId id) {
    Pending& p = calls_.at(id);
    if (p.task) return answer_task(id, p);
    rearm(id, p, later(now_, p.time));
    send_request(id, p);
}

}  // namespace tenon::core
