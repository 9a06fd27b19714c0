// Encodes operations as spans for OpenTelemetry: the message ExportTraceServiceRequest of OTLP, in protobuf.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/operation.hpp>

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::observe {

using Attributes = std::vector<std::pair<std::string, std::string>>;

struct SpanOptions {
    bool arguments = false;  ///< also the arguments of tools, with secrets masked
};

/// Longer texts are cut.
inline constexpr std::size_t max_attribute_bytes = 1024;

/// Returns a Span of OTLP as OpenTelemetry's conventions for MCP define it; empty: the operation has no trace. Text of
/// the peer is made printable and cut.
std::string encode_span(const Operation& operation, const SpanOptions& options = {});

/// Returns an ExportTraceServiceRequest with these spans. `resource` describes this process.
std::string encode_trace_request(const Attributes& resource, std::string_view tenon_version,
                                 std::span<const std::string> spans);

/// How traces are chosen: the samplers of OpenTelemetry.
struct Sampler {
    bool parent_based = true;  ///< a trace that another program began is sampled if that program says so
    double ratio = 1;          ///< the part of the other traces that is sampled

    /// Returns whether the span of this operation is exported.
    bool samples(const Operation& operation) const;
};

}  // namespace tenon::observe

#pragma GCC visibility pop
