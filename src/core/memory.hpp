// Charges messages to the memory budget, and makes the error for a peer that is over its share.
#pragma once

#include <tenon/error.hpp>

#include "base/memory_budget.hpp"
#include "jsonrpc/message.hpp"

namespace tenon::core {

using base::MemoryAccountPtr;
using base::MemoryCharge;
using base::MemoryDecision;

/// What one call holds besides its parameters: the objects around it.
inline constexpr std::size_t bytes_of_call = 2048;
/// What an entry of a list or table costs besides its text.
inline constexpr std::size_t bytes_of_entry = 128;
/// What a session holds before its client has said anything.
inline constexpr std::size_t bytes_of_session = 4096;

/// Returns why memory was refused, and what to do.
Error memory_error(MemoryDecision verdict, const MemoryCharge& charge);

/// Charges an account for a message: before it is decoded, by its length, and after that by what it has become.
class MessageCharge {
 public:
    explicit MessageCharge(MemoryAccountPtr account) : charge_(std::move(account)) {}

    MemoryDecision before_decoding(std::size_t text_bytes);
    /// On success the memory of the message keeps the charge.
    MemoryDecision after_decoding(jsonrpc::Incoming& message);
    const MemoryCharge& charge() const { return charge_; }

 private:
    MemoryCharge charge_;
    std::size_t text_bytes_ = 0;
};

}  // namespace tenon::core
