#include <algorithm>
#include <utility>

#include "json/collisions.hpp"
#include "json/scan.hpp"
#include "jsonrpc/codec.hpp"

namespace tenon::jsonrpc {
namespace {

using json::Node;

// Error -32700, for a text that is not JSON or is refused as JSON.
Error parse_error(std::string why, LimitName limit) {
    return {code::parse_error, "Parse error: " + std::move(why), limit};
}

Message invalid(std::optional<Id> id, std::string why, LimitName limit = LimitName::none) {
    return Invalid{std::move(id), {code::invalid_request, "Invalid request: " + std::move(why), limit}};
}

// The members of a message; null when missing.
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

bool is_long_id(const Node* id, const DecodeLimits& limits) {
    return id && !id->is_container() && id->size > limits.max_id_bytes;
}

Error unreadable(std::string_view why) {
    return {code::internal_error, "the peer's response cannot be read: " + std::string(why)};
}

Result<json::value> read_error(const json::value& v) {
    const json::object* e = v.if_object();
    const json::value* number = e ? e->if_contains("code") : nullptr;
    const json::value* message = e ? e->if_contains("message") : nullptr;
    if (!number || !number->is_int64() || !message || !message->is_string())
        return Error{code::internal_error, "the peer's error response has no integer `code` and string `message`"};
    const std::int64_t wide = number->get_int64();
    if (!std::in_range<int>(wide))
        return Error{code::internal_error, "the `code` of the peer's error response does not fit into 32 bits"};
    const json::value* data = e->if_contains("data");
    return Error{static_cast<int>(wide), std::string(message->get_string()),
                 data ? json::value(*data, json::storage_ptr()) : nullptr};
}

// Reads the messages of one text.
class Decoder {
 public:
    Decoder(std::string_view text, const DecodeLimits& limits, json::storage_ptr storage)
        : limits_(limits),
          storage_(std::move(storage)),
          check_(text.size() > smallest(limits) ? limits.check : nullptr) {}

    Message message(const Node& node) const;

 private:
    // A shorter text cannot exceed these limits, so its parts need no check.
    static std::size_t smallest(const DecodeLimits& l) {
        return std::min({l.max_id_bytes, l.max_uri_bytes, l.max_client_info_bytes});
    }
    Result<json::value> build(const Node& node) const;
    Result<json::value> outcome(const Members& m) const;
    Message response(const Members& m, std::optional<Id> id) const;
    Result<json::object> params(const Node* node) const;
    Message call(const Members& m, std::optional<Id>&& id) const;

