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

void Server::Impl::offer_no_tasks() {
    for (const auto& tool : features()->tools.all())
        if (tool->definition.task == TaskSupport::required)
            throw Exception(
                {code::invalid_params, "the tool `" + tool->definition.name +
                                           "` must run as a task, and tasks cannot be shared in a store yet: "
                                           "set TaskSupport::optional, or serve without a store"});
    settings_->tasks = {};
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
