// Events that the clients of all nodes learn: changes of lists and resources, and log messages of the server.
#include "runtime/server_impl.hpp"
#include "runtime/session_impl.hpp"

namespace tenon {

void Server::Impl::announce_with(std::function<void(const Announcement&)> tell_nodes) {
    const std::lock_guard lock(mutex_);
    if (tell_nodes_ && tell_nodes)
        throw Exception(
            {code::invalid_params, "this server has an HTTP endpoint with a store already: it can have one"});
    tell_nodes_ = std::move(tell_nodes);
}

void Server::Impl::share_tasks(TaskSharing sharing) {
    SharedTasks::Hooks hooks;
    const auto visit = [this](const Tasks::Visit& what) { tasks_->visit(what); };
    hooks.tell = [this, announce = sharing.announce](const TaskRecord& task) {
        const auto all = [&] { tell([&](core::ServerEngine& engine) { engine.task_changed(task); }); };
        announce ? announce(task, all) : all();
    };
    hooks.answered = [visit](const std::string& id, const std::string& key, json::value answer) {
        visit([&](core::TaskBoard& board, WallTime now) { board.answer_input(id, key, std::move(answer), now); });
    };
    hooks.lost = [visit](const std::string& id, OperationEnd end, const std::string& why) {
        visit([&](core::TaskBoard& board, WallTime now) { board.lose(id, end, why, now); });
    };
    hooks.stored = [visit](const std::string& id) {
        visit([&](core::TaskBoard& board, WallTime) { board.stored(id); });
    };
    hooks.has_sessions = [this] { return has_sessions(); };
    hooks.listened = [this] {
        std::set<std::string> ids;
        tell([&](const core::ServerEngine& engine) { engine.add_listened_tasks(ids); });
        return ids;
    };
    hooks.clock = wall_clock_;
    hooks.note = [this](LogLevel level, std::string_view text) { note(level, text); };
    const auto shared = std::make_shared<SharedTasks>(std::move(sharing), settings_->limits, std::move(hooks));
    tasks_->share(shared);
    shared->start();
}

void Server::Impl::announce(const Announcement& what) {
    std::function<void(const Announcement&)> tell_nodes;
    {
        const std::lock_guard lock(mutex_);
        tell_nodes = tell_nodes_;
    }
    tell_nodes ? tell_nodes(what) : announce_here(what);
}

void Server::Impl::announce_here(const Announcement& what) {
    tell([&what](core::ServerEngine& engine) {
        if (const auto* change = std::get_if<core::ListChange>(&what)) engine.list_changed(*change);
        if (const auto* updated = std::get_if<ResourceUpdated>(&what)) engine.resource_updated(updated->uri);
        if (const auto* log = std::get_if<ServerLog>(&what)) engine.log(nullptr, log->level, log->data, log->logger);
    });
}

}  // namespace tenon
