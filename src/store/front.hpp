// The front of every store: implements the public interfaces over the operations of a backend. It checks arguments,
// encodes records, and measures.
//
// A backend has these functions, all thread-safe:
//     template <class Op> void run(Op op, Reply<typename Op::Answer> reply);
//     Subscription subscribe(std::string topic, Listener listener);   // calls on_gap when it has begun
//     void after(std::chrono::milliseconds wait, std::function<void()> work);   // on a thread of the backend, unless it
//                                                                               // is closed before
//     bool is_shared() const;
// Topics are names of make_topic() and stream_topic(). EventAppend and EventFinish publish to the topic of their
// stream.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

#include "store/arguments.hpp"
#include "store/box_receiver.hpp"
#include "store/operations.hpp"
#include "store/records.hpp"

namespace tenon::store {

/// Makes a Reply<From> that converts its answer for `reply`.
template <class From, class To, class Convert>
Reply<From> converted(Reply<To> reply, Convert convert) {
    return make_reply<From>([reply = std::move(reply), convert = std::move(convert)](Result<From>&& result) mutable {
        if (!result) return std::move(reply).send(std::move(result).error());
        std::move(reply).send(convert(std::move(*result)));
    });
}

#pragma GCC visibility push(default)  // tenon-http uses them
Result<StoredSession> read_session(const std::string& id, op::RawSession&& raw);
Result<StoredTask> read_task(op::RawTask&& raw);
std::vector<StoredTask> read_tasks(std::vector<op::RawTask>&& raw);
#pragma GCC visibility pop

/// What the parts of one front share.
template <class Backend>
struct FrontCore {
    std::shared_ptr<Backend> backend;
    StoreOptions options;

    /// Starts an operation, unless `wrong` says why not.
    template <class Op>
    void go(Op op, Reply<typename Op::Answer> reply, std::optional<Error> wrong) {
        using Answer = typename Op::Answer;
        if (options.observe)
            reply = make_reply<Answer>([begin = Clock::now(), observe = options.observe,
                                        inner = std::move(reply)](Result<Answer>&& result) mutable {
                observe({Op::name, Clock::now() - begin, result ? 0 : result.error().code});
                std::move(inner).send(std::move(result));
            });
        if (wrong) return std::move(reply).send(std::move(*wrong));
        backend->run(std::move(op), std::move(reply));
    }
};

template <class Backend>
class SessionsFront final : public Sessions {
 public:
    explicit SessionsFront(FrontCore<Backend>& core) : core_(core), check_(core.options.limits) {}

    void create(SessionRecord record, op::Millis ttl, Reply<std::uint64_t> reply) override {
        op::SessionCreate o{record.id, encode_session(record), bounded(ttl)};
        auto wrong = check_.id(o.id).value(o.bytes).positive(ttl).error();
        core_.go(std::move(o), std::move(reply), std::move(wrong));
    }
    void load(std::string id, Reply<StoredSession> reply) override {
        auto wrong = check_.id(id).error();
        auto read = [id](op::RawSession&& raw) { return read_session(id, std::move(raw)); };
        core_.go(op::SessionLoad{std::move(id)}, converted<op::RawSession>(std::move(reply), std::move(read)),
                 std::move(wrong));
    }
    void update(SessionRecord record, std::uint64_t version, op::Millis ttl, Reply<std::uint64_t> reply) override {
        op::SessionUpdate o{record.id, encode_session(record), version, bounded(ttl)};
        auto wrong = check_.id(o.id).value(o.bytes).positive(ttl).error();
        core_.go(std::move(o), std::move(reply), std::move(wrong));
    }
    void touch(std::string id, op::Millis ttl, Reply<void> reply) override {
        auto wrong = check_.id(id).not_negative(ttl).error();
        core_.go(op::SessionTouch{std::move(id), bounded(ttl)}, std::move(reply), std::move(wrong));
    }
    void remove(std::string id, Reply<bool> reply) override {
        auto wrong = check_.id(id).error();
        core_.go(op::SessionRemove{std::move(id)}, std::move(reply), std::move(wrong));
    }

