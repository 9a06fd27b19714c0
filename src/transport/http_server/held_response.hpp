// A response that waits until the store has confirmed what it tells the client.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "web/response_writer.hpp"

namespace tenon {

/// Keeps the output of one response until release() or replace(), and then passes everything on, in order. Thread-safe.
class HeldResponse final : public web::ResponseWriter {
 public:
    explicit HeldResponse(std::shared_ptr<web::ResponseWriter> to) : to_(std::move(to)) {}

    void respond(web::Response response) override {
        const std::lock_guard lock(mutex_);
        held_ ? static_cast<void>(response_ = std::move(response)) : to_->respond(std::move(response));
    }
    void begin_stream(web::Fields fields) override {
        const std::lock_guard lock(mutex_);
        held_ ? static_cast<void>(fields_ = std::move(fields)) : to_->begin_stream(std::move(fields));
    }
    void write(std::string bytes) override {
        const std::lock_guard lock(mutex_);
        held_ ? static_cast<void>(bytes_ += bytes) : to_->write(std::move(bytes));
    }
    void end() override {
        const std::lock_guard lock(mutex_);
        held_ ? static_cast<void>(ended_ = true) : to_->end();
    }
    void fail() noexcept override { to_->fail(); }
    void wait_for_reader(base::LateStop& stop) override { to_->wait_for_reader(stop); }

    /// Passes the output on, and all later output at once.
    void release() {
        const std::lock_guard lock(mutex_);
        if (!std::exchange(held_, false)) return;
        if (response_) return to_->respond(*std::move(response_));
        if (fields_) to_->begin_stream(*std::move(fields_));
        if (!bytes_.empty()) to_->write(std::move(bytes_));
        if (ended_) to_->end();
    }
    /// Sends this response instead of the held output. Has no effect after release().
    void replace(web::Response response) {
        const std::lock_guard lock(mutex_);
        if (std::exchange(held_, false)) to_->respond(std::move(response));
    }

 private:
    const std::shared_ptr<web::ResponseWriter> to_;
    std::mutex mutex_;  // guards the members below
    bool held_ = true, ended_ = false;
    std::optional<web::Response> response_;
    std::optional<web::Fields> fields_;
    std::string bytes_;
};

}  // namespace tenon
