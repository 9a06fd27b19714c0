// An Inspector, a server for it over HTTP, and a browser that sends exact bytes.
#pragma once

#include <gtest/gtest.h>

#include <tenon/inspect.hpp>
#include <tenon/tenon.hpp>
#include <tenon/transport/http_server.hpp>

#include "support/http_client.hpp"

namespace tenon::test {

/// The events of one stream, in order.
class EventStream {
 public:
    EventStream(std::uint16_t port, const std::string& fields, std::uint64_t after = 0) : client_(port) {
        client_.send("GET /api/events?after=" + std::to_string(after) + " HTTP/1.1\r\n" + fields + "\r\n");
        head_ = client_.head();
    }
    int status() const { return head_.status; }
    /// Returns the data of the next event of this type for which `fits` is true. Waits for it.
    template <class Fits>
    json::object wait_for(std::string_view type, Fits fits) {
        for (;;) {
            while (!events_.empty()) {
                auto [name, data] = std::move(events_.front());
                events_.pop_front();
                if (name == type && fits(data)) return data;
            }
            const std::string bytes = client_.some();
            if (bytes.empty()) throw std::runtime_error("the stream ended before " + std::string(type));
            reader_.feed(bytes, [&](const auto& event) {
                if (event.data.empty()) return;
                events_.emplace_back(event.type, json::parse(event.data).value().as_object());
            });
        }
    }
    json::object wait_for(std::string_view type) {
        return wait_for(type, [](const json::object&) { return true; });
    }

 private:
    HttpClient client_;
    HttpReply head_;
    framing::SseReader reader_{64 * 1024 * 1024};
    std::deque<std::pair<std::string, json::object>> events_;
};

/// A browser that has opened the link.
class Browser {
 public:
    explicit Browser(const inspect::Inspector& inspector) : Browser(inspector.url()) {}
    explicit Browser(const std::string& url)
        : port_(static_cast<std::uint16_t>(std::stoi(url.substr(url.rfind(':') + 1)))) {
        const HttpReply entered = get(url.substr(url.find("/?")), host());
        const std::string cookie = entered.field("set-cookie");
        cookie_ = "Cookie: " + cookie.substr(0, cookie.find(';')) + "\r\n";
        const std::string page = get("/", host() + cookie_).body;
        constexpr std::string_view mark = "name=\"tenon-key\" content=\"";
        const std::size_t at = page.find(mark);
        if (at != std::string::npos)
            key_ = page.substr(at + mark.size(), page.find('"', at + mark.size()) - at - mark.size());
    }

    std::string host() const { return "Host: 127.0.0.1:" + std::to_string(port_) + "\r\n"; }
    std::string fields() const { return host() + cookie_ + "X-Tenon-Key: " + key_ + "\r\n"; }
    const std::string& cookie() const { return cookie_; }

    HttpReply get(const std::string& path, const std::string& fields) const {
        HttpClient client(port_);
        client.send("GET " + path + " HTTP/1.1\r\n" + fields + "\r\n");
        return client.reply();
    }
    HttpReply post(const std::string& name, const std::string& body, const std::string& fields) const {
        HttpClient client(port_);
        client.send("POST /api/" + name + " HTTP/1.1\r\n" + fields +
                    "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
                    body);
        return client.reply();
    }
    /// Runs a command and returns its result.
    json::value run(const std::string& name, const json::object& arguments = {}) const {
        const HttpReply reply = post(name, json::write(arguments), fields());
        const auto body = json::parse(reply.body);
        EXPECT_EQ(reply.status, 200) << name << ": " << reply.body;
        return body && body->is_object() && body->get_object().contains("result") ? body->at("result") : json::value();
    }
    /// Runs a command that is refused, and returns the status and the error.
    std::pair<int, json::object> refused(const std::string& name, const json::object& arguments = {}) const {
        const HttpReply reply = post(name, json::write(arguments), fields());
        const auto body = json::parse(reply.body);
        const json::value* error = body && body->is_object() ? body->get_object().if_contains("error") : nullptr;
        EXPECT_TRUE(error) << name << ": " << reply.body;
        return {reply.status, error ? error->as_object() : json::object()};
    }
    EventStream events(std::uint64_t after = 0) const { return EventStream(port_, fields(), after); }

 private:
    const std::uint16_t port_;
    std::string cookie_, key_;
};

}  // namespace tenon::test
