#include "jsonrpc/codec.hpp"
#include "jsonrpc/raw_id.hpp"

namespace tenon::jsonrpc {
namespace {

Message invalid(std::optional<Id> id, std::string why) {
    return Invalid{std::move(id), {code::invalid_request, "Invalid request: " + std::move(why)}};
}

// Integers of 64 bits come back as they were spelled; any other number needs its text from the message.
bool spelling_matters(const json::value& id) {
    return id.is_double() || (id.is_int64() && id.get_int64() == 0);  // 0 may have been -0
}

std::optional<Id> read_id(const json::object& o, RawIds& raw_ids, std::size_t index) {
    const json::value* id = o.if_contains("id");
    if (id == nullptr) return std::nullopt;
    if (!spelling_matters(*id)) return Id::from(*id);
    return Id::from(*id, raw_ids.at(index));
}

Result<json::value> read_error(const json::value& v) {
    const json::object* e = v.if_object();
    const json::value* number = e ? e->if_contains("code") : nullptr;
    const json::value* message = e ? e->if_contains("message") : nullptr;
    if (!number || !number->is_int64() || !message || !message->is_string())
        return Error{code::internal_error, "the peer's error response has no integer `code` and string `message`"};
    const json::value* data = e->if_contains("data");
    return Error{static_cast<int>(number->get_int64()), std::string(message->get_string()),
                 data ? json::value(*data, json::storage_ptr()) : nullptr};
}

Message read_response(json::object& o, std::optional<Id> id) {
    json::value* result = o.if_contains("result");
    json::value* error = o.if_contains("error");
    if (!id)
        return Ignored{error ? "an error response without an id: " + json::write(*error) : "a response without an id"};
    if (result && error)
        return Response{*id, Error{code::internal_error, "the peer's response has a result and an error"}};
    if (result) return Response{*id, json::value(std::move(*result), json::storage_ptr())};  // out of any arena
    return Response{*id, read_error(*error)};
}

Message read_call(json::object& o, std::optional<Id> id, std::string method) {
    json::object params(o.storage());
    if (json::value* p = o.if_contains("params")) {
        if (!p->is_object()) {
            if (!id) return Ignored{"the params of the notification " + method + " are not an object"};
            return Invalid{std::move(id), {code::invalid_params, "Invalid params: `params` must be an object"}};
        }
        params = std::move(p->get_object());
    }
    if (id) return Request{*std::move(id), std::move(method), std::move(params)};
    return Notification{std::move(method), std::move(params)};
}

Message read_object(json::object& o, RawIds& raw_ids, std::size_t index) {
    std::optional<Id> id = read_id(o, raw_ids, index);
    const json::value* version = o.if_contains("jsonrpc");
    const json::value* method = o.if_contains("method");
    const bool answers = o.contains("result") || o.contains("error");

    if (!version || !version->is_string() || version->get_string() != "2.0") {
        if (answers && !method) return Ignored{"a response without \"jsonrpc\":\"2.0\""};
        return invalid(std::move(id), "the member `jsonrpc` must be the string \"2.0\"");
    }
    if (method && answers) return invalid(std::move(id), "a message has either a `method` or a `result` or `error`");
    if (answers) return read_response(o, std::move(id));
    if (!method) return invalid(std::move(id), "the member `method` is missing");
    if (!method->is_string()) return invalid(std::move(id), "the member `method` must be a string");
    if (o.contains("id") && !id) return invalid(std::nullopt, "the member `id` must be a string or a number");
    return read_call(o, std::move(id), std::string(method->get_string()));
}

Message read_message(json::value& v, RawIds& raw_ids, std::size_t index) {
    if (json::object* o = v.if_object()) return read_object(*o, raw_ids, index);
    return invalid(std::nullopt, "a message must be a JSON object");
}

Incoming one(Message m) {
    Incoming in;
    in.messages.push_back(std::move(m));
    return in;
}

Incoming decode_into(std::string_view text, const DecodeLimits& limits, json::storage_ptr storage) {
    Result<json::value> parsed = json::parse(text, {limits.max_depth}, std::move(storage));
    if (!parsed) return one(Invalid{std::nullopt, parsed.error()});

    RawIds raw_ids(text);
    json::array* batch = parsed->if_array();
    if (!batch) return one(read_message(*parsed, raw_ids, 0));
    if (batch->empty()) return one(invalid(std::nullopt, "a batch must not be empty"));
    if (batch->size() > limits.max_batch)
        return one(invalid(std::nullopt, "a batch may hold at most " + std::to_string(limits.max_batch) + " messages"));

    Incoming in;
    in.batch = true;
    in.messages.reserve(batch->size());
    for (std::size_t i = 0; i < batch->size(); ++i) in.messages.push_back(read_message((*batch)[i], raw_ids, i));
    return in;
}

}  // namespace

Incoming decode(std::string_view text, const DecodeLimits& limits) { return decode_into(text, limits, {}); }

Incoming decode_in_arena(std::string_view text, const DecodeLimits& limits) {
    auto memory = std::make_shared<json::Arena>();
    Incoming in = decode_into(text, limits, memory->storage());
    in.memory = std::move(memory);
    return in;
}

}  // namespace tenon::jsonrpc
