#include <atomic>

#include "store/conformance/subject.hpp"

namespace tenon::store::conformance {
namespace {

using Version = std::uint64_t;

SessionRecord sample(std::string id) {
    SessionRecord out;
    out.id = std::move(id);
    out.principal = "alice";
    out.revision = "2025-11-25";
    out.client_info = R"({"name":"x","version":"1"})";
    out.capabilities = R"({"roots":{}})";
    out.subscriptions = {"file:///a", "", "b"};
    out.log_level = LogLevel::warning;
    out.initialized = true;
    out.extra = all_bytes();
    return out;
}

Version create(Run& run, const SessionRecord& record, Millis ttl = long_time) {
    return run.value<Version>("create", [&](auto reply) { run.a().sessions().create(record, ttl, std::move(reply)); });
}
StoredSession load(Run& run, Store& at, const std::string& id) {
    return run.value<StoredSession>("load", [&](auto reply) { at.sessions().load(id, std::move(reply)); });
}
void expect_gone(Run& run, Store& at, const std::string& id) {
    run.refused<StoredSession>(code::store_not_found, "load",
                               [&](auto reply) { at.sessions().load(id, std::move(reply)); });
}

void every_field_is_stored(Run& run) {
    const auto record = sample(run.fresh("s"));
    const auto version = create(run, record);
    const auto found = load(run, run.b(), record.id);
    run.expect(found.record == record, "another node must load the same record");
    run.equal(found.version, version, "the version");
    run.expect(found.expires_in > Millis(0) && found.expires_in <= long_time, "expires_in must be within the ttl");
    SessionRecord small;
    small.id = run.fresh("t");
    create(run, small);
    run.expect(load(run, run.b(), small.id).record == small, "empty fields must stay empty");
}

void an_id_is_created_once(Run& run) {
    const auto record = sample(run.fresh("s"));
    create(run, record);
    run.refused<Version>(code::store_conflict, "a second create",
                         [&](auto reply) { run.b().sessions().create(record, long_time, std::move(reply)); });
}

void a_missing_session_is_not_found(Run& run) {
    const auto record = sample(run.fresh("s"));
    expect_gone(run, run.a(), record.id);
    run.refused<Version>(code::store_not_found, "update",
                         [&](auto reply) { run.a().sessions().update(record, 1, long_time, std::move(reply)); });
    run.refused<void>(code::store_not_found, "touch",
                      [&](auto reply) { run.a().sessions().touch(record.id, long_time, std::move(reply)); });
    run.expect(!run.value<bool>("remove", [&](auto reply) { run.a().sessions().remove(record.id, std::move(reply)); }),
               "remove must say that there was no session");
}

void an_update_needs_the_current_version(Run& run) {
    auto record = sample(run.fresh("s"));
    const auto first = create(run, record);
    record.initialized = false;
    record.subscriptions.push_back("c");
    const auto second = run.value<Version>(
        "update", [&](auto reply) { run.b().sessions().update(record, first, long_time, std::move(reply)); });
    run.expect(second > first, "an update must increase the version");
    auto other = record;
    other.principal = "mallory";
    run.refused<Version>(code::store_conflict, "an update with an old version",
                         [&](auto reply) { run.a().sessions().update(other, first, long_time, std::move(reply)); });
    const auto found = load(run, run.a(), record.id);
    run.expect(found.record == record && found.version == second, "a refused update must change nothing");
}

void of_concurrent_updates_one_wins(Run& run) {
    const auto record = sample(run.fresh("s"));
    auto version = create(run, record);
    for (int round = 0; round < 10; ++round) {
        std::atomic<int> won = 0;
        std::atomic<Version> newest = 0;
        run.on_threads(4, [&](int thread) {
            auto& node = thread % 2 == 0 ? run.a() : run.b();
            const auto out = run.result<Version>(
                [&](auto reply) { node.sessions().update(record, version, long_time, std::move(reply)); });
            if (out)
                ++won, newest = *out;
            else
                run.equal(out.error().code, code::store_conflict, "the error of the loser");
        });
        run.equal(won.load(), 1, "the number of successful updates with one version");
        version = newest;
    }
}

void a_session_expires(Run& run) {
    const auto kept = sample(run.fresh("kept")), short_lived = sample(run.fresh("short")),
               extended = sample(run.fresh("x"));
    create(run, kept);
    create(run, short_lived, short_time);
    create(run, extended);
    run.value<void>("touch", [&](auto reply) { run.b().sessions().touch(extended.id, short_time, std::move(reply)); });
    run.advance(after_short_time);
    expect_gone(run, run.b(), short_lived.id);
    expect_gone(run, run.a(), extended.id);
    load(run, run.b(), kept.id);
    create(run, short_lived);
    load(run, run.b(), short_lived.id);
}

void touch_and_update_extend_the_time(Run& run) {
    const auto touched = sample(run.fresh("t")), updated = sample(run.fresh("u"));
    const Millis time = std::chrono::seconds(20);
    create(run, touched, time);
    const auto version = create(run, updated, time);
    run.value<void>("touch", [&](auto reply) { run.a().sessions().touch(touched.id, long_time, std::move(reply)); });
    run.value<Version>("update",
                       [&](auto reply) { run.a().sessions().update(updated, version, long_time, std::move(reply)); });
    run.expect(load(run, run.b(), touched.id).expires_in > time, "touch must extend the time");
    run.expect(load(run, run.b(), updated.id).expires_in > time, "update must extend the time");
    run.equal(load(run, run.b(), touched.id).version, version, "the version after touch");
}

void removing_a_session_removes_its_streams(Run& run) {
    const auto record = sample(run.fresh("s"));
    create(run, record);
    const StreamName stream{record.id, "1"}, other{run.fresh("other"), "1"};
    for (const auto& name : {stream, other})
        run.value<EventId>("append",
                           [&](auto reply) { run.a().events().append(name, "x", false, {}, std::move(reply)); });
    run.expect(run.value<bool>("remove", [&](auto reply) { run.b().sessions().remove(record.id, std::move(reply)); }),
               "remove must say that there was a session");
    expect_gone(run, run.a(), record.id);
    run.refused<EventBatch>(code::store_not_found, "reading a stream of the session",
                            [&](auto reply) { run.a().events().read(stream, 0, 9, 9, std::move(reply)); });
    run.value<EventBatch>("reading another stream",
                          [&](auto reply) { run.a().events().read(other, 0, 9, 9, std::move(reply)); });
}

void a_corrupt_session_harms_only_itself(Run& run) {
    if (!run.can_overwrite()) return;
    const auto good = sample(run.fresh("good")), bad = sample(run.fresh("bad"));
    create(run, good);
    create(run, bad);
    for (const std::string bytes : {"", "tenon", "{\"foreign\":1}"}) {
        run.overwrite("session", bad.id, bytes);
        run.refused<StoredSession>(code::store_corrupt, "load",
                                   [&](auto reply) { run.b().sessions().load(bad.id, std::move(reply)); });
    }
    load(run, run.b(), good.id);
    run.expect(run.value<bool>("remove", [&](auto reply) { run.a().sessions().remove(bad.id, std::move(reply)); }),
               "a corrupt session can be removed");
    create(run, bad);
    load(run, run.b(), bad.id);
}

void hostile_ids_stay_apart(Run& run) {
    for (const auto& name : hostile_names()) {
        const auto id = name.size() > 1000 ? name : name + run.fresh("");
        run.result<bool>([&](auto reply) { run.a().sessions().remove(id, std::move(reply)); });
        auto record = sample(id);
        record.extra = name;
        create(run, record);
    }
    for (const auto& name : hostile_names()) {
        const auto id = name.size() > 1000 ? name : name + run.fresh("");
        run.equal(load(run, run.b(), id).record.extra, name, "the record of a hostile id");
    }
}

}  // namespace

std::vector<Check> session_checks() {
    return {{"sessions_store_every_field", every_field_is_stored},
            {"sessions_create_an_id_once", an_id_is_created_once},
            {"sessions_do_not_find_a_missing_one", a_missing_session_is_not_found},
            {"sessions_update_needs_the_current_version", an_update_needs_the_current_version},
            {"sessions_of_concurrent_updates_one_wins", of_concurrent_updates_one_wins},
            {"sessions_expire", a_session_expires},
            {"sessions_touch_and_update_extend_the_time", touch_and_update_extend_the_time},
            {"sessions_remove_their_streams", removing_a_session_removes_its_streams},
            {"sessions_that_are_corrupt_harm_only_themselves", a_corrupt_session_harms_only_itself},
            {"sessions_with_hostile_ids_stay_apart", hostile_ids_stay_apart}};
}

}  // namespace tenon::store::conformance
