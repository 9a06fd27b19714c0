#include <atomic>

#include "store/conformance/subject.hpp"

namespace tenon::store::conformance {
namespace {

using Found = std::vector<StoredTask>;
using Ids = std::vector<std::string>;

TaskRecord sample(std::string id, std::string owner) {
    TaskRecord out;
    out.id = std::move(id);
    out.owner = std::move(owner);
    out.created = out.updated = WallTime{} + std::chrono::seconds(1'700'000'000);
    out.ttl = long_time;
    return out;
}

StoredTask create(Run& run, const TaskRecord& task, Millis lease = long_time) {
    return run.value<StoredTask>("create",
                                 [&](auto reply) { run.a().tasks().create(task, "node a", lease, std::move(reply)); });
}
StoredTask load(Run& run, Store& at, const std::string& id) {
    return run.value<StoredTask>("load", [&](auto reply) { at.tasks().load(id, std::move(reply)); });
}
void update(Run& run, Store& at, const TaskRecord& task, Token token) {
    run.value<void>("update", [&](auto reply) { at.tasks().update(task, token, std::move(reply)); });
}
StoredTask take_over(Run& run, const std::string& id, Millis lease = long_time) {
    return run.value<StoredTask>("take_over",
                                 [&](auto reply) { run.b().tasks().take_over(id, "node b", lease, std::move(reply)); });
}
void expect_leased(Run& run, const std::string& id) {
    run.refused<StoredTask>(code::store_conflict, "taking over a leased task",
                            [&](auto reply) { run.b().tasks().take_over(id, "node b", long_time, std::move(reply)); });
}
void extend(Run& run, const std::string& id, Token token, Millis lease) {
    run.value<void>("extend", [&](auto reply) { run.a().tasks().extend(id, token, lease, std::move(reply)); });
}
Found list(Run& run, const std::string& owner, std::uint64_t after, std::size_t max) {
    return run.value<Found>("list", [&](auto reply) { run.b().tasks().list(owner, after, max, std::move(reply)); });
}
std::size_t count(Run& run, const std::string& owner) {
    return run.value<std::size_t>("count", [&](auto reply) { run.b().tasks().count(owner, std::move(reply)); });
}
bool is_orphan(Run& run, const std::string& id) {
    const auto ids = run.value<Ids>("orphans", [&](auto reply) { run.b().tasks().orphans(1000, std::move(reply)); });
    return std::find(ids.begin(), ids.end(), id) != ids.end();
}

void every_field_is_stored(Run& run) {
    auto task = sample(run.fresh("t"), run.fresh("owner"));
    task.status_message = "half done";
    task.input_requests = {{"key", {{"method", "elicitation/create"}}}};
    const auto stored = create(run, task);
    run.expect(stored.task.order > 0 && stored.token > 0 && stored.holder == "node a",
               "create answers with order and lease");
    run.expect(stored.lease_left > Millis(0) && stored.lease_left <= long_time, "lease_left is within the lease");
    const auto same = [&](const TaskRecord& found) {
        return found.id == task.id && found.owner == task.owner && found.status == task.status &&
               found.status_message == task.status_message && found.created == task.created &&
               found.updated == task.updated && found.ttl == task.ttl && found.input_requests == task.input_requests &&
               found.result == task.result && found.error == task.error && found.order == stored.task.order;
    };
    run.expect(same(load(run, run.b(), task.id).task), "another node must load the same task");
    task.status = TaskStatus::failed;
    task.error = Error(-32603, "it broke", {{"why", "a reason"}});
    task.result = all_bytes();
    task.updated += std::chrono::seconds(5);
    update(run, run.a(), task, stored.token);
    run.expect(same(load(run, run.b(), task.id).task), "another node must load the update");
    auto stolen = task;
    stolen.owner = "mallory";
    update(run, run.a(), stolen, stored.token);
    run.equal(load(run, run.b(), task.id).task.owner, task.owner, "the owner after an update");
}

void an_id_is_created_once(Run& run) {
    const auto task = sample(run.fresh("t"), "o");
    create(run, task);
    run.refused<StoredTask>(code::store_conflict, "a second create",
                            [&](auto reply) { run.b().tasks().create(task, "node b", long_time, std::move(reply)); });
}

void a_missing_task_is_not_found(Run& run) {
    const auto task = sample(run.fresh("t"), "o");
    run.refused<StoredTask>(code::store_not_found, "load",
                            [&](auto reply) { run.a().tasks().load(task.id, std::move(reply)); });
    run.refused<void>(code::store_not_found, "update",
                      [&](auto reply) { run.a().tasks().update(task, 1, std::move(reply)); });
    run.refused<void>(code::store_not_found, "extend",
                      [&](auto reply) { run.a().tasks().extend(task.id, 1, long_time, std::move(reply)); });
    run.refused<StoredTask>(code::store_not_found, "take_over",
                            [&](auto reply) { run.a().tasks().take_over(task.id, "n", long_time, std::move(reply)); });
    run.expect(!run.value<bool>("remove", [&](auto reply) { run.a().tasks().remove(task.id, std::move(reply)); }),
               "remove must say that there was no task");
}

void an_old_token_is_fenced(Run& run) {
    auto task = sample(run.fresh("t"), "o");
    const auto first = create(run, task, short_time);
    run.advance(after_short_time);
    task.status_message = "late, but not taken over";
    update(run, run.a(), task, first.token);
    const auto second = take_over(run, task.id);
    run.expect(second.token > first.token && second.holder == "node b", "a new lease has a larger token");
    run.equal(second.task.status_message, task.status_message, "the task after take_over");
    task.status_message = "from the grave";
    run.refused<void>(code::store_fenced, "an update with an old token",
                      [&](auto reply) { run.a().tasks().update(task, first.token, std::move(reply)); });
    run.refused<void>(code::store_fenced, "an extension with an old token",
                      [&](auto reply) { run.a().tasks().extend(task.id, first.token, long_time, std::move(reply)); });
    run.expect(load(run, run.a(), task.id).task.status_message != task.status_message,
               "a fenced update changes nothing");
    task.status = TaskStatus::completed;
    update(run, run.b(), task, second.token);
}

void a_lease_keeps_others_away(Run& run) {
    const auto task = sample(run.fresh("t"), "o");
    const auto first = create(run, task);
    expect_leased(run, task.id);
    extend(run, task.id, first.token, short_time);
    run.advance(after_short_time);
    run.equal(load(run, run.b(), task.id).lease_left, Millis(0), "the time of a lease that ran out");
    extend(run, task.id, first.token, long_time);
    expect_leased(run, task.id);
    extend(run, task.id, first.token, Millis(0));
    const auto second = take_over(run, task.id);
    run.equal(load(run, run.a(), task.id).holder, second.holder, "the holder");
    expect_leased(run, task.id);
}

void of_concurrent_nodes_one_takes_over(Run& run) {
    const auto task = sample(run.fresh("t"), "o");
    Token token = create(run, task).token;
    for (int round = 0; round < 10; ++round) {
        extend(run, task.id, token, Millis(0));
        std::atomic<int> won = 0;
        std::atomic<Token> newest = 0;
        run.on_threads(4, [&](int thread) {
            auto& node = thread % 2 ? run.a() : run.b();
            const auto out = run.result<StoredTask>(
                [&](auto reply) { node.tasks().take_over(task.id, "n", long_time, std::move(reply)); });
            if (out)
                ++won, newest = out->token;
            else
                run.equal(out.error().code, code::store_conflict, "the error of the loser");
        });
        run.equal(won.load(), 1, "the number of nodes that took over");
        run.expect(newest > token, "tokens must grow");
        token = newest;
    }
}

void tasks_are_listed_by_owner(Run& run) {
    const auto owner = run.fresh("owner"), other = run.fresh("other");
    for (int i = 0; i < 5; ++i) {
        create(run, sample(run.fresh("t" + std::to_string(i)), owner));
        create(run, sample(run.fresh("u" + std::to_string(i)), other));
    }
    const auto first = list(run, owner, 0, 3);
    run.equal(first.size(), std::size_t{3}, "the size of a page");
    const auto second = list(run, owner, first.back().task.order, 3);
    run.equal(second.size(), std::size_t{2}, "the size of the last page");
    std::uint64_t order = 0;
    int number = 0;
    for (const auto* page : {&first, &second})
        for (const auto& found : *page) {
            run.expect(found.task.order > order && found.task.owner == owner, "tasks of the owner, sorted by order");
            run.equal(found.task.id, run.fresh("t" + std::to_string(number++)), "the id of a task");
            order = found.task.order;
        }
    run.expect(list(run, owner, order, 3).empty(), "the list must end");
    run.equal(count(run, owner), std::size_t{5}, "the number of tasks");
    run.equal(count(run, run.fresh("nobody")), std::size_t{0}, "the number of tasks of an unknown owner");
    const auto size = [&] {
        return run.value<std::size_t>("size", [&](auto reply) { run.b().tasks().size(std::move(reply)); });
    };
    run.expect(size() >= 10, "size counts all tasks");
    for (const auto& found : first)
        run.expect(
            run.value<bool>("remove", [&](auto reply) { run.b().tasks().remove(found.task.id, std::move(reply)); }),
            "remove must say that there was a task");
    run.equal(count(run, owner), std::size_t{2}, "the number of tasks after three were removed");
    run.equal(list(run, owner, 0, 9).size(), std::size_t{2}, "the tasks after three were removed");
}

void a_task_expires(Run& run) {
    const auto owner = run.fresh("owner");
    auto task = sample(run.fresh("t"), owner);
    task.ttl = short_time;
    const auto stored = create(run, task, Millis(0));
    auto endless = sample(run.fresh("u"), owner);
    endless.ttl = Millis::max();
    create(run, endless);
    run.advance(after_short_time);
    run.refused<StoredTask>(code::store_not_found, "load",
                            [&](auto reply) { run.b().tasks().load(task.id, std::move(reply)); });
    run.refused<void>(code::store_not_found, "update",
                      [&](auto reply) { run.b().tasks().update(task, stored.token, std::move(reply)); });
    run.equal(count(run, owner), std::size_t{1}, "the number of tasks");
    run.equal(list(run, owner, 0, 9).size(), std::size_t{1}, "the number of listed tasks");
    run.expect(!is_orphan(run, task.id), "an expired task is not an orphan");
    run.equal(load(run, run.b(), endless.id).task.ttl, Millis::max(), "an unlimited ttl");
    create(run, task);
}

void orphans_are_found(Run& run) {
    auto held = sample(run.fresh("held"), "o"), lost = sample(run.fresh("lost"), "o"),
         over = sample(run.fresh("over"), "o");
    create(run, held);
    create(run, lost, short_time);
    const auto token = create(run, over, short_time).token;
    run.advance(after_short_time);
    over.status = TaskStatus::completed;
    update(run, run.a(), over, token);
    run.expect(is_orphan(run, lost.id), "a task whose lease ran out is an orphan");
    run.expect(!is_orphan(run, held.id), "a task with a lease is not an orphan");
    run.expect(!is_orphan(run, over.id), "a task that is over is not an orphan");
    const auto taken = take_over(run, lost.id);
    run.expect(!is_orphan(run, lost.id), "a task that was taken over is not an orphan");
    lost.status = TaskStatus::failed;
    update(run, run.b(), lost, taken.token);
    run.value<bool>("remove", [&](auto reply) { run.b().tasks().remove(lost.id, std::move(reply)); });
}

void a_corrupt_task_harms_only_itself(Run& run) {
    if (!run.can_overwrite()) return;
    const auto owner = run.fresh("owner");
    const auto good = sample(run.fresh("good"), owner), bad = sample(run.fresh("bad"), owner);
    create(run, bad, Millis(0));
    create(run, good);
    for (const std::string bytes : {"", "tenonT", "foreign"}) {
        run.overwrite("task", bad.id, bytes);
        run.refused<StoredTask>(code::store_corrupt, "load",
                                [&](auto reply) { run.b().tasks().load(bad.id, std::move(reply)); });
    }
    const auto found = list(run, owner, 0, 9);
    run.expect(found.size() == 1 && found.front().task.id == good.id, "a list leaves a corrupt task out");
    run.expect(run.value<bool>("remove", [&](auto reply) { run.b().tasks().remove(bad.id, std::move(reply)); }),
               "a corrupt task can be removed");
}

void hostile_names_stay_apart(Run& run) {
    for (const auto& name : hostile_names()) {
        const auto id = name.size() > 1000 ? name : name + run.fresh("");
        run.value<bool>("remove", [&](auto reply) { run.a().tasks().remove(id, std::move(reply)); });
        auto task = sample(id, id);
        task.status_message = "m" + std::to_string(name.size());
        create(run, task);
    }
    for (const auto& name : hostile_names()) {
        const auto id = name.size() > 1000 ? name : name + run.fresh("");
        const auto found = list(run, id, 0, 9);
        run.expect(found.size() == 1 && found.front().task.id == id, "each owner has its own tasks");
        run.equal(found.front().task.status_message, "m" + std::to_string(name.size()), "the task of a hostile owner");
        run.value<bool>("remove", [&](auto reply) { run.b().tasks().remove(id, std::move(reply)); });
    }
}

}  // namespace

std::vector<Check> task_checks() {
    return {{"tasks_store_every_field", every_field_is_stored},
            {"tasks_create_an_id_once", an_id_is_created_once},
            {"tasks_do_not_find_a_missing_one", a_missing_task_is_not_found},
            {"tasks_fence_an_old_token", an_old_token_is_fenced},
            {"tasks_with_a_lease_are_not_taken_over", a_lease_keeps_others_away},
            {"tasks_are_taken_over_by_one_of_several_nodes", of_concurrent_nodes_one_takes_over},
            {"tasks_are_listed_by_owner", tasks_are_listed_by_owner},
            {"tasks_expire", a_task_expires},
            {"tasks_without_a_node_are_orphans", orphans_are_found},
            {"tasks_that_are_corrupt_harm_only_themselves", a_corrupt_task_harms_only_itself},
            {"tasks_with_hostile_names_stay_apart", hostile_names_stay_apart}};
}

}  // namespace tenon::store::conformance
