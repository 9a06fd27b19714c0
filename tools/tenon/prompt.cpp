// tenon prompt: gets a prompt with its arguments filled in.
#include <algorithm>

#include "commands.hpp"
#include "content.hpp"
#include "json_text.hpp"
#include "listing.hpp"
#include "near.hpp"
#include "trust.hpp"
#include "typed_arguments.hpp"

namespace tenon::program {
namespace {

PromptArguments prompt_arguments(const std::vector<std::string>& words, const Prompt& prompt) {
    PromptArguments out;
    std::vector<std::string> names;
    for (const PromptArgument& argument : prompt.arguments) names.push_back(argument.name);
    for (const std::string& word : words) {
        Assignment a = assignment_of(word);
        if (a.is_json)
            throw usage_failure("`" + a.key + "` is a string, as all arguments of prompts are",
                                "write " + a.key + "=" + a.value);
        if (std::ranges::find(names, a.key) == names.end())
            throw usage_failure("there is no argument `" + a.key + "`",
                                names.empty() ? "the prompt takes no arguments" : suggestion(a.key, names));
        if (!out.emplace(a.key, std::move(a.value)).second) throw usage_failure("`" + a.key + "` is given twice");
    }
    for (const PromptArgument& argument : prompt.arguments)
        if (argument.required && !out.contains(argument.name))
            throw usage_failure("the argument `" + argument.name + "` is missing" +
                                    (argument.description.empty() ? "" : ": " + argument.description),
                                "add " + argument.name + "=STRING");
    return out;
}

json::object json_of(const PromptArguments& arguments) {
    json::object out;
    for (const auto& [name, value] : arguments) out.emplace(name, value);
    return out;
}

void show(const PromptResult& result, const Prompt& prompt, Keeper& keeper, Out& out) {
    ContentWriter writer(out, keeper, prompt.name);
    if (!result.description.empty()) out << Styled(Look::dim, safe_text(result.description)) << "\n";
    for (const PromptMessage& message : result.messages) {
        out << Styled(Look::bold, message.role == Role::user ? Literal("user:") : Literal("assistant:")) << "\n";
        writer.write(message.content);
    }
}

}  // namespace

Status run_prompt(const CommandLine& line, Console& console) {
    std::vector<std::string> words = line.words;
    const Target target = take_target(line, words, approval(line, console));
    if (words.empty()) throw usage_failure("NAME is missing", "`tenon list TARGET prompts` lists the prompts");
    const std::string name = words.front();
    words.erase(words.begin());
    const Settings settings = settings_of(line);
    Keeper keeper(line);

    Session session(target, settings, console);
    const Prompt prompt = find_prompt(session, name);
    PromptArguments arguments = prompt_arguments(words, prompt);
    if (settings.json) {
        const json::object result = session.with_client([&](Client& client) {
            return without_envelope(client.request("prompts/get", {{"name", name}, {"arguments", json_of(arguments)}},
                                                   session.call_options()));
        });
        console.print([&](Out& out) { out << compact_json(result) << "\n"; });
        return Status::ok;
    }
    const PromptResult result = session.with_client(
        [&](Client& client) { return client.get_prompt(name, std::move(arguments), session.call_options()); });
    console.print([&](Out& out) { show(result, prompt, keeper, out); });
    return Status::ok;
}

}  // namespace tenon::program
