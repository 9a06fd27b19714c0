// Runs the three properties against a real server: sends the cases as messages and turns a failure into a verdict.
#include <algorithm>
#include <array>

#include "check/property/property.hpp"
#include "check/server/arguments.hpp"
#include "check/server/checks.hpp"
#include "check/server/shapes.hpp"

namespace tenon::check::checks::properties {
namespace {

using protocol::Trait;

constexpr std::size_t cases_a_connection = 1000;  // each connection is a start of the server
constexpr int share_of_time = 10;                 // one property may use a tenth of the whole time

// The text does not say that a server must refuse these: invalid messages, parameters in an array, unknown tools. It
// must validate arguments, but only words tell whether a result without `isError` is a refusal.
constexpr std::array<std::string_view, 4> only_advised = {"RPC-8", "RPC-11", "TOOL-5", "TOOL-8"};

class ConversationStage final : public Stage {
 public:
    ConversationStage(Probe& probe, Vocabulary& vocabulary)
        : probe_(probe),
          vocabulary_(vocabulary),
          end_(std::min(probe.subject().end, later(Clock::now(), probe.subject().options.time / share_of_time))) {}

    Reaction play(const Case& test_messages) override {
        if (!talk() || talk()->gone() || ++stage_.cases > cases_a_connection) renew();
        if (!talk()) stage_.talk = probe_.unjudged();
        if (!talk()->why().empty()) return {.broken = "a new connection fails: " + talk()->why()};
        const std::size_t before = talk()->received().size();
        std::vector<std::size_t> numbers;
        for (const TestMessage& test_message : test_messages) numbers.push_back(talk()->send(test_message.bytes));
        Reaction out;
        const TestMessage* const slow = slow_one(test_messages, numbers);
        if (slow) stop_using(slow->handler);
        out.is_slow = slow != nullptr;
        if (!slow) out.broken = wait(test_messages, numbers);
        note_refusals(out, numbers);
        out.unclear_before = stage_.unclear;
        for (const TestMessage& test_message : test_messages)
            if (test_message.kind == TestMessage::Kind::unclear) stage_.unclear.push_back(test_message.bytes);
        for (std::size_t i = before; i < talk()->received().size(); ++i)
            if (const Received& received = talk()->received()[i]; received.answers <= numbers.back())
                out.messages.push_back(received.text);
        if (slow) renew();  // the handler may still run
        return out;
    }
    void renew() override { stage_ = {}; }
    bool time_is_left() const override { return Clock::now() < end_ && !probe_.subject().over(); }

 private:
    Conversation* talk() const { return stage_.talk.get(); }

    // Returns a message whose handler does not answer soon.
    const TestMessage* slow_one(const Case& test_messages, const std::vector<std::size_t>& numbers) {
        for (std::size_t i = 0; i < test_messages.size(); ++i)
            if (!test_messages[i].handler.empty() && talk()->answer_promptly(numbers[i]).is_late)
                return &test_messages[i];
        return nullptr;
    }
    void stop_using(const std::string& handler) {
        vocabulary_.forget(handler);
        probe_.subject().slow_handlers.insert(handler);
    }

    // After the first timeout, waits only a short time for each response.
    std::string wait(const Case& test_messages, const std::vector<std::size_t>& numbers) {
        for (std::size_t i = 0; i < test_messages.size(); ++i) {
            if (test_messages[i].kind != TestMessage::Kind::request) {
                if (const Sent* sent = talk()->find(numbers[i]); sent->exchange) talk()->wait_for(sent->exchange);
                continue;
            }
            const Answer answer = hasty_ ? talk()->answer_soon(numbers[i]) : talk()->answer(numbers[i]);
            if (answer.came() || answer.status >= 400) continue;
            hasty_ = true;
            return talk()->gone() ? answer.why : "";
        }
        return talk()->settle() ? "" : "nothing is answered any more";
    }

    void note_refusals(Reaction& out, const std::vector<std::size_t>& numbers) const {
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            const Sent* sent = talk()->find(numbers[i]);
            if (sent && sent->exchange && sent->exchange->status() >= 400) out.refused.push_back(i);
        }
    }

