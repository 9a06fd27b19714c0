// The oracle: which requests of a conversation must still be answered, and whether each answer belongs to a request.
// Independent of the library. The rules for single messages are in judge.hpp.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "property/judge.hpp"
#include "property/matching.hpp"

namespace tenon::test {

/// An answer of the server, and whether it came in an array.
struct Answer {
    const Json& message;
    bool in_batch = false;
};

/// The requests with one id, and which of them the answers with that id may belong to.
class Group {
 public:
    std::vector<Expected>& members() { return members_; }
    const std::vector<Expected>& members() const { return members_; }

    void add(Expected e) {
        members_.push_back(std::move(e));
        matching_.add_request();
    }
    /// Assigns an answer to a request that it fits. Returns false when no request is left for it.
    bool take(const std::function<bool(const Expected&)>& fits) {
        Matching::Requests fitting;
        for (std::size_t i = 0; i < members_.size(); ++i)
            if (!members_[i].closed && fits(members_[i])) fitting.push_back(i);
        if (!matching_.add_answer(std::move(fitting))) return false;
        const std::vector<bool> open = matching_.maybe_open();
        for (std::size_t i = 0; i < members_.size(); ++i) members_[i].closed |= !open[i];
        return true;
    }
    /// Returns whether the answers can be those of all requests that must be answered.
    bool settled() const {
        if (owed() > matching_.answers()) return false;  // the usual case
        std::vector<bool> wanted;
        for (const Expected& e : members_) wanted.push_back(e.owed);
        return matching_.can_answer(wanted);
    }
    std::size_t owed() const { return static_cast<std::size_t>(std::ranges::count(members_, true, &Expected::owed)); }
    /// Returns whether an answer is certainly missing, and a request with this property may be the one without it.
    bool waits_for(bool Expected::*property) const {
        return !settled() &&
               std::ranges::any_of(members_, [&](const Expected& e) { return e.owed && !e.closed && e.*property; });
    }
    /// Returns whether the group can be forgotten: every answer has come, and a further one would be wrong.
    bool over() const { return std::ranges::all_of(members_, &Expected::closed) && settled(); }

 private:
    std::vector<Expected> members_;
    Matching matching_;
};

/// Records a conversation: which requests must still be answered, and whether each answer belongs to a request.
class Ledger {
 public:
    /// `exact`: each answer is recorded before the next line is sent, as in the pure core. Over a pipe (`loose`) the
    /// order of sending and answering is unknown, so a cancelled request may have been answered or not.
    enum class Timing { exact, loose };
    Ledger(World world, Timing timing) : world_(std::move(world)), timing_(timing) {}

    World& world() { return world_; }
    /// Notes the shutdown. Running requests may be answered with an error, and later requests are refused.
    void shut_down() { stopped_ = world_.shut_down = true; }

    void sent(std::string_view line) {
        if (timing_ == Timing::exact) close_idle();
        Judged judged = judge_line(line, world_);
        for (Expected& e : judged.expected) owe(std::move(e));
        for (const Json& message : judged.messages) note_cancellation(message);
    }

    /// Returns whether the line would leave several requests with one id, one of them cancelled. Over a pipe the ledger
    /// could then not know which request an answer belongs to, or when all are answered.
    bool unclear(std::string_view line) const {
        const Judged judged = judge_line(line, world_);
        const auto one_of_several = [&](const Json& id) {
            std::size_t holders = 0, running = 0;
            const auto count = [&](const Expected& e) {
                if (!e.id || !same_id(*e.id, id)) return;
                ++holders;
                running += e.runs;
            };
            std::ranges::for_each(judged.expected, count);
            for (const auto& [value, group] : groups_) std::ranges::for_each(group.members(), count);
            return holders > 1 && running > 0;
        };
        const auto shares_with_cancelled = [&](const Expected& e) {
            const auto group = e.id ? groups_.find(group_of(&*e.id)) : groups_.end();
            return group != groups_.end() && group->second.owed() < group->second.members().size();
        };
        return std::ranges::any_of(judged.expected, shares_with_cancelled) ||
               std::ranges::any_of(judged.messages, [&](const Json& message) {
                   const Json* id = cancelled_id(message);
                   return id && one_of_several(*id);
               });
    }

