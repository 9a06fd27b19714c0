// Runs a call of a restartable tool again, when the node that ran it is gone: see restarts.hpp.
#include "transport/http_server/legacy_session.hpp"
#include "transport/http_server/restarts.hpp"
#include "web/stored_event.hpp"

namespace tenon {
namespace {

constexpr std::size_t max_call_bytes = 16 * 1024 * 1024;  // of one read
constexpr const char* why_not_restarted = "the node that ran the request is gone; send the request again";

const jsonrpc::Request* request_in(const jsonrpc::Incoming& in) {
    return in.batch || in.messages.empty() ? nullptr : std::get_if<jsonrpc::Request>(&in.messages.front());
}

}  // namespace

/// A call that this node tries to take over. Its functions run one after the other, each in the answer of the store to
/// the one before it. Nothing of it is called under a lock.
struct HttpEndpoint::Restart : std::enable_shared_from_this<Restart> {
    using Batch = Result<store::EventBatch>;
    using Next = std::function<void(Restart&)>;

    SharedSession& shared() const { return *session->shared(); }
    store::EventLog& events() const { return shared().node().store().events(); }

    template <class T, class F>
    Reply<T> then(F f) {
        return make_reply<T>([self = shared_from_this(), f = std::move(f)](const Result<T>& result) {
            self->shared().node().run([&] { f(*self, result); });
        });
    }

    void start() {
        events().read(shared().record_of(log), 0, 1, max_call_bytes,
                      then<store::EventBatch>([](Restart& self, const Batch& batch) { self.decide(batch); }));
    }

    void decide(const Batch& batch) {
        if (!batch && store::is_unavailable(batch.error())) return end();  // the next check of the node repeats it
        const auto found =
            batch && !batch->events.empty() ? decode_stored_call(batch->events.front().bytes) : std::nullopt;
        if (!found) return fail(why_not_restarted);
        call = *found;
        if (auto why = why_not_again(call, *endpoint->server_->settings()->features(), session->principal()))
            return fail(*std::move(why));
        request = jsonrpc::decode_in_arena(call.request, protocol::decode_limits(endpoint->limits_));
        if (!request_in(request)) return fail(why_not_restarted);
        id = request_in(request)->id;
        look_for_cancellation([](Restart& self) { self.finish_cancelled(); }, [](Restart& self) { self.prepare(); });
    }

    void look_for_cancellation(Next yes, Next no) {
        events().read(
            shared().cancellation_of(*id), 0, 1, max_call_bytes,
            then<store::EventBatch>([yes = std::move(yes), no = std::move(no)](Restart& self, const Batch& found) {
                found ? yes(self) : no(self);
            }));
    }

    // A request that was cancelled gets no answer.
    void finish_cancelled() {
        events().finish({session->id(), log}, shared().keep(), make_reply<void>([](const auto&) {}));
        end();
    }

    // Stores the call and its log before the old log ends: a node that dies in between must leave a call that can be
    // run by a third one.
    void prepare() {
        const auto opened = session->with_streams([](web::Streams& streams) { return streams.open(nullptr); });
        if (!opened) return end();  // too many streams: the next check repeats it
        stream = *opened;
        session->with_streams([&](web::Streams& streams) { own_log = streams.log_name(stream); });
        ++call.runs;
        shared().store_call(stream, own_log, *id, encode(call), [self = shared_from_this()](const auto& error) {
            if (error) return self->drop();
            self->open_log();
        });
    }

    void open_log() {
        const std::string ids = "[" + id->text() + "]";
        events().append({session->id(), own_log}, web::encode_event({.requests = ids}), false, shared().keep(),
                        then<store::EventId>([](Restart& self, const auto& done) {
                            if (!done) return self.drop();
                            self.move();
                        }));
    }

