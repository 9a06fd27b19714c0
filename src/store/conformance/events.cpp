#include <atomic>

#include "store/conformance/subject.hpp"

namespace tenon::store::conformance {
namespace {

EventId append(Run& run, Store& at, const StreamName& stream, const std::string& bytes, bool last = false,
               Keep keep = {}) {
    return run.value<EventId>("append",
                              [&](auto reply) { at.events().append(stream, bytes, last, keep, std::move(reply)); });
}
EventBatch read(Run& run, Store& at, const StreamName& stream, EventId after = 0, std::size_t max_events = 1000,
                std::size_t max_bytes = 1 << 20) {
    return run.value<EventBatch>(
        "read", [&](auto reply) { at.events().read(stream, after, max_events, max_bytes, std::move(reply)); });
}
void expect_gone(Run& run, const StreamName& stream) {
    run.refused<EventBatch>(code::store_not_found, "read",
                            [&](auto reply) { run.b().events().read(stream, 0, 9, 9, std::move(reply)); });
}

void ids_count_from_one(Run& run) {
    const StreamName stream{run.fresh("g"), "s"}, other{run.fresh("g"), "t"};
    expect_gone(run, stream);
    for (EventId id = 1; id <= 5; ++id)
        run.equal(append(run, id % 2 ? run.a() : run.b(), stream, std::to_string(id)), id, "the id of an event");
    run.equal(append(run, run.a(), other, "x"), EventId{1}, "the first id of another stream");
    const auto batch = read(run, run.b(), stream);
    run.equal(batch.events.size(), std::size_t{5}, "the number of events");
    for (EventId id = 1; id <= 5; ++id)
        run.expect(batch.events[id - 1] == Event{id, std::to_string(id)}, "the events must be in order");
    run.expect(batch.last == 5 && !batch.finished && !batch.gap, "the state of the stream must be right");
}

void reads_are_bounded(Run& run) {
    const StreamName stream{run.fresh("g"), "s"};
    for (int i = 0; i < 10; ++i) append(run, run.a(), stream, std::string(10, 'x'));
    const auto by_count = read(run, run.b(), stream, 3, 4);
    run.expect(by_count.events.size() == 4 && by_count.events.front().id == 4 && by_count.last == 10,
               "a read returns at most max_events events after the id");
    run.equal(read(run, run.b(), stream, 0, 100, 35).events.size(), std::size_t{3}, "events that fit in max_bytes");
    run.equal(read(run, run.b(), stream, 0, 100, 1).events.size(), std::size_t{1}, "events if the first does not fit");
    const auto none = read(run, run.b(), stream, 10);
    run.expect(none.events.empty() && none.last == 10, "nothing is after the last event");
    run.expect(read(run, run.b(), stream, 99).events.empty(), "nothing is after an id that does not exist yet");
    run.expect(read(run, run.b(), stream, UINT64_MAX).events.empty(), "nothing is after the largest id");
}

void any_bytes_are_stored(Run& run) {
    const StreamName stream{run.fresh("g"), "s"};
    const std::vector<std::string> values = {"", all_bytes(), std::string(64 * 1024, '\0'), "\r\n$-1\r\n", "", "nil"};
    for (const auto& value : values) append(run, run.a(), stream, value);
    const auto batch = read(run, run.b(), stream);
    run.equal(batch.events.size(), values.size(), "the number of events");
    for (std::size_t i = 0; i < values.size(); ++i)
        run.expect(batch.events[i].bytes == values[i], "bytes must not change");
}

void appends_of_one_node_keep_their_order(Run& run) {
    const StreamName stream{run.fresh("g"), "s"};
    constexpr std::size_t count = 500;
    const auto ids = std::make_shared<Signal>();
    for (std::size_t i = 0; i < count; ++i)
        run.a().events().append(stream, std::to_string(i), false, {}, make_reply<EventId>([ids](Result<EventId>&& id) {
                                    ids->add(id ? std::to_string(*id) : id.error().message);
                                }));
    run.wait_for("all appends", ids, count);
    const auto all = ids->all();
    for (std::size_t i = 0; i < count; ++i)
        run.equal(all[i], std::to_string(i + 1), "the id of event " + std::to_string(i));
    const auto batch = read(run, run.b(), stream);
    for (std::size_t i = 0; i < count; ++i)
        run.equal(batch.events[i].bytes, std::to_string(i), "event " + std::to_string(i));
}

void concurrent_appends_get_different_ids(Run& run) {
    const StreamName stream{run.fresh("g"), "s"};
    constexpr int threads = 4, each = 50;
    std::mutex mutex;
    std::vector<int> seen(threads * each + 1);
    run.on_threads(threads, [&](int thread) {
        for (int i = 0; i < each; ++i) {
            const auto id = append(run, thread % 2 ? run.a() : run.b(), stream, std::to_string(thread));
            const std::lock_guard lock(mutex);
            run.expect(id >= 1 && id < seen.size(), "ids must have no gaps");
            ++seen[id];
        }
    });
    for (std::size_t id = 1; id < seen.size(); ++id) run.equal(seen[id], 1, "the use of id " + std::to_string(id));
    run.equal(read(run, run.a(), stream).events.size(), std::size_t{threads * each}, "the number of events");
}

void a_finished_stream_takes_no_event(Run& run) {
    const StreamName stream{run.fresh("g"), "s"}, empty{run.fresh("g"), "t"};
    append(run, run.a(), stream, "first");
    append(run, run.a(), stream, "last", true);
    run.value<void>("finish", [&](auto reply) { run.a().events().finish(empty, {}, std::move(reply)); });
    for (const auto& name : {stream, empty}) {
        run.refused<EventId>(code::store_conflict, "append to a finished stream",
                             [&](auto reply) { run.b().events().append(name, "late", false, {}, std::move(reply)); });
        run.refused<void>(code::store_conflict, "a second finish",
                          [&](auto reply) { run.b().events().finish(name, {}, std::move(reply)); });
    }
    const auto batch = read(run, run.b(), stream);
    run.expect(batch.finished && batch.last == 2 && batch.events.back().bytes == "last",
               "the stream ends with its last event");
    const auto nothing = read(run, run.b(), empty);
    run.expect(nothing.finished && nothing.last == 0 && nothing.events.empty() && !nothing.gap,
               "an empty stream can be finished");
}

void one_final_event_wins(Run& run) {
    for (int round = 0; round < 10; ++round) {
        const StreamName stream{run.fresh("g"), std::to_string(round)};
        std::atomic<int> won = 0;
        run.on_threads(4, [&](int thread) {
            auto& node = thread % 2 ? run.a() : run.b();
            const auto out = run.result<EventId>(
                [&](auto reply) { node.events().append(stream, std::to_string(thread), true, {}, std::move(reply)); });
            if (out)
                ++won;
            else
                run.equal(out.error().code, code::store_conflict, "the error of the loser");
        });
        run.equal(won.load(), 1, "the number of final events");
        run.equal(read(run, run.a(), stream).events.size(), std::size_t{1}, "the number of events");
    }
}

void old_events_are_trimmed(Run& run) {
    const StreamName by_count{run.fresh("g"), "count"}, by_bytes{run.fresh("g"), "bytes"};
    for (int i = 1; i <= 10; ++i) {
        append(run, run.a(), by_count, std::to_string(i), false, {3, 1 << 20, long_time});
        append(run, run.a(), by_bytes, std::string(10, 'x'), false, {1000, 25, long_time});
    }
    const auto counted = read(run, run.b(), by_count);
    run.expect(counted.events.size() == 3 && counted.events.front() == Event{8, "8"} && counted.last == 10,
               "max_events newest events are kept");
    run.expect(counted.gap, "a read must say that events were trimmed");
    run.expect(!read(run, run.b(), by_count, 7).gap, "there is no gap after the newest trimmed event");
    run.expect(read(run, run.b(), by_count, 6).gap, "there is a gap before the newest trimmed event");
    run.equal(read(run, run.b(), by_bytes).events.size(), std::size_t{2}, "events within max_bytes");
    append(run, run.a(), by_bytes, std::string(100, 'y'), false, {1000, 25, long_time});
    const auto large = read(run, run.b(), by_bytes);
    run.expect(large.events.size() == 1 && large.events.front().id == 11, "the newest event is always kept");
    run.equal(append(run, run.a(), by_count, "11", false, {3, 1 << 20, long_time}), EventId{11},
              "the id after trimming");
}

void trim_removes_by_size_and_age(Run& run) {
    const StreamName stream{run.fresh("g"), "s"};
    for (int i = 0; i < 10; ++i) append(run, run.a(), stream, std::string(10, 'x'));
    const auto trim = [&](Keep keep) {
        return run.value<std::size_t>("trim",
                                      [&](auto reply) { run.b().events().trim(stream, keep, std::move(reply)); });
    };
    run.equal(trim({8, 1 << 20, long_time}), std::size_t{2}, "events trimmed by count");
    run.equal(trim({1000, 50, long_time}), std::size_t{3}, "events trimmed by bytes");
    run.equal(trim({1000, 1000, long_time}), std::size_t{0}, "events trimmed without need");
    run.advance(after_short_time);
    append(run, run.a(), stream, "new");
    run.equal(trim({1000, 1000, short_time}), std::size_t{5}, "events trimmed by age");
    const auto batch = read(run, run.a(), stream);
    run.expect(batch.events.size() == 1 && batch.events.front() == Event{11, "new"}, "the newest event stays");
    run.refused<std::size_t>(code::store_not_found, "trimming a missing stream", [&](auto reply) {
        run.a().events().trim({stream.group, "missing"}, {}, std::move(reply));
    });
}

void a_stream_expires(Run& run) {
    const StreamName stream{run.fresh("g"), "s"}, kept{run.fresh("g"), "k"};
    append(run, run.a(), stream, "x", false, {10, 100, short_time});
    append(run, run.a(), kept, "x", true, {10, 100, long_time});
    run.advance(after_short_time);
    expect_gone(run, stream);
    read(run, run.b(), kept);
    run.equal(append(run, run.b(), stream, "y"), EventId{1}, "the first id of a new stream");
}

void removed_streams_are_gone(Run& run) {
    const std::string group = run.fresh("g");
    for (const std::string name : {"a", "b", "c"}) append(run, run.a(), {group, name}, "x");
    append(run, run.a(), {group + "x", "a"}, "x");
    run.expect(run.value<bool>("remove",
                               [&](auto reply) {
                                   run.b().events().remove({group, "a"}, std::move(reply));
                               }),
               "remove must say that there was a stream");
    run.expect(!run.value<bool>("remove",
                                [&](auto reply) {
                                    run.b().events().remove({group, "a"}, std::move(reply));
                                }),
               "remove must say that there was no stream");
    expect_gone(run, {group, "a"});
    const auto remove_group = [&] {
        return run.value<std::size_t>("remove_group",
                                      [&](auto reply) { run.b().events().remove_group(group, std::move(reply)); });
    };
    run.equal(remove_group(), std::size_t{2}, "the number of removed streams");
    run.equal(remove_group(), std::size_t{0}, "the number of streams after that");
    expect_gone(run, {group, "b"});
    read(run, run.a(), {group + "x", "a"});
}

void hostile_names_stay_apart(Run& run) {
    for (const auto& name : hostile_names()) {
        append(run, run.a(), {run.fresh("g"), name}, name);
        append(run, run.a(), {name.size() > 1000 ? name : name + run.fresh(""), "s"}, name);
    }
    for (const auto& name : hostile_names()) {
        run.expect(read(run, run.b(), {run.fresh("g"), name}).events == std::vector<Event>{{1, name}},
                   "a stream with a hostile name has its own events");
        const auto group = name.size() > 1000 ? name : name + run.fresh("");
        run.equal(read(run, run.b(), {group, "s"}).events.back().bytes, name, "the event of a hostile group");
        run.value<std::size_t>("remove_group",
                               [&](auto reply) { run.b().events().remove_group(group, std::move(reply)); });
    }
}

void watchers_are_woken(Run& run) {
    const StreamName stream{run.fresh("g"), "s"}, other{run.fresh("g"), "t"};
    const auto wakes = std::make_shared<Signal>(), others = std::make_shared<Signal>();
    const auto watching = run.b().events().watch(stream, [wakes] { wakes->add(""); });
    const auto elsewhere = run.b().events().watch(other, [others] { others->add(""); });
    run.wait_for("the first wake-up", wakes, 1);
    run.wait_for("the first wake-up", others, 1);
    auto before = wakes->count();
    append(run, run.a(), stream, "x");
    run.wait_for("a wake-up after an append of another node", wakes, before + 1);
    before = wakes->count();
    append(run, run.b(), stream, "y");
    run.wait_for("a wake-up after an append of the same node", wakes, before + 1);
    before = wakes->count();
    run.value<void>("finish", [&](auto reply) { run.a().events().finish(stream, {}, std::move(reply)); });
    run.wait_for("a wake-up after finish", wakes, before + 1);
}

void a_watcher_misses_no_event(Run& run) {
    const StreamName stream{run.fresh("g"), "s"};
    constexpr EventId count = 100;
    const auto wakes = std::make_shared<Signal>();
    const auto watching = run.b().events().watch(stream, [wakes] { wakes->add(""); });
    std::thread writer([&] {
        for (EventId i = 0; i < count; ++i)
            run.result<EventId>(
                [&](auto reply) { run.a().events().append(stream, "x", i + 1 == count, {}, std::move(reply)); });
    });
    EventId last = 0;
    std::size_t seen = 0;
    bool finished = false;
    std::optional<Failed> failed;
    try {
        while (!finished) {
            run.wait_for("a wake-up", wakes, seen + 1);
            seen = wakes->count();
            const auto batch = run.result<EventBatch>(
                [&](auto reply) { run.b().events().read(stream, last, 1000, 1 << 20, std::move(reply)); });
            if (!batch) continue;  // nothing was appended yet
            for (const auto& event : batch->events) run.equal(event.id, ++last, "the next id");
            finished = batch->finished;
        }
    } catch (const Failed& failure) {
        failed = failure;
    }
    writer.join();
    if (failed) throw *failed;
    run.equal(last, count, "the number of events");
}

}  // namespace

std::vector<Check> event_checks() {
    return {{"events_have_ids_that_count_from_one", ids_count_from_one},
            {"events_are_read_in_bounded_batches", reads_are_bounded},
            {"events_are_any_bytes", any_bytes_are_stored},
            {"events_of_one_node_keep_their_order", appends_of_one_node_keep_their_order},
            {"events_of_concurrent_nodes_get_different_ids", concurrent_appends_get_different_ids},
            {"events_end_with_a_finished_stream", a_finished_stream_takes_no_event},
            {"events_that_are_final_occur_once", one_final_event_wins},
            {"events_are_trimmed_by_append", old_events_are_trimmed},
            {"events_are_trimmed_by_size_and_age", trim_removes_by_size_and_age},
            {"events_expire_with_their_stream", a_stream_expires},
            {"events_are_removed_by_stream_and_group", removed_streams_are_gone},
            {"events_of_hostile_names_stay_apart", hostile_names_stay_apart},
            {"events_wake_their_watchers", watchers_are_woken},
            {"events_are_not_missed_by_watchers", a_watcher_misses_no_event}};
}

}  // namespace tenon::store::conformance
