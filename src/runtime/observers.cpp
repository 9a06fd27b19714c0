#include "runtime/observers.hpp"

#include "base/quick_random.hpp"
#include "io/last_resort.hpp"
#include "io/random.hpp"

namespace tenon {

// Asks the system for randomness once for each thread, because each question costs more than the rest of an operation's
// record. Ids of spans are not secret: they are in every message of a call.
observe::SpanIds new_span_ids() {
    thread_local base::QuickRandom random = [] {
        base::QuickRandom::Seed seed;
        io::fill_random(seed.data(), sizeof seed);
        return base::QuickRandom(seed);
    }();
    observe::SpanIds out{random.next(), random.next(), random.next()};
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
