#include "check/property/property_judge.hpp"

#include <algorithm>
#include <utility>

#include "check/property/refusal_words.hpp"

namespace tenon::check {
namespace {

using Kind = TestMessage::Kind;

constexpr std::size_t max_shown = 200;

std::string shown(std::string_view bytes) {
    return bytes.size() <= max_shown ? std::string(bytes) : std::string(bytes.substr(0, max_shown)) + "…";
}

class PropertyJudge {
 public:
    PropertyJudge(const Case& test_messages, const Reaction& received)
        : test_messages_(test_messages), received_(received) {}

    std::optional<Complaint> verdict() {
        if (auto bad = read_all()) return bad;
        if (received_.is_slow) return std::nullopt;
        for (std::size_t i = 0; i < test_messages_.size(); ++i)
            if (auto bad = settle(test_messages_[i], std::ranges::count(received_.refused, i) > 0)) return bad;
        if (auto bad = strays()) return bad;
        if (!received_.broken.empty()) return Complaint{"RPC-7", received_.broken};
        return missing_refusal();
    }

 private:
    struct Received {
        json::value id = {};
        bool has_id = false, is_error = false, used = false;
        const std::string* text = nullptr;
    };

    std::optional<Complaint> read_all() {
        for (const auto& text : received_.messages) {
            const auto parsed = json::parse(text);
            if (!parsed) return Complaint{"INT-1", "this is not JSON (" + parsed.error().message + "): " + shown(text)};
            const auto* message = parsed->if_object();
            if (!message) return Complaint{"INT-1", "this is not an object: " + shown(text)};
            const auto* version = message->if_contains("jsonrpc");
            if (!version || *version != "2.0")
                return Complaint{"RPC-1", "this has no \"jsonrpc\": \"2.0\": " + shown(text)};
            if (message->contains("method")) continue;
            if (message->contains("result") == message->contains("error"))
                return Complaint{"RPC-4", "an answer has either a result or an error: " + shown(text)};
            take(*message, text);
        }
        return std::nullopt;
    }

    void take(const json::object& message, const std::string& text) {
        Received answer{.is_error = message.contains("error"), .text = &text};
        if (const auto* result = message.if_contains("result"); result && result->is_object())
            if (const auto* failed = result->as_object().if_contains("isError")) answer.is_error = *failed == true;
        if (const auto* id = message.if_contains("id"); id && !id->is_null()) {
            answer.id = *id;
            answer.has_id = true;
        }
        answers_.push_back(std::move(answer));
    }

    // An HTTP error status counts as a response too, because the server may have refused the body without reading it.
    std::optional<Complaint> settle(const TestMessage& test_message, bool refused) {
        if (refused && test_message.kind == Kind::malformed) ++refused_;
        if (test_message.id.is_null()) return std::nullopt;
        std::size_t count = 0;
        for (auto& answer : answers_) {
            if (!answer.has_id || answer.id != test_message.id) continue;
            answer.used = true;
            ++count;
            if (auto bad = wrong_kind(test_message, answer)) return bad;
        }
        if (count > 1)
            return Complaint{"RPC-7", "answered " + std::to_string(count) + " times: " + shown(test_message.bytes)};
        if (count == 0 && test_message.kind == Kind::request && !refused)
            return Complaint{"RPC-7", (received_.broken.empty() ? "never answered: " : received_.broken + ": ") +
                                          shown(test_message.bytes)};
        if (count == 1 && test_message.kind == Kind::malformed && !refused) ++refused_;
        return std::nullopt;
    }

    static std::optional<Complaint> wrong_kind(const TestMessage& test_message, const Received& answer) {
        if (answer.is_error) return std::nullopt;
        if (test_message.duty.starts_with("TOOL-") && reads_like_refusal(*answer.text)) return std::nullopt;
        if (test_message.kind == Kind::malformed)
            return Complaint{"RPC-8", "a malformed request was served: " + shown(test_message.bytes)};
        if (!test_message.duty.empty())
            return Complaint{test_message.duty, test_message.about + " was not refused: " + shown(test_message.bytes)};
        return std::nullopt;
    }

    // Judges the remaining responses. An error without an id is right for an unreadable message. For an unclear message
    // any response is right.
    std::optional<Complaint> strays() {
        std::size_t unclear =
            static_cast<std::size_t>(std::ranges::count(test_messages_, Kind::unclear, &TestMessage::kind));
        std::size_t unreadable = received_.refused.size() + static_cast<std::size_t>(std::ranges::count(
                                                                test_messages_, Kind::malformed, &TestMessage::kind));
        for (const auto& answer : answers_) {
            if (answer.used || is_late(answer)) continue;
            if (answer.is_error && unreadable > 0) {
                --unreadable;
                ++refused_;
            } else if (unclear > 0) {
                --unclear;
            } else if (answer.has_id || !answer.is_error) {
                return Complaint{"RPC-4", "a response without a request: " + shown(*answer.text)};
            } else {
                return Complaint{"RPC-5", "unexpected error without an id: " + shown(*answer.text)};
            }
        }
        return std::nullopt;
    }

    bool is_late(const Received& answer) const {
        if (!answer.has_id) return false;
        const std::string id = json::write(answer.id);
        return std::ranges::any_of(received_.unclear_before, [&](const std::string& test_message) {
            return test_message.find(id) != std::string::npos;
        });
    }

    std::optional<Complaint> missing_refusal() {
        const auto malformed = std::ranges::count(test_messages_, Kind::malformed, &TestMessage::kind);
        if (refused_ >= static_cast<std::size_t>(malformed)) return std::nullopt;
        const auto first = std::ranges::find(test_messages_, Kind::malformed, &TestMessage::kind);
        return Complaint{"RPC-8", "a malformed message was not refused: " + shown(first->bytes)};
    }

    const Case& test_messages_;
    const Reaction& received_;
    std::vector<Received> answers_;
    std::size_t refused_ = 0;
};

}  // namespace

std::optional<Complaint> judge(const Case& test_messages, const Reaction& received) {
    return PropertyJudge(test_messages, received).verdict();
}

}  // namespace tenon::check