 private:
    FrontCore<Backend>& core_;
    const Arguments check_;
};

template <class Backend>
class EventLogFront final : public EventLog {
 public:
    explicit EventLogFront(FrontCore<Backend>& core) : core_(core), check_(core.options.limits) {}

    void append(StreamName stream, std::string bytes, bool last, Keep keep, Reply<EventId> reply) override {
        auto wrong = check_.stream(stream).value(bytes).keep(keep).error();
        core_.go(op::EventAppend{event_stream(std::move(stream)), std::move(bytes), last, bounded(keep)},
                 std::move(reply), std::move(wrong));
    }
    void read(StreamName stream, EventId after, std::size_t max_events, std::size_t max_bytes,
              Reply<EventBatch> reply) override {
        auto wrong = check_.stream(stream).error();
        const auto& limits = core_.options.limits;
        core_.go(op::EventRead{event_stream(std::move(stream)), after, std::min(max_events, limits.max_batch_events),
                               std::min(max_bytes, limits.max_batch_bytes)},
                 std::move(reply), std::move(wrong));
    }
    void finish(StreamName stream, Keep keep, Reply<void> reply) override {
        auto wrong = check_.stream(stream).keep(keep).error();
        core_.go(op::EventFinish{event_stream(std::move(stream)), bounded(keep)}, std::move(reply), std::move(wrong));
    }
    void trim(StreamName stream, Keep keep, Reply<std::size_t> reply) override {
        auto wrong = check_.stream(stream).keep(keep).error();
        core_.go(op::EventTrim{event_stream(std::move(stream)), bounded(keep)}, std::move(reply), std::move(wrong));
    }
    void remove(StreamName stream, Reply<bool> reply) override {
        auto wrong = check_.stream(stream).error();
        core_.go(op::StreamRemove{event_stream(std::move(stream))}, std::move(reply), std::move(wrong));
    }
    void remove_group(std::string group, Reply<std::size_t> reply) override {
        auto wrong = check_.name("the group of a stream", group).error();
        core_.go(op::GroupRemove{std::move(group)}, std::move(reply), std::move(wrong));
    }
    Subscription watch(StreamName stream, std::function<void()> wake) override {
        if (check_.stream(stream).error()) return {};
        auto on_message = [wake](std::string_view) { wake(); };
        return core_.backend->subscribe(stream_topic(event_stream(std::move(stream))),
                                        {std::move(on_message), std::move(wake)});
    }

 private:
    FrontCore<Backend>& core_;
    const Arguments check_;
};

template <class Backend>
class TasksFront final : public Tasks {
 public:
    explicit TasksFront(FrontCore<Backend>& core) : core_(core), check_(core.options.limits) {}

