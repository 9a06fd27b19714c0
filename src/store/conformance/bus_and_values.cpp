#include <atomic>

#include "store/conformance/subject.hpp"

namespace tenon::store::conformance {
namespace {

void publish(Run& run, Store& at, const std::string& topic, const std::string& bytes) {
    run.value<void>("publish", [&](auto reply) { at.bus().publish(topic, bytes, std::move(reply)); });
}

// A subscription that has begun. The first entry of the signal is "begun".
Subscription subscribe(Run& run, Store& at, const std::string& topic, const std::shared_ptr<Signal>& messages) {
    const auto begun = std::make_shared<Signal>();
    Listener listener;
    listener.on_message = [messages](std::string_view bytes) { messages->add(std::string(bytes)); };
    listener.on_gap = [begun] { begun->add(""); };
    auto out = at.bus().subscribe(topic, std::move(listener));
    run.wait_for("the beginning of a subscription", begun, 1);
    return out;
}

void messages_reach_every_subscription(Run& run) {
    const auto topic = run.fresh("topic"), other = run.fresh("other");
    const auto at_a = std::make_shared<Signal>(), at_b = std::make_shared<Signal>(),
               elsewhere = std::make_shared<Signal>();
    const auto one = subscribe(run, run.a(), topic, at_a), two = subscribe(run, run.b(), topic, at_b),
               three = subscribe(run, run.b(), other, elsewhere);
    const std::vector<std::string> messages = {"1", "", all_bytes(), std::string(64 * 1024, 'x'), "5"};
    for (const auto& message : messages) publish(run, run.a(), topic, message);
    publish(run, run.b(), other, "end");
    run.wait_for("messages to the publisher's own node", at_a, messages.size());
    run.wait_for("messages to another node", at_b, messages.size());
    run.wait_for("a message of another topic", elsewhere, 1);
    run.expect(at_a->all() == messages && at_b->all() == messages, "messages arrive once, in order");
    run.expect(elsewhere->all() == std::vector<std::string>{"end"}, "another topic gets only its own messages");
}

void an_ended_subscription_gets_nothing(Run& run) {
    const auto topic = run.fresh("topic");
    const auto ended = std::make_shared<Signal>(), open = std::make_shared<Signal>();
    auto first = subscribe(run, run.b(), topic, ended);
    const auto second = subscribe(run, run.b(), topic, open);
    publish(run, run.a(), topic, "1");
    run.wait_for("the first message", ended, 1);
    first.reset();
    publish(run, run.a(), topic, "2");
    run.wait_for("the second message", open, 2);
    run.equal(ended->count(), std::size_t{1}, "the number of messages of an ended subscription");
    auto third = subscribe(run, run.b(), run.fresh("alone"), ended);
    third.reset();
    const auto again = subscribe(run, run.b(), run.fresh("alone"), ended);
    publish(run, run.a(), run.fresh("alone"), "3");
    run.wait_for("a message after subscribing again", ended, 2);
}

void hostile_topics_stay_apart(Run& run) {
    std::vector<std::shared_ptr<Signal>> signals;
    std::vector<Subscription> subscriptions;
    for (const auto& name : hostile_names()) {
        signals.push_back(std::make_shared<Signal>());
        subscriptions.push_back(
            subscribe(run, run.b(), name.size() > 1000 ? name : name + run.fresh(""), signals.back()));
    }
    for (const auto& name : hostile_names())
        publish(run, run.a(), name.size() > 1000 ? name : name + run.fresh(""), name);
    for (std::size_t i = 0; i < signals.size(); ++i) {
        run.wait_for("a message of a hostile topic", signals[i], 1);
        run.expect(signals[i]->all().front() == hostile_names()[i], "a topic gets its own messages");
    }
}

void deliver(Run& run, const StreamName& box, const std::string& bytes) {
    run.value<void>("deliver", [&](auto reply) { run.a().bus().deliver(box, bytes, long_time, std::move(reply)); });
}

void a_box_takes_one_message(Run& run) {
    for (const bool receiver_first : {true, false}) {
        const StreamName box{run.fresh("g"), receiver_first ? "first" : "later"};
        const auto taken = std::make_shared<Signal>();
        Subscription receiving;
        const auto receive = [&] {
            receiving = run.b().bus().receive(box, [taken](std::string bytes) { taken->add(std::move(bytes)); });
        };
        if (receiver_first) receive();
        deliver(run, box, all_bytes());
        if (!receiver_first) receive();
        run.wait_for("the message of a box", taken, 1);
        run.expect(taken->all().front() == all_bytes(), "the message must not change");
        run.refused<void>(code::store_conflict, "a second message",
                          [&](auto reply) { run.b().bus().deliver(box, "again", long_time, std::move(reply)); });
        run.equal(taken->count(), std::size_t{1}, "the number of received messages");
    }
}

void boxes_and_streams_are_separate(Run& run) {
    const StreamName name{run.fresh("g"), "n"};
    deliver(run, name, "message");
    run.refused<EventBatch>(code::store_not_found, "reading a stream with the name of a box",
                            [&](auto reply) { run.a().events().read(name, 0, 9, 9, std::move(reply)); });
}

using Value = std::optional<std::string>;

Value get(Run& run, const std::string& key) {
    return run.value<Value>("get", [&](auto reply) { run.b().values().get(key, std::move(reply)); });
}
void set(Run& run, const std::string& key, const std::string& value, Millis ttl = long_time) {
    run.value<void>("set", [&](auto reply) { run.a().values().set(key, value, ttl, std::move(reply)); });
}
bool replace(Run& run, const std::string& key, const Value& expected, const std::string& value) {
    return run.value<bool>(
        "replace", [&](auto reply) { run.a().values().replace(key, expected, value, long_time, std::move(reply)); });
}
std::int64_t add(Run& run, Store& at, const std::string& key, std::int64_t amount, Millis ttl = long_time) {
    return run.value<std::int64_t>("add", [&](auto reply) { at.values().add(key, amount, ttl, std::move(reply)); });
}

void values_are_stored(Run& run) {
    const auto key = run.fresh("k");
    run.expect(!get(run, key), "a key without a value");
    for (const auto& value : {std::string("v"), std::string(), all_bytes(), std::string(64 * 1024, '\0')}) {
        set(run, key, value);
        run.expect(get(run, key) == value, "the value must not change");
    }
    const auto remove = [&] {
        return run.value<bool>("remove", [&](auto reply) { run.b().values().remove(key, std::move(reply)); });
    };
    run.expect(remove(), "remove must say that there was a value");
    run.expect(!remove() && !get(run, key), "the value must be gone");
    set(run, key, "short", short_time);
    run.advance(after_short_time);
    run.expect(!get(run, key), "a value must expire");
}

void values_are_replaced_atomically(Run& run) {
    const auto key = run.fresh("k");
    run.expect(!replace(run, key, "a", "b"), "a missing value is not replaced");
    run.expect(replace(run, key, std::nullopt, "a"), "a missing value is added");
    run.expect(!replace(run, key, std::nullopt, "b"), "a value is not added twice");
    run.expect(!replace(run, key, "x", "b") && get(run, key) == "a", "another value is not replaced");
    run.expect(replace(run, key, "a", "b") && get(run, key) == "b", "the expected value is replaced");
    run.expect(replace(run, key, "b", "") && replace(run, key, "", "c"), "the empty value is a value");
    for (int round = 0; round < 10; ++round) {
        const auto once = run.fresh("once" + std::to_string(round));
        std::atomic<int> won = 0;
        run.on_threads(4, [&](int thread) {
            auto& node = thread % 2 ? run.a() : run.b();
            if (run.value<bool>("set_if_absent", [&](auto reply) {
                    node.values().set_if_absent(once, "x", long_time, std::move(reply));
                }))
                ++won;
        });
        run.equal(won.load(), 1, "the number of nodes that set an absent value");
    }
}

void counters_count_across_nodes(Run& run) {
    const auto key = run.fresh("c");
    run.on_threads(4, [&](int thread) {
        for (int i = 0; i < 50; ++i) add(run, thread % 2 ? run.a() : run.b(), key, 2);
    });
    run.equal(add(run, run.a(), key, -1), std::int64_t{399}, "the sum");
    run.expect(!get(run, key), "a counter is not a value");
    const auto window = run.fresh("w");
    add(run, run.a(), window, 5, short_time);
    run.advance(after_short_time);
    run.equal(add(run, run.b(), window, 3), std::int64_t{3}, "the sum of a new window");
    const auto large = run.fresh("l");
    add(run, run.a(), large, INT64_MAX);
    run.equal(add(run, run.a(), large, 1), INT64_MAX, "the largest sum");
    run.equal(add(run, run.a(), large, -1), INT64_MAX - 1, "a sum below the largest one");
    const auto small = run.fresh("s");
    add(run, run.a(), small, INT64_MIN);
    run.equal(add(run, run.b(), small, -1), INT64_MIN, "the smallest sum");
}

void leases_are_fenced(Run& run) {
    const auto key = run.fresh("lease");
    const auto acquire = [&](Store& at, const std::string& holder, Millis ttl) {
        return run.result<Lease>([&](auto reply) { at.values().acquire(key, holder, ttl, std::move(reply)); });
    };
    const auto extend = [&](Token token, Millis ttl) {
        return run.result<void>([&](auto reply) { run.a().values().extend(key, token, ttl, std::move(reply)); });
    };
    const auto look_up = [&] {
        return run.result<Lease>([&](auto reply) { run.b().values().look_up(key, std::move(reply)); });
    };
    run.expect(!look_up() && look_up().error().code == code::store_not_found, "there is no lease before the first one");
    const auto first = acquire(run.a(), "a", long_time);
    run.expect(first && first->token > 0, "a free lease can be acquired");
    const auto held = acquire(run.b(), "b", long_time);
    run.expect(!held && held.error().code == code::store_conflict, "a held lease cannot be acquired");
    run.expect(look_up()->holder == "a" && look_up()->left > Millis(0), "the lease can be looked up");
    run.expect(extend(first->token, short_time).has_value(), "a lease can be shortened");
    run.advance(after_short_time);
    run.expect(look_up()->left == Millis(0), "a lease runs out");
    run.expect(extend(first->token, long_time).has_value(), "a lease that ran out can be extended");
    run.expect(!acquire(run.b(), "b", long_time), "an extended lease is held");
    run.expect(extend(first->token, Millis(0)).has_value(), "a lease can be released");
    const auto second = acquire(run.b(), "b", long_time);
    run.expect(second && second->token > first->token, "a new lease has a larger token");
    const auto fenced = extend(first->token, long_time);
    run.expect(!fenced && fenced.error().code == code::store_fenced, "an old token is fenced");
    run.expect(look_up()->holder == "b" && look_up()->token == second->token, "the newest lease is found");
}

void hostile_keys_stay_apart(Run& run) {
    const auto key_of = [&](const std::string& name) { return name.size() > 1000 ? name : name + run.fresh(""); };
    for (const auto& name : hostile_names()) {
        set(run, key_of(name), name);
        add(run, run.a(), key_of(name), 1, short_time);
    }
    for (const auto& name : hostile_names()) {
        run.expect(get(run, key_of(name)) == name, "each key has its own value");
        run.value<bool>("remove", [&](auto reply) { run.b().values().remove(key_of(name), std::move(reply)); });
    }
}

}  // namespace

std::vector<Check> bus_checks() {
    return {{"bus_messages_reach_every_subscription", messages_reach_every_subscription},
            {"bus_sends_nothing_to_an_ended_subscription", an_ended_subscription_gets_nothing},
            {"bus_topics_with_hostile_names_stay_apart", hostile_topics_stay_apart},
            {"bus_boxes_take_one_message", a_box_takes_one_message},
            {"bus_boxes_and_streams_are_separate", boxes_and_streams_are_separate}};
}

std::vector<Check> value_checks() {
    return {{"values_are_stored", values_are_stored},
            {"values_are_replaced_atomically", values_are_replaced_atomically},
            {"values_count_across_nodes", counters_count_across_nodes},
            {"values_leases_are_fenced", leases_are_fenced},
            {"values_with_hostile_keys_stay_apart", hostile_keys_stay_apart}};
}

}  // namespace tenon::store::conformance