    // The step that decides: the store accepts one end of the old log.
    void move() {
        events().append({session->id(), log}, web::encode_event({.moved = own_log}), true, shared().keep(),
                        then<store::EventId>([](Restart& self, const auto& done) {
                            if (done) return self.run();
                            self.find_end();
                        }));
    }

    // The old log has ended already, or the store did not say whether it has: looks whether the end is our own.
    void find_end() {
        events().read({session->id(), log}, 0, 1, 1, then<store::EventBatch>([](Restart& self, const Batch& first) {
                          if (!first) return self.undecided(first.error());
                          if (!first->finished) return self.undecided(store::unavailable("the log has no end yet"));
                          self.read_end(first->last);
                      }));
    }

    void read_end(store::EventId last) {
        events().read({session->id(), log}, last - 1, 1, max_call_bytes,
                      then<store::EventBatch>([](Restart& self, const Batch& batch) {
                          if (!batch) return self.undecided(batch.error());
                          const bool ours = !batch->events.empty() &&
                                            web::decode_event(batch->events.back().bytes).moved == self.own_log;
                          ours ? self.run() : self.drop();
                      }));
    }

    void undecided(const Error& error) {
        if (!store::is_unavailable(error)) return drop();
        shared().retry_later([self = shared_from_this()] { self->move(); });
    }

    void run() {
        endpoint->server_->note(LogLevel::warning, "a call runs again, because its node is gone");
        events().remove(shared().record_of(log), make_reply<bool>([](const auto&) {}));
        origin.reply_to = stream;
        session->run_again(std::move(request), std::move(origin));
        // A cancellation may have come after the first look. From now on it reaches the engine.
        look_for_cancellation([](Restart& self) { self.session->cancel(*self.id); }, [](Restart&) {});
        end();
    }

    // Leaves the call to another node.
    void drop() {
        session->with_streams([&](web::Streams& streams) { streams.give_up(stream); });
        shared().forget_call(stream);
        shared().flush();
        events().remove({session->id(), own_log}, make_reply<bool>([](const auto&) {}));
        end();
    }

    void fail(std::string why) {
        follower->fail(log, std::move(why));
        end();
    }
    void end() { shared().taken(log); }

    std::shared_ptr<HttpEndpoint> endpoint;
    SessionPtr session;
    std::shared_ptr<LogFollower> follower;
    std::string log;  // of the node that is gone
    core::Origin origin;
    StoredCall call = {};
    jsonrpc::Incoming request = {};
    std::optional<jsonrpc::Id> id = {};
    core::ReplyTo stream = 0;
    std::string own_log = {};
};

// Access is checked for the caller of the GET that shows the log, as if it had sent the request now.
std::function<void(const std::shared_ptr<LogFollower>&, const std::string&)> HttpEndpoint::restarter(
    const SessionPtr& session, const Admitted& admitted) {
    return [weak = weak_from_this(), weak_session = std::weak_ptr(session), from = origin(admitted)](
               const std::shared_ptr<LogFollower>& follower, const std::string& log) {
        const auto self = weak.lock();
        const auto alive = weak_session.lock();
        if (!self || !alive || self->shut_down_.load() || !alive->shared()->begin_taking(log)) return;
        const auto restart = std::make_shared<Restart>();
        restart->endpoint = self;
        restart->session = alive;
        restart->follower = follower;
        restart->log = log;
        restart->origin = from;
        restart->start();
    };
}

// Stores the cancellation of a request that may be between two nodes, and then calls `then`.
void HttpEndpoint::store_cancellation(const SessionPtr& session, const jsonrpc::Id& id, std::function<void()> then) {
    if (!server_->settings()->features()->restarts) return then();
    SharedSession& shared = *session->shared();
    auto done = [node = shared.node_ptr(), then = std::move(then)](const auto&) { node->run(then); };
    shared.node().store().events().append(shared.cancellation_of(id), {}, true, shared.keep(),
                                          make_reply<store::EventId>(std::move(done)));
}

}  // namespace tenon
