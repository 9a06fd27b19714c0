// Charges messages to the memory budget, and makes the error for a peer that is over its share.
#pragma once

#include <tenon/error.hpp>

#include "base/memory_budget.hpp"
#include "jsonrpc/message.hpp"

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::core {

using base::MemoryAccountPtr;
using base::MemoryCharge;
using base::MemoryDecision;

/// Bytes that one call holds in addition to its parameters.
inline constexpr std::size_t bytes_of_call = 2048;
/// Bytes that one entry of a list or table costs in addition to its text.
inline constexpr std::size_t bytes_of_entry = 128;
/// Bytes that a session holds before its client has sent anything.
inline constexpr std::size_t bytes_of_session = 4096;

/// Returns an error that says why memory was refused and what the client can do.
Error memory_error(MemoryDecision verdict, const MemoryCharge& charge);

/// Charges an account for one message: first by the length of its text, and after decoding by the memory that the
/// decoded message uses.
class MessageCharge {
 public:
    explicit MessageCharge(MemoryAccountPtr account) : charge_(std::move(account)) {}

    MemoryDecision before_decoding(std::size_t text_bytes);
    /// On success the charge moves into `message.memory` and is released with it.
    MemoryDecision after_decoding(jsonrpc::Incoming& message);
    const MemoryCharge& charge() const { return charge_; }

 private:
    MemoryCharge charge_;
    std::size_t text_bytes_ = 0;
};

}  // namespace tenon::core

#pragma GCC visibility pop
