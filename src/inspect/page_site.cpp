#include "inspect/page_site.hpp"

#include <charconv>

#include "inspect/assets.hpp"

namespace tenon::inspect {
namespace {

constexpr std::size_t stream_bytes = 256 * 1024;  // of events that are sent at once

web::Fields common_fields() {
    return {{"Cache-Control", "no-store"},
            {"X-Content-Type-Options", "nosniff"},
            {"Referrer-Policy", "no-referrer"},
            {"Cross-Origin-Opener-Policy", "same-origin"},
            {"Cross-Origin-Resource-Policy", "same-origin"}};
}

web::Response plain_page(int status, std::string text) {
    web::Fields fields = common_fields();
    fields.emplace_back("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
    return {status, std::move(fields), "text/plain; charset=utf-8", std::move(text) + "\n"};
}

web::Response json_page(const CommandAnswer& answer) {
    return {answer.status, common_fields(), "application/json", json::write(answer.body)};
}

void replace(std::string& text, std::string_view what, std::string_view by) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
        text.replace(at, what.size(), by);
}

}  // namespace

PageSite::PageSite(Secrets secrets, std::uint16_t port, Commands& commands, Recorder& recorder, io::WorkerPool& pool)
    : access_(secrets, port), key_(secrets.key), commands_(commands), recorder_(recorder), pool_(pool) {}

web::Fields PageSite::safe_fields() const {
    web::Fields fields = common_fields();
    fields.emplace_back("Content-Security-Policy",
                        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
                        "media-src blob: data:; font-src 'self'; connect-src 'self'; frame-src " +
                            (apps_origin_.empty() ? "'none'" : apps_origin_) +
                            "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    fields.emplace_back("Permissions-Policy", "camera=(), microphone=(), geolocation=(), usb=(), payment=()");
    return fields;
}

std::optional<web::Response> PageSite::refuse(const framing::HttpRequest& head) {
    Access::Verdict verdict = access_.judge(head);
    if (verdict.kind == Access::Kind::refused) return plain_page(verdict.status, std::move(verdict.why));
    if (verdict.kind == Access::Kind::enter) {
        web::Response out = plain_page(303, "");
        out.fields.emplace_back("Location", "/");
        out.fields.emplace_back("Set-Cookie", access_.cookie_field());
        return out;
    }
    return std::nullopt;
}

void PageSite::answer(const framing::HttpRequest& head, std::string body, std::shared_ptr<SiteReply> reply) {
    constexpr std::string_view api = "/api/";
    if (!head.path.starts_with(api)) return reply->respond(file(head.path));
    const std::string_view name = head.path.substr(api.size());
    if (head.method == "GET") {
        if (name == "events") return events(head.query, reply);
        return reply->respond(json_page(refused({405, "Commands need POST."})));
    }
    const auto type = head.fields.only("content-type").value_or("");
    if (!type.starts_with("application/json"))
        return reply->respond(json_page(refused({415, "The body of a command must be application/json."})));
    command(name, body, reply);
}

web::Response PageSite::file(std::string_view path) const {
    const Asset* asset = find_asset(path);
    if (!asset) return plain_page(404, "There is no such file.");
    std::string bytes(asset->bytes);
    if (asset->path == "/index.html") {
        replace(bytes, "@TENON_KEY@", key_);
        replace(bytes, "@TENON_APPS@", apps_origin_);
    }
    return {200, safe_fields(), content_type_of(asset->path), std::move(bytes)};
}

// A stream begins with the status. Then it sends the events after the number that the page knows.
void PageSite::events(std::string_view query, const std::shared_ptr<SiteReply>& reply) {
    std::uint64_t after = 0;
    const std::string_view text = query_value(query, "after");
    if (!text.empty() && std::from_chars(text.data(), text.data() + text.size(), after).ec != std::errc())
        return reply->respond(json_page(refused({400, "`after` must be a number."})));
    const std::string hello = write_event("hello", json::write(json::object{{"status", commands_.status()}}));
    reply->stream(common_fields(), [this, after, hello, greeted = false]() mutable -> std::optional<std::string> {
        if (!std::exchange(greeted, true)) return hello;
        return recorder_.events_after(after, stream_bytes);
    });
}

void PageSite::command(std::string_view name, std::string_view body, const std::shared_ptr<SiteReply>& reply) {
    const Commands::Command* command = commands_.find(name);
    if (!command) return reply->respond(json_page(refused({404, "There is no command of this name."})));
    auto value = json::parse(body);
    if (!value || !value->is_object()) {
        const std::string why = value ? "it is not an object" : value.error().message;
        return reply->respond(json_page(refused({400, "The body must be a JSON object: " + why + "."})));
    }
    if (!command->waits) return reply->respond(json_page(Commands::run(*command, value->get_object())));
    try {
        pool_.post([command, reply, arguments = std::move(value->get_object())] {
            reply->respond(json_page(Commands::run(*command, arguments)));
        });
    } catch (const std::exception&) {
        reply->respond(json_page(refused({429, "Too many commands wait for the server.", "Wait, or connect again."})));
    }
}

}  // namespace tenon::inspect
