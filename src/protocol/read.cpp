#include "protocol/read.hpp"

#include "base/base64.hpp"
#include "json/find.hpp"
#include "json/reader.hpp"
#include "protocol/meta_keys.hpp"
#include "protocol/root_rules.hpp"

namespace tenon {

std::string SampleResult::text() const {
    std::string all;
    for (const SamplingContent& block : content)
        if (const auto* t = std::get_if<TextContent>(&block)) all += t->text;
    return all;
}

}  // namespace tenon

namespace tenon::protocol {
namespace {

Error bad_answer(std::string what) {
    return {code::internal_error, "The client's answer is invalid: " + std::move(what)};
}

Error bad_answer(const json::Reader& reader) { return bad_answer(reader.error().message); }

Result<SamplingContent> read_media(json::Reader& r, bool audio) {
    const auto bytes = base::base64_decode(r.string("data"));
    std::string mime_type = r.string("mimeType");
    if (!r.ok()) return bad_answer(r);
    if (!bytes) return bad_answer("`" + r.path("data") + "` must be base64");
    if (audio) return SamplingContent(AudioContent{*bytes, std::move(mime_type)});
    return SamplingContent(ImageContent{*bytes, std::move(mime_type)});
}

Result<SamplingContent> read_block(const json::value& v, const std::string& path) {
    const json::object* o = v.if_object();
    if (!o) return bad_answer("`" + path + "` must be an object");
    json::Reader r(*o, path);
    const std::string type = r.string("type");
    if (type == "image" || type == "audio") return read_media(r, type == "audio");
    SamplingContent block;
    if (type == "text") {
        block = TextContent{r.string("text")};
    } else if (type == "tool_use") {
        block = ToolUse{r.string("id"), r.string("name"), r.object("input")};
    } else {
        r.complain("type", "text, image, audio or tool_use");
    }
    if (!r.ok()) return bad_answer(r);
    return block;
}

Result<void> read_client_info(json::Reader r, Implementation& out) {
    out.name = r.string("name");
    out.version = r.string("version");
    if (auto title = r.optional_string("title")) out.title = *std::move(title);
    if (!r.ok()) return r.error();
    return {};
}

Result<void> read_request_meta(const json::object& params, RequestMeta& out) {
    json::Reader p(params, "params");
    const json::object& meta = p.object("_meta");
    if (!p.ok()) return p.error();

    json::Reader m(meta, p, "_meta");
    out.protocolVersion = m.string(meta_key::version);
    out.capabilities = read_capabilities(m.object(meta_key::client_capabilities));
    const json::object* info = m.optional_object(meta_key::client_info);
    if (const auto level = m.optional_string(meta_key::log_level)) {
        out.logLevel = log_level(*level);
        if (!out.logLevel) m.complain(meta_key::log_level, "a log level, from debug to emergency");
    }
    if (!m.ok()) return m.error();
    if (!info) return {};
    return read_client_info(json::Reader(*info, m, meta_key::client_info), out.clientInfo);
}

}  // namespace

bool ClientCapabilities::has_extension(std::string_view name) const {
    const json::object* extensions = json::find_object(raw, "extensions");
    return extensions && json::find_object(*extensions, name);
}

ClientCapabilities read_capabilities(const json::object& c) {
    ClientCapabilities out;
    out.roots = json::find_object(c, "roots") != nullptr;
    if (const auto* sampling = json::find_object(c, "sampling")) {
        out.sampling = true;
        out.sampling_tools = json::find_object(*sampling, "tools") != nullptr;
    }
    if (const auto* elicitation = json::find_object(c, "elicitation")) {
        out.elicitation_url = json::find_object(*elicitation, "url") != nullptr;
        // An empty object means forms: older revisions had nothing else.
        out.elicitation_form = json::find_object(*elicitation, "form") != nullptr || !out.elicitation_url;
    }
    if (!c.empty()) out.raw = c;
    return out;
}

Result<InitializeParams> read_initialize(const json::object& params) {
    InitializeParams out;
    json::Reader r(params, "params");
    out.protocolVersion = r.string("protocolVersion");
    out.capabilities = read_capabilities(r.object("capabilities"));
    const json::object& info = r.object("clientInfo");
    if (!r.ok()) return r.error();

    if (auto ok = read_client_info(json::Reader(info, r, "clientInfo"), out.clientInfo); !ok) return ok.error();
    return out;
}

bool has_request_meta(const json::object& params) {
    const json::object* meta = json::find_object(params, "_meta");
    return meta && (json::find(*meta, meta_key::version) || json::find(*meta, meta_key::client_capabilities));
}

Result<std::string> read_request_version(const json::object& params) {
    json::Reader p(params, "params");
    const json::object& meta = p.object("_meta");
    if (!p.ok()) return p.error();
    json::Reader m(meta, p, "_meta");
    auto version = m.string(meta_key::version);
    if (!m.ok()) return m.error();
    return version;
}

Result<RequestMeta> read_request_meta(const json::object& params) {
    Result<RequestMeta> out(boost::system::in_place_value);
    if (auto ok = read_request_meta(params, *out); !ok) out = ok.error();
    return out;
}

Result<std::vector<Root>> read_roots(const json::value& result) {
    const json::object* o = result.if_object();
    if (!o) return bad_answer("the result of roots/list must be an object");
    json::Reader r(*o, "");
    std::vector<Root> out;
    for (const json::value& item : r.array("roots")) {
        const json::object* root = item.if_object();
        if (!root) return bad_answer("each of `roots` must be an object");
        json::Reader f(*root, "roots[" + std::to_string(out.size()) + "]");
        out.push_back({f.string("uri"), f.optional_string("name").value_or("")});
        if (!f.ok()) return bad_answer(f);
    }
    if (!r.ok()) return bad_answer(r);
    if (const auto checked = check_roots(out); !checked) return bad_answer(checked.error().message);
    return out;
}

Result<ElicitResult> read_elicit_result(const json::value& result) {
    const json::object* o = result.if_object();
    if (!o) return bad_answer("the result of elicitation/create must be an object");
    json::Reader r(*o, "");
    ElicitResult out;
    const std::string action = r.string("action");
    if (action == "accept") {
        out.action = ElicitAction::accept;
        if (const json::object* content = r.optional_object("content")) out.content = *content;
    } else if (action == "decline") {
        out.action = ElicitAction::decline;
    } else if (action != "cancel") {
        r.complain("action", "accept, decline or cancel");
    }
    if (!r.ok()) return bad_answer(r);
    return out;
}

Result<SampleResult> read_sample_result(const json::value& result) {
    const json::object* o = result.if_object();
    if (!o) return bad_answer("the result of sampling/createMessage must be an object");
    json::Reader r(*o, "");
    SampleResult out;
    out.role = r.string("role") == "user" ? Role::user : Role::assistant;
    out.model = r.string("model");
    out.stopReason = r.optional_string("stopReason").value_or("");
    if (!r.ok()) return bad_answer(r);

    const json::value* content = o->if_contains("content");
    if (!content) return bad_answer("`content` is missing");
    const json::array* many = content->if_array();
    const std::size_t count = many ? many->size() : 1;
    for (std::size_t i = 0; i < count; ++i) {
        auto block = read_block(many ? (*many)[i] : *content, many ? "content[" + std::to_string(i) + "]" : "content");
        if (!block) return block.error();
        out.content.push_back(*std::move(block));
    }
    return out;
}

}  // namespace tenon::protocol