    /// Returns what is wrong with a line of the server, or an empty string.
    std::string received(std::string_view line) {
        if (line.ends_with('\r')) return "it ends with a carriage return";
        const auto parsed = JsonReader::read(line, 4096);
        if (!parsed) return "it is not strict JSON";
        if (!parsed->is(Kind::array)) return received(*parsed, false);
        if (!world_.serves_batches() || parsed->items.empty()) return "an array that answers no batch";
        for (const Json& item : parsed->items)
            if (auto wrong = received(item, true); !wrong.empty()) return wrong;
        return {};
    }

    /// Notes that so much time passed that handlers may have timed out. Their answers may be errors.
    void time_went_by() {
        for_each([](Expected& e) {
            if (e.runs) e.must_succeed = false, e.text.reset();
        });
    }

    /// Returns whether every request that must be answered has its answer.
    bool settled() const {
        return std::ranges::all_of(groups_, [](const auto& entry) { return entry.second.settled(); });
    }
    /// Notes that the server has processed all input. Cancelled requests must not be answered after this.
    void rest() { groups_.clear(); }

    /// Returns the ids of requests that share an id with a missing answer, or an empty string.
    std::string owed() const {
        std::string out;
        for (const auto& [value, group] : groups_) {
            if (group.settled()) continue;
            for (const Expected& e : group.members())
                if (e.owed) out += (e.id ? e.id->text : "(no id)") + " ";
        }
        return out;
    }
    /// Returns the ids, as JSON text, of requests whose handlers have not answered.
    std::vector<std::string> open_ids() const {
        std::vector<std::string> out;
        for (const auto& [value, group] : groups_)
            for (const Expected& e : group.members())
                if (e.owed && !e.closed && e.id && e.runs && e.id->is(Kind::number)) out.push_back(e.id->text);
        return out;
    }
    /// The ids, as JSON text, of unanswered requests of the server.
    std::vector<std::string>& asks() { return asks_; }
    std::size_t answers() const { return answers_; }
    std::size_t requests() const { return requests_; }

 private:
    static std::string group_of(const Json* id) { return readable_id(id) ? id_value(*id) : std::string(); }

    void for_each(const std::function<void(Expected&)>& visit) {
        for (auto& [value, group] : groups_) std::ranges::for_each(group.members(), visit);
    }

    // In the core every request without a handler is answered before the next line is sent.
    void close_idle() {
        for_each([](Expected& e) { e.closed |= !e.runs && !e.in_batch; });
        std::erase_if(groups_, [](const auto& entry) { return entry.second.over(); });
    }
    void owe(Expected e) {
        ++requests_;
        Group& group = groups_[group_of(e.id ? &*e.id : nullptr)];
        if (e.id) {
            if (e.is_request && timing_ == Timing::exact && group.waits_for(&Expected::runs) && !batches_open()) {
                e = Expected{.id = e.id, .codes = {-32600}, .in_batch = e.in_batch};
            } else {
                e.may_be_duplicate =
                    std::ranges::any_of(group.members(), [](const Expected& o) { return o.runs && !o.closed; });
            }
        }
        group.add(std::move(e));
    }
    bool batches_open() const {
        return std::ranges::any_of(groups_,
                                   [](const auto& entry) { return entry.second.waits_for(&Expected::in_batch); });
    }

    /// Returns the id of the request that the message cancels, or nothing when it is not a valid cancellation.
    const Json* cancelled_id(const Json& message) const {
        if (!message.is(Kind::object) || world_.revision.empty() || message.find("id")) return nullptr;
        const Json* version = message.find("jsonrpc");
        const Json* method = message.find("method");
        const Json* params = message.find("params");
        if (!version || !version->is_string("2.0") || !method || !method->is_string("notifications/cancelled") ||
            !params || message.find("result") || message.find("error"))
            return nullptr;
        const Json* id = params->find("requestId");
        return readable_id(id) ? id : nullptr;
    }
    void note_cancellation(const Json& message) {
        const Json* id = cancelled_id(message);
        if (!id) return;
        // In the core a request that is still unanswered is still running, so after a cancellation it must never be
        // answered.
        const bool maybe = timing_ == Timing::loose || !exact_id(*id) || batches_open();
        for_each([&](Expected& e) {
            if (!e.owed || e.closed || !e.id || !e.runs || !same_id(*e.id, *id)) return;
            e.owed = false;
            e.closed = !maybe && !e.in_batch;
        });
    }
    static bool exact_id(const Json& id) {
        return id.is(Kind::string) || (id.text.find_first_of(".eE") == std::string::npos && id.text.size() < 19);
    }
    // A fraction or a huge number may be compared by its rounded value.
    static bool same_id(const Json& a, const Json& b) {
        if (id_value(a) == id_value(b)) return true;
        return a.is(Kind::number) && b.is(Kind::number) && !exact_id(b) &&
               std::strtod(a.text.c_str(), nullptr) == std::strtod(b.text.c_str(), nullptr);
    }

