#include "http/client_answer.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include <tenon/json.hpp>

#include "base/printable.hpp"
#include "framing/http_fields.hpp"
#include "http/response.hpp"

namespace tenon::web {
namespace {

using std::string_view;

constexpr std::size_t most_quoted = 300;
constexpr std::size_t max_depth = 128;

bool is_type(const framing::HttpResponse& head, string_view type) {
    const auto said = head.fields.only("content-type");
    return said && framing::equal_ignoring_case(framing::trimmed(said->substr(0, said->find(';'))), type);
}

// Steps through text that may be no JSON at all, and never past its end.
class Scanner {
 public:
    explicit Scanner(string_view text) : text_(text) {}

    bool at_end() const { return at_ >= text_.size(); }
    char peek() {
        while (!at_end() && string_view(" \t\r\n").find(text_[at_]) != string_view::npos) ++at_;
        return at_end() ? '\0' : text_[at_];
    }
    bool take(char c) { return peek() == c && !at_end() ? ++at_, true : false; }
    string_view take_string() {  // with its quotes
        const std::size_t begin = at_++;
        while (!at_end() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2U : 1U;
        ++at_;
        return text_.substr(begin, at_ - begin);
    }
    string_view take_value() {
        const char first = peek();
        const std::size_t begin = at_;
        if (first == '"') return take_string();
        if (first != '{' && first != '[') {
            while (!at_end() && string_view(",}] \t\r\n").find(text_[at_]) == string_view::npos) ++at_;
            return text_.substr(begin, at_ - begin);
        }
        std::size_t depth = 0;
        do {
            const char c = text_[at_];
            if (c == '"') {
                take_string();
                continue;
            }
            if (c == '{' || c == '[') ++depth;
            if (c == '}' || c == ']') --depth;
            ++at_;
        } while (depth > 0 && !at_end());
        return text_.substr(begin, at_ - begin);
    }

 private:
    string_view text_;
    std::size_t at_ = 0;
};

bool object_answers(Scanner& scan, const std::string& id) {
    bool named = false, asks = false;
    while (!scan.at_end() && !scan.take('}')) {
        if (scan.peek() != '"') return false;
        const string_view key = scan.take_string();
        if (!scan.take(':')) return false;
        const string_view value = scan.take_value();
        if (key == "\"id\"") named = value == id;
        if (key == "\"method\"") asks = true;
        scan.take(',');
    }
    return named && !asks;
}

}  // namespace

std::string printable(string_view s) { return base::printable(framing::trimmed(s), most_quoted); }

Reading reading_of(const framing::HttpResponse& head, bool of_request) {
    if (head.status < 200 || head.status >= 300) return Reading::explanation;
    if (!of_request || head.status == 202 || head.status == 204) return Reading::nothing;
    if (const auto coding = head.fields.only("content-encoding");
        coding && !framing::equal_ignoring_case(*coding, "identity"))
        return Reading::unintelligible;
    if (is_type(head, "application/json")) return Reading::message;
    if (is_type(head, "text/event-stream")) return Reading::stream;
    return Reading::unintelligible;
}

std::optional<Error> jsonrpc_error(string_view body) {
    const auto parsed = json::parse(body, {max_depth});
    const json::object* o = parsed ? parsed->if_object() : nullptr;
    const json::value* said = o ? o->if_contains("error") : nullptr;
    const json::object* error = said ? said->if_object() : nullptr;
    const json::value* number = error ? error->if_contains("code") : nullptr;
    const json::value* text = error ? error->if_contains("message") : nullptr;
    if (!number || !number->is_int64() || !text || !text->is_string()) return std::nullopt;
    const std::int64_t n = number->get_int64();
    if (n < std::numeric_limits<int>::min() || n > std::numeric_limits<int>::max()) return std::nullopt;
    const json::value* data = error->if_contains("data");
    return Error{static_cast<int>(n), std::string(text->get_string()), data ? *data : json::value()};
}

Error refusal_error(int status, string_view www_authenticate, string_view body) {
    auto said = jsonrpc_error(body);
    if (said && (is_modern_error(said->code) || (status != 401 && status != 403))) return *std::move(said);
    std::string text = "the server answered HTTP " + std::to_string(status) + " " + std::string(reason_of(status));
    if (status == 401) text += ": it wants to know who calls";
    if (const std::string more = printable(said ? said->message : body); !more.empty()) text += ": " + more;
    json::object data{{"httpStatus", status}};
    if (!www_authenticate.empty()) data.emplace("wwwAuthenticate", printable(www_authenticate));
    return {code::server_error, std::move(text), std::move(data)};
}

bool is_modern_error(int code) {
    return code == code::unsupported_version || code == code::missing_capability || code == code::header_mismatch;
}

bool may_be_old_transport(int status, const std::optional<Error>& said) {
    return (status == 400 || status == 404 || status == 405) && !(said && is_modern_error(said->code));
}

std::optional<string_view> redirect_target(const framing::HttpResponse& head, string_view method) {
    const bool keeps =
        head.status == 307 || head.status == 308 || ((head.status == 301 || head.status == 302) && method == "GET");
    return keeps ? head.fields.only("location") : std::nullopt;
}

bool answers(string_view message, std::int64_t request) {
    const std::string id = std::to_string(request);
    Scanner scan(message);
    if (scan.take('{')) return object_answers(scan, id);
    if (!scan.take('[')) return false;
    while (scan.take('{')) {
        if (object_answers(scan, id)) return true;
        scan.take(',');
    }
    return false;
}

}  // namespace tenon::web
