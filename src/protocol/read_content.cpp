// Reads content blocks, and parts that several messages share.
#include "base/base64.hpp"
#include "protocol/read_parts.hpp"

namespace tenon::protocol {
namespace {

const json::object& object_or_empty(const json::value& v) {
    static const json::object empty;
    const json::object* o = v.if_object();
    return o ? *o : empty;
}

// Removes the prefix that json::Reader adds, since it is only right for requests.
std::string without_prefix(const std::string& message) {
    constexpr std::string_view prefix = "Invalid params: ";
    return message.starts_with(prefix) ? message.substr(prefix.size()) : message;
}

}  // namespace

Part::Part(const json::value& v, const std::string& path, Problem& problem) : Part(object_or_empty(v), path, problem) {
    if (!v.is_object()) problem.take("`" + path + "` must be an object");
}

Part::~Part() {
    if (!ok()) problem_.take(without_prefix(error().message));
}

json::object Part::meta() {
    const json::object* o = optional_object("_meta");
    return o ? *o : json::object();
}

std::optional<std::uint64_t> Part::optional_size(std::string_view name) {
    const auto n = optional_number(name);
    if (!n) return std::nullopt;
    constexpr double too_large = 18446744073709551616.0;
    if (*n >= 0 && *n < too_large) return static_cast<std::uint64_t>(*n);
    complain(name, "a number of bytes");
    return std::nullopt;
}

std::string Part::base64(std::string_view name) {
    const std::string encoded = string(name);
    auto bytes = base::base64_decode(encoded);
    if (bytes) return *std::move(bytes);
    complain(name, "base64");
    return {};
}

Role Part::role(std::string_view name) {
    const std::string said = string(name);
    if (said != "user" && said != "assistant") complain(name, "user or assistant");
    return said == "assistant" ? Role::assistant : Role::user;
}

std::vector<std::string> Part::strings(std::string_view name) {
    return optional_list(name, [](const json::value& v, const std::string& path, Problem& problem) {
        if (v.is_string()) return std::string(v.get_string());
        problem.take("`" + path + "` must be a string");
        return std::string();
    });
}

Annotations read_annotations(Part& of) {
    const json::object* o = of.optional_object("annotations");
    if (!o) return {};
    Part r(*o, of.path("annotations"), of.problem());
    Annotations out;
    for (const std::string& who : r.strings("audience")) {
        // Ignores unknown roles: annotations are only hints.
        if (who == "user") out.audience.push_back(Role::user);
        if (who == "assistant") out.audience.push_back(Role::assistant);
    }
    out.priority = r.optional_number("priority");
    out.lastModified = r.text("lastModified");
    return out;
}

std::vector<Icon> read_icons(Part& of) {
    return of.optional_list("icons", [](const json::value& v, const std::string& path, Problem& problem) {
        Part r(v, path, problem);
        return Icon{r.string("src"), r.text("mimeType"), r.strings("sizes"), r.text("theme")};
    });
}

Implementation read_implementation(const json::value& v, const std::string& path, Problem& problem) {
    Part r(v, path, problem);
    return {r.string("name"),      r.string("version"),  r.text("title"),
            r.text("description"), r.text("websiteUrl"), read_icons(r)};
}

ResourceContents read_resource_contents(const json::value& v, const std::string& path, Problem& problem) {
    Part r(v, path, problem);
    ResourceContents out;
    out.uri = r.string("uri");
    out.mimeType = r.text("mimeType");
    if (r.members().contains("blob")) {
        out.blob = r.base64("blob");
    } else {
        out.text = r.string("text");
    }
    out.meta = r.meta();
    return out;
}

Content read_content(const json::value& v, const std::string& path, Problem& problem) {
    Part r(v, path, problem);
    const std::string type = r.string("type");
    const auto annotations = read_annotations(r);
    if (type == "text") return TextContent{r.string("text"), annotations, r.meta()};
    if (type == "image") return ImageContent{r.base64("data"), r.string("mimeType"), annotations, r.meta()};
    if (type == "audio") return AudioContent{r.base64("data"), r.string("mimeType"), annotations, r.meta()};
    if (type == "resource_link")
        return ResourceLink{r.string("uri"),       r.string("name"),   r.text("title"),
                            r.text("description"), r.text("mimeType"), r.optional_size("size"),
                            annotations,           read_icons(r),      r.meta()};
    if (type == "resource") {
        const json::value* resource = r.members().if_contains("resource");
        if (resource)
            return EmbeddedResource{read_resource_contents(*resource, r.path("resource"), problem), annotations,
                                    r.meta()};
        r.object("resource");
    } else if (r.ok()) {
        r.complain("type", "text, image, audio, resource_link or resource");
    }
    return TextContent{};
}

}  // namespace tenon::protocol
