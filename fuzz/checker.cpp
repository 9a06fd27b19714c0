// Invariant: the checker reads every text that the strict parser reads, and its judges accept any message.
// Input: one byte that chooses a method and a revision, then a message.
#include <map>

#include "check/server/shapes.hpp"
#include "check/wire/reading.hpp"
#include "load/answer.hpp"
#include "support.hpp"

namespace tenon::fuzz::checker_target {
namespace {

using namespace check;

constexpr std::string_view methods[] = {"initialize",          "server/discover", "tools/list",
                                        "tools/call",          "resources/list",  "resources/read",
                                        "prompts/get",         "prompts/list",    "resources/templates/list",
                                        "completion/complete", "tasks/get"};

void check_envelope(std::string_view text, const json::value& strict) {
    const auto envelope = load::read_envelope(text);
    if (envelope.kind != load::Envelope::Kind::result || envelope.id == 0) return;
    const json::object* message = strict.if_object();
    must(message && message->contains("result"), "an envelope with a result is a response");
}

void judge(std::uint8_t choice, const json::value& value) {
    std::map<std::string, Tally, std::less<>> tallies;
    const std::set<std::string_view> absent;  // every rule applies
    const auto revisions = protocol::revisions();
    const protocol::Rules rules(revisions[choice / 16 % revisions.size()]);
    Charges charges(tallies, absent);
    judge_content(charges, value, rules);
    judge_tool(charges, value, rules);
    judge_resource(charges, value, choice % 2 == 0);
    judge_prompt(charges, value);
    if (!value.is_object()) return;
    Sent sent;
    sent.method = methods[choice % std::size(methods)];
    Charges more(tallies, absent);
    judge_result(more, sent, value.get_object(), rules);
    must(more.broken().empty() || !more.detail().empty(), "a charge says what is wrong");
}

void run(std::string_view input) {
    Feed feed(input);
    const std::uint8_t choice = feed.byte();
    const auto text = feed.rest();
    const auto strict = json::parse(text);
    const Reading reading = read_patiently(text);
    if (strict) {
        must(reading.defect == TextDefect::none, "a text that the strict parser accepts has no defect");
        must(reading.value && json::write(*reading.value) == json::write(*strict), "both read the same");
        check_envelope(text, *strict);
    } else {
        must(reading.defect != TextDefect::none || !reading.why.empty() || !reading.value,
             "a refused text has a defect");
    }
    (void)load::says_is_error(text);
    if (!reading.value) return;
    if (reading.value->is_structured()) (void)spelled_id(text, choice % 3);
    judge(choice, *reading.value);
}

const Target target{"checker", run};

}  // namespace
}  // namespace tenon::fuzz::checker_target
