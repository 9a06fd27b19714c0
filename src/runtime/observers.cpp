#include "runtime/observers.hpp"

#include <array>
#include <cstdint>

#include "io/last_resort.hpp"
#include "io/random.hpp"

namespace tenon {

// Asks the system for many ids at once, because each question costs more than the rest of an operation's record.
observe::SpanIds new_span_ids() {
    struct Stock {
        std::array<observe::SpanIds, 64> ids;
        std::size_t left = 0;
    };
    thread_local Stock stock;
    if (stock.left == 0) {
        io::fill_random(stock.ids.data(), sizeof(stock.ids));
        stock.left = stock.ids.size();
    }
    observe::SpanIds out = stock.ids[--stock.left];
    if (out.span == 0) out.span = 1;
    return out;
}

void Observers::report(const Operation& operation, const LogNote& note) const noexcept {
    if (audit_) audit_->add(operation);
    for (const OperationObserver& observer : own_)
        io::survives(
            [&] { observer(operation); },
            [&](const char* what) { note(LogLevel::error, std::string("an observer threw an exception: ") + what); });
}

}  // namespace tenon
