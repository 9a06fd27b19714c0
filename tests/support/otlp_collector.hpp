// A collector of ours: an HTTP server that reads OTLP strictly.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "support/otlp_reader.hpp"
#include "support/scripted_server.hpp"

namespace tenon::test {

/// Answers each POST with the status that the test chose, and keeps what it accepted. Thread-safe.
class Collector {
 public:
    explicit Collector(std::vector<std::string> answers = {}) : answers_(std::move(answers)) {}

    std::string url() const { return server_.url("/v1/traces"); }
    std::vector<OtlpSpan> spans() {
        const std::lock_guard lock(mutex_);
        return spans_;
    }
    std::vector<ScriptedRequest> requests() {
        const std::lock_guard lock(mutex_);
        return requests_;
    }

 private:
    std::string take(const ScriptedRequest& request) {
        const std::lock_guard lock(mutex_);
        requests_.push_back(request);
        const std::string status = requests_.size() <= answers_.size() ? answers_[requests_.size() - 1] : "200 OK";
        if (status.starts_with("200"))
            for (auto& span : OtlpReader::read(request.body).spans) spans_.push_back(std::move(span));
        return status;
    }

    const std::vector<std::string> answers_;
    std::mutex mutex_;
    std::vector<OtlpSpan> spans_;
    std::vector<ScriptedRequest> requests_;
    const ScriptedServer server_{[this](ScriptedConnection& c, int) {
        for (ScriptedRequest r; c.read(r);) c.empty(take(r));
    }};
};

}  // namespace tenon::test
