#include "check/wire/conversation.hpp"

#include <algorithm>
#include <charconv>

#include "check/wire/exchange_request.hpp"
#include "framing/line_framer.hpp"
#include "protocol/meta_keys.hpp"

namespace tenon::check {
namespace {

using protocol::Trait;

constexpr std::size_t max_readable_bytes = 4 * 1024 * 1024;  // a server need not read the id of a larger message
constexpr std::size_t max_readable_id_bytes = 1024;          // nor a longer id
constexpr Duration farewell_time = std::chrono::seconds(1);
constexpr Duration stray_time = std::chrono::seconds(1);  // how long to wait for the right response after a wrong one

const json::object no_object;

bool says_2_0(const json::object& o) {
    const json::value* version = o.if_contains("jsonrpc");
    return version && *version == json::value("2.0");
}

// Returns whether this is a valid notification, which must get no response. A malformed one may be refused.
bool is_notification(const json::object& o) {
    const json::value *method = o.if_contains("method"), *params = o.if_contains("params");
    return says_2_0(o) && method && method->is_string() && !o.contains("id") && (!params || params->is_object());
}
bool is_request(const json::object& o) {
    const json::value *method = o.if_contains("method"), *params = o.if_contains("params");
    return says_2_0(o) && method && method->is_string() && o.contains("id") && (!params || params->is_object());
}
bool is_response(const json::object& o) {
    return says_2_0(o) && o.contains("id") && !o.contains("method") && o.contains("result") != o.contains("error");
}

// Finds the id in text that is not valid JSON for us. A server with a lenient parser may read it and use the id.
std::optional<jsonrpc::Id> number_after_id(std::string_view bytes) {
    constexpr std::string_view key = "\"id\":";
    const std::size_t at = bytes.find(key);
    std::int64_t number = 0;
    if (at == bytes.npos) return std::nullopt;
    const std::string_view rest = bytes.substr(at + key.size());
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
    return error == std::errc() ? std::optional(jsonrpc::Id(number)) : std::nullopt;
}

}  // namespace

const json::object& Answer::result() const {
    const json::value* result = message.if_contains("result");
    return result && result->is_object() ? result->get_object() : no_object;
}

std::optional<int> Answer::code() const {
    const json::value* error = message.if_contains("error");
    const json::value* code = error && error->is_object() ? error->get_object().if_contains("code") : nullptr;
    if (!code || !code->is_int64()) return std::nullopt;
    return static_cast<int>(code->get_int64());
}

std::string Answer::error_text() const {
    const json::value* error = message.if_contains("error");
    const json::value* text = error && error->is_object() ? error->get_object().if_contains("message") : nullptr;
    const auto number = code();
    return (number ? std::to_string(*number) : "an error without a code") +
           (text && text->is_string() ? " (" + std::string(text->get_string()).substr(0, 200) + ")" : "");
}

Conversation::Conversation(Subject& subject, protocol::Rules rules, MessageObserver* listener)
    : subject_(subject), serial_(subject.next_conversation()), rules_(rules), listener_(listener) {
    if (!stdio()) return;
    subject_.end_running_copy();
    try {
        process_.emplace(subject_.options.target, subject_.transcript);
        subject_.running = &*process_;
    } catch (const std::system_error& e) {
        why_ = "it cannot be started: " + std::string(e.what());
        gone_ = true;
    }
}

Conversation::~Conversation() {
    settle_stray(false);
    if (process_ && subject_.running == &*process_) subject_.end_running_copy();
    if (stream_) subject_.web->abandon(stream_);
    if (!http()) return;
    for (const Open& open : open_) subject_.web->abandon(open.exchange);
    if (session_.empty()) return;
    const auto last = subject_.web->send(web::write_request(http_request("DELETE"), nullptr));
    if (!subject_.web->run_until(std::min(subject_.end, Clock::now() + farewell_time), [&] { return last->ended(); }))
        subject_.web->abandon(last);
}

bool Conversation::open() {
    if (gone_) return false;
    const bool handshake = rules_.is_legacy();
    json::object params;
    if (handshake)
        params = {{"protocolVersion", rules_.name()},
                  {"capabilities", capabilities},
                  {"clientInfo", {{"name", "tenon-check"}, {"version", "1"}}}};
    const Answer first = ask(handshake ? "initialize" : "server/discover", std::move(params));
    if (handshake) subject_.initialize_answers.emplace(rules_.name(), first.message);
    if (!http()) subject_.note_start(first.came(), first.why);
    if (!first.came() && process_) {
        subject_.end_running_copy();
        gone_ = true;
    }
    if (!first.is_result()) {
        why_ = first.came() ? "it refuses: " + first.error_text() : first.why;
        return false;
    }
    introduction_ = first.result();
    if (handshake) tell("notifications/initialized");
    return true;
}

json::object Conversation::meta() const {
    if (rules_.is_legacy()) return {};
    namespace key = protocol::meta_key;
    return {{key::version, rules_.name()},
            {key::client_capabilities, capabilities},
            {key::client_info, {{"name", "tenon-check"}, {"version", "1"}}}};
}

json::object Conversation::request(std::string_view method, json::object params) {
    if (json::object own = meta(); !own.empty()) {
        if (const json::value* given = params.if_contains("_meta"); given && given->is_object())
            for (const auto& member : given->get_object()) own[member.key()] = member.value();
        params["_meta"] = std::move(own);
    }
    json::object out{{"jsonrpc", "2.0"}, {"id", next_id_++}, {"method", method}};
    if (!params.empty()) out["params"] = std::move(params);
    return out;
}

json::object Conversation::notification(std::string_view method, json::object params) const {
    json::object out{{"jsonrpc", "2.0"}, {"method", method}};
    if (!params.empty()) out["params"] = std::move(params);
    return out;
}

std::size_t Conversation::send(const json::object& message, const Tweak& tweak) {
    return send(json::write(message), tweak);
}

std::size_t Conversation::send(std::string_view bytes, const Tweak& tweak) {
    const std::size_t number = remember(bytes);
    if (process_) {
        process_->send(std::string(bytes) + "\n");
        return number;
    }
    if (subject_.sse) post_to_endpoint(*sent_[number - 1], bytes, tweak);
    if (!http()) return number;
    web::ClientRequest request = post_of(*this, std::string(bytes), *find(number));
    if (tweak) tweak(request);
    const auto sent = subject_.web->send(web::write_request(request, nullptr));
    for (std::size_t n = number; n <= sent_.size(); ++n) sent_[n - 1]->exchange = sent;
    open_.push_back({sent, number});
    return number;
}

void Conversation::send_raw(std::string_view bytes) {
    if (!process_) return;
    for (std::size_t from = 0, end = 0; (end = bytes.find('\n', from)) != bytes.npos; from = end + 1)
        remember(bytes.substr(from, end - from));
    process_->send(bytes);
}

std::size_t Conversation::send_in_pieces(std::string_view bytes) {
    const std::size_t number = remember(bytes);
    if (process_)
        for (const auto& piece : {bytes.substr(0, 1), bytes.substr(1, bytes.size() / 2),
                                  bytes.substr(1 + bytes.size() / 2), std::string_view("\n")})
            process_->send_now(piece);
    return number;
}

std::size_t Conversation::send_cut(std::string_view bytes) {
    const std::size_t number = remember(bytes);
    if (process_) process_->send(bytes);
    return number;
}

void Conversation::end_input() {
    if (process_) process_->end_input();
}

// Remembers a sent message and its readable parts, to match responses to it.
std::size_t Conversation::remember(std::string_view bytes) {
    const Reading reading = read_patiently(bytes);
    const json::array* list = reading.value ? reading.value->if_array() : nullptr;
    if (list && !list->empty()) {
        const std::size_t first = sent_.size() + 1;
        for (const json::value& entry : *list) {
            Sent& one = add_sent(entry, bytes);
            one.sound = false;
            one.refusable = true;
        }
        return first;
    }
    Sent& sent = add_sent(reading.value.value_or(nullptr), bytes);
    if (!reading.value) sent.id = number_after_id(bytes);
    const json::object* object = reading.value ? reading.value->if_object() : nullptr;
    sent.sound = reading.defect == TextDefect::none && sent.id && bytes.size() <= max_readable_bytes &&
                 sent.id->text().size() <= max_readable_id_bytes && object && is_request(*object);
    const bool is_well_formed_notification =
        object && is_notification(*object) && reading.defect == TextDefect::none && bytes.size() <= max_readable_bytes;
    sent.refusable = !sent.sound && !is_well_formed_notification;
    if (sent.id && reading.value) sent.id = jsonrpc::Id::from(reading.value->get_object().at("id"), spelled_id(bytes));
    if (sent.id) numbers_[sent.id->text()].push_back(sent.number);
    return sent.number;
}

Sent& Conversation::add_sent(const json::value& message, std::string_view bytes) {
    auto sent = std::make_unique<Sent>();
    sent->bytes = bytes.substr(0, subject_.options.max_evidence_bytes + 1);  // one more than the limit: shows a cut
    sent->number = sent_.size() + 1;
    const json::object* object = message.if_object();
    if (object) {
        if (const json::value* id = object->if_contains("id")) sent->id = jsonrpc::Id::from(*id);
        if (const json::value* method = object->if_contains("method"); method && method->is_string())
            sent->method = method->get_string();
        if (const json::value* params = object->if_contains("params"); params && params->is_object())
            sent->params = params->get_object();
    }
    sent->answerable = !object || !(is_notification(*object) || is_response(*object));
    sent_.push_back(std::move(sent));
    return *sent_.back();
}

const Sent* Conversation::find(std::size_t number) const {
    return number > 0 && number <= sent_.size() ? sent_[number - 1].get() : nullptr;
}

Answer Conversation::ask(std::string_view method, json::object params, const Tweak& tweak) {
    return answer(send(request(method, std::move(params)), tweak));
}

void Conversation::tell(std::string_view method, json::object params) {
    const std::size_t number = send(notification(method, std::move(params)));
    if (http()) wait_for(find(number)->exchange);
}

std::string_view Conversation::harmless() const { return rules_.is_legacy() ? "ping" : "server/discover"; }

bool Conversation::settle() { return ask(harmless()).came(); }

void Conversation::give_up(std::size_t number) { sent_[number - 1]->given_up = true; }

void Conversation::expect_no_more_refusals() {
    for (const auto& sent : sent_) sent->refusable = false;
}

Answer Conversation::answer(std::size_t number) { return answer_by(number, subject_.patience()); }

Answer Conversation::answer_soon(std::size_t number) {
    return answer_by(number, Clock::now() + subject_.overdue_time());
}

Answer Conversation::answer_promptly(std::size_t number) {
    return answer_by(number, Clock::now() + subject_.prompt_time());
}

Answer Conversation::answer_by(std::size_t number, TimePoint latest) {
    Sent& sent = *sent_[number - 1];
    const TimePoint until = std::min(latest, subject_.patience());
    const TimePoint asked = Clock::now();
    const auto is_stray_for_it = [&] { return stray_ && stray_for_ == number; };
    do {
        const auto ended = [&] { return (sent.exchange && sent.exchange->ended()) || is_refused(sent); };
        wait_until(until, [&] { return sent.answers > 0 || is_stray_for_it() || ended(); });
        if (is_stray_for_it())
            wait_until(std::min(until, Clock::now() + stray_time), [&] { return sent.answers > 0 || ended(); });
        if (is_stray_for_it()) settle_stray(sent.answers == 0);
    } while (sent.answers == 0 && Clock::now() < until && resume(sent));
    sent.given_up = sent.answers == 0;
    // The first request of a process also waits for its start.
    const bool usual =
        number > 1 && sent.method == harmless() && sent.bytes.size() <= subject_.options.max_evidence_bytes;
    if (usual && !sent.given_up) subject_.note_answer(Clock::now() - asked);
    Answer out;
    out.status = sent.exchange ? sent.exchange->status() : is_refused(sent) ? sent.post->status() : 0;
    const Received* const it = sent.answers > 0 ? &received_[sent.first_answer] : nullptr;
    if (!it || !it->object()) {
        out.why = missing(sent);
        out.is_late = !it && may_still_answer(sent);
        const bool unreadable =
            sent.exchange && sent.exchange->status() == 200 && !sent.exchange->is_json() && !sent.exchange->is_stream();
        if (unreadable) out.broken = "HTTP-3.content-type";
        return out;
    }
    out.message = *it->object();
    out.broken = it->broken;
    out.evidence = {subject_.transcript.entry(Evidence::Direction::sent, sent.bytes),
                    subject_.transcript.entry(Evidence::Direction::received, it->text)};
    if (out.status >= 400) out.evidence.push_back({Evidence::Direction::note, "HTTP " + std::to_string(out.status)});
    if (sent.method == "initialize" && out.is_result() && sent.exchange)
        session_ = sent.exchange->field("mcp-session-id").value_or("");
    if (sent.method == "initialize" && out.is_result()) introduced_ = true;
    return out;
}

bool Conversation::may_still_answer(const Sent& sent) const {
    const bool never_sent = subject_.sse && !why_.empty();
    return !is_refused(sent) && !never_sent && !gone() && !(sent.exchange && sent.exchange->ended());
}

std::string Conversation::missing(const Sent& sent) const {
    if (is_refused(sent))
        return sent.post->broken().empty() ? "its POST was answered with HTTP " + std::to_string(sent.post->status())
                                           : sent.post->broken();
    if (subject_.sse && !why_.empty()) return why_;
    if (subject_.flooded) return "the server sends messages without end";
    if (gone()) return process_ && !process_->how().empty() ? "the server " + process_->how() : "the server is gone";
    if (sent.exchange && sent.exchange->ended()) {
        if (!sent.exchange->broken().empty()) return sent.exchange->broken();
        return "HTTP " + std::to_string(sent.exchange->status()) + " without a message that answers";
    }
    return "no answer came in time";
}

bool Conversation::wait_until(TimePoint until, const std::function<bool()>& done) {
    if (!stdio())
        return subject_.web->run_until(until, [&] {
            collect();
            return done() || gone_;
        }) && done();
    while (!done()) {
        if (gone() || !process_) return false;
        switch (process_->next(until)) {
            case ProcessWire::Event::line: take_line(process_->line()); break;
            case ProcessWire::Event::end: take_end(process_->line()); break;
            case ProcessWire::Event::late: return false;
        }
    }
    return true;
}

}  // namespace tenon::check
