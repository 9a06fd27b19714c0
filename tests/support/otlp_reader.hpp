// A strict reader of ExportTraceServiceRequest, written from the published field numbers and types of
// opentelemetry-proto. An unknown field, a wrong wire type, malformed UTF-8 or trailing bytes are errors.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.hpp"

namespace tenon::test {

struct OtlpSpan {
    std::string trace_id, span_id, parent_span_id, trace_state, name, status_message;
    std::uint64_t kind = 0, start = 0, end = 0, status = 0;
    std::uint32_t flags = 0;
    std::map<std::string, std::string> attributes;
};
struct OtlpRequest {
    std::map<std::string, std::string> resource;
    std::string scope, scope_version;
    std::vector<OtlpSpan> spans;
};

class OtlpReader {
 public:
    static OtlpRequest read(std::string_view bytes) {
        OtlpRequest out;
        each(bytes, {{1, [&](const Field& f) { resource_spans(f.text(), out); }}});
        return out;
    }

 private:
    struct Field {
        unsigned wire;
        std::uint64_t number;
        std::string_view bytes;
        std::string_view text() const { return require(wire == 2), bytes; }
        std::string utf8() const {
            require(base::is_utf8(text()));
            return std::string(bytes);
        }
        std::uint64_t varint() const { return require(wire == 0), number; }
        std::uint64_t fixed64() const { return require(wire == 1), number; }
        std::uint32_t fixed32() const { return require(wire == 5), static_cast<std::uint32_t>(number); }
        std::string id(std::size_t size) const {
            require(text().size() == size);
            return std::string(bytes);
        }
    };
    using Handlers = std::map<std::uint64_t, std::function<void(const Field&)>>;

    static void require(bool ok) {
        if (!ok) throw std::runtime_error("this is not an ExportTraceServiceRequest");
    }
    static std::uint64_t take_varint(std::string_view& bytes) {
        std::uint64_t out = 0;
        for (int shift = 0;; shift += 7) {
            require(!bytes.empty() && shift < 64);
            const auto byte = static_cast<unsigned char>(bytes.front());
            bytes.remove_prefix(1);
            out |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
            if (byte < 0x80) return out;
        }
    }
    static std::uint64_t take_fixed(std::string_view& bytes, std::size_t size) {
        require(bytes.size() >= size);
        std::uint64_t out = 0;
        for (std::size_t i = size; i-- > 0;) out = out << 8 | static_cast<unsigned char>(bytes[i]);
        bytes.remove_prefix(size);
        return out;
    }
    static void each(std::string_view bytes, const Handlers& handlers) {
        while (!bytes.empty()) {
            const std::uint64_t tag = take_varint(bytes);
            Field field{static_cast<unsigned>(tag & 7), 0, {}};
            if (field.wire == 0) {
                field.number = take_varint(bytes);
            } else if (field.wire == 1 || field.wire == 5) {
                field.number = take_fixed(bytes, field.wire == 1 ? 8 : 4);
            } else {
                require(field.wire == 2);
                const std::uint64_t size = take_varint(bytes);
                require(size <= bytes.size());
                field.bytes = bytes.substr(0, size);
                bytes.remove_prefix(size);
            }
            const auto handler = handlers.find(tag >> 3);
            require(handler != handlers.end());
            handler->second(field);
        }
    }
    static void key_value(std::string_view bytes, std::map<std::string, std::string>& out) {
        std::string key, value;
        each(bytes, {{1, [&](const Field& f) { key = f.utf8(); }},
                     {2, [&](const Field& f) {
                          each(f.text(), {{1, [&](const Field& v) { value = v.utf8(); }}});
                      }}});
        require(!key.empty() && out.emplace(key, value).second);
    }
    static void resource_spans(std::string_view bytes, OtlpRequest& out) {
        each(bytes, {{1,
                      [&](const Field& f) {
                          each(f.text(), {{1, [&](const Field& a) { key_value(a.text(), out.resource); }}});
                      }},
                     {2, [&](const Field& f) { scope_spans(f.text(), out); }}});
    }
    static void scope_spans(std::string_view bytes, OtlpRequest& out) {
        each(bytes, {{1,
                      [&](const Field& f) {
                          each(f.text(), {{1, [&](const Field& n) { out.scope = n.utf8(); }},
                                          {2, [&](const Field& n) { out.scope_version = n.utf8(); }}});
                      }},
                     {2, [&](const Field& f) { out.spans.push_back(span(f.text())); }}});
    }
    static OtlpSpan span(std::string_view bytes) {
        OtlpSpan s;
        each(bytes, {{1, [&](const Field& f) { s.trace_id = f.id(16); }},
                     {2, [&](const Field& f) { s.span_id = f.id(8); }},
                     {3, [&](const Field& f) { s.trace_state = f.utf8(); }},
                     {4, [&](const Field& f) { s.parent_span_id = f.id(8); }},
                     {5, [&](const Field& f) { s.name = f.utf8(); }},
                     {6, [&](const Field& f) { s.kind = f.varint(); }},
                     {7, [&](const Field& f) { s.start = f.fixed64(); }},
                     {8, [&](const Field& f) { s.end = f.fixed64(); }},
                     {9, [&](const Field& f) { key_value(f.text(), s.attributes); }},
                     {15,
                      [&](const Field& f) {
                          each(f.text(), {{2, [&](const Field& m) { s.status_message = m.utf8(); }},
                                          {3, [&](const Field& m) { s.status = m.varint(); }}});
                      }},
                     {16, [&](const Field& f) { s.flags = f.fixed32(); }}});
        // What the definitions say in their comments.
        require(s.trace_id.find_first_not_of('\0') != std::string::npos);
        require(s.span_id.find_first_not_of('\0') != std::string::npos);
        require(!s.name.empty() && s.kind >= 1 && s.kind <= 5 && s.status <= 2);
        require(s.start > 0 && s.end >= s.start);
        return s;
    }
};

}  // namespace tenon::test
