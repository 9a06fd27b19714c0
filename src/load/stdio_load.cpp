#include "load/stdio_load.hpp"

#include "load/phase_loop.hpp"

namespace tenon::load {

StdioLoad::StdioLoad(const bench::Options& options, std::vector<PreparedCall> calls)
    : options_(options),
      calls_(std::move(calls)),
      mix_(options.calls),
      child_(options.max_message_bytes),
      slots_(options.in_flight) {
    for (std::size_t i = slots_.size(); i-- > 0;) idle_.push_back(i);
}

Result<std::unique_ptr<StdioLoad>> StdioLoad::to(const bench::Options& options, const protocol::Rules& rules,
                                                 std::vector<PreparedCall> calls) {
    std::unique_ptr<StdioLoad> out(new StdioLoad(options, std::move(calls)));
    if (auto started = out->child_.start(options.target); !started) return started.error();
    auto revision = out->child_.introduce(rules, later(Clock::now(), options.answer_time));
    if (!revision) return revision.error();
    out->revision_ = *std::move(revision);
    return out;
}

Result<void> StdioLoad::run(const Phase& phase, Tally& tally, Lookout& lookout) {
    const auto use = [&](std::string_view line) { take(line, tally); };
    const auto fill_slots = [&](Pace& pace) {
        fill(pace);
        return Result<void>();
    };
    return run_phase(
        phase, tally, lookout, fill_slots, [&] { return idle_.size() == slots_.size(); },
        [&](TimePoint now) { time_out_slow_requests(now, tally); },
        [&](TimePoint until, Pace&) { return child_.pump(until, use); });
}

void StdioLoad::fill(Pace& pace) {
    while (!idle_.empty() && !child_.is_full()) {
        const TimePoint now = Clock::now();
        const auto from = pace.take(now);
        if (!from) return;
        const std::size_t index = idle_.back();
        idle_.pop_back();
        Slot& slot = slots_[index];
        slot = {true, mix_.next(), number_after(slot.number, index), *from, now};
        child_.say(calls_[slot.call].body(slot.number));
    }
}

// Returns the next number for this slot. The number modulo the number of slots is the slot's index.
std::uint64_t StdioLoad::number_after(std::uint64_t number, std::size_t index) const {
    const std::uint64_t next = number + slots_.size();
    const bool usable = next >= first_number && next <= last_number;
    return usable ? next : (first_number / slots_.size() + 1) * slots_.size() + index;
}

void StdioLoad::take(std::string_view message, Tally& tally) {
    const Envelope envelope = read_envelope(message);
    if (envelope.kind == Envelope::Kind::other) return tally.notice();
    Slot* slot = slot_of(envelope.id);
    if (!slot) return tally.wrong(0, "a response without a request: " + beginning_of(message));
    if (auto why = calls_[slot->call].complaint(message, envelope, slot->number))
        tally.wrong(slot->call, *std::move(why));
    else
        tally.right(slot->call, Clock::now() - slot->from);
    free(*slot);
}

StdioLoad::Slot* StdioLoad::slot_of(std::uint64_t number) {
    Slot& slot = slots_[number % slots_.size()];
    return slot.busy && slot.number == number ? &slot : nullptr;
}

void StdioLoad::free(Slot& slot) {
    slot.busy = false;
    idle_.push_back(static_cast<std::size_t>(&slot - slots_.data()));
}

void StdioLoad::time_out_slow_requests(TimePoint now, Tally& tally) {
    for (Slot& slot : slots_) {
        if (!slot.busy || now - slot.left <= options_.answer_time) continue;
        tally.wrong(slot.call, "no answer in time");
        free(slot);
    }
}

}  // namespace tenon::load
