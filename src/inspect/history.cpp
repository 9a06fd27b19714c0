#include "inspect/history.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "inspect/members.hpp"

namespace tenon::inspect {
namespace {

constexpr std::array<std::string_view, 5> kind_names = {"request", "response", "error", "notification", "invalid"};

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool contains_ignoring_case(std::string_view text, std::string_view part) {
    const auto same = [](char a, char b) { return lower(a) == lower(b); };
    return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

MessageKind kind_of(const json::object& o) {
    if (o.contains("method")) return o.contains("id") ? MessageKind::request : MessageKind::notification;
    if (o.contains("error")) return MessageKind::error;
    return o.contains("result") ? MessageKind::response : MessageKind::invalid;
}

void describe(Message& message, const json::value* value) {
    // Of a batch, the first message decides.
    if (value && value->is_array() && !value->get_array().empty()) value = &value->get_array().front();
    const json::object* o = value ? value->if_object() : nullptr;
    message.kind = o ? kind_of(*o) : MessageKind::invalid;
    if (!o) return;
    message.method = text_of_member(*o, "method");
    if (const json::value* id = o->if_contains("id"); id && !id->is_null()) message.id = json::write(*id);
}

Error wrong_filter(std::string_view member, std::string_view allowed) {
    return {code::invalid_params, "`filter." + std::string(member) + "` must be " + std::string(allowed)};
}

}  // namespace

std::string_view to_string(MessageKind kind) { return kind_names[static_cast<std::size_t>(kind)]; }

std::string_view cut_text(std::string_view text, std::size_t max_bytes) {
    if (text.size() <= max_bytes) return text;
    std::size_t end = max_bytes;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
    return text.substr(0, end);
}

Result<MessageFilter> MessageFilter::read(const json::object& filter) {
    MessageFilter out;
    out.text = text_of_member(filter, "text");
    out.method = text_of_member(filter, "method");
    const auto flag = [&](std::string_view name) {
        const json::value* v = filter.if_contains(name);
        return v && v->is_bool() ? std::optional(v->get_bool()) : std::nullopt;
    };
    out.pinned = flag("pinned");
    if (const json::value* v = filter.if_contains("connection"); v && v->is_number())
        out.connection = v->to_number<std::uint64_t>();
    if (const std::string direction = text_of_member(filter, "direction"); !direction.empty()) {
        if (direction != "sent" && direction != "received") return wrong_filter("direction", "`sent` or `received`");
        out.sent = direction == "sent";
    }
    if (const std::string verdict = text_of_member(filter, "verdict"); !verdict.empty()) {
        if (verdict != "broken" && verdict != "clean") return wrong_filter("verdict", "`broken` or `clean`");
        out.broken = verdict == "broken";
    }
    if (const std::string kind = text_of_member(filter, "kind"); !kind.empty()) {
        const auto found = std::ranges::find(kind_names, kind);
        if (found == kind_names.end()) return wrong_filter("kind", "request, response, error, notification or invalid");
        out.kind = static_cast<MessageKind>(found - kind_names.begin());
    }
    return out;
}

bool MessageFilter::selects_all() const {
    return text.empty() && !sent && !kind && method.empty() && !broken && !connection && !pinned;
}

bool MessageFilter::selects(const Message& m) const {
    return (!sent || *sent == m.sent) && (!kind || *kind == m.kind) && (method.empty() || method == m.method) &&
           (!broken || *broken == !m.verdicts.empty()) && (!connection || *connection == m.connection) &&
           (!pinned || *pinned == m.pinned) && (text.empty() || contains_ignoring_case(m.text, text));
}

// Finds the request of a response, which came from the other side.
void History::match(Message& message) {
    if (message.kind != MessageKind::response && message.kind != MessageKind::error) return;
    const auto found = requests_.find({message.connection, !message.sent, message.id});
    if (found == requests_.end()) return;
    Message& request = messages_.at(found->second);
    message.request = request.number;
    message.method = request.method;
    message.latency = std::max(0.0, message.at - request.at);  // the clock may have been set back
    if (request.answers++ == 0) request.response = message.number;
}

Message& History::add(Message message, const json::value* value) {
    message.number = next_++;
    describe(message, value);
    match(message);
    if (message.kind == MessageKind::request)
        requests_[{message.connection, message.sent, message.id}] = message.number;
    bytes_ += message.text.size();
    const std::uint64_t number = message.number;
    messages_.emplace(number, std::move(message));
    forget_some();
    return messages_.at(number);
}

void History::forget_some() {
    auto oldest = messages_.begin();
    while (messages_.size() > limits_.max_messages || bytes_ > limits_.max_bytes) {
        while (oldest != messages_.end() && oldest->second.pinned) ++oldest;
        if (oldest == messages_.end() || std::next(oldest) == messages_.end()) return;  // keeps the newest
        const Message& message = oldest->second;
        const auto open = requests_.find({message.connection, message.sent, message.id});
        if (open != requests_.end() && open->second == message.number) requests_.erase(open);
        bytes_ -= message.text.size();
        ++dropped_;
        oldest = messages_.erase(oldest);
    }
}

const Message* History::find(std::uint64_t number) const {
    const auto found = messages_.find(number);
    return found == messages_.end() ? nullptr : &found->second;
}

bool History::pin(std::uint64_t number, bool pinned) {
    const auto found = messages_.find(number);
    if (found == messages_.end()) return false;
    Message& message = found->second;
    if (message.pinned == pinned) return true;
    if (pinned && pinned_ >= limits_.max_pinned) return false;
    pinned_ += pinned ? 1 : -1UL;
    message.pinned = pinned;
    return true;
}

void History::clear() {
    messages_.clear();
    requests_.clear();
    bytes_ = pinned_ = dropped_ = 0;
}

History::Page History::page(const MessageFilter& filter, const Range& range) const {
    Page out;
    if (filter.selects_all()) {
        out.total = messages_.size();
    } else {
        for (const auto& [number, message] : messages_)
            if (filter.selects(message)) ++out.total;
    }
    if (range.before != 0 && range.after == 0) {
        for (auto it = std::make_reverse_iterator(messages_.lower_bound(range.before));
             it != messages_.rend() && out.messages.size() < range.limit; ++it)
            if (filter.selects(it->second)) out.messages.push_back(&it->second);
        std::ranges::reverse(out.messages);
        return out;
    }
    std::size_t skipped = 0;
    for (auto it = messages_.upper_bound(range.after); it != messages_.end() && out.messages.size() < range.limit;
         ++it) {
        if (range.before != 0 && it->first >= range.before) break;
        if (!filter.selects(it->second)) continue;
        if (skipped < range.offset)
            ++skipped;
        else
            out.messages.push_back(&it->second);
    }
    return out;
}

json::object message_json(const Message& m, std::size_t max_text) {
    const std::string_view text = cut_text(m.text, max_text);
    json::object out = {{"number", m.number},
                        {"at", m.at},
                        {"connection", m.connection},
                        {"direction", m.sent ? "sent" : "received"},
                        {"kind", to_string(m.kind)},
                        {"method", m.method},
                        {"size", m.text.size()},
                        {"text", text},
                        {"cut", text.size() < m.text.size()},
                        {"verdicts", m.verdicts},
                        {"pinned", m.pinned}};
    if (!m.id.empty())
        if (auto id = json::parse(m.id)) out["id"] = *std::move(id);
    if (m.latency) out["ms"] = *m.latency;
    if (m.request != 0) out["request"] = m.request;
    if (m.response != 0) out["response"] = m.response;
    return out;
}

}  // namespace tenon::inspect
