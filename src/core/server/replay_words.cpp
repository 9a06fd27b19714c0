#include "core/server/replay_words.hpp"

#include "base/printable.hpp"

namespace tenon::core {
namespace {

constexpr std::size_t max_key_bytes = 100;

std::string in_quotes(std::string_view key) { return "`" + base::printable(key, max_key_bytes) + "`"; }

}  // namespace

std::string question_step(const Question& question) {
    return "question " + in_quotes(question.key) + " (" + std::string(question.method) + ")";
}

std::string once_step(std::string_view key) { return "once(" + in_quotes(key) + ")"; }

std::string log_step(LogLevel level, std::string_view logger) {
    std::string out = "log " + std::string(to_string(level));
    return logger.empty() ? out : out + " of " + in_quotes(logger);
}

std::string replay_warning(const Call& call, std::string_view difference) {
    return in_quotes(call.name.empty() ? call.method : call.name) +
           " ran again after an answer of the client, and did something else: " + std::string(difference) +
           ". Put side effects, random numbers and times into ctx.once(); see \"Replay\" in Context";
}

}  // namespace tenon::core
