// What the scenarios of the official conformance suite expect a server to have. The names and keys are the suite's.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string_view>

#include <tenon/tenon.hpp>

namespace conformance {

void add_tools(tenon::Server& server);
void add_questions(tenon::Server& server);       // asked by requests, and by results in 2026-07-28
void add_input_required(tenon::Server& server);  // calls that end with `input_required`
void add_diagnostics(tenon::Server& server);     // what the scenarios without a session, and those of headers, call
void add_resources(tenon::Server& server);
void add_prompts(tenon::Server& server);
void add_tasks(tenon::Server& server);

/// A schema that is written as JSON.
inline tenon::json::object schema(std::string_view text) { return tenon::json::parse(text).value().get_object(); }

/// A wait that ends at once when the call is cancelled.
inline void wait_unless_stopped(const tenon::Context& ctx, std::chrono::milliseconds time) {
    std::mutex mutex;
    std::condition_variable_any stopped;
    std::unique_lock lock(mutex);
    stopped.wait_for(lock, ctx.stop_token(), time, [] { return false; });
}

/// What an answered form holds; "unknown" when it was not accepted or has no such text.
std::string text_of(const tenon::ElicitResult& answer, std::string_view field);

}  // namespace conformance
