#include "inspect/export.hpp"

#include <array>
#include <chrono>
#include <cmath>
#include <map>

#include <tenon/wire_tap.hpp>

namespace tenon::inspect {
namespace {

std::string shown(const Message& message, const ExportSource& source) {
    return source.mask ? mask_secrets(message.text) : message.text;
}

json::object har_body(const Message* message, const ExportSource& source) {
    const std::string text = message ? shown(*message, source) : std::string();
    return {{"size", text.size()}, {"mimeType", "application/json"}, {"text", text}};
}

json::object har_entry(const Message& first, const Message* answer, const ExportSource& source) {
    const double ms = answer && answer->latency ? *answer->latency : 0;
    const std::string url =
        source.target.find("://") == std::string::npos ? "stdio:///" + first.method : mask_secrets(source.target);
    json::object request = {{"method", first.sent ? "POST" : "SERVER"},
                            {"url", url},
                            {"httpVersion", "HTTP/1.1"},
                            {"cookies", json::array()},
                            {"headers", json::array()},
                            {"queryString", json::array()},
                            {"headersSize", -1},
                            {"bodySize", first.text.size()},
                            {"postData", har_body(&first, source)}};
    request["postData"].as_object().erase("size");
    json::object response = {{"status", answer ? 200 : 0},
                             {"statusText", answer ? "OK" : ""},
                             {"httpVersion", "HTTP/1.1"},
                             {"cookies", json::array()},
                             {"headers", json::array()},
                             {"content", har_body(answer, source)},
                             {"redirectURL", ""},
                             {"headersSize", -1},
                             {"bodySize", answer ? static_cast<std::int64_t>(answer->text.size()) : -1}};
    return {{"startedDateTime", iso_time(first.at)},
            {"time", ms},
            {"request", std::move(request)},
            {"response", std::move(response)},
            {"cache", json::object()},
            {"timings", json::object{{"send", 0}, {"wait", ms}, {"receive", 0}}},
            {"_method", first.method},
            {"_direction", first.sent ? "sent" : "received"},
            {"_number", first.number}};
}

}  // namespace

std::string iso_time(double ms) {
    using namespace std::chrono;
    const auto total = static_cast<std::int64_t>(std::floor(ms));
    const sys_time<milliseconds> time{milliseconds(total)};
    const auto day = floor<days>(time);
    const year_month_day date(day);
    const hh_mm_ss clock(time - day);
    std::array<char, 64> out{};
    std::snprintf(out.data(), out.size(), "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                  static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                  static_cast<int>(clock.seconds().count()), static_cast<int>(clock.subseconds().count()));
    return out.data();
}

std::string export_json(const std::vector<const Message*>& messages, const ExportSource& source) {
    json::array all;
    for (const Message* message : messages) {
        json::object one = message_json(*message, std::string_view::npos);
        one["text"] = shown(*message, source);
        one["time"] = iso_time(message->at);
        all.push_back(std::move(one));
    }
    return json::write(json::object{{"creator", json::object{{"name", "tenon inspect"}, {"version", source.version}}},
                                    {"target", mask_secrets(source.target)},
                                    {"masked", source.mask},
                                    {"messages", std::move(all)}});
}

std::string export_har(const std::vector<const Message*>& messages, const ExportSource& source) {
    std::map<std::uint64_t, const Message*> by_number;
    for (const Message* message : messages) by_number[message->number] = message;
    json::array entries;
    for (const Message* message : messages) {
        if (message->request != 0 && by_number.contains(message->request)) continue;  // part of its request's entry
        const auto answer = by_number.find(message->response);
        entries.push_back(har_entry(
            *message, message->response != 0 && answer != by_number.end() ? answer->second : nullptr, source));
    }
    json::object log = {{"version", "1.2"},
                        {"creator", json::object{{"name", "tenon inspect"}, {"version", source.version}}},
                        {"pages", json::array()},
                        {"entries", std::move(entries)}};
    return json::write(json::object{{"log", std::move(log)}});
}

}  // namespace tenon::inspect
