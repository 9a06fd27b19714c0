#include "core/memory.hpp"

namespace tenon::core {

Error memory_error(MemoryDecision verdict, const MemoryCharge& charge) {
    const auto* account = charge.account().get();
    if (verdict == MemoryDecision::over_share)
        return {code::server_error,
                "Too much memory in use for this client: the limit is " +
                    std::to_string(account ? account->share() : 0) +
                    " bytes (Limits::peer_memory_share); read the answers that wait, or send less "
                    "at once",
                LimitName::peer_memory_share};
    return {code::server_error,
            "The server is short of memory for clients: the limit is " +
                std::to_string(account ? account->budget().total() : 0) +
                " bytes (Limits::memory_budget); try again later",
            LimitName::memory_budget};
}

// An estimate. A decoded message is hardly larger than its text, unless it has many small values. after_decoding()
// corrects the charge for such a message.
MemoryDecision MessageCharge::before_decoding(std::size_t text_bytes) {
    text_bytes_ = text_bytes;
    return charge_.resize(bytes_of_call + 2 * text_bytes);
}

MemoryDecision MessageCharge::after_decoding(jsonrpc::Incoming& message) {
    // The length of the text is the estimate for the parts that are not in the arena: ids, methods, and results.
    const std::size_t needed = text_bytes_ + message.memory->bytes() + message.messages.size() * bytes_of_call;
    const bool about_right = needed <= charge_.bytes() && charge_.bytes() - needed <= bytes_of_call;
    const MemoryDecision verdict = about_right ? MemoryDecision::granted : charge_.resize(needed);
    if (verdict == MemoryDecision::granted) message.memory->hold(std::move(charge_));
    return verdict;
}

}  // namespace tenon::core