    Probe& probe_;
    Vocabulary& vocabulary_;
    const TimePoint end_;
    Probe::Stage& stage_ = probe_.stage;
    bool hasty_ = false;
};

std::vector<std::string> strings_of(const Listing& listing, std::string_view member) {
    std::vector<std::string> out;
    for (const json::object& entry : listing.entries)
        if (const json::value* v = entry.if_contains(member); v && v->is_string()) out.emplace_back(v->get_string());
    return out;
}

// Returns whether the tool has already answered a call. Other tools are not called: a slow tool would be slow a
// thousand times.
bool may_run(Probe& probe, std::string_view name) {
    return std::ranges::any_of(probe.calls(), [&](const Call& call) {
        const json::value* called = call.tool->if_contains("name");
        return called && called->is_string() && called->get_string() == name && call.answer.is_result();
    });
}

Vocabulary vocabulary_of(Probe& probe) {
    Vocabulary out;
    out.methods = {probe.is_legacy() ? "ping" : "server/discover"};
    out.notifications = {"notifications/progress"};
    out.batches = probe.has(Trait::batches);
    out.meta = probe.meta();
    const auto also = [&](std::string_view capability, std::initializer_list<const char*> methods) {
        if (probe.declares(capability)) out.methods.insert(out.methods.end(), methods.begin(), methods.end());
    };
    also("tools", {"tools/list"});
    also("resources", {"resources/list"});
    also("prompts", {"prompts/list"});
    if (probe.declares("tools"))
        for (const json::object* tool : probe.probed_tools()) {
            const std::string name(*string_in(*tool, "name"));
            out.tools.push_back({name, input_schema(*tool), may_run(probe, name)});
        }
    if (probe.declares("resources")) out.resources = strings_of(probe.resources(), "uri");
    for (const json::object* prompt : probe.runnable_prompts()) out.prompts.emplace_back(*string_in(*prompt, "name"));
    for (const std::string& handler : probe.subject().slow_handlers) out.forget(handler);
    return out;
}

std::string told(const Trial& trial) {
    std::string out;
    for (const TestMessage& test_message : trial.test_messages) out += "> " + test_message.bytes + "\n";
    for (const std::string& message : trial.received.messages) out += "< " + message + "\n";
    return out;
}

Verdict verdict_of(const Trial& trial, std::size_t wanted, const Transcript& transcript) {
    Verdict out;
    out.cases = trial.cases;
    if (!trial.complaint) {
        if (trial.cases < wanted)
            out.detail = "in the time for it, " + std::to_string(trial.cases) + " cases of " + std::to_string(wanted) +
                         " were tried";
        return out;
    }
    out.kind = Verdict::Kind::fail;
    out.is_advice = std::ranges::find(only_advised, trial.complaint->rule) != only_advised.end();
    out.detail = trial.complaint->sentence + " (" + std::string(trial.complaint->rule) + ")" +
                 (trial.again ? "" : "; on a new connection it did not happen again");
    out.counterexample = told(trial);
    using Direction = Evidence::Direction;
    for (const TestMessage& test_message : trial.test_messages)
        out.evidence.push_back(transcript.entry(Direction::sent, test_message.bytes));
    for (const auto& message : trial.received.messages)
        out.evidence.push_back(transcript.entry(Direction::received, message));
    if (!trial.received.broken.empty())
        out.evidence.push_back(transcript.entry(Direction::note, trial.received.broken));
    return out;
}

template <Property property>
Verdict holds(Probe& probe) {
    if (probe.introduction().empty()) return not_applicable("the handshake fails");
    for (const std::string_view basics : {"RPC", "INT", "STDIO", "HTTP"})
        if (probe.has_failed(basics))
            return not_applicable("a rule of " + std::string(basics) +
                                  " is broken, and every case would show it: fix that first, or use --only PROP");
    probe.stage = {};  // ids are used once on a connection, and each property begins with the same ones
    const Options& options = probe.subject().options;
    Vocabulary vocabulary = vocabulary_of(probe);
    ConversationStage stage(probe, vocabulary);
    const auto trial = try_property(property, vocabulary, stage,
                                    {.seed = options.seed, .cases = options.cases, .is_known = [&](auto rule) {
                                         return probe.has_failed(rule.substr(0, rule.find('-')));
                                     }});
    return verdict_of(trial, options.cases, probe.subject().transcript);
}

}  // namespace

Verdict conformance(Probe& probe) { return holds<Property::conformance>(probe); }
Verdict one_answer(Probe& probe) { return holds<Property::one_answer>(probe); }
Verdict integrity(Probe& probe) { return holds<Property::integrity>(probe); }

}  // namespace tenon::check::checks::properties
