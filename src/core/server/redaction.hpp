// Applies ServerOptions::redact to everything that handlers send. Without that function nothing is done.
#pragma once

#include <tenon/protocol/completion.hpp>
#include <tenon/protocol/prompts.hpp>
#include <tenon/protocol/resources.hpp>
#include <tenon/protocol/tools.hpp>

#include "core/server/settings.hpp"

namespace tenon::core {

/// Redacts texts with a function of the user. Any thread may use it, but not under a lock.
class Redaction {
 public:
    explicit Redaction(const Settings& settings) : redact_(settings.redact) {}
    explicit operator bool() const { return static_cast<bool>(redact_); }

    void apply(std::string& text) const;
    /// Redacts the strings in a value, and the names of members.
    void apply(json::value& v) const;
    void apply(json::object& o) const;
    void apply(ToolResult& result) const;
    void apply(ReadResult& result) const;
    void apply(PromptResult& result) const;
    void apply(Completion& completion) const;
    void apply(Error& error) const;

 private:
    void apply(Content& content) const;
    void apply(ResourceContents& contents) const;

    const std::function<void(std::string&)>& redact_;
};

inline Error redacted(Error error, const Settings& settings) {
    Redaction(settings).apply(error);
    return error;
}

}  // namespace tenon::core
