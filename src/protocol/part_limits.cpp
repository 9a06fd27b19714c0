#include "protocol/part_limits.hpp"

#include "json/scan.hpp"
#include "protocol/meta_keys.hpp"

namespace tenon::protocol {
namespace {

using json::Node;
using Kind = Node::Kind;
using Found = std::optional<jsonrpc::TooLong>;

// Calls `take(key, member)` for the members of an object until it returns an error.
template <class Take>
Found each_member(const Node* node, Take take) {
    if (!node || !node->is(Kind::object)) return {};
    for (const Node* key = node->inside(); key != node->next(); key = key->next()->next())
        if (Found found = take(*key, *key->next())) return found;
    return {};
}

// Returns the member `name`, or null.
const Node* member(const Node* node, std::string_view name) {
    const Node* out = nullptr;
    each_member(node, [&](const Node& key, const Node& value) -> Found {
        if (key.text() == name) out = &value;
        return {};
    });
    return out;
}

// Estimates the length of the text without white space.
std::size_t weight(const Node* node) {
    if (!node) return 0;
    std::size_t bytes = 0;
    for (const Node* n = node; n != node->next(); ++n) bytes += 2 + (n->is_container() ? 0 : n->size);
    return bytes;
}

// `what` ends with "is longer".
Found too_long(std::string what, LimitName limit, std::size_t max) {
    what += " than the limit `" + std::string(to_string(limit)) + "` of " + std::to_string(max) + " bytes";
    return jsonrpc::TooLong{std::move(what), limit};
}

class Check {
 public:
    Check(std::string_view path, const jsonrpc::DecodeLimits& limits) : path_(path), limits_(limits) {}

    Found part(const Node& part) const {
        for (const auto& found : {token(part), uris(&part), nested_uris(part), client(part)})
            if (found) return found;
        return {};
    }

 private:
    Found text_at(const Node* text, std::string_view where, LimitName limit, std::size_t max) const {
        if (!text || text->is_container() || text->size <= max) return {};
        return too_long("`" + std::string(path_) + "." + std::string(where) + "` is longer", limit, max);
    }

    Found token(const Node& part) const {
        return text_at(member(member(&part, "_meta"), "progressToken"), "_meta.progressToken", LimitName::max_id_bytes,
                       limits_.max_id_bytes);
    }

    Found uri(const Node* text, std::string_view where) const {
        return text_at(text, where, LimitName::max_uri_bytes, limits_.max_uri_bytes);
    }

    // Checks the elements of an array, or their member `inside`.
    Found each_uri(const Node* list, std::string_view where, std::string_view inside) const {
        if (!list || !list->is(Kind::array)) return {};
        for (const Node* element = list->inside(); element != list->next(); element = element->next())
            if (Found found = uri(inside.empty() ? element : member(element, inside), where)) return found;
        return {};
    }

    // Checks the places where the protocol has a URI, in parameters or in a result.
    Found uris(const Node* part) const {
        if (Found found = uri(member(part, "uri"), "uri")) return found;
        if (Found found = uri(member(part, "url"), "url")) return found;
        if (Found found = uri(member(member(part, "ref"), "uri"), "ref.uri")) return found;
        if (Found found = each_uri(member(part, "roots"), "roots[].uri", "uri")) return found;
        return each_uri(member(member(part, "notifications"), "resourceSubscriptions"),
                        "notifications.resourceSubscriptions[]", "");
    }

    // Checks questions and answers of 2026-07-28.
    Found nested_uris(const Node& part) const {
        Found found = each_member(member(&part, "inputRequests"), [&](const Node&, const Node& question) {
            return uri(member(member(&question, "params"), "url"), "inputRequests.*.params.url");
        });
        if (found) return found;
        return each_member(member(&part, "inputResponses"), [&](const Node&, const Node& answer) {
            return each_uri(member(&answer, "roots"), "inputResponses.*.roots[].uri", "uri");
        });
    }

    Found client(const Node& part) const {
        const Node* meta = member(&part, "_meta");
        const std::size_t bytes = weight(member(&part, "clientInfo")) + weight(member(&part, "capabilities")) +
                                  weight(member(meta, meta_key::client_info)) +
                                  weight(member(meta, meta_key::client_capabilities));
        if (bytes <= limits_.max_client_info_bytes) return {};
        return too_long("the client's description (`clientInfo` and `capabilities`) is longer",
                        LimitName::max_client_info_bytes, limits_.max_client_info_bytes);
    }

    std::string_view path_;
    const jsonrpc::DecodeLimits& limits_;
};

}  // namespace

std::optional<jsonrpc::TooLong> check_part(const Node& part, std::string_view path,
                                           const jsonrpc::DecodeLimits& limits) {
    return Check(path, limits).part(part);
}

jsonrpc::DecodeLimits decode_limits(const Limits& l) {
    return {l.max_depth,    l.max_batch,     l.max_members,           l.max_nodes,
            l.max_id_bytes, l.max_uri_bytes, l.max_client_info_bytes, check_part};
}

}  // namespace tenon::protocol
