// A call of the mix, encoded once, with the check of its response. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <tenon/bench.hpp>
#include <tenon/client_transport.hpp>

#include "load/answer.hpp"
#include "load/stencil.hpp"
#include "protocol/versions.hpp"

namespace tenon::load {

/// The largest N of "{nonce:N}".
inline constexpr std::size_t largest_filling = 64 * 1024 * 1024;

/// Fills in the nonces of a text: see bench::Call.
std::string with_nonce(std::string_view text, std::uint64_t number);

class PreparedCall {
 public:
    static Result<PreparedCall> of(const bench::Call& call, const protocol::Rules& rules);

    const std::string& label() const { return label_; }
    /// Returns the facts that a transport needs for headers, without the body.
    const OutgoingMessage& about() const { return about_; }
    std::size_t body_size() const { return body_.size(); }
    /// Returns the message; valid until the next call.
    std::string_view body(std::uint64_t number) { return body_.with(number); }
    /// Returns what is wrong with a response, or nothing when it is correct.
    std::optional<std::string> complaint(std::string_view answer, const Envelope& envelope, std::uint64_t number);

 private:
    std::string label_;
    OutgoingMessage about_;
    bool tool_ = false;
    Stencil body_, expected_;
};

Result<std::vector<PreparedCall>> prepare(const std::vector<bench::Call>& calls, const protocol::Rules& rules);

/// The messages that introduce the client.
struct Introduction {
    std::string initialize;  ///< request 1
    std::string initialized;
    std::string discover;  ///< request 1
    std::string listen;    ///< request 1: opens a stream for changes of the tool list (2026-07-28)
};
Introduction introduction(const protocol::Rules& rules);
/// Reads the server's revision from its response to `initialize`.
Result<std::string> revision_in(std::string_view answer);

/// Shortens a text for display.
std::string beginning_of(std::string_view text);

}  // namespace tenon::load