    std::string received(const Json& m, bool in_batch) {
        if (auto wrong = wrong_with(m, world_); !wrong.empty()) return wrong;
        const Json* id = m.find("id");
        if (m.find("method")) {
            if (in_batch) return "a batch of answers contains a " + m.find("method")->text;
            if (id) asks_.push_back(id->is(Kind::string) ? "\"" + id->text + "\"" : id->text);
            return m.find("method")->text == "notifications/progress" ? progressed(m.find("params")) : "";
        }
        ++answers_;
        const auto group = groups_.find(group_of(id));
        if (group == groups_.end()) return "no request is waiting for this answer";
        const Answer answer{m, in_batch};
        if (!group->second.take([&](const Expected& e) { return misfit(e, answer).empty(); }))
            return why_not(group->second, answer);
        if (group->second.over()) groups_.erase(group);
        follow_handshake(m);
        return {};
    }
    std::string why_not(const Group& group, const Answer& answer) const {
        std::string why = "no request is waiting for this answer";
        for (const Expected& e : group.members())
            if (std::string wrong = misfit(e, answer); !e.closed && !wrong.empty()) why = wrong;
        return why;
    }

    // LIFE-17: progress is only allowed for an unfinished request that carried the token, and its values must increase.
    std::string progressed(const Json* params) {
        const Json* token = params ? params->find("progressToken") : nullptr;
        const Json* progress = params ? params->find("progress") : nullptr;
        if (!readable_id(token) || !progress || !progress->is(Kind::number))
            return "progress without a token or a number";
        std::vector<Expected*> askers;
        for_each([&, key = token_key(*token)](Expected& e) {
            if (!e.closed && e.token == key) askers.push_back(&e);
        });
        if (askers.empty()) return "progress for an unknown token";
        if (askers.size() > 1) return {};
        const double value = std::strtod(progress->text.c_str(), nullptr);
        if (askers[0]->progress && value <= *askers[0]->progress) return "progress that does not increase";
        askers[0]->progress = value;
        return {};
    }

    static int code_of(const Answer& answer) {  // 0 for a result
        const Json* error = answer.message.find("error");
        return error ? std::stoi(error->find("code")->text) : 0;
    }
    // Returns why the answer cannot belong to this request, or an empty string.
    std::string misfit(const Expected& e, const Answer& answer) const {
        const Json& m = answer.message;
        const Json* id = m.find("id");
        if (readable_id(id) != e.id.has_value() || (e.id && id_key(*e.id) != id_key(*id)))
            return "the id belongs to another request";
        if (e.in_batch != answer.in_batch) return "it must be in a batch exactly if its request was";
        const Json* error = m.find("error");
        const int code = code_of(answer);
        if (error && e.may_be_duplicate && code == -32600) return {};
        if (error && stopped_ && code == -32000) return {};
        if (!e.codes.empty())
            return error && e.codes.contains(code)
                       ? ""
                       : "the answer should be the error " + std::to_string(*e.codes.begin());
        if (!e.must_succeed) return {};
        if (error) return "the answer should be a result";
        if (!e.text) return {};
        const Json* content = m.find("result")->find("content");
        if (!content || content->items.empty()) return "a result without content";
        const Json* text = content->items.front().find("text");
        return text && text->is_string(*e.text) ? "" : "the returned text differs from the sent text";
    }

    void follow_handshake(const Json& m) {
        const Json* result = m.find("result");
        const Json* revision = result ? result->find("protocolVersion") : nullptr;
        if (revision && world_.revision.empty()) world_.revision = revision->text;
    }

    World world_;
    Timing timing_;
    std::map<std::string, Group> groups_;  // by the value of the id
    std::vector<std::string> asks_;
    std::size_t answers_ = 0, requests_ = 0;
    bool stopped_ = false;
};

}  // namespace tenon::test
