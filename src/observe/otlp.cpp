#include "observe/otlp.hpp"

#include <array>
#include <cmath>

#include <tenon/error.hpp>

#include "base/ascii.hpp"
#include "observe/error_type.hpp"
#include "observe/mask.hpp"
#include "observe/protobuf.hpp"
#include "protocol/versions.hpp"

namespace tenon::observe {
namespace {

// The numbers of the fields are those of opentelemetry-proto: common/v1, resource/v1, trace/v1, collector/trace/v1.
namespace key_value {
constexpr unsigned key = 1, value = 2, string_value = 1;
}
namespace span {
constexpr unsigned trace_id = 1, span_id = 2, trace_state = 3, parent_span_id = 4, name = 5, kind = 6, start = 7,
                   end = 8, attributes = 9, status = 15, flags = 16;
constexpr unsigned status_message = 2, status_code = 3;
constexpr std::uint64_t kind_internal = 1, kind_server = 2, kind_client = 3, status_error = 2;
constexpr std::uint32_t flag_sampled = 1, flag_knows_remote = 0x100, flag_is_remote = 0x200;
}  // namespace span
namespace request {
constexpr unsigned resource_spans = 1, resource = 1, scope_spans = 2, resource_attributes = 1, scope = 1, spans = 2,
                   scope_name = 1, scope_version = 2;
}

/// The bytes of an id that is written with 16 or 32 hexadecimal digits; empty for other texts.
class IdBytes {
 public:
    explicit IdBytes(std::string_view digits) : size_(digits.size() / 2) {
        if (digits.size() != 16 && digits.size() != 32) size_ = 0;
        for (std::size_t i = 0; i < size_; ++i)
            bytes_[i] = static_cast<char>(base::hex_digit(digits[2 * i]) << 4 | base::hex_digit(digits[2 * i + 1]));
    }
    std::string_view view() const { return {bytes_.data(), size_}; }

 private:
    std::array<char, 16> bytes_ = {};
    std::size_t size_;
};

/// A text that may be exported. Copies it only if something in it must be replaced.
class SafeText {
 public:
    explicit SafeText(std::string_view text) : view_(text) {
        if (is_safe(text, max_attribute_bytes)) return;
        own_ = safe_text(text, max_attribute_bytes);
        view_ = own_;
    }
    SafeText(const SafeText&) = delete;
    SafeText& operator=(const SafeText&) = delete;
    std::string_view view() const { return view_; }

 private:
    std::string own_;
    std::string_view view_;
};

void add_attribute(Protobuf& message, unsigned field, std::string_view key, std::string_view text) {
    const std::size_t value = Protobuf::bytes_size(text.size());
    message.begin_message(field, Protobuf::bytes_size(key.size()) + Protobuf::bytes_size(value));
    message.bytes(key_value::key, key);
    message.begin_message(key_value::value, value);
    message.bytes(key_value::string_value, text);
}

/// Writes the attributes of one operation.
class SpanAttributes {
 public:
    SpanAttributes(Protobuf& out, const Operation& operation) : out_(out), o_(operation) {}

    void write(const SpanOptions& options) {
        add("mcp.method.name", o_.method);
        target(options);
        add("jsonrpc.request.id", id());
        add("mcp.protocol.version", o_.revision);
        // A refused request may name a session that does not exist: then its revision is not known.
        if (const auto revision = protocol::revision(o_.revision); revision && protocol::Rules(*revision).is_legacy())
            add("mcp.session.id", o_.session_id);
        add("network.transport", o_.transport);
        if (o_.transport == "tcp") add("network.protocol.name", "http");
        if (o_.side == Operation::Side::server) add("client.address", o_.address);
        if (o_.error_code != 0 && !code::is_local(o_.error_code)) {
            add("error.type", std::to_string(o_.error_code));
            add("rpc.response.status_code", std::to_string(o_.error_code));
        } else {
            add("error.type", error_type(o_));
        }
    }

 private:
    void target(const SpanOptions& options) {
        if (o_.method == "tools/call") {
            add("gen_ai.operation.name", "execute_tool");
            add("gen_ai.tool.name", o_.name);
            if (options.arguments) arguments();
        } else if (o_.method == "prompts/get") {
            add("gen_ai.prompt.name", o_.name);
        } else if (o_.method.starts_with("resources/")) {
            add("mcp.resource.uri", o_.name);
        }
    }
    void arguments() {
        const json::value* given = o_.params ? o_.params->if_contains("arguments") : nullptr;
        if (!given) return;
        json::value copy = *given;
        mask_secrets_in(copy);
        add("gen_ai.tool.call.arguments", json::write(copy));
    }
    // A JSON string without its quotation marks. Escapes in it stay.
    std::string_view id() const {
        const std::string_view text = o_.request_id;
        const bool quoted = text.size() >= 2 && text.front() == '"' && text.back() == '"';
        return text == "null" ? "" : quoted ? text.substr(1, text.size() - 2) : text;
    }
    void add(std::string_view key, std::string_view text) {
        if (!text.empty()) add_attribute(out_, span::attributes, key, SafeText(text).view());
    }

