// Asker: asks the user questions, line by line. The terminal implements it, and so do tests.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "out.hpp"

namespace tenon::program {

class Asker {
 public:
    virtual ~Asker() = default;
    /// Shows a line.
    virtual void say(const std::vector<Styled>& line) = 0;
    /// Shows the question and returns the answer without its newline, or nothing when the input ended or the wait was
    /// cancelled.
    virtual std::optional<std::string> ask(const std::vector<Styled>& question) = 0;

    void say(const SafeText& line) { say(std::vector<Styled>{{Look::plain, line}}); }
    void say(Literal line) { say(SafeText(line)); }
    std::optional<std::string> ask(const SafeText& question) {
        return ask(std::vector<Styled>{{Look::plain, question}});
    }
    std::optional<std::string> ask(Literal question) { return ask(SafeText(question)); }
};

/// Asks a yes/no question. Returns `otherwise` for an empty answer, and false when there is no answer.
bool ask_yes_or_no(Asker& asker, const SafeText& question, bool otherwise);

/// Shows a server's text with a bar before each line, so it cannot look like this program's own text.
void say_quoted(Asker& asker, std::string_view text);

}  // namespace tenon::program
