#include "transport/http_server/list_digests.hpp"

#include "base/base64.hpp"
#include "base/sha256.hpp"

namespace tenon {
namespace {

template <class Table>
void add_entries(std::string& text, const Table& table) {
    const protocol::Rules rules(protocol::modern_revision());
    for (const auto& entry : table.all()) text.append(entry->spelled.of(rules)) += '\n';
}

std::string digest(std::string_view text) {
    constexpr std::size_t enough = 12;  // bytes: lists differ by accident, not on purpose
    const base::Sha256Digest all = base::sha256(text);
    return base::base64_encode({all.data(), enough});
}

}  // namespace

ListDigests digests_of(const core::Features& features) {
    std::string tools, resources, prompts;
    add_entries(tools, features.tools);
    add_entries(resources, features.resources);
    add_entries(resources, features.templates);
    add_entries(prompts, features.prompts);
    return {digest(tools), digest(resources), digest(prompts)};
}

}  // namespace tenon
