#include "json/collisions.hpp"
#include "json/outline.hpp"
#include "jsonrpc/codec.hpp"

namespace tenon::jsonrpc {
namespace {

using json::Node;

Message invalid(std::optional<Id> id, std::string why) {
    return Invalid{std::move(id), {code::invalid_request, "Invalid request: " + std::move(why)}};
}

// The members that a message may have; null where it has none.
struct Members {
    const Node* version = nullptr;
    const Node* id = nullptr;
    const Node* method = nullptr;
    const Node* params = nullptr;
    const Node* result = nullptr;
    const Node* error = nullptr;

    explicit Members(const Node& message) {
        const Node* key = message.inside();
        for (std::size_t i = 0; i < message.size; ++i) {
            const Node* const member = key->next();
            if (const Node** const place = place_of(key->text())) *place = member;
            key = member->next();
        }
    }

 private:
    const Node** place_of(std::string_view name) {
        if (name == "jsonrpc") return &version;
        if (name == "id") return &id;
        if (name == "method") return &method;
        if (name == "params") return &params;
        if (name == "result") return &result;
        if (name == "error") return &error;
        return nullptr;
    }
};

std::optional<Id> read_id(const Node* id) {
    if (id == nullptr) return std::nullopt;
    if (id->is(Node::Kind::string)) return Id(std::string(id->text()));
    if (const auto small = json::small_integer(*id)) return Id(*small);
    if (!id->is(Node::Kind::integer) && !id->is(Node::Kind::real)) return std::nullopt;
    return Id::from(*json::build(*id, {}), id->text());
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

// Never in an arena: users keep it.
Result<json::value> build(const Node& node) {
    auto built = json::build(node, {});
    if (!built)
        return Error{code::internal_error, "the peer's response cannot be read: " + std::string(json::colliding_keys)};
    return *std::move(built);
}

Result<json::value> read_outcome(const Members& m) {
    if (m.result && m.error) return Error{code::internal_error, "the peer's response has a result and an error"};
    auto built = build(m.result ? *m.result : *m.error);
    return built && m.error ? read_error(*built) : built;
}

Message read_response(const Members& m, std::optional<Id> id) {
    if (id) return Response{*std::move(id), read_outcome(m)};
    if (!m.error) return Ignored{"a response without an id"};
    const auto error = build(*m.error);
    return Ignored{"an error response without an id: " + (error ? json::write(*error) : error.error().message)};
}

Message read_call(const Members& m, std::optional<Id>&& id, json::storage_ptr storage) {
    std::string method(m.method->text());
    if (m.params && !m.params->is(Node::Kind::object)) {
        if (!id) return Ignored{"the params of the notification " + method + " are not an object"};
        return Invalid{std::move(id), {code::invalid_params, "Invalid params: `params` must be an object"}};
    }
    auto params = m.params ? json::build_object(*m.params, std::move(storage)) : json::object(std::move(storage));
    if (!params && !id) return Ignored{"a notification was refused: " + std::string(json::colliding_keys)};
    if (!params) return invalid(std::move(id), std::string(json::colliding_keys));
    if (id) return Request{*std::move(id), std::move(method), *std::move(params)};
    return Notification{std::move(method), *std::move(params)};
}

Message read_message(const Node& node, json::storage_ptr storage) {
    if (!node.is(Node::Kind::object)) return invalid(std::nullopt, "a message must be a JSON object");
    const Members m(node);
    std::optional<Id> id = read_id(m.id);
    const bool answers = m.result || m.error;

    if (!m.version || !m.version->is_string("2.0")) {
        if (answers && !m.method) return Ignored{"a response without \"jsonrpc\":\"2.0\""};
        return invalid(std::move(id), "the member `jsonrpc` must be the string \"2.0\"");
    }
    if (m.method && answers) return invalid(std::move(id), "a message has either a `method` or a `result` or `error`");
    if (answers) return read_response(m, std::move(id));
    if (!m.method) return invalid(std::move(id), "the member `method` is missing");
    if (!m.method->is(Node::Kind::string)) return invalid(std::move(id), "the member `method` must be a string");
    if (m.id && !id) return invalid(std::nullopt, "the member `id` must be a string or a number");
    return read_call(m, std::move(id), std::move(storage));
}

Incoming one(Message&& m) {
    Incoming in;
    in.messages.push_back(std::move(m));
    return in;
}

Incoming decode_into(std::string_view text, const DecodeLimits& limits, json::storage_ptr storage) {
    json::Outline outline;
    if (auto error = outline.read(text, limits.json())) return one(Invalid{std::nullopt, *std::move(error)});

    const Node& root = outline.root();
    if (!root.is(Node::Kind::array)) return one(read_message(root, std::move(storage)));
    if (root.size == 0) return one(invalid(std::nullopt, "a batch must not be empty"));
    if (root.size > limits.max_batch)
        return one(invalid(std::nullopt, "a batch may hold at most " + std::to_string(limits.max_batch) + " messages"));

    Incoming in;
    in.batch = true;
    in.messages.reserve(root.size);
    for (const Node* message = root.inside(); message != root.next(); message = message->next())
        in.messages.push_back(read_message(*message, storage));
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
