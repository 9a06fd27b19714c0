// A client of 2026-07-28 that declares the tasks extension.
#pragma once

#include "unit/runtime/task_fixture.hpp"

namespace tenon {

inline const json::object with_tasks{{"elicitation", json::object()},
                                     {"extensions", json::object{{"io.modelcontextprotocol/tasks", json::object()}}}};

class ModernTaskTest : public TaskTest {
 protected:
    static json::object meta(const json::object& capabilities = with_tasks) {
        return {{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
                {"io.modelcontextprotocol/clientCapabilities", capabilities}};
    }
    static json::value request(Peer& peer, std::string_view method, json::object params,
                               const json::object& capabilities = with_tasks) {
        params["_meta"] = meta(capabilities);
        return peer.ask(method, std::move(params));
    }
    static json::value call(Peer& peer, std::string_view tool, json::object extra = {},
                            const json::object& capabilities = with_tasks) {
        extra["name"] = tool;
        return request(peer, "tools/call", std::move(extra), capabilities);
    }
    static std::string start(Peer& peer, std::string_view tool) {
        return std::string(call(peer, tool).at("result").at("taskId").as_string());
    }
    static json::value get(Peer& peer, const std::string& id) { return request(peer, "tasks/get", {{"taskId", id}}); }
    json::value watch(Peer& peer, const std::string& id) {
        peer.send("subscriptions/listen",
                  {{"notifications", json::object{{"taskIds", json::array{id}}}}, {"_meta", meta()}});
        return peer.message("notifications/subscriptions/acknowledged");
    }
    /// Waits until the task has this status, and returns the notified task.
    json::object until(Peer& peer, std::string_view status) {
        for (;;) {
            const json::value told = peer.message("notifications/tasks");
            if (told.at("params").at("status").as_string() == status) return told.at("params").as_object();
        }
    }
};

}  // namespace tenon
