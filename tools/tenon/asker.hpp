// Asker: somebody who can be asked, line by line. The terminal is one; tests have another.
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
    /// Shows the question and gives the answer, without its newline. Nothing: the input ended, or nobody waits any
    /// more.
    virtual std::optional<std::string> ask(const std::vector<Styled>& question) = 0;

    void say(const SafeText& line) { say(std::vector<Styled>{{Look::plain, line}}); }
    void say(Literal line) { say(SafeText(line)); }
    std::optional<std::string> ask(const SafeText& question) {
        return ask(std::vector<Styled>{{Look::plain, question}});
    }
    std::optional<std::string> ask(Literal question) { return ask(SafeText(question)); }
};

/// Whether the answer is yes; `otherwise` when it is empty or there is none.
bool ask_yes_or_no(Asker& asker, const SafeText& question, bool otherwise);

/// What a server wants to be read is set off by a bar, so that it cannot look like words of this program.
void say_quoted(Asker& asker, std::string_view text);

}  // namespace tenon::program
