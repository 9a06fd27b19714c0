// Sessions that several nodes serve. Any node continues a session from its record in the store, and announces changes
// to the others. Events of streams are in logs of the store, so any node can show them.
#include <algorithm>

#include "transport/http_server/held_response.hpp"
#include "transport/http_server/legacy_session.hpp"
#include "transport/http_server/log_follower.hpp"
#include "transport/http_server/session_record.hpp"
#include "transport/http_server/shared_session.hpp"
#include "web/response.hpp"
#include "web/stored_event.hpp"

namespace tenon {

using framing::HttpRequest;
using std::chrono::milliseconds;
using web::refusal;
using web::Response;

namespace {

constexpr std::size_t max_events_of_stream = 10'000;
constexpr std::size_t max_session_id = 256;
constexpr int stream_bits = 24;  // for the streams of one copy of a session

Response no_store(const Error& error) {
    if (store::is_not_found(error) || store::is_corrupt(error)) return web::lost_session();
    Response out = web::try_later(503, {code::server_error, "the store of the sessions cannot be used at the moment"});
    if (const auto wait = store::retry_after(error))
        for (auto& [name, value] : out.fields)
            if (name == "Retry-After") value = std::to_string(std::max<long long>(1, (wait->count() + 999) / 1000));
    return out;
}

// Long enough that a node which sees a session now and then can extend it in time.
milliseconds stored_time(Duration idle) {
    const auto ms = std::chrono::duration_cast<milliseconds>(idle);
    return ms > std::chrono::hours(24 * 365) ? milliseconds(std::chrono::hours(24 * 365)) : ms + ms / 4;
}

bool changes_state(const jsonrpc::Message& message) {
    if (const auto* request = std::get_if<jsonrpc::Request>(&message))
        return request->method == "resources/subscribe" || request->method == "resources/unsubscribe" ||
               request->method == "logging/setLevel";
    const auto* notification = std::get_if<jsonrpc::Notification>(&message);
    return notification && notification->method == "notifications/initialized";
}

std::string encode(const jsonrpc::Response& response) {
    return response.outcome ? jsonrpc::encode_result(response.id, {json::write(*response.outcome)}).json
                            : jsonrpc::encode_error(response.id, response.outcome.error()).json;
}

// Returns the id of a question that a node may have asked; nullopt: no node asks with such an id.
std::optional<std::string> question_of(const jsonrpc::Id& id) {
    constexpr std::size_t most = 64;
    const auto parsed = json::parse(id.text());
    if (!parsed || !parsed->is_string() || parsed->get_string().size() > most) return std::nullopt;
    std::string out(parsed->get_string());
    return out.find('-') == out.npos ? std::nullopt : std::optional(std::move(out));
}

std::optional<jsonrpc::Id> cancelled_id(const jsonrpc::Message& message) {
    const auto* notification = std::get_if<jsonrpc::Notification>(&message);
    if (!notification || notification->method != "notifications/cancelled") return std::nullopt;
    const json::value* id = notification->params.if_contains("requestId");
    return id ? jsonrpc::Id::from(*id) : std::nullopt;
}

// Applies the stored state to a copy that this node has just made, and then calls `then`. A change may have been
// announced after the record was loaded and before the copy could hear of it.
template <class SessionPtr>
void catch_up(const std::shared_ptr<ClusterNode>& node, const SessionPtr& session, std::function<void()> then) {
    using Kind = core::StateChange::Kind;
    auto take = [node, session, then = std::move(then)](const Result<store::StoredSession>& stored) {
        std::vector<core::StateChange> changes;
        if (stored) {
            const store::SessionRecord& record = stored->record;
            if (record.initialized) changes.push_back({Kind::initialized});
            changes.push_back({Kind::log_level, std::string(to_string(record.log_level))});
            for (const std::string& uri : record.subscriptions) changes.push_back({Kind::subscribe, uri});
        }
        node->run([&] {
            session->with_engine([&](core::ServerEngine& engine) {
                for (const core::StateChange& change : changes)
                    if (!engine.apply_change(change)) session->shared()->set_stale(true);
            });
            then();
        });
    };
    node->store().sessions().load(session->id(), make_reply<store::StoredSession>(std::move(take)));
}

}  // namespace

void HttpEndpoint::join_cluster() {
    server_->announce_with([weak = weak_from_this()](const Announcement& what) {
        if (const auto self = weak.lock()) self->announce(what);
    });
    options_.cluster->listen(
        [weak = weak_from_this()](const json::object& message, bool own) {
            if (const auto self = weak.lock()) self->on_node_message(message, own);
        },
        [weak = weak_from_this()] {
            if (const auto self = weak.lock()) self->on_gap();
        });
    server_->share_tasks({.store = std::shared_ptr<Store>(options_.cluster, &options_.cluster->store()),
                          .node = options_.cluster->name(),
                          .run = [node = options_.cluster](const std::function<void()>& f) { node->run(f); },
                          .announce =
                              [](const TaskRecord& task, const std::function<void()>& tell) {
                                  const SharedSession::Announcing announcing(key_of(task));
                                  tell();
                              }});
    options_.cluster->tick(now());
}

std::string HttpEndpoint::task_owner(const std::string& session) { return "session " + session; }

// Cancels the tasks that a session began here. This node may have no copy of the session any more.
void HttpEndpoint::end_tasks_of(const std::string& session) {
    server_->tasks().visit(
        [&](core::TaskBoard& board, WallTime wall) { board.end_session(task_owner(session), wall); });
}

// ---- sessions of other nodes

bool HttpEndpoint::needs_loading(const HttpRequest& head) const {
    const auto id = head.fields.only("mcp-session-id");
    if (!id || id->size() > max_session_id) return false;
    const SessionPtr known = local(*id);
    return !known || (known->shared() && known->shared()->stale());
}

std::optional<HttpEndpoint::LoadedPtr> HttpEndpoint::load_session(const HttpRequest& head,
                                                                  const std::function<void()>& retry,
                                                                  const std::string& network) {
    const std::string id(head.fields.only("mcp-session-id").value_or(""));
    auto loaded = options_.cluster->load(id, retry, network);
    if (!loaded) return std::nullopt;
    return std::make_shared<const LoadedSession>(*std::move(loaded));
}

HttpEndpoint::SessionPtr HttpEndpoint::local(std::string_view id) const {
    const std::lock_guard lock(mutex_);
    LegacySession* const session = sessions_.find(id);
    return session ? session->shared_from_this() : nullptr;
}

void HttpEndpoint::share(const SessionPtr& session) const {
    SharedSession::Options options;
    options.node = options_.cluster;
    options.id = session->id();
    const std::uint64_t copy = options_.cluster->next_copy();
    options.copy = options_.cluster->name() + "." + std::to_string(copy);
    options.keep = {.max_events = max_events_of_stream,
                    .max_bytes = limits_.max_stored_event_bytes,
                    .max_age = stored_time(limits_.session_idle_time)};
    options.ttl = stored_time(limits_.session_idle_time);
    options.answer_ttl = stored_time(limits_.ask_time);
    options.stored = [weak = std::weak_ptr(session)](core::ReplyTo stream, const Result<store::EventId>& id) {
        if (const auto alive = weak.lock()) alive->stored(stream, id);
    };
    options.fenced = [weak = std::weak_ptr(session)](core::ReplyTo stream) {
        if (const auto alive = weak.lock()) alive->fence(stream);
    };
    options.answered = [weak = std::weak_ptr(session),
                        decode = protocol::decode_limits(limits_)](const std::string& answer) {
        const auto alive = weak.lock();
        if (alive) alive->receive(jsonrpc::decode_in_arena(answer, decode), {});
    };
    const auto shared = std::make_shared<SharedSession>(std::move(options));
    session->share(shared);
    const std::string& node = options_.cluster->name();
    const auto append = [weak = std::weak_ptr(shared), node](core::ReplyTo stream, std::optional<std::string> payload,
                                                             bool last) {
        const std::string log = node + "." + std::to_string(stream);
        if (const auto alive = weak.lock()) alive->append(stream, log, std::move(payload), last);
    };
    session->with_streams([&](web::Streams& streams) { streams.share(node, copy << stream_bits, append); });
}

// Continues a session that another node began.
std::variant<HttpEndpoint::SessionPtr, Response> HttpEndpoint::adopt(const Post& post, const std::string& id) {
    const LoadedPtr& loaded = post.admitted.loaded;
    if (!loaded) return web::lost_session();
    if (!*loaded) return no_store(loaded->error());
    if ((*loaded)->principal != post.admitted.principal) return web::lost_session();
    PeerSlot slot;  // an anonymous caller may share its connection with others, so the first node has counted it
    if (!post.admitted.principal.empty()) {
        auto taken = PeerSlot::take(post.admitted.peer, &HttpPeer::sessions, limits_.max_sessions_per_peer);
        if (taken) slot = *std::move(taken);
    }
    auto made = make_session(post.admitted, Reached::by_streams, id, std::move(slot));
    if (std::holds_alternative<Response>(made)) {
        // Another request may have been faster.
        if (auto session = find(id, post.admitted.principal, Reached::by_streams)) return session;
        return made;
    }
    const SessionPtr& session = std::get<SessionPtr>(made);
    if (options_.cluster->was_ended(id)) return end(session, why_client_ended), web::lost_session();
    session->set_established();
    if (auto refused = restore(session, post)) {
        end(session, "its record in the store cannot be used", LogLevel::warning);
        return *std::move(refused);
    }
    find(id, post.admitted.principal, Reached::by_streams);  // marks the session as used
    catch_up(options_.cluster, session, [] {});
    compare_lists(session, **loaded);
    return session;
}

// The client may have seen the lists of a node that has other tools. Of several nodes that take the session at once,
// the store lets one tell the client.
void HttpEndpoint::compare_lists(const SessionPtr& session, const store::SessionRecord& record) {
    const ListDigests mine = own_lists();
    if (decode_extra(record.extra).lists == mine) return;
    const auto before = std::make_shared<SessionExtra>();
    auto edit = [before, mine](store::SessionRecord& now) {
        SessionExtra extra = *before = decode_extra(now.extra);
        extra.lists = mine;
        now.extra = encode_extra(extra);
    };
    auto tell = [session, before, mine, initialized = record.initialized](const std::optional<Error>& error) {
        if (error || !initialized) return;  // a client that is not ready has listed nothing
        const bool declared[] = {before->declared.tools, before->declared.resources, before->declared.prompts};
        session->with_engine([&](core::ServerEngine& engine) {
            for (std::size_t i = 0; i < mine.size(); ++i)
                if (declared[i] && before->lists[i] != mine[i])
                    engine.tell_list_changed(static_cast<core::ListKind>(i), nullptr);
        });
    };
    options_.cluster->change(session->id(), std::move(edit), session->shared()->ttl(), std::move(tell));
}

std::optional<Response> HttpEndpoint::restore(const SessionPtr& session, const Post& post) {
    const LoadedPtr& loaded = post.admitted.loaded;
    if (!loaded) return std::nullopt;  // it became stale after its request was admitted: the next request loads it
    if (!*loaded && store::is_not_found(loaded->error())) end(session, "the session ended on another node");
    if (!*loaded) return no_store(loaded->error());
    const auto state = state_of(**loaded);
    if (!state) {
        server_->note(LogLevel::error, state.error().message);
        return web::lost_session();
    }
    Result<void> ok;
    session->with_engine([&](core::ServerEngine& engine) { ok = engine.restore(*state, origin(post.admitted)); });
    if (!ok) return web::try_later(503, ok.error());
    session->shared()->set_stale(false);
    return std::nullopt;
}

// ---- POST

HttpEndpoint::ResponderPtr HttpEndpoint::begin_shared(jsonrpc::Incoming&& in, const Post& post) {
    auto made = make_session(post.admitted, Reached::by_streams);
    if (auto* refused = std::get_if<Response>(&made)) return refuse(post, std::move(*refused), &in);
    const SessionPtr session = std::get<SessionPtr>(made);
    const auto held = std::make_shared<HeldResponse>(post.writer);
    if (auto ok = session->receive(std::move(in), held, true, origin(post.admitted)); !ok)
        return end(session, why_no_stream), refuse(post, web::try_later(503, ok.error()), &in);
    std::optional<core::SessionState> state;
    session->with_engine([&](core::ServerEngine& engine) { state = engine.state(); });
    if (!session->established() || !state) {
        end(session, "the handshake failed");
        held->release();
        return {};
    }
    store::SessionRecord record{.id = session->id(), .principal = session->principal()};
    put_state(*state, own_lists(), record);
    add_copy(record, options_.cluster->name());
    options_.cluster->create(std::move(record), stored_time(limits_.unused_session_time),
                             [self = shared_from_this(), session, held](const std::optional<Error>& error) {
                                 if (!error) return held->release();
                                 self->end(session, "the session could not be stored", LogLevel::warning);
                                 held->replace(no_store(*error));
                             });
    return {};
}

HttpEndpoint::ResponderPtr HttpEndpoint::pass_on_shared(const SessionPtr& session, jsonrpc::Incoming&& in,
                                                        const Post& post) {
    if (send_elsewhere(session, in, post)) return {};
    if (std::ranges::any_of(in.messages, changes_state)) return receive_and_save(session, std::move(in), post);
    return pass_on(session, std::move(in), post);
}

// Sends answers and cancellations to the node that waits for them, if it is not this one. Returns whether the message
// has nothing for this node; the response is sent then.
bool HttpEndpoint::send_elsewhere(const SessionPtr& session, jsonrpc::Incoming& in, const Post& post) {
    SharedSession& shared = *session->shared();
    const auto held = in.batch ? nullptr : std::make_shared<HeldResponse>(post.writer);
    const auto done = [held](const std::optional<Error>& error) {
        if (!held) return;
        error && !store::is_conflict(*error) ? held->replace(no_store(*error)) : held->respond({202}), held->release();
    };
    bool sent = false;
    for (const jsonrpc::Message& message : in.messages) {
        bool here = true;
        const auto* response = std::get_if<jsonrpc::Response>(&message);
        const auto cancelled = cancelled_id(message);
        if (!response && !cancelled) continue;
        session->with_engine(
            [&](core::ServerEngine& engine) { here = response ? engine.asks(response->id) : engine.runs(*cancelled); });
        if (here) continue;
        if (response) {
            const auto id = question_of(response->id);
            if (!id) continue;
            shared.node().store().bus().deliver(shared.box(*id), encode(*response), shared.answer_ttl(),
                                                make_reply<void>([done](const Result<void>& result) {
                                                    done(result ? std::nullopt : std::optional(result.error()));
                                                }));
        } else {
            json::object all{{"kind", "cancel"}, {"session", session->id()}};
            all["params"] = std::get<jsonrpc::Notification>(message).params;
            store_cancellation(session, *cancelled, [all, done, to = shared.node_ptr()] { to->publish(all, done); });
        }
        sent = true;
    }
    return sent && !in.batch;
}

// The client learns of a change when the store has it and the other nodes know it: its next request may reach any node.
HttpEndpoint::ResponderPtr HttpEndpoint::receive_and_save(const SessionPtr& session, jsonrpc::Incoming&& in,
                                                          const Post& post) {
    const auto held = std::make_shared<HeldResponse>(post.writer);
    const WriterPtr writer = held;
    ResponderPtr responder = pass_on(session, std::move(in), Post{post.admitted, post.head, post.body, writer});
    std::vector<core::StateChange> changes;
    session->with_engine([&](core::ServerEngine& engine) { changes = engine.take_changes(); });
    if (changes.empty()) {
        held->release();
    } else {
        save(session, std::move(changes), held);
    }
    return responder;
}

void HttpEndpoint::save(const SessionPtr& session, std::vector<core::StateChange> changes,
                        const std::shared_ptr<HeldResponse>& held) {
    const auto copies = std::make_shared<std::vector<std::string>>();
    const auto edit = [changes, copies](store::SessionRecord& record) {
        for (const core::StateChange& change : changes) apply(change, record);
        *copies = decode_extra(record.extra).copies;
    };
    // The client repeats a request that got 503. The engine then makes the same changes again, on any node.
    auto published = [session, held](const std::optional<Error>& error) {
        if (!error) return held->release();
        session->shared()->set_stale(true);
        held->replace(no_store(*error));
    };
    auto done = [self = shared_from_this(), session, changes, held, copies,
                 published](const std::optional<Error>& error) {
        if (error) {
            session->shared()->set_stale(true);  // the store may have the change or not
            if (store::is_not_found(*error)) self->end(session, "the session ended on another node");
            return held->replace(no_store(*error));
        }
        self->options_.cluster->publish_confirmed(
            {{"kind", "changed"}, {"session", session->id()}, {"changes", encode_changes(changes)}}, *copies,
            published);
    };
    options_.cluster->change(session->id(), edit, session->shared()->ttl(), std::move(done));
}

// ---- GET and DELETE

HttpEndpoint::ResponderPtr HttpEndpoint::listen_shared(const SessionPtr& session, const Post& post) {
    const auto& shared = session->shared();
    const auto last = post.head.fields.only("last-event-id");
    std::optional<web::EventPlace> place;
    if (last && !last->empty() && !(place = web::read_event_place(*last)))
        return refuse(post, refusal(400, Error{code::invalid_request,
                                               "Invalid request: `Last-Event-ID` is not an event of this server"}));
    std::optional<std::string> stream = place ? web::listener_of(*place) : shared->new_stream();
    bool priming = false;
    session->with_engine([&](core::ServerEngine& e) { priming = e.peer_has(protocol::Trait::stream_polling); });
    LogFollower::Options options{.node = shared->node_ptr(),
                                 .log = shared->log(stream ? std::string(web::listener_log) : place->log),
                                 .fields = {{"Mcp-Session-Id", session->id()}},
                                 .stream = stream.value_or(""),
                                 .priming = priming};
    if (!stream && server_->settings()->features()->restarts) options.run_again = restarter(session, post.admitted);
    const auto follower = std::make_shared<LogFollower>(std::move(options), post.writer);
    if (!shared->add(follower, limits_.max_streams_per_session))
        return refuse(post,
                      web::try_later(429, {code::server_error, "Too many streams in this session: the limit is " +
                                                                   std::to_string(limits_.max_streams_per_session)}));
    session->mark_busy();
    if (stream) {
        listen_for_all(session, follower, *stream, {.after = place ? place->event : 0, .resumed = place.has_value()});
        return follower;
    }
    // The client has lost the connection on which it got these events before.
    leave_stream(session, place->log, follower.get());
    shared->node().publish({{"kind", "resumed"}, {"session", session->id()}, {"log", place->log}});
    follower->start({.after = place->event, .resumed = true});
    return follower;
}

// Closes the connections of this node that show a log, except one.
void HttpEndpoint::leave_stream(const SessionPtr& session, const std::string& log, const LogFollower* except) const {
    session->shared()->close_followers(log, except);
    const std::string prefix = options_.cluster->name() + ".";
    const auto number = log.starts_with(prefix) ? framing::parse_decimal(log.substr(prefix.size())) : std::nullopt;
    if (number) session->with_streams([&](web::Streams& streams) { streams.release(*number); });
}

// Starts a stream of messages without a request. A message goes to one stream only: marks in the log tell all streams
// where the older ones end and this one begins. A client that has got no event of a stream yet, not even the id of its
// mark, begins it again: its mark may never have been stored.
void HttpEndpoint::listen_for_all(const SessionPtr& session, const std::shared_ptr<LogFollower>& follower,
                                  const std::string& stream, LogFollower::Start start) {
    const auto before = std::make_shared<bool>(false);
    auto edit = [before](store::SessionRecord& record) {
        SessionExtra extra = decode_extra(record.extra);
        *before = std::exchange(extra.listened, true);
        record.extra = encode_extra(extra);
    };
    auto marked = [follower, start, before](const Result<store::EventId>& mark) mutable {
        if (!mark) return follower->refuse(no_store(mark.error()));
        start.mark = *mark;
        start.first = !*before;
        follower->start(start);
    };
    auto begin = [session, follower, stream, start, marked] {
        if (follower->over()) return;  // its client is gone: it must not replace the stream of another connection
        if (!start.resumed) follower->open();
        web::StoredEvent mark;
        (start.after > 0 ? mark.resumes : mark.listens) = stream;
        session->shared()->mark_listener(mark, marked);
    };
    auto done = [session, follower, begin, node = options_.cluster](const std::optional<Error>& error) {
        if (error) return follower->refuse(no_store(*error));
        catch_up(node, session, begin);
    };
    options_.cluster->change(session->id(), std::move(edit), session->shared()->ttl(), std::move(done));
}

// After the response no node serves the session. The mark `ended` closes the list of nodes with a copy: a node that
// adds itself later finds the mark, or no record. The nodes of the list confirm that they have ended their copies.
HttpEndpoint::ResponderPtr HttpEndpoint::end_shared(const SessionPtr& session, const Post& post) {
    const auto copies = std::make_shared<std::vector<std::string>>();
    auto edit = [copies](store::SessionRecord& record) {
        SessionExtra extra = decode_extra(record.extra);
        extra.ended = true;
        record.extra = encode_extra(extra);
        *copies = std::move(extra.copies);
    };
    auto removed = [self = shared_from_this(), session, copies, writer = post.writer](const auto&) {
        self->options_.cluster->mark_ended(session->id());
        self->end(session, why_client_ended);
        self->end_tasks_of(session->id());
        // An error changes nothing: the record is gone, and a node that looks for it ends its copy.
        self->options_.cluster->publish_confirmed({{"kind", "ended"}, {"session", session->id()}}, *copies,
                                                  [writer](const auto&) { writer->respond({204}); });
    };
    auto marked = [node = options_.cluster, session, writer = post.writer, removed](const std::optional<Error>& error) {
        if (error && !store::is_corrupt(*error)) return writer->respond(no_store(*error));
        node->remove(session->id(), removed);  // if it fails, the record that is marked expires
    };
    options_.cluster->change(session->id(), std::move(edit), session->shared()->ttl(), std::move(marked));
    return {};
}

}  // namespace tenon
