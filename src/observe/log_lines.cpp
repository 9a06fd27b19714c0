#include <tenon/log_lines.hpp>

#include <algorithm>
#include <array>
#include <vector>

#include <tenon/json_writer.hpp>

#include "base/printable.hpp"
#include "observe/mask.hpp"
#include "observe/operation_log.hpp"
#include "observe/timestamp.hpp"

namespace tenon {
namespace {

// Returns the value, in quotes if it would not be one word.
std::string quoted(std::string_view value) {
    const std::string text = base::printable(value);
    if (!text.empty() && text.find_first_of(" \"=\\") == std::string::npos) return text;
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out += '"';
}

std::string text_line(const LogRecord& record) {
    std::string out = "tenon: " + std::string(to_string(record.level)) + ": " + base::printable(record.message);
    for (const auto& [name, value] : record.fields) out += " " + base::printable(name) + "=" + quoted(value);
    return out;
}

std::string json_line(const LogRecord& record) {
    static constexpr std::array<std::string_view, 3> taken = {"time", "level", "message"};
    std::string out;
    json::Writer w(out);
    w.begin_object();
    w.field("time", observe::timestamp(record.time));
    w.field("level", to_string(record.level));
    w.field("message", base::printable(record.message));
    for (const auto& [name, value] : record.fields) {
        std::string key = base::printable(name);
        if (std::ranges::find(taken, key) != taken.end()) key += '_';
        w.field(key, base::printable(value));
    }
    w.end_object();
    return out;
}

LogLevel level(const Operation& operation) {
    const bool unreadable = operation.method.empty() && operation.http_status == 0;
    switch (operation.end) {
        case OperationEnd::timed_out: return LogLevel::error;
        case OperationEnd::refused: return unreadable ? LogLevel::warning : LogLevel::info;
        case OperationEnd::protocol_error:
            return operation.error_code == code::internal_error ? LogLevel::notice : LogLevel::info;
        default: return LogLevel::info;
    }
}

std::string_view words(OperationEnd end) {
    switch (end) {
        case OperationEnd::ok: return "done";
        case OperationEnd::tool_error: return "the tool failed";
        case OperationEnd::protocol_error: return "failed";
        case OperationEnd::timed_out: return "timed out";
        case OperationEnd::input_required: return "asked the client";
        default: return to_string(end);
    }
}

std::string message_of(const Operation& operation) {
    std::string out = operation.method.empty() ? std::string("a message") : observe::safe_text(operation.method);
    if (operation.kind == Operation::Kind::task) out = "the task of " + out;
    if (!operation.name.empty() && operation.name != operation.method) out += " " + observe::safe_text(operation.name);
    (out += ": ") += words(operation.end);
    if (!operation.reason.empty()) out += ": " + observe::safe_text(operation.reason);
    return out;
}

}  // namespace

std::string log_line(const LogRecord& record, LogFormat format) {
    return format == LogFormat::json ? json_line(record) : text_line(record);
}

OperationObserver log_operations(LogSink sink) {
    return [sink = std::move(sink)](const Operation& operation) { observe::log_operation(sink, operation); };
}

namespace observe {

LogLevel level_of(const Operation& operation) { return level(operation); }

void log_operation(const LogSink& sink, const Operation& o, std::string_view note) {
    // The texts live in `texts` until the sink has returned.
    std::vector<std::pair<std::string_view, std::string>> texts;
    const auto add = [&texts](std::string_view name, std::string_view value) {
        if (!value.empty()) texts.emplace_back(name, safe_text(value));
    };
    add("outcome", to_string(o.end));
    add("principal", o.principal);
    add("client", o.client_name);
    add("address", o.address);
    add("id", o.request_id);
    add("task", o.task);
    if (o.error_code != 0) add("error", std::to_string(o.error_code));
    if (o.http_status != 0) add("status", std::to_string(o.http_status));
    add("took_us", std::to_string(std::chrono::duration_cast<std::chrono::microseconds>(o.took).count()));
    add("trace_id", o.trace.trace_id());
    add("note", note);
    std::vector<LogField> fields;
    for (const auto& [name, value] : texts) fields.push_back({name, value});
    const std::string message = message_of(o);
    const auto time = o.began + std::chrono::duration_cast<std::chrono::system_clock::duration>(o.took);
    sink({.time = time, .level = level(o), .message = message, .fields = fields});
}

}  // namespace observe
}  // namespace tenon