    Protobuf& out_;
    const Operation& o_;
};

// Readers group spans by their name. So it has only names that were registered, or that this client itself chose.
std::string name_of(const Operation& o) {
    std::string out;
    out.reserve(64);
    if (o.kind == Operation::Kind::task) out += "task ";
    out += o.known_method && !o.method.empty() ? SafeText(o.method).view() : "_OTHER";
    const bool has_target = o.method == "tools/call" || o.method == "prompts/get";
    const bool named = o.known_name || o.side == Operation::Side::client;
    if (o.known_method && named && has_target) (out += ' ') += SafeText(o.name).view();
    return out;
}

// The message of a tool's error is a part of its result, which is not exported.
std::string status_of(const Operation& o) {
    std::string out;
    if (error_type(o).empty()) return out;
    if (o.side == Operation::Side::server && is_mistake_of_client(o)) return out;
    Protobuf status(out);
    if (o.end != OperationEnd::tool_error && !o.reason.empty())
        status.bytes(span::status_message, SafeText(o.reason).view());
    status.number(span::status_code, span::status_error);
    return out;
}

std::uint64_t nanoseconds(std::chrono::nanoseconds since_epoch) {
    return since_epoch.count() < 0 ? 0 : static_cast<std::uint64_t>(since_epoch.count());
}

}  // namespace

std::string encode_span(const Operation& o, const SpanOptions& options) {
    const auto ids = o.trace.ids();
    const IdBytes trace_id(ids.trace), span_id(ids.span), parent(o.parent_span);
    if (trace_id.view().empty() || span_id.view().empty()) return {};
    std::string text;
    text.reserve(512);
    Protobuf out(text);
    out.bytes(span::trace_id, trace_id.view());
    out.bytes(span::span_id, span_id.view());
    if (!o.trace.tracestate.empty()) out.bytes(span::trace_state, o.trace.tracestate);
    const bool has_parent = o.parent_span.size() == 16;
    if (has_parent) out.bytes(span::parent_span_id, parent.view());
    out.bytes(span::name, name_of(o));
    const bool is_server = o.side == Operation::Side::server;
    const bool is_task = o.kind == Operation::Kind::task;
    out.number(span::kind, is_task ? span::kind_internal : is_server ? span::kind_server : span::kind_client);
    const std::uint64_t began = nanoseconds(o.began.time_since_epoch());
    out.fixed64(span::start, began);
    out.fixed64(span::end, began + nanoseconds(o.took));
    SpanAttributes(out, o).write(options);
    if (const std::string status = status_of(o); !status.empty()) out.bytes(span::status, status);
    out.fixed32(span::flags, span::flag_sampled | span::flag_knows_remote |
                                 (has_parent && is_server && !is_task ? span::flag_is_remote : 0));
    return text;
}

std::string encode_trace_request(const Attributes& resource, std::string_view tenon_version,
                                 std::span<const std::string> spans) {
    std::string scope, of_scope, described, of_resource, out;
    Protobuf about(scope);
    about.bytes(request::scope_name, "tenon");
    about.bytes(request::scope_version, tenon_version);
    Protobuf in_scope(of_scope);
    in_scope.bytes(request::scope, scope);
    for (const std::string& one : spans) in_scope.bytes(request::spans, one);
    Protobuf attributes(described);
    for (const auto& [key, text] : resource) add_attribute(attributes, request::resource_attributes, key, text);
    Protobuf in_resource(of_resource);
    in_resource.bytes(request::resource, described);
    in_resource.bytes(request::scope_spans, of_scope);
    Protobuf(out).bytes(request::resource_spans, of_resource);
    return out;
}

bool Sampler::samples(const Operation& o) const {
    if (parent_based && !o.parent_span.empty()) return o.trace.sampled();
    if (ratio >= 1) return true;
    const std::string_view id = o.trace.trace_id();
    if (ratio <= 0 || id.size() != 32) return false;
    std::uint64_t low = 0;  // the last 56 bits, which are random
    for (const char c : id.substr(18)) low = low << 4 | static_cast<std::uint64_t>(base::hex_digit(c));
    return static_cast<double>(low) < ratio * std::ldexp(1.0, 56);
}

}  // namespace tenon::observe
