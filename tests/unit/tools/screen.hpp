// Test doubles for output and questions: a string, and a person with prepared answers.
#pragma once

#include <deque>

#include "tools/tenon/asker.hpp"

namespace tenon::program {

/// An Out that collects its output in a string.
struct Screen {
    explicit Screen(OutFacts facts = {}) : out([this](std::string_view bytes) { return text += bytes, true; }, facts) {}
    std::string shown() {
        out.flush();
        return text;
    }
    std::string text;
    Out out;
};

/// Gives the prepared answers, then ends its input. Keeps everything that it was told.
class Person final : public Asker {
 public:
    explicit Person(std::deque<std::string> answers) : answers_(std::move(answers)) {}
    using Asker::ask;
    using Asker::say;
    void say(const std::vector<Styled>& line) override {
        for (const Styled& part : line) heard += part.text.view();
        heard += '\n';
    }
    std::optional<std::string> ask(const std::vector<Styled>& question) override {
        say(question);
        if (answers_.empty()) return std::nullopt;
        std::string answer = std::move(answers_.front());
        answers_.pop_front();
        return answer;
    }
    bool has_answers_left() const { return !answers_.empty(); }

    std::string heard;

 private:
    std::deque<std::string> answers_;
};

}  // namespace tenon::program
