// tenon complete: suggestions for an argument.
#include "commands.hpp"
#include "json_text.hpp"
#include "session.hpp"
#include "trust.hpp"
#include "typed_arguments.hpp"

namespace tenon::program {
namespace {

constexpr std::string_view prompt_mark = "prompt:";

CompletionTarget completed(const std::string& word) {
    if (word.starts_with(prompt_mark)) return CompletionTarget::prompt(word.substr(prompt_mark.size()));
    if (word.find(':') == std::string::npos)
        throw usage_failure("`" + word + "` is neither prompt:NAME nor a URI template",
                            "write prompt:" + word + " for a prompt");
    return CompletionTarget::resource(word);
}

CompletionRequest request_of(const std::vector<std::string>& words) {
    CompletionRequest out{words[1], words.size() > 2 ? words[2] : ""};
    for (std::size_t i = 3; i < words.size(); ++i) {
        Assignment a = assignment_of(words[i]);
        out.context[a.key] = std::move(a.value);
    }
    return out;
}

json::object json_of(const Completion& completion) {
    json::array values;
    for (const std::string& value : completion.values) values.emplace_back(value);
    json::object inside{{"values", std::move(values)}, {"hasMore", completion.hasMore}};
    if (completion.total) inside.emplace("total", *completion.total);
    return {{"completion", std::move(inside)}};
}

}  // namespace

Status run_complete(const CommandLine& line, Console& console) {
    std::vector<std::string> words = line.words;
    const Target target = take_target(line, words, approval(line, console));
    if (words.size() < 2)
        throw usage_failure(std::string(words.empty() ? "prompt:NAME or TEMPLATE" : "ARGUMENT") + " is missing",
                            "for example: tenon complete prompt:letter to a -- SERVER");
    const Settings settings = settings_of(line);
    const CompletionTarget what = completed(words[0]);
    const CompletionRequest request = request_of(words);

    Session session(target, settings, console);
    const Completion completion =
        session.with_client([&](Client& client) { return client.complete(what, request, session.call_options()); });
    console.print([&](Out& out) {
        if (settings.json) {
            out << compact_json(json_of(completion)) << "\n";
            return;
        }
        for (const std::string& value : completion.values) out << safe_line(value) << "\n";
    });
    if (completion.hasMore && !settings.quiet)
        console.note([](Out& out) { out << Styled(Look::dim, "there are more") << "\n"; });
    return Status::ok;
}

}  // namespace tenon::program