    const DecodeLimits& limits_;
    json::storage_ptr storage_;
    PartCheck check_;
};

// Builds a result on the heap, not in an arena, because users keep it.
Result<json::value> Decoder::build(const Node& node) const {
    if (const auto wrong = check_ ? check_(node, "result", limits_) : std::nullopt) return unreadable(wrong->why);
    auto built = json::build(node, {});
    if (!built) return unreadable(json::colliding_keys);
    return *std::move(built);
}

Result<json::value> Decoder::outcome(const Members& m) const {
    if (m.result && m.error) return Error{code::internal_error, "the peer's response has a result and an error"};
    auto built = build(m.result ? *m.result : *m.error);
    return built && m.error ? read_error(*built) : built;
}

Message Decoder::response(const Members& m, std::optional<Id> id) const {
    if (id) return Response{*std::move(id), outcome(m)};
    if (!m.error) return Ignored{"a response without an id"};
    const auto error = build(*m.error);
    return Ignored{"an error response without an id: " + (error ? json::write(*error) : error.error().message)};
}

Result<json::object> Decoder::params(const Node* node) const {
    const auto refuse = [](std::string_view why, LimitName limit = LimitName::none) {
        return Error{code::invalid_params, "Invalid params: " + std::string(why), limit};
    };
    if (!node) return json::object(storage_);
    if (!node->is(Node::Kind::object)) return refuse("`params` must be an object");
    if (const auto wrong = check_ ? check_(*node, "params", limits_) : std::nullopt)
        return refuse(wrong->why, wrong->limit);
    auto built = json::build_object(*node, storage_);
    if (!built) return refuse(json::colliding_keys);
    return *std::move(built);
}

Message Decoder::call(const Members& m, std::optional<Id>&& id) const {
    auto read = params(m.params);
    if (!read && id) return Invalid{std::move(id), read.error()};
    std::string method(m.method->text());
    if (!read) return Ignored{"the notification " + method + ": " + read.error().message};
    if (id) return Request{*std::move(id), std::move(method), *std::move(read)};
    return Notification{std::move(method), *std::move(read)};
}

Message Decoder::message(const Node& node) const {
    if (!node.is(Node::Kind::object)) return invalid(std::nullopt, "a message must be a JSON object");
    const Members m(node);
    const bool answers = m.result || m.error;
    if (is_long_id(m.id, limits_)) {
        const std::string why = "the member `id` is longer than the limit `max_id_bytes` of " +
                                std::to_string(limits_.max_id_bytes) + " bytes";
        if (answers && !m.method) return Ignored{"a response: " + why};
        return invalid(std::nullopt, why, LimitName::max_id_bytes);
    }
    std::optional<Id> id = read_id(m.id);

    if (!m.version || !m.version->is_string("2.0")) {
        if (answers && !m.method) return Ignored{"a response without \"jsonrpc\":\"2.0\""};
        return invalid(std::move(id), "the member `jsonrpc` must be the string \"2.0\"");
    }
    if (m.method && answers) return invalid(std::move(id), "a message has either a `method` or a `result` or `error`");
    if (answers) return response(m, std::move(id));
    if (!m.method) return invalid(std::move(id), "the member `method` is missing");
    if (!m.method->is(Node::Kind::string)) return invalid(std::move(id), "the member `method` must be a string");
    if (m.id && !id) return invalid(std::nullopt, "the member `id` must be a string or a number");
    return call(m, std::move(id));
}

// Makes a message from the part that was read of a text over the limits. So the caller, or the sender, gets the reason.
Message refused(json::Scan& scan, Error error, const DecodeLimits& limits) {
    if (!scan.make_partial_root()) return Invalid{std::nullopt, std::move(error)};
    const Members m(scan.root());
    std::optional<Id> id = is_long_id(m.id, limits) ? std::nullopt : read_id(m.id);
    if (id && !m.method && (m.result || m.error)) return Response{*std::move(id), unreadable(error.message)};
    return Invalid{m.method ? std::move(id) : std::nullopt, std::move(error)};
}

Incoming one(Message&& m) {
    Incoming in;
    in.messages.push_back(std::move(m));
    return in;
}

Incoming decode_into(std::string_view text, const DecodeLimits& limits, json::storage_ptr storage) {
    json::Scan scan;
    if (auto why = scan.read(text, limits.json()))
        return one(refused(scan, parse_error(*std::move(why), scan.limit()), limits));

    const Node& root = scan.root();
    const Decoder decoder(text, limits, std::move(storage));
    if (!root.is(Node::Kind::array)) return one(decoder.message(root));
    if (root.size == 0) return one(invalid(std::nullopt, "a batch must not be empty"));
    if (root.size > limits.max_batch)
        return one(invalid(std::nullopt, "a batch may hold at most " + std::to_string(limits.max_batch) + " messages",
                           LimitName::max_batch));

    Incoming in;
    in.batch = true;
    in.messages.reserve(root.size);
    for (const Node* message = root.inside(); message != root.next(); message = message->next())
        in.messages.push_back(decoder.message(*message));
    return in;
}

}  // namespace

Incoming decode(std::string_view text, const DecodeLimits& limits) {
    Incoming in = decode_into(text, limits, {});
    in.bytes = text.size();
    return in;
}

Incoming decode_in_arena(std::string_view text, const DecodeLimits& limits) {
    auto memory = std::make_shared<json::Arena>();
    Incoming in = decode_into(text, limits, memory->storage());
    in.memory = std::move(memory);
    in.bytes = text.size();
    return in;
}

}  // namespace tenon::jsonrpc