    void create(TaskRecord task, std::string holder, op::Millis lease, Reply<StoredTask> reply) override {
        op::TaskCreate o{task.id,           task.owner,        encode_task(task), is_terminal(task.status),
                         bounded(task.ttl), std::move(holder), bounded(lease)};
        if (o.ttl < op::Millis(1)) o.ttl = op::Millis(1);
        auto wrong = check_.id(o.id)
                         .name("the owner", o.owner)
                         .name("the holder", o.holder)
                         .value(o.bytes)
                         .not_negative(lease)
                         .error();
        core_.go(std::move(o), converted<op::RawTask>(std::move(reply), read_task), std::move(wrong));
    }
    void load(std::string id, Reply<StoredTask> reply) override {
        auto wrong = check_.id(id).error();
        core_.go(op::TaskLoad{std::move(id)}, converted<op::RawTask>(std::move(reply), read_task), std::move(wrong));
    }
    void update(TaskRecord task, Token token, Reply<void> reply) override {
        op::TaskUpdate o{task.id, encode_task(task), is_terminal(task.status), token};
        auto wrong = check_.id(o.id).value(o.bytes).error();
        core_.go(std::move(o), std::move(reply), std::move(wrong));
    }
    void extend(std::string id, Token token, op::Millis lease, Reply<void> reply) override {
        auto wrong = check_.id(id).not_negative(lease).error();
        core_.go(op::TaskExtend{std::move(id), token, bounded(lease)}, std::move(reply), std::move(wrong));
    }
    void take_over(std::string id, std::string holder, op::Millis lease, Reply<StoredTask> reply) override {
        auto wrong = check_.id(id).name("the holder", holder).not_negative(lease).error();
        core_.go(op::TaskTakeOver{std::move(id), std::move(holder), bounded(lease)},
                 converted<op::RawTask>(std::move(reply), read_task), std::move(wrong));
    }
    void remove(std::string id, Reply<bool> reply) override {
        auto wrong = check_.id(id).error();
        core_.go(op::TaskRemove{std::move(id)}, std::move(reply), std::move(wrong));
    }
    void list(std::string owner, std::uint64_t after, std::size_t max, Reply<std::vector<StoredTask>> reply) override {
        auto wrong = check_.name("the owner", owner).error();
        core_.go(op::TaskList{std::move(owner), after, std::min(max, core_.options.limits.max_batch_events)},
                 converted<std::vector<op::RawTask>>(std::move(reply), read_tasks), std::move(wrong));
    }
    void count(std::string owner, Reply<std::size_t> reply) override {
        auto wrong = check_.name("the owner", owner).error();
        core_.go(op::TaskCount{std::move(owner)}, std::move(reply), std::move(wrong));
    }
    void size(Reply<std::size_t> reply) override { core_.go(op::TaskSize{}, std::move(reply), std::nullopt); }
    void orphans(std::size_t max, Reply<std::vector<std::string>> reply) override {
        core_.go(op::TaskOrphans{std::min(max, core_.options.limits.max_batch_events)}, std::move(reply), std::nullopt);
    }

 private:
    FrontCore<Backend>& core_;
    const Arguments check_;
};

template <class Backend>
class BusFront final : public Bus {
 public:
    explicit BusFront(FrontCore<Backend>& core) : core_(core), check_(core.options.limits) {}

    void publish(std::string topic, std::string bytes, Reply<void> reply) override {
        auto wrong = check_.name("the topic", topic).value(bytes).error();
        core_.go(op::Publish{make_topic(topic), std::move(bytes)}, std::move(reply), std::move(wrong));
    }
    Subscription subscribe(std::string topic, Listener listener) override {
        if (check_.name("the topic", topic).error()) return {};
        return core_.backend->subscribe(make_topic(topic), std::move(listener));
    }
    void deliver(StreamName box, std::string bytes, op::Millis ttl, Reply<void> reply) override {
        auto wrong = check_.stream(box).value(bytes).positive(ttl).error();
        const Keep keep{1, bytes.size(), bounded(ttl)};
        core_.go(op::EventAppend{box_stream(std::move(box)), std::move(bytes), true, keep},
                 without_id(std::move(reply)), std::move(wrong));
    }
    Subscription receive(StreamName box, std::function<void(std::string)> take) override {
        if (check_.stream(box).error()) return {};
        const auto stream = box_stream(std::move(box));
        auto read = [backend = std::weak_ptr<Backend>(core_.backend), stream](Reply<EventBatch> reply) {
            if (const auto open = backend.lock()) open->run(op::EventRead{stream, 0, 1, 1}, std::move(reply));
        };
        auto after = [backend = std::weak_ptr<Backend>(core_.backend)](op::Millis wait, std::function<void()> work) {
            if (const auto open = backend.lock()) open->after(wait, std::move(work));
        };
        const auto& limits = core_.options.limits;
        const auto receiver = std::make_shared<BoxReceiver>(
            BoxReceiver::Source{std::move(read), std::move(after), limits.first_reconnect, limits.longest_reconnect},
            std::move(take));
        return receiver->watch([&](std::function<void()> wake) {
            auto on_message = [wake](std::string_view) { wake(); };
            return core_.backend->subscribe(stream_topic(stream), {std::move(on_message), std::move(wake)});
        });
    }

