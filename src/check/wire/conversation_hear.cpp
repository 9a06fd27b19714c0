// The receiving part of Conversation: turns lines and bodies into messages, and matches responses to requests.
#include <algorithm>

#include "check/wire/conversation.hpp"
#include "framing/line_framer.hpp"

namespace tenon::check {
namespace {

constexpr std::size_t max_lines_bytes = 1024 * 1024;  // of a message that seems to span several lines

bool begins_like_a_message(std::string_view line) {
    const std::size_t first = line.find_first_not_of(" \t\r");
    return first != line.npos && (line[first] == '{' || line[first] == '[');
}

bool has_outcome(const json::object& o) { return o.contains("result") || o.contains("error"); }

// Treats 1 and "1" alike, to find the request. The Judge distinguishes them.
std::string loose(std::string_view id_text) {
    if (id_text.size() >= 2 && id_text.front() == '"') return std::string(id_text.substr(1, id_text.size() - 2));
    return std::string(id_text);
}

// Returns whether it is an invalid request, or something that may be meant as one, and waits for its response.
bool is_open_request(const Sent* a) { return a->answers == 0 && a->answerable && a->refusable && !a->given_up; }

}  // namespace

void Conversation::take_line(const std::string& line) {
    if (lines_.empty() && !begins_like_a_message(line)) return take(line, {}, 0);
    const bool whole = read_patiently(line).value.has_value() && begins_like_a_message(line);
    if (lines_.empty() && whole) return take(line, {}, 0);
    const std::string before = std::exchange(lines_, {});
    const std::string together = before.empty() ? line : before + "\n" + line;
    if (!before.empty() && read_patiently(together).value) return take(together, {}, 0, true);
    if (!whole && together.size() <= max_lines_bytes) {
        lines_ = together;
        return;
    }
    if (!before.empty()) take(before, {}, 0);
    take(line, {}, 0);
}

void Conversation::take_end(const std::string& rest) {
    gone_ = true;
    cut_output_ = !rest.empty();
    if (!lines_.empty()) take(std::exchange(lines_, {}), {}, 0);
    if (!rest.empty()) take(rest, {}, 0);
}

void Conversation::take(std::string text, const std::shared_ptr<Exchange>& by, std::size_t number, bool in_lines) {
    Received received{.text = std::move(text), .in_lines = in_lines, .exchange = by};
    received.reading = read_patiently(received.text);
    const json::array* list = received.reading.value ? received.reading.value->if_array() : nullptr;
    if (!list || list->empty()) {
        if (received.object()) received.id_text = spelled_id(received.text);
        return take_message(std::move(received), number);
    }
    for (std::size_t i = 0; i < list->size(); ++i) {
        Received one = received;
        one.in_array = true;
        one.reading.value = (*list)[i];
        one.id_text = spelled_id(received.text, i);
        take_message(std::move(one), number);
    }
}

void Conversation::take_message(Received received, std::size_t number) {
    const std::size_t perhaps = match(received, number);
    if (received.answers == 0 && perhaps > 0) {
        settle_stray(false);
        stray_ = std::move(received);
        stray_for_ = perhaps;
        return;
    }
    keep(std::move(received));
}

// Decides about the stray response: it is the answer to the waiting request, or it belongs to no request.
void Conversation::settle_stray(bool is_answer) {
    if (!stray_) return;
    Received received = *std::exchange(stray_, std::nullopt);
    if (is_answer) received.answers = stray_for_;
    keep(std::move(received));
}

void Conversation::keep(Received received) {
    Sent* sent = received.answers > 0 ? sent_[received.answers - 1].get() : nullptr;
    if (sent && ++sent->answers == 1) sent->first_answer = received_.size();
    if (!sent || sent->answers > 1) count_unasked(received);
    if (listener_) received.broken = listener_->received(received, sent, *this);
    received_.push_back(std::move(received));
    if (const json::object* o = received_.back().object();
        o && o->contains("method") && o->contains("id") && !has_outcome(*o))
        answer_request(json::object(*o));
}

// A server that never stops would fill the memory. Nothing more is read from it.
void Conversation::count_unasked(const Received& received) {
    ++unasked_;
    unasked_bytes_ += received.text.size();
    if (unasked_ <= Subject::max_unasked && unasked_bytes_ <= Subject::max_unasked_bytes) return;
    subject_.flooded = gone_ = true;
    for (const Open& open : open_) subject_.web->abandon(open.exchange);
    if (stream_) subject_.web->abandon(stream_);
}

// Returns the oldest request with this id that waits for its response. Most responses have one, and it is found without
// a look at all messages that were sent.
std::size_t Conversation::waiting_request(const jsonrpc::Id& id, const Received& received) const {
    const auto known = numbers_.find(id.text());
    if (known == numbers_.end()) return 0;
    for (const std::size_t number : known->second) {
        const Sent& sent = *sent_[number - 1];
        const bool is_here = !received.exchange || sent.exchange == received.exchange;
        if (is_here && sent.answerable && sent.answers == 0 && !sent.given_up) return number;
    }
    return 0;
}

// Finds the request by the id of the response, then by the text of the id, and sets received.answers. An error without
// an id answers the newest message that may be refused. If nothing matches and only one request is waiting, returns its
// number: the response may belong to it. Otherwise returns 0.
std::size_t Conversation::match(Received& received, std::size_t number) const {
    const json::object* o = received.object();
    if (!o || !has_outcome(*o) || o->contains("method")) return 0;
    const json::value* id_value = o->if_contains("id");
    const auto id = id_value ? jsonrpc::Id::from(*id_value, received.id_text) : std::nullopt;
    if (id && (received.answers = waiting_request(*id, received)) > 0) return 0;
    std::vector<const Sent*> candidates;
    for (const auto& sent : sent_)
        if ((sent->answerable || sent->refusable) &&
            (!received.exchange || sent->exchange == received.exchange || sent->number == number))
            candidates.push_back(sent.get());
    const auto choose = [&](auto fits) {
        const auto it = std::ranges::find_if(candidates, [&](const Sent* a) { return fits(*a); });
        if (it != candidates.end() && received.answers == 0) received.answers = (*it)->number;
    };
    if (id) {
        // An earlier message without a response may have had the same id.
        choose([&](const Sent& a) { return a.answerable && a.answers == 0 && !a.given_up && a.id == id; });
        choose([&](const Sent& a) { return a.answerable && a.answers == 0 && a.id == id; });
        const bool may_refuse = o->contains("error") && std::ranges::any_of(candidates, is_open_request);
        if (!may_refuse) choose([&](const Sent& a) { return a.answerable && a.id == id; });
        choose([&](const Sent& a) {
            return a.answerable && a.answers == 0 && a.id && loose(a.id->text()) == loose(received.id_text);
        });
    }
    std::ranges::reverse(candidates);
    if (!id && o->contains("result")) choose([](const Sent& a) { return a.answers == 0 && a.answerable && !a.id; });
    const auto waits = [](const Sent* a) { return a->answers == 0 && a->sound && !a->given_up; };
    if (o->contains("error") && id) choose([](const Sent& a) { return is_open_request(&a); });
    if (o->contains("error") && !id) {
        choose([](const Sent& a) { return a.answers == 0 && a.refusable && !a.given_up; });
        choose([](const Sent& a) { return a.answers == 0 && a.refusable; });
        choose([](const Sent& a) { return a.refusable; });
    }
    if (received.answers > 0 || std::ranges::count_if(candidates, waits) != 1) return 0;
    return (*std::ranges::find_if(candidates, waits))->number;
}

// Answers a request of the server. Only ping gets a result, because the checker declares no other features.
void Conversation::answer_request(const json::object& message) {
    if (rules_.is_modern()) return;
    const json::value& method = message.at("method");
    json::object out{{"jsonrpc", "2.0"}, {"id", message.at("id")}};
    if (method.is_string() && method.get_string() == "ping")
        out["result"] = json::object();
    else
        out["error"] = {{"code", code::method_not_found}, {"message", "this client does not have that"}};
    sent_[send(out) - 1]->refusable = false;
}

}  // namespace tenon::check
