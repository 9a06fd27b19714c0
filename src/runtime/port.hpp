// The interface behind Context. Internal.
#pragma once

#include <variant>
#include <vector>

#include <tenon/context.hpp>

namespace tenon {

struct ElicitUrl {
    std::string message, url, elicitation_id;
};

/// A question, and the reply that gets its answer.
struct PortQuestion {
    std::variant<ask::Elicit, ElicitUrl, ask::Sample, ask::Roots> what;
    std::variant<Reply<ElicitResult>, Reply<SampleResult>, Reply<std::vector<Root>>> reply;
};

class Context::Port {
 public:
    virtual ~Port() = default;
    virtual void progress(double done, std::optional<double> total, std::string_view message) = 0;
    virtual void log(LogLevel level, const json::value& data, std::string_view logger) = 0;
    virtual void ask(std::vector<PortQuestion> questions) = 0;
    virtual void elicitation_complete(std::string_view elicitation_id) = 0;
    virtual std::optional<json::value> recall(std::string_view key) = 0;
    virtual void remember(std::string_view key, json::value v) = 0;
    virtual std::stop_token stop_token() const = 0;
    virtual const json::object& meta() const = 0;
    virtual const TraceContext& trace() const = 0;
    virtual const Implementation& client() const = 0;
    virtual std::string request_id() const = 0;
    virtual const Caller& caller() const = 0;
    virtual void let_poll(std::chrono::milliseconds retry) = 0;
    virtual bool must_not_wait() const = 0;
    virtual bool become_task() = 0;
    virtual std::string task_id() const = 0;
    virtual bool has_extension(std::string_view name) const = 0;
    struct Abilities {
        bool elicit, elicit_url, sample, roots;
    };
    virtual Abilities abilities() const = 0;
    /// Logs an exception of the handler. Must not throw.
    virtual void threw(std::string_view type, std::string_view what) noexcept = 0;
};

struct Context::Questions {
    std::vector<PortQuestion> list;
};

}  // namespace tenon
