// tenon watch: shows the notifications of a server until Ctrl-C.
#include <poll.h>

#include <array>

#include "commands.hpp"
#include "json_text.hpp"
#include "session.hpp"
#include "trust.hpp"

namespace tenon::program {
namespace {

// Writes each event as one line: as text for people, or as JSON for scripts.
class EventWriter {
 public:
    EventWriter(Console& console, bool as_json) : console_(console), as_json_(as_json) {}

    void changed(Literal what) const {
        write(json::object{{"event", "changed"}, {"list", what.view()}},
              [&](Out& out) { out << Styled(Look::green, "changed ") << what << "\n"; });
    }
    void updated(const std::string& uri) const {
        write(json::object{{"event", "updated"}, {"uri", uri}},
              [&](Out& out) { out << Styled(Look::green, "updated ") << safe_line(uri) << "\n"; });
    }
    void log(const LogMessage& message) const {
        json::object event{{"event", "log"}, {"level", to_string(message.level)}, {"data", message.data}};
        if (!message.logger.empty()) event.emplace("logger", message.logger);
        write(event, [&](Out& out) {
            const bool bad = message.level >= LogLevel::error;
            out << Styled(bad ? Look::red : Look::yellow, safe_line(to_string(message.level))) << " ";
            if (!message.logger.empty()) out << Styled(Look::dim, safe_line(message.logger)) << " ";
            const auto* text = message.data.if_string();
            out << (text ? safe_line(*text) : compact_json(message.data)) << "\n";
        });
    }

 private:
    template <class F>
    void write(const json::object& event, F&& for_people) const {
        console_.print([&](Out& out) {
            if (as_json_)
                out << compact_json(event) << "\n";
            else
                for_people(out);
        });
    }
    Console& console_;
    const bool as_json_;
};

void hear(ClientOptions& o, const EventWriter& events) {
    o.on_tools_changed = [&events] { events.changed("tools"); };
    o.on_resources_changed = [&events] { events.changed("resources"); };
    o.on_prompts_changed = [&events] { events.changed("prompts"); };
    o.on_resource_updated = [&events](const std::string& uri) { events.updated(uri); };
    o.on_log = [&events](const LogMessage& message) { events.log(message); };
}

void subscribe(Session& session, const std::vector<std::string>& uris, LogLevel level) {
    session.with_client([&](Client& client) {
        if (session.server().capabilities.logging) client.set_log_level(level, session.call_options());
        for (const std::string& uri : uris) client.subscribe(uri, session.call_options());
    });
}

// Waits for Ctrl-C or for the end of the connection.
void wait_for_either(const std::stop_token& interrupted, const std::stop_token& gone) {
    const StopFd one(interrupted), other(gone);
    std::array<pollfd, 2> fds = {pollfd{one.fd(), POLLIN, 0}, pollfd{other.fd(), POLLIN, 0}};
    while (::poll(fds.data(), fds.size(), -1) < 0) {
    }
}

}  // namespace

Status run_watch(const CommandLine& line, Console& console) {
    std::vector<std::string> words = line.words;
    const Target target = take_target(line, words, approval(line, console));
    const Settings settings = settings_of(line);
    const LogLevel level = log_level(line.last("level")).value_or(LogLevel::info);
    const EventWriter events(console, settings.json);
    std::stop_source gone;

    Session session(
        target, settings, console, [&](ClientOptions& o) { hear(o, events); },
        [&gone](const Error&) { gone.request_stop(); });
    const ServerInfo& server = session.server();
    subscribe(session, words, level);
    if (!settings.quiet)
        console.note([&](Out& out) {
            out << Styled(Look::dim, "watching " + safe_line(server.info.name) + ", Ctrl-C ends it") << "\n";
        });
    wait_for_either(session.interrupt().token(), gone.get_token());
    if (session.interrupt().happened()) return Status::ok;
    session.with_client([&](Client& client) { client.ping(session.call_options()); });  // throws with the reason
    throw Failure(Status::connection, "the connection ended");
}

}  // namespace tenon::program
