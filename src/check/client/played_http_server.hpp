// PlayedHttpServer: the server of played_server.hpp over HTTP. Requests in, bytes out. Pure.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "check/client/played_server.hpp"

namespace tenon::check::client {

/// The path of the MCP endpoint. Clients also request other paths, for example OAuth metadata. Those requests are not
/// judged.
inline constexpr std::string_view endpoint_path = "/mcp";

/// Bytes for a connection of the client.
struct Write {
    std::size_t connection = 0;
    std::string bytes = {};
    bool close = false;  ///< close the connection afterwards
    int status = 0;      ///< status of the response that begins here; 0: the bytes continue a response
    std::string message = {};
};

class PlayedHttpServer {
 public:
    PlayedHttpServer(Scene scene, Duration patience) : scene_(scene), patience_(patience), server_(scene, patience) {}

    std::vector<Write> take(std::size_t connection, const Event& request, TimePoint now);
    std::vector<Write> tick(TimePoint now);
    std::optional<TimePoint> deadline() const { return server_.deadline(); }

 private:
    struct Open {
        std::size_t connection = 0;
        bool streaming = false;  // its head was sent
        bool is_introduction = false;
    };

    void not_here(std::size_t connection);
    void post(std::size_t connection, const Event& request, TimePoint now);
    void get(std::size_t connection, const Event& request);
    bool is_forgotten(const Event& request);
    void say(const Say& say);
    int status_of(std::string_view answer) const;
    void answer_at_once(const Open& open, const Say& say);
    void break_off(const Open& open, const Say& say);
    void head(std::size_t connection, int status, std::string fields, std::string body = {}, std::string message = {});
    void stream_head(Open& open);
    void event(std::size_t connection, std::string_view text);
    void end_stream(std::size_t connection);
    bool gives_sessions() const;

    const Scene scene_;
    const Duration patience_;
    PlayedServer server_;
    std::size_t requests_ = 0, sessions_ = 0, events_ = 0;
    bool forgot_ = false, broke_off_ = false;
    std::map<std::size_t, Open> open_;  // by number of the request
    std::optional<Say> kept_;           // the response of an interrupted stream
    std::vector<Write> writes_;
};

/// The `retry` of an interrupted stream.
inline constexpr std::chrono::milliseconds retry_after{400};
/// The event that an interrupted stream sends before it ends.
inline constexpr std::string_view broken_event = "id: kept-1";

}  // namespace tenon::check::client
