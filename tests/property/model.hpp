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

namespace tenon::test {

/// An answer of the server, with the data that the ledger needs to assign it to a request.
struct Answer {
    Json message;
    bool in_batch = false;
};

/// The requests with one id, and the answers with that id. Over a pipe nobody can see which of several requests an
/// answer belongs to. So the answers are kept, and there must always be an assignment of each answer to a different
/// request that it fits.
class Group {
 public:
    using Fits = std::function<bool(const Expected&, const Answer&)>;

    std::vector<Expected>& members() { return members_; }
    const std::vector<Expected>& members() const { return members_; }

    void add(Expected e) { members_.push_back(std::move(e)); }
    void take_out(std::size_t member) { members_.erase(members_.begin() + static_cast<std::ptrdiff_t>(member)); }

    /// Assigns the answer to a request, and reassigns earlier answers when necessary. Returns false when there is no
    /// assignment.
    bool take(Answer answer, const Fits& fits) {
        answers_.push_back(std::move(answer));
        owner_.resize(members_.size());
        std::vector<bool> seen(members_.size());
        return place(answers_.size() - 1, fits, seen);
    }
    /// Returns whether every request that must be answered can be assigned one of the answers.
    bool settled(const Fits& fits) const {  // the search of take() with the roles exchanged
        std::vector<std::optional<std::size_t>> owner(answers_.size());
        for (std::size_t m = 0; m < members_.size(); ++m) {
            std::vector<bool> seen(answers_.size());
            if (members_[m].owed && !claim(m, fits, owner, seen)) return false;
        }
        return true;
    }
    std::size_t owed() const { return static_cast<std::size_t>(std::ranges::count(members_, true, &Expected::owed)); }
    /// Returns whether every request has an answer, so no further answer can come.
    bool over() const { return answers_.size() == members_.size(); }
    std::size_t answers() const { return answers_.size(); }

 private:
    bool place(std::size_t answer, const Fits& fits, std::vector<bool>& seen) {
        for (std::size_t m = 0; m < members_.size(); ++m) {
            if (seen[m] || !fits(members_[m], answers_[answer])) continue;
            seen[m] = true;
            if (owner_[m] && !place(*owner_[m], fits, seen)) continue;
            owner_[m] = answer;
            return true;
        }
        return false;
    }
    bool claim(std::size_t member, const Fits& fits, std::vector<std::optional<std::size_t>>& owner,
               std::vector<bool>& seen) const {
        for (std::size_t a = 0; a < answers_.size(); ++a) {
            if (seen[a] || !fits(members_[member], answers_[a])) continue;
            seen[a] = true;
            if (owner[a] && !claim(*owner[a], fits, owner, seen)) continue;
            owner[a] = member;
            return true;
        }
        return false;
    }

    std::vector<Expected> members_;
    std::vector<Answer> answers_;
    std::vector<std::optional<std::size_t>> owner_;  // for each member: the answer assigned to it
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
        const auto fits = fitting();
        return std::ranges::all_of(groups_, [&](const auto& entry) {
            const Group& group = entry.second;
            return group.owed() == 0 || (group.owed() <= group.answers() && group.settled(fits));
        });
    }
    /// Notes that the server has processed all input. Cancelled requests must not be answered after this.
    void rest() { groups_.clear(); }

    std::string owed() const {
        std::string out;
        if (settled()) return out;
        for (const auto& [value, group] : groups_)
            for (const Expected& e : group.members())
                if (e.owed) out += (e.id ? e.id->text : "(no id)") + " ";
        return out;
    }
    /// Returns the ids, as JSON text, of requests whose handlers have not answered.
    std::vector<std::string> open_ids() const {
        std::vector<std::string> out;
        for (const auto& [value, group] : groups_)
            for (const Expected& e : group.members())
                if (e.owed && e.id && e.runs && e.id->is(Kind::number)) out.push_back(e.id->text);
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
    bool any(const std::function<bool(const Expected&)>& is) const {
        return std::ranges::any_of(groups_,
                                   [&](const auto& entry) { return std::ranges::any_of(entry.second.members(), is); });
    }

    void owe(Expected e) {
        ++requests_;
        Group& group = groups_[group_of(e.id ? &*e.id : nullptr)];
        if (e.id) {
            const bool runs = std::ranges::any_of(group.members(), [](const Expected& o) { return o.owed && o.runs; });
            if (runs && e.is_request && timing_ == Timing::exact && !batches_open()) {
                e = Expected{.id = e.id, .codes = {-32600}, .in_batch = e.in_batch};
            } else {
                e.may_be_duplicate = std::ranges::any_of(group.members(), &Expected::runs);
            }
        }
        group.add(std::move(e));
    }
    bool batches_open() const {
        return any([](const Expected& e) { return e.owed && e.in_batch; });
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
        for (auto& [value, group] : groups_) {
            for (std::size_t i = group.members().size(); i-- > 0;) {
                Expected& e = group.members()[i];
                if (!e.owed || !e.id || !e.runs || !same_id(*e.id, *id)) continue;
                e.owed = false;
                if (!maybe && !e.in_batch) group.take_out(i);
            }
        }
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
        // Without an id, and in the core, the request of the answer is known.
        const bool told_apart = !readable_id(id) || timing_ == Timing::exact;
        const Answer answer{m, in_batch};
        if (told_apart ? !settle_one(group->second, answer) : !group->second.take(answer, fitting()))
            return why_not(group->second, answer);
        if (group->second.over()) groups_.erase(group);
        follow_handshake(m);
        return {};
    }
    // A request that fits only this answer comes before one that fits any answer, and a request that must be answered
    // before one that may. The error of a duplicate id never goes to the first request with the id.
    bool settle_one(Group& group, const Answer& answer) const {
        std::optional<std::size_t> best;
        const int code = code_of(answer);
        const auto rank = [&](std::size_t i) {
            const Expected& e = group.members()[i];
            const bool as_second = code == -32600 && e.may_be_duplicate;
            return std::pair(e.owed, e.codes.contains(code) ? 3 : as_second ? 2 : e.must_succeed ? 1 : 0);
        };
        for (std::size_t i = 0; i < group.members().size(); ++i)
            if (misfit(group.members()[i], answer).empty() && (!best || rank(i) > rank(*best))) best = i;
        if (best) group.take_out(*best);
        return best.has_value();
    }
    std::string why_not(const Group& group, const Answer& answer) const {
        std::string why = "no request is waiting for this answer";
        for (const Expected& e : group.members())
            if (std::string wrong = misfit(e, answer); !wrong.empty()) why = wrong;
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
            if (e.token == key) askers.push_back(&e);
        });
        if (askers.empty()) return "progress for an unknown token";
        if (askers.size() > 1) return {};
        const double value = std::strtod(progress->text.c_str(), nullptr);
        if (askers[0]->progress && value <= *askers[0]->progress) return "progress that does not increase";
        askers[0]->progress = value;
        return {};
    }

    Group::Fits fitting() const {
        return [this](const Expected& e, const Answer& answer) { return misfit(e, answer).empty(); };
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
