// A call of the mix, ready to be sent and to be checked. Pure.
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

/// What "{nonce:N}" may ask for.
inline constexpr std::size_t largest_filling = 64 * 1024 * 1024;

/// The text with its nonces: see bench::Call.
std::string with_nonce(std::string_view text, std::uint64_t number);

class PreparedCall {
 public:
    static Result<PreparedCall> of(const bench::Call& call, const protocol::Rules& rules);

    const std::string& label() const { return label_; }
    /// What a transport with headers has to know: without the body.
    const OutgoingMessage& about() const { return about_; }
    std::size_t body_size() const { return body_.size(); }
    /// The message; valid until the next call.
    std::string_view body(std::uint64_t number) { return body_.with(number); }
    /// What is wrong with an answer to it; nothing when it is right.
    std::optional<std::string> complaint(std::string_view answer, const Envelope& envelope, std::uint64_t number);

 private:
    std::string label_;
    OutgoingMessage about_;
    bool tool_ = false;
    Stencil body_, expected_;
};

Result<std::vector<PreparedCall>> prepare(const std::vector<bench::Call>& calls, const protocol::Rules& rules);

/// Who sends all of it.
struct Introduction {
    std::string initialize;  ///< with the number 1
    std::string initialized;
    std::string discover;  ///< with the number 1
    std::string listen;    ///< with the number 1: a stream for changes of the list of tools (2026-07-28)
};
Introduction introduction(const protocol::Rules& rules);
/// The revision that the server chose, in its answer to `initialize`.
Result<std::string> revision_in(std::string_view answer);

/// As much of a text as is worth showing.
std::string beginning_of(std::string_view text);

}  // namespace tenon::load
