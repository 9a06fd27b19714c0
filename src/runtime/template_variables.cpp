#include <tenon/detail/bind_template.hpp>

#include "base/uri_template.hpp"

namespace tenon::detail {

std::vector<std::string> template_variables(const std::string& uri_template, std::size_t count) {
    const auto parsed = base::UriTemplate::parse(uri_template);
    if (!parsed) return {};
    const auto found = parsed->variables();
    std::vector<std::string> names(found.begin(), found.end());
    if (names.size() == count) return names;
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
    throw Exception({code::invalid_params, "The template `" + uri_template + "` has " + std::to_string(names.size()) +
                                               " variables (" + list + "), but its handler takes " +
                                               std::to_string(count) +
                                               " parameters: let it take one for each variable, in this order."});
}

}  // namespace tenon::detail
