#include "asker.hpp"

#include "layout.hpp"

namespace tenon::program {
namespace {

constexpr std::size_t quote_width = 76;

std::string lower(std::string_view text) {
    std::string out;
    for (const char c : text)
        if (c != ' ' && c != '\t') out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return out;
}

}  // namespace

bool ask_yes_or_no(Asker& asker, const SafeText& question, bool otherwise) {
    for (;;) {
        const auto typed = asker.ask(question + (otherwise ? Literal(" [Y/n] ") : Literal(" [y/N] ")));
        if (!typed) return false;
        const std::string answer = lower(*typed);
        if (answer.empty()) return otherwise;
        if (answer == "y" || answer == "yes") return true;
        if (answer == "n" || answer == "no") return false;
        asker.say("Please answer y or n.");
    }
}

void say_quoted(Asker& asker, std::string_view text) {
    for (const SafeText& line : wrap(safe_text(text), quote_width))
        asker.say({{Look::cyan, "| "}, {Look::plain, line}});
}

}  // namespace tenon::program
