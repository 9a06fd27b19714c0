#include "check/server/change_watch.hpp"

#include <algorithm>
#include <array>

#include "check/server/shapes.hpp"

namespace tenon::check {
namespace {

constexpr std::size_t most_resources = 3;  // that are read and subscribed to
// A server may collect changes before it tells them. Only a missing notification costs this time.
constexpr Duration notification_time = std::chrono::seconds(10);

struct Feature {
    std::string_view name, changed, filter;
};
constexpr std::array<Feature, 3> features = {
    Feature{"tools", "notifications/tools/list_changed", "toolsListChanged"},
    Feature{"resources", "notifications/resources/list_changed", "resourcesListChanged"},
    Feature{"prompts", "notifications/prompts/list_changed", "promptsListChanged"}};

const std::set<std::string>& part(const Offer& offer, std::string_view feature) {
    return feature == "tools" ? offer.tools : feature == "resources" ? offer.resources : offer.prompts;
}

// Returns whether a URI names the resource or a part of it.
bool is_about(const std::string& updated, const std::string& uri) { return updated.starts_with(uri); }

}  // namespace

ChangeWatch::ChangeWatch(Probe& probe, Conversation& talk)
    : probe_(probe), talk_(talk), first_(talk.received().size()) {
    const bool tells = probe.declares("resources", "subscribe") || std::ranges::any_of(features, [&](const Feature& f) {
                           return probe.declares(f.name, "listChanged");
                       });
    if (!tells) {
        seen_.why = "the server announces no changes";
        return;
    }
    choose_resources();
    listen();
    if (seen_.why.empty()) seen_.before = offer();
}

void ChangeWatch::choose_resources() {
    if (!probe_.declares("resources", "subscribe")) return;
    for (const json::object& resource : probe_.resources().entries)
        if (const auto* uri = string_in(resource, "uri"); uri && uris_.size() < most_resources)
            uris_.emplace_back(*uri);
}

void ChangeWatch::listen() {
    if (probe_.is_modern()) return listen_by_request();
    if (probe_.http()) listen_to_stream();
    if (!seen_.why.empty()) return;
    for (const Feature& feature : features)
        if (probe_.declares(feature.name, "listChanged")) seen_.heard.insert(std::string(feature.changed));
    for (const std::string& uri : uris_)
        if (talk_.ask("resources/subscribe", {{"uri", uri}}).is_result()) seen_.watched.insert(uri);
}

// Notifications that belong to no request come on the stream of a GET.
void ChangeWatch::listen_to_stream() {
    stream_ = talk_.exchange(talk_.http_request("GET"));
    if (!talk_.wait_for(stream_, true) || stream_->status() != 200 || !stream_->is_stream())
        seen_.why = "the server offers no stream for notifications";
}

void ChangeWatch::listen_by_request() {
    json::object filter;
    for (const Feature& feature : features)
        if (probe_.declares(feature.name, "listChanged")) filter[feature.filter] = true;
    if (!uris_.empty()) filter["resourceSubscriptions"] = json::array(uris_.begin(), uris_.end());
    subscription_ = talk_.send(talk_.request("subscriptions/listen", {{"notifications", filter}}));
    const auto acknowledgement = [&]() -> const json::object* {
        for (std::size_t i = first_; i < talk_.received().size(); ++i)
            if (const json::object* o = talk_.received()[i].object())
                if (const auto* method = string_in(*o, "method");
                    method && *method == "notifications/subscriptions/acknowledged")
                    return object_in(*o, "params");
        return nullptr;
    };
    const Sent* sent = talk_.find(*subscription_);
    talk_.wait_until(probe_.subject().patience(), [&] {
        return acknowledgement() || sent->answers > 0 || (sent->exchange && sent->exchange->ended());
    });
    const json::object* agreed = acknowledgement() ? object_in(*acknowledgement(), "notifications") : nullptr;
    if (!agreed) {
        seen_.why = "subscriptions/listen is not acknowledged";
        return;
    }
    for (const Feature& feature : features)
        if (agreed->contains(feature.filter)) seen_.heard.insert(std::string(feature.changed));
    if (agreed->contains("resourceSubscriptions")) seen_.watched.insert(uris_.begin(), uris_.end());
}

std::set<std::string> ChangeWatch::names(std::string_view capability, std::string_view method, std::string_view member,
                                         std::string_view key) {
    std::set<std::string> out;
    if (!probe_.declares(capability, "listChanged")) return out;
    const Listing list = probe_.fetch(talk_, capability, method, member);
    if (!list.why.empty()) seen_.why = list.why;
    for (const json::object& entry : list.entries)
        if (const auto* name = string_in(entry, key)) out.insert(std::string(*name));
    return out;
}

// Reads each resource twice. One that differs changes by itself, such as a clock, and is left out.
std::map<std::string, std::string> ChangeWatch::contents() {
    std::map<std::string, std::string> out;
    for (const std::string& uri : seen_.watched) {
        const Answer first = talk_.ask("resources/read", {{"uri", uri}});
        const Answer second = talk_.ask("resources/read", {{"uri", uri}});
        const json::array *one = array_in(first.result(), "contents"), *other = array_in(second.result(), "contents");
        if (one && other && *one == *other) out[uri] = json::write(*one);
    }
    return out;
}

Offer ChangeWatch::offer() {
    return {.tools = names("tools", "tools/list", "tools", "name"),
            .resources = names("resources", "resources/list", "resources", "uri"),
            .prompts = names("prompts", "prompts/list", "prompts", "name"),
            .contents = contents()};
}

void ChangeWatch::collect() {
    for (; first_ < talk_.received().size(); ++first_) {
        const json::object* o = talk_.received()[first_].object();
        const auto* method = o ? string_in(*o, "method") : nullptr;
        if (!method) continue;
        seen_.announced.insert(std::string(*method));
        const json::object* params = object_in(*o, "params");
        const auto* uri = params ? string_in(*params, "uri") : nullptr;
        if (uri && *method == "notifications/resources/updated") seen_.updated.insert(std::string(*uri));
    }
}

bool ChangeWatch::has_heard_all() const {
    const bool lists = std::ranges::all_of(features, [&](const Feature& f) {
        return part(seen_.before, f.name) == part(seen_.after, f.name) ||
               !seen_.heard.contains(std::string(f.changed)) || seen_.announced.contains(std::string(f.changed));
    });
    const bool resources = std::ranges::all_of(seen_.before.contents, [&](const auto& entry) {
        const auto now = seen_.after.contents.find(entry.first);
        return now == seen_.after.contents.end() || now->second == entry.second ||
               std::ranges::any_of(seen_.updated, [&](const auto& uri) { return is_about(uri, entry.first); });
    });
    return lists && resources;
}

// What changes again without a call changes by itself, so the calls did not cause it.
void ChangeWatch::ignore_restless_parts() {
    const Offer now = offer();
    for (const auto list : {&Offer::tools, &Offer::resources, &Offer::prompts})
        if (now.*list != seen_.after.*list) seen_.after.*list = seen_.before.*list;
    std::erase_if(seen_.after.contents, [&](const auto& entry) {
        const auto again = now.contents.find(entry.first);
        return again == now.contents.end() || again->second != entry.second;
    });
    collect();
}

ServerChanges ChangeWatch::finish() {
    if (seen_.why.empty()) {
        seen_.after = offer();
        const TimePoint until = std::min(probe_.subject().patience(), later(Clock::now(), notification_time));
        const bool heard = talk_.wait_until(until, [&] {
            collect();
            return has_heard_all();
        });
        if (!heard) ignore_restless_parts();
    }
    stop_listening();
    return std::move(seen_);
}

void ChangeWatch::stop_listening() {
    if (probe_.is_legacy())
        for (const std::string& uri : seen_.watched) talk_.ask("resources/unsubscribe", {{"uri", uri}});
    if (stream_) probe_.subject().web->abandon(stream_);
    if (!subscription_) return;
    const Sent* sent = talk_.find(*subscription_);
    if (sent->exchange)
        probe_.subject().web->abandon(sent->exchange);
    else if (sent->answers == 0 && sent->id)
        talk_.tell("notifications/cancelled", {{"requestId", json::value(json::parse(sent->id->text()).value())}});
    talk_.give_up(*subscription_);
}

}  // namespace tenon::check
