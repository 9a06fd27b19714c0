#include "protocol/question_rules.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "base/printable.hpp"
#include "base/uri.hpp"

namespace tenon::protocol {
namespace {

constexpr std::size_t most_quoted = 200;  // bytes of a URL, a root or an id in an error

std::string quoted(std::string_view text) { return "`" + base::printable(text, most_quoted) + "`"; }

bool has_scheme(const base::Uri& uri, std::string_view scheme) {
    return std::ranges::equal(uri.scheme, scheme, {}, [](char c) { return c >= 'A' && c <= 'Z' ? c | 0x20 : c; });
}

using Ids = std::set<std::string_view>;

// Returns the ids of the blocks of type T, or nullopt when an id occurs twice.
template <class T>
std::optional<Ids> ids_of(const SamplingMessage& message, std::string T::*id) {
    Ids ids;
    for (const SamplingContent& block : message.content)
        if (const auto* found = std::get_if<T>(&block); found && !ids.insert(found->*id).second) return std::nullopt;
    return ids;
}

Error unbalanced(std::size_t message, std::string_view why) {
    return {code::invalid_params, "sampling: `messages[" + std::to_string(message) + "]` " + std::string(why)};
}

std::optional<Error> check_message(const SamplingMessage& message, std::size_t index, const Ids& expected, Ids& used) {
    const auto results = ids_of(message, &ToolUseResult::toolUseId);
    const auto uses = ids_of(message, &ToolUse::id);
    if (!results || !uses) return unbalanced(index, "has two tool uses or two tool results with the same id");
    if (!results->empty() && (message.role != Role::user || results->size() != message.content.size()))
        return unbalanced(index, "must be a message of the user with tool results only, because it has one");
    if (!uses->empty() && message.role != Role::assistant)
        return unbalanced(index, "has a tool use, which only the assistant may have");
    if (*results != expected)
        return unbalanced(index, "must have one tool result for each tool use of the message before it, and no other");
    used = *uses;
    return std::nullopt;
}

}  // namespace

std::optional<Error> wrong_page_url(std::string_view url) {
    const auto uri = base::parse_uri(url);
    if (uri && (has_scheme(*uri, "https") || has_scheme(*uri, "http")) && !uri->host.empty()) return std::nullopt;
    return Error{code::invalid_params,
                 "the URL of a URL elicitation must be an absolute http or https URL, but is " + quoted(url)};
}

std::optional<Error> unbalanced_tool_use(const SampleRequest& request) {
    Ids open;  // tool uses of the message before
    for (std::size_t i = 0; i < request.messages.size(); ++i) {
        Ids used;
        if (auto wrong = check_message(request.messages[i], i, open, used)) return wrong;
        open = std::move(used);
    }
    if (!open.empty()) return unbalanced(request.messages.size() - 1, "has a tool use without a result after it");
    return std::nullopt;
}

std::optional<Error> wrong_root(const Root& root) {
    const auto uri = base::parse_uri(root.uri);
    if (uri && has_scheme(*uri, "file") && uri->has_authority && !base::has_traversal(*uri)) return std::nullopt;
    return Error{code::invalid_params,
                 "a root must be a file:// URI without \".\" and \"..\" segments, but is " + quoted(root.uri)};
}

}  // namespace tenon::protocol
