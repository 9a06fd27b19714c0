// Asks the user on the terminal.
#pragma once

#include <mutex>
#include <stop_token>

#include "asker.hpp"
#include "console.hpp"

namespace tenon::program {

/// Returns whether the user can be asked: standard input and standard error are terminals.
bool has_terminal();

/// Holds one dialogue at a time: a second one waits. The terminal itself provides line editing.
class Terminal final : public Asker {
 public:
    Terminal(Console& console, std::stop_token stop);
    ~Terminal() override;
    using Asker::ask;
    using Asker::say;
    void say(const std::vector<Styled>& line) override;
    std::optional<std::string> ask(const std::vector<Styled>& question) override;

 private:
    std::optional<std::string> read_line();

    Console& console_;
    std::stop_token stop_;
    std::unique_lock<std::mutex> alone_;
};

}  // namespace tenon::program