 private:
    static Reply<EventId> without_id(Reply<void> reply) {
        return make_reply<EventId>([reply = std::move(reply)](Result<EventId>&& result) mutable {
            if (!result) return std::move(reply).send(std::move(result).error());
            std::move(reply).send({});
        });
    }
    FrontCore<Backend>& core_;
    const Arguments check_;
};

template <class Backend>
class ValuesFront final : public Values {
 public:
    explicit ValuesFront(FrontCore<Backend>& core) : core_(core), check_(core.options.limits) {}

    void get(std::string key, Reply<std::optional<std::string>> reply) override {
        auto wrong = check_.key(key).error();
        core_.go(op::ValueGet{std::move(key)}, std::move(reply), std::move(wrong));
    }
    void set(std::string key, std::string value, op::Millis ttl, Reply<void> reply) override {
        auto wrong = check_.key(key).value(value).positive(ttl).error();
        core_.go(op::ValueSet{std::move(key), std::move(value), bounded(ttl)}, std::move(reply), std::move(wrong));
    }
    void set_if_absent(std::string key, std::string value, op::Millis ttl, Reply<bool> reply) override {
        replace(std::move(key), std::nullopt, std::move(value), ttl, std::move(reply));
    }
    void replace(std::string key, std::optional<std::string> expected, std::string value, op::Millis ttl,
                 Reply<bool> reply) override {
        auto wrong = check_.key(key).value(value).positive(ttl).error();
        core_.go(op::ValueReplace{std::move(key), std::move(expected), std::move(value), bounded(ttl)},
                 std::move(reply), std::move(wrong));
    }
    void remove(std::string key, Reply<bool> reply) override {
        auto wrong = check_.key(key).error();
        core_.go(op::ValueRemove{std::move(key)}, std::move(reply), std::move(wrong));
    }
    void add(std::string key, std::int64_t amount, op::Millis ttl, Reply<std::int64_t> reply) override {
        auto wrong = check_.key(key).positive(ttl).error();
        core_.go(op::CounterAdd{std::move(key), amount, bounded(ttl)}, std::move(reply), std::move(wrong));
    }
    void acquire(std::string key, std::string holder, op::Millis ttl, Reply<Lease> reply) override {
        auto wrong = check_.key(key).name("the holder", holder).positive(ttl).error();
        core_.go(op::LeaseAcquire{std::move(key), std::move(holder), bounded(ttl)}, std::move(reply), std::move(wrong));
    }
    void extend(std::string key, Token token, op::Millis ttl, Reply<void> reply) override {
        auto wrong = check_.key(key).not_negative(ttl).error();
        core_.go(op::LeaseExtend{std::move(key), token, bounded(ttl)}, std::move(reply), std::move(wrong));
    }
    void look_up(std::string key, Reply<Lease> reply) override {
        auto wrong = check_.key(key).error();
        core_.go(op::LeaseLookUp{std::move(key)}, std::move(reply), std::move(wrong));
    }

 private:
    FrontCore<Backend>& core_;
    const Arguments check_;
};

/// A store over a backend, whose close() does what Store::close() says.
template <class Backend>
class Front final : public Store {
 public:
    Front(std::shared_ptr<Backend> backend, StoreOptions options)
        : core_{std::move(backend), std::move(options)},
          sessions_(core_),
          events_(core_),
          tasks_(core_),
          bus_(core_),
          values_(core_) {}
    ~Front() override { core_.backend->close(); }
    void close() override { core_.backend->close(); }

    Sessions& sessions() override { return sessions_; }
    EventLog& events() override { return events_; }
    Tasks& tasks() override { return tasks_; }
    Bus& bus() override { return bus_; }
    Values& values() override { return values_; }
    void check(Reply<StoreStatus> reply) override { core_.go(op::Check{}, std::move(reply), std::nullopt); }
    bool is_shared() const override { return core_.backend->is_shared(); }

 private:
    FrontCore<Backend> core_;
    SessionsFront<Backend> sessions_;
    EventLogFront<Backend> events_;
    TasksFront<Backend> tasks_;
    BusFront<Backend> bus_;
    ValuesFront<Backend> values_;
};

}  // namespace tenon::store
