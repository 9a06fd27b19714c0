// A model of a store that several nodes reach over a network. Each node has two connections, as to Redis: one for
// operations, which are pipelined, and one for messages. Both are slow, and can be lost.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "property/generators.hpp"
#include "simulation/cluster/cluster_oracle.hpp"
#include "simulation/cluster/door.hpp"
#include "store/front.hpp"
#include "store/memory_tables.hpp"
#include "store/subscribers.hpp"

namespace tenon::test {

namespace op = store::op;
class StoreLink;

/// A promise that the store breaks. The oracle must notice each.
enum class Mutant {
    none,
    loses_events,       ///< acknowledges an event, but does not keep it
    repeats_events,     ///< keeps an event twice
    skips_events,       ///< leaves events out of a read
    forgets_keys,       ///< keeps no key of a message, so that readers cannot skip its repetitions
    loses_answers,      ///< acknowledges the answer to a question, but does not keep it
    ignores_tokens,     ///< lets a node write a task that it has lost
    loses_outcomes,     ///< acknowledges the end of a task, but does not keep it
    mixes_up_owners,    ///< shows a task as that of the stranger
    mixes_up_sessions,  ///< shows a session as that of the stranger
    buries_the_living,  ///< says that the lease of each node has run out
    hides_gaps,         ///< does not say that messages were lost
};

/// The state that all nodes share, with one clock.
class StoreModel {
 public:
    static constexpr std::size_t max_bytes = 4 * 1024 * 1024;
    StoreModel(Agenda& a, Dice& d, ClusterOracle& o)
        : agenda(a), dice(d), oracle(o), begin_(a.now()), tables_(max_bytes) {}

    WallTime now() const;
    template <class Op>
    Result<typename Op::Answer> perform(Op& op) {
        if (mutant != Mutant::none) break_promise(op);
        tables_.sweep(now(), 4);
        before(op);
        const Op kept = op;  // the tables may take its bytes
        auto result = tables_.apply(op, now());
        if (result) after(kept, result);
        if (result && mutant != Mutant::none) break_promise(result);
        return result;
    }
    Result<void> perform(op::Publish& op) {
        publish(op.topic, op.bytes);
        return {};
    }
    Result<StoreStatus> perform(op::Check&) { return StoreStatus{"a model", now()}; }

    void connect(const std::shared_ptr<StoreLink>& link) { links_.push_back(link); }
    /// Returns the bytes that are left when this time has passed without an operation.
    std::size_t bytes_after(Duration time);
    std::size_t bytes() const { return tables_.bytes(); }
    Duration delay();

    Agenda& agenda;
    Dice& dice;
    ClusterOracle& oracle;
    Mutant mutant = Mutant::none;

 private:
    // store_mutants.cpp: change an operation, or its answer.
    template <class T>
    void break_promise(T&) {}
    void break_promise(op::EventAppend& op);
    void break_promise(op::TaskUpdate& op);
    void break_promise(op::SessionLoad& op) { loaded_ = op.id; }
    void break_promise(Result<store::EventBatch>& batch);
    void break_promise(Result<op::RawTask>& task);
    void break_promise(Result<op::RawSession>& session);
    void break_promise(Result<store::Lease>& lease);

    template <class Op>
    void before(const Op&) {}
    void before(const op::LeaseExtend& op) { look_at_lease(op.key); }
    void before(const op::LeaseAcquire& op) { look_at_lease(op.key); }
    void before(const op::EventAppend& op) {
        look_at_lease("node:" + op.stream.name.substr(1, op.stream.name.find('.') - 1));
    }
    template <class Op, class Answer>
    void after(const Op&, const Answer&) {}
    void after(const op::EventAppend& op, const Result<store::EventId>&);
    void after(const op::EventFinish& op, const Result<void>&);
    void after(const op::TaskCreate& op, const Result<op::RawTask>&) { look_at_task(op.id, op.bytes, true); }
    void after(const op::TaskUpdate& op, const Result<void>&) { look_at_task(op.id, op.bytes, false); }
    void after(const op::TaskRemove& op, const Result<bool>&) { oracle.removed(op.id); }
    void after(const op::SessionRemove& op, const Result<bool>&) { oracle.session_removed(op.id); }
    void look_at_lease(const std::string& key);
    void look_at_task(const std::string& id, const std::string& bytes, bool created);
    void publish(const std::string& topic, const std::string& bytes);

