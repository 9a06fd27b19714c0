// Apps: shows pages of the server (`ui://` resources) on a port of their own, and carries their messages. Thread-safe.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "inspect/app_policy.hpp"
#include "inspect/calls.hpp"
#include "inspect/site_listener.hpp"

namespace tenon::inspect {

/// The pages of apps. Each has an address that cannot be guessed. They have another origin than the inspector, and no
/// origin at all inside of their sandbox.
class Apps final : public Site {
 public:
    /// `host`: the origin of the inspector. `port`: the port of the apps.
    Apps(std::string host, std::uint16_t port, Session& session, Calls& calls, ConsentDesk& desk, Recorder& recorder);

    // The commands of the API. They throw Refusal.
    json::object open(const std::string& uri, const std::string& call);
    json::object message(const std::string& app, const json::object& message);
    void close(const std::string& app);

    std::string origin() const { return "http://127.0.0.1:" + std::to_string(port_); }

    std::optional<web::Response> refuse(const framing::HttpRequest& head) override;
    void answer(const framing::HttpRequest& head, std::string body, std::shared_ptr<SiteReply> reply) override;

 private:
    struct App {
        std::string uri, path;
        AppPage page;
        std::optional<json::object> input = {}, result = {};  // of the call that it shows
    };
    json::object add(AppPage page, const std::string& uri, const std::string& call);
    void post(const std::string& app, const std::string& message, json::object more = {});
    json::object call_for(const std::string& app, const json::value& id, std::string method, json::object params);
    json::object ask_for(const std::string& app, const json::value& id, const std::string& method,
                         const json::object& params);
    void send_input(const std::string& app);

    static constexpr std::size_t max_apps = 16;  // open at once

    const std::string host_;
    const std::uint16_t port_;
    Session& session_;
    Calls& calls_;
    ConsentDesk& desk_;
    Recorder& recorder_;
    mutable std::mutex mutex_;  // guards the members below
    std::map<std::string, App> apps_;
    std::uint64_t next_ = 1;
};

}  // namespace tenon::inspect
