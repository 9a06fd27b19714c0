// What a Context can do, as an interface: the library's own business.
#pragma once

#include <tenon/context.hpp>

namespace tenon {

class Context::Port {
 public:
    virtual ~Port() = default;
    virtual void progress(double done, std::optional<double> total, std::string_view message) = 0;
    virtual void log(LogLevel level, const json::value& data, std::string_view logger) = 0;
    virtual void elicit(std::string message, json::object form, Reply<ElicitResult> reply) = 0;
    virtual void elicit_url(std::string message, std::string url, std::string elicitation_id, Reply<ElicitResult> reply) = 0;
    virtual void elicitation_complete(std::string_view elicitation_id) = 0;
    virtual void sample(SampleRequest request, Reply<SampleResult> reply) = 0;
    virtual void roots(Reply<std::vector<Root>> reply) = 0;
    virtual std::optional<json::value> recall(std::string_view key) = 0;
    virtual void remember(std::string_view key, json::value v) = 0;
    virtual std::stop_token stop_token() const = 0;
    virtual const json::object& meta() const = 0;
    virtual const Implementation& client() const = 0;
    virtual std::string request_id() const = 0;
    virtual bool must_not_wait() const = 0;
};

}  // namespace tenon
