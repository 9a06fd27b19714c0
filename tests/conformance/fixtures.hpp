// What the scenarios of the official conformance suite expect of a server. The names and keys come from the suite.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string_view>

#include <tenon/tenon.hpp>

namespace conformance {

void add_tools(tenon::Server& server);
void add_questions(tenon::Server& server);       // asked by requests, or in results in 2026-07-28
void add_input_required(tenon::Server& server);  // calls that return `input_required`
void add_diagnostics(tenon::Server& server);     // called by the scenarios about stateless requests and headers
void add_resources(tenon::Server& server);
void add_prompts(tenon::Server& server);
void add_tasks(tenon::Server& server);
void add_skills(tenon::Server& server);

/// Parses a schema from JSON text.
inline tenon::json::object schema(std::string_view text) { return tenon::json::parse(text).value().get_object(); }

/// Waits. Ends at once when the call is cancelled.
inline void wait_unless_stopped(const tenon::Context& ctx, std::chrono::milliseconds time) {
    std::mutex mutex;
    std::condition_variable_any stopped;
    std::unique_lock lock(mutex);
    stopped.wait_for(lock, ctx.stop_token(), time, [] { return false; });
}

/// Returns a text field of an answered form, or "unknown" when the form was not accepted or has no such text.
std::string text_of(const tenon::ElicitResult& answer, std::string_view field);

}  // namespace conformance
