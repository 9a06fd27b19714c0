// Checks of what holds for all operations.
#include "store/conformance/subject.hpp"

namespace tenon::store::conformance {
namespace {

void wrong_arguments_are_refused(Run& run) {
    StoreOptions options;
    options.limits.max_key_bytes = 10;
    options.limits.max_value_bytes = 100;
    const auto store = run.open(options);
    const std::string long_key(11, 'k'), long_value(101, 'v');
    const auto refused = [&](const std::string& what, auto start) {
        run.refused<void>(code::store_invalid, what, [&](Reply<void> reply) { start(std::move(reply)); });
    };
    refused("a long key", [&](auto reply) { store->values().set(long_key, "v", long_time, std::move(reply)); });
    refused("an empty key", [&](auto reply) { store->values().set("", "v", long_time, std::move(reply)); });
    refused("a large value", [&](auto reply) { store->values().set("k", long_value, long_time, std::move(reply)); });
    refused("a time of 0", [&](auto reply) { store->values().set("k", "v", Millis(0), std::move(reply)); });
    refused("a negative time", [&](auto reply) { store->sessions().touch("s", Millis(-1), std::move(reply)); });
    refused("a long topic", [&](auto reply) { store->bus().publish(long_key, "v", std::move(reply)); });
    refused("a stream without a name", [&](auto reply) { store->events().finish({"g", ""}, {}, std::move(reply)); });
    refused("a long group", [&](auto reply) { store->events().finish({long_key, "n"}, {}, std::move(reply)); });
    run.expect(!store->bus().subscribe(long_key, {}), "a wrong topic has no subscription");
}

void batches_are_limited(Run& run) {
    StoreOptions options;
    options.limits.max_batch_events = 3;
    const auto store = run.open(options);
    const StreamName stream{run.fresh("g"), "s"};
    for (int i = 0; i < 5; ++i)
        run.value<EventId>("append",
                           [&](auto reply) { store->events().append(stream, "x", false, {}, std::move(reply)); });
    const auto batch = run.value<EventBatch>(
        "read", [&](auto reply) { store->events().read(stream, 0, SIZE_MAX, SIZE_MAX, std::move(reply)); });
    run.equal(batch.events.size(), std::size_t{3}, "the events of a read above StoreLimits::max_batch_events");
}

void the_observer_sees_operations(Run& run) {
    const auto seen = std::make_shared<Signal>();
    StoreOptions options;
    options.observe = [seen](const StoreOperation& operation) {
        seen->add(std::string(operation.name) + " " + std::to_string(operation.error));
    };
    const auto store = run.open(options);
    run.value<void>("set", [&](auto reply) { store->values().set(run.fresh("k"), "v", long_time, std::move(reply)); });
    run.refused<StoredTask>(code::store_not_found, "load",
                            [&](auto reply) { store->tasks().load(run.fresh("t"), std::move(reply)); });
    const std::vector<std::string> expected = {"values.set 0", "tasks.load " + std::to_string(code::store_not_found)};
    run.expect(seen->all() == expected, "the observer must see each operation once, before its reply");
}

void check_describes_the_store(Run& run) {
    const auto status = run.value<StoreStatus>("check", [&](auto reply) { run.a().check(std::move(reply)); });
    run.expect(!status.description.empty(), "check must describe the store");
    run.advance(short_time);
    const auto later = run.value<StoreStatus>("check", [&](auto reply) { run.b().check(std::move(reply)); });
    run.expect(later.time >= status.time + short_time, "the clock of the store must advance");
}

void a_closed_store_answers_everything(Run& run) {
    constexpr std::size_t count = 200;
    const auto answers = std::make_shared<Signal>();
    auto store = run.open({});
    const auto key = run.fresh("k");
    for (std::size_t i = 0; i < count; ++i)
        store->values().add(key, 1, long_time, make_reply<std::int64_t>([answers](Result<std::int64_t>&& sum) {
                                answers->add(sum || is_unavailable(sum.error()) ? "" : sum.error().message);
                            }));
    store->close();
    run.equal(answers->count(), count, "the number of answers after close()");
    for (const auto& answer : answers->all()) run.equal(answer, "", "the answer");
}

void a_closed_store_refuses_later_operations(Run& run) {
    const auto store = run.open({});
    const auto key = run.fresh("k");
    run.value<void>("set", [&](auto reply) { store->values().set(key, "v", long_time, std::move(reply)); });
    store->close();
    store->close();
    run.refused<std::optional<std::string>>(code::store_unavailable, "a read after close()", [&](auto reply) {
        store->values().get(key, std::move(reply));
    });
    const auto seen = std::make_shared<Signal>();
    const auto ignored = store->bus().subscribe(run.fresh("t"), {[seen](std::string_view) { seen->add(""); }, {}});
    run.refused<void>(code::store_unavailable, "a message after close()",
                      [&](auto reply) { store->bus().publish(run.fresh("t"), "m", std::move(reply)); });
    run.equal(seen->count(), std::size_t{0}, "the number of messages after close()");
}

void a_store_can_be_destroyed_inside_a_reply(Run& run) {
    const auto done = std::make_shared<Signal>();
    auto holder = std::make_shared<std::shared_ptr<Store>>(run.open({}));
    auto& values = (*holder)->values();
    auto key = run.fresh("k");
    values.get(std::move(key), make_reply<std::optional<std::string>>([holder, done](auto&&) {
                   // A memory store answers inside get(), which still uses it.
                   if ((*holder)->is_shared()) holder->reset();
                   done->add("");
               }));
    run.wait_for("the answer", done, 1);
}

}  // namespace

std::vector<Check> common_checks() {
    return {{"arguments_that_are_wrong_are_refused", wrong_arguments_are_refused},
            {"batches_are_limited", batches_are_limited},
            {"observer_sees_every_operation", the_observer_sees_operations},
            {"check_describes_the_store", check_describes_the_store},
            {"closing_answers_every_operation", a_closed_store_answers_everything},
            {"closed_stores_refuse_operations", a_closed_store_refuses_later_operations},
            {"destroying_inside_a_reply_is_possible", a_store_can_be_destroyed_inside_a_reply}};
}

}  // namespace tenon::store::conformance
