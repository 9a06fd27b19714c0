// Input and output of the HTTP rules without a socket: the head of a request, and a ResponseWriter that records its
// calls.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/json.hpp>

#include "framing/http_request.hpp"
#include "framing/sse.hpp"
#include "web/response_writer.hpp"

namespace tenon::test {

/// The head of a request, parsed from text. `fields` contains lines that end with CRLF.
class Head {
 public:
    Head(std::string_view method, std::string_view target, std::string_view fields = {},
         std::string_view host = "localhost") {
        std::string text = std::string(method) + " " + std::string(target) + " HTTP/1.1\r\nHost: " + std::string(host) +
                           "\r\n" + std::string(fields) + "\r\n";
        std::string_view rest = text;
        if (parser_.next(rest) != framing::HttpRequestParser::Event::head)
            throw std::runtime_error(parser_.refusal().why + ": " + text);
    }
    operator const framing::HttpRequest&() const { return parser_.request(); }  // NOLINT: it is one

 private:
    framing::HttpRequestParser parser_;
};

/// Records the calls, and counts misuses: two answers, output after the end, output without a stream.
class NotedExchange final : public web::ResponseWriter {
 public:
    struct Event {
        std::string id, data, type;
    };

    void respond(web::Response answer) override {
        if (over || begun) ++misuses;
        response = std::move(answer);
        over = true;
    }
    void begin_stream(web::Fields with) override {
        if (over || begun) ++misuses;
        begun = true;
        fields = std::move(with);
    }
    void write(std::string bytes) override {
        if (over || !begun) ++misuses;
        if (bytes.starts_with(':')) return void(++comments);
        std::string id;
        if (const auto at = bytes.find("id: "); at != bytes.npos)
            id = bytes.substr(at + 4, bytes.find('\n', at) - at - 4);
        reader_.feed(bytes, [&](const framing::SseReader::Event& e) { events.push_back({id, e.data, e.type}); });
    }
    void end() override {
        if (over || !begun) ++misuses;
        over = true;
    }
    void wait_for_reader(base::LateStop&) override { ++waits; }

    bool streams() const { return begun && !response.status; }
    std::optional<long long> retry_ms() const { return reader_.retry_ms(); }
    std::string field(std::string_view name) const {
        for (const auto& [key, value] : begun ? fields : response.fields)
            if (key == name) return value;
        return {};
    }
    /// Returns the events that carry a message.
    std::vector<std::string> messages() const {
        std::vector<std::string> out;
        for (const Event& e : events)
            if (!e.data.empty()) out.push_back(e.data);
        return out;
    }
    /// Returns the last message of the stream, or the body.
    json::value answer() const {
        const auto said = messages();
        const std::string text = begun ? (said.empty() ? "null" : said.back()) : response.body;
        return text.empty() ? json::value() : json::parse(text, {1000}).value();
    }

    web::Response response{.status = 0};
    web::Fields fields;
    std::vector<Event> events;
    bool begun = false, over = false;
    int comments = 0, misuses = 0;
    int waits = 0;  // calls of wait_for_reader()

 private:
    framing::SseReader reader_{64 * 1024 * 1024};
};

inline std::shared_ptr<NotedExchange> new_exchange() { return std::make_shared<NotedExchange>(); }

}  // namespace tenon::test
