// PageSite: the files of the page, its commands and its events, behind the rules of Access.
#pragma once

#include <string>

#include "inspect/access.hpp"
#include "inspect/commands.hpp"
#include "inspect/site_listener.hpp"

namespace tenon::inspect {

class PageSite final : public Site {
 public:
    PageSite(Secrets secrets, std::uint16_t port, Commands& commands, Recorder& recorder, io::WorkerPool& pool);

    /// Sets the origin of the second port, which shows the pages of servers. Before the listener starts.
    void set_apps_origin(std::string origin) { apps_origin_ = std::move(origin); }

    std::optional<web::Response> refuse(const framing::HttpRequest& head) override;
    void answer(const framing::HttpRequest& head, std::string body, std::shared_ptr<SiteReply> reply) override;

 private:
    web::Response file(std::string_view path) const;
    void events(std::string_view query, const std::shared_ptr<SiteReply>& reply);
    void command(std::string_view name, std::string_view body, const std::shared_ptr<SiteReply>& reply);
    web::Fields safe_fields() const;

    Access access_;
    const std::string key_;
    Commands& commands_;
    Recorder& recorder_;
    io::WorkerPool& pool_;
    std::string apps_origin_;
};

}  // namespace tenon::inspect
