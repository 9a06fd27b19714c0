#include "bench_call.hpp"

#include <algorithm>
#include <charconv>

#include "command_line.hpp"
#include "typed_arguments.hpp"

namespace tenon::program {
namespace {

constexpr unsigned most_weight = 1000;

// Removes the "3*" of "3*echo" and returns 3.
unsigned take_weight(std::string& word) {
    unsigned weight = 1;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), weight);
    const auto digits = static_cast<std::size_t>(end - word.data());
    if (error != std::errc() || word.substr(digits, 1) != "*") return 1;
    if (weight == 0 || weight > most_weight)
        throw usage_failure("`" + word + "` has an invalid weight",
                            "a weight is between 1 and " + std::to_string(most_weight));
    word.erase(0, digits + 1);
    return weight;
}

// Removes "-> TEXT" from the end and returns TEXT.
std::string take_expectation(std::vector<std::string>& words, const std::string& text) {
    const auto arrow = std::ranges::find(words, "->");
    if (arrow == words.end()) return {};
    if (words.end() - arrow != 2)
        throw usage_failure("expected exactly one word after -> in `" + text + "`",
                            "put quotes around it: -> 'two words'");
    std::string out = words.back();
    words.erase(arrow, words.end());
    return out;
}

bool is_method(const std::string& word) { return word == "ping" || word.find('/') != std::string::npos; }

// A method has no schema. So a value that is valid JSON becomes JSON, and any other value becomes a string.
json::object plain_params(const std::vector<std::string>& words) {
    json::object out;
    for (const std::string& word : words) {
        const Assignment given = assignment_of(word);
        auto value = json::parse(given.value);
        if (!value && given.is_json) throw usage_failure("`" + given.value + "` is not JSON");
        out[given.key] = value ? *std::move(value) : json::value(given.value);
    }
    return out;
}

}  // namespace

bench::Call bench_call(const std::string& text, const std::function<Tool(const std::string&)>& tool) {
    std::vector<std::string> words = split_words(text);
    bench::Call out;
    out.label = text;
    out.expect = take_expectation(words, text);
    if (!words.empty()) out.weight = take_weight(words.front());
    if (words.empty() || words.front().empty())
        throw usage_failure("`" + text + "` is not a call", "name a tool or a method: 'echo text=hi', 'tools/list'");
    const std::string name = words.front();
    words.erase(words.begin());
    if (is_method(name)) {
        out.method = name;
        out.params = plain_params(words);
        return out;
    }
    const Tool found = tool(name);
    json::object arguments = typed_arguments(words, found.inputSchema);
    check_arguments(arguments, found.inputSchema);
    out.method = "tools/call";
    out.params = {{"name", name}, {"arguments", std::move(arguments)}};
    return out;
}

}  // namespace tenon::program