    const TimePoint begin_;
    Duration skipped_{};
    store::MemoryTables tables_;
    std::vector<std::weak_ptr<StoreLink>> links_;
    std::string loaded_;  // the last session that was loaded; for mutants
};

/// The connections of one node to the store: the backend of its Store (store/front.hpp).
class StoreLink : public std::enable_shared_from_this<StoreLink> {
 public:
    static constexpr Duration operation_time = std::chrono::seconds(5);
    StoreLink(StoreModel& model, std::shared_ptr<Door> door) : model_(model), door_(std::move(door)) {}
    void start();

    template <class Op>
    void run(Op op, Reply<typename Op::Answer> reply) {
        if (!commands_up_ || dead_ || (refuses_ && model_.dice.one_in(3))) {
            doubt(op);
            return std::move(reply).send(store::unavailable(commands_up_ ? "too many operations" : "no connection"));
        }
        const auto pending = std::make_shared<Pending<Op>>(std::move(op), std::move(reply));
        sent_.push_back(pending);
        const TimePoint arrival = arrives(requests_arrive_);
        model_.agenda.at(arrival, [self = shared_from_this(), pending] { self->perform(pending); });
    }
    store::Subscription subscribe(std::string topic, store::Listener listener);
    void after(std::chrono::milliseconds wait, std::function<void()> work) {
        model_.agenda.after(wait, [door = door_, work = std::move(work)]() mutable { door->pass(std::move(work)); });
    }
    bool is_shared() const { return true; }
    void close() { subscribers_->close(); }

    // Faults.
    /// Loses the connection for operations. Those on their way fail: the first ones of them may still be done.
    void cut_commands(Duration away);
    /// Loses the connection for messages, and the messages on their way.
    void cut_channels(Duration away);
    /// Nothing arrives for this time. After operation_time both connections are given up.
    void partition(Duration time);
    /// Some operations are refused at once, because a queue is full.
    void refuse(bool on) { refuses_ = on; }
    /// The node is gone. Its operations on their way may still be done.
    void kill();
    bool up() const { return commands_up_ && channels_up_ && !refuses_ && model_.agenda.now() >= silent_until_; }

    /// Called by the store.
    void push(const std::string& topic, const std::string& bytes);

 private:
    struct AnyPending {
        virtual ~AnyPending() = default;
        /// Answers that the outcome is unknown.
        virtual void fail(StoreLink& link) = 0;
        bool performed = false, dropped = false, failed = false;
    };
    template <class Op>
    struct Pending final : AnyPending {
        Pending(Op o, Reply<typename Op::Answer> r) : op(std::move(o)), reply(std::move(r)) {}
        void fail(StoreLink& link) override {
            link.doubt(op);
            std::move(reply).send(store::unavailable("the connection was lost"));
        }
        Op op;
        Reply<typename Op::Answer> reply;
        std::optional<Result<typename Op::Answer>> result = {};
    };
    using PendingPtr = std::shared_ptr<AnyPending>;

    template <class Op>
    void perform(const std::shared_ptr<Pending<Op>>& pending) {
        if (pending->dropped) return;
        pending->performed = true;
        pending->result = model_.perform(pending->op);
        if (pending->failed) return;
        model_.agenda.at(arrives(answers_arrive_), [self = shared_from_this(), pending] {
            self->door_->pass([self, pending] {
                if (pending->failed) return;
                std::erase(self->sent_, pending);
                std::move(pending->reply).send(*std::move(pending->result));
            });
        });
    }
    template <class Op>
    void doubt(const Op& op) {
        if constexpr (std::is_same_v<Op, op::EventAppend>) model_.oracle.doubt(op.stream);
    }
    /// Lets some of the operations on their way still be done, from the first one on.
    void drop_some();
    void fail_all();
    void on_topic_changed(const std::string& topic);
    void confirm(const std::string& topic);
    TimePoint arrives(TimePoint& last);
    /// Returns how long a partition still lasts; zero or less without one.
    Duration silence_left() const;

    StoreModel& model_;
    const std::shared_ptr<Door> door_;
    std::shared_ptr<store::Subscribers> subscribers_;
    bool commands_up_ = true, channels_up_ = true, dead_ = false, refuses_ = false;
    int commands_cut_ = 0, channels_cut_ = 0;  // how often
    TimePoint requests_arrive_{}, answers_arrive_{}, subscribing_arrives_{}, messages_arrive_{}, silent_until_{};
    std::deque<PendingPtr> sent_;
    std::set<std::string> requested_, confirmed_, subscribed_;  // topics; the last ones as the store knows them
};

}  // namespace tenon::test
