#include "session.hpp"

#include <algorithm>

#include <tenon/transport/watched.hpp>

#include "form.hpp"
#include "sampler.hpp"
#include "scripted.hpp"
#include "terminal.hpp"

namespace tenon::program {
namespace {

using namespace std::chrono_literals;

constexpr Duration close_time = 2s;
constexpr std::size_t most_tail_lines = 10;
constexpr std::size_t most_warnings = 5;
constexpr int list_share = 20;  // a whole list, with all its pages, may take this many times --timeout

std::string last_lines(const std::string& text) {
    std::size_t begin = text.size(), lines = 0;
    while (begin > 0 && lines < most_tail_lines) {
        const std::size_t newline = text.rfind('\n', begin - 1);
        if (newline == std::string::npos) return text;
        if (newline + 1 < text.size()) ++lines;
        begin = newline;
    }
    return begin == 0 ? text : text.substr(begin + 1);
}

std::function<void(std::string_view)> stderr_lines(const Settings& settings, Console& console) {
    if (!settings.verbose) return {};
    return [&console](std::string_view line) {
        console.note([&](Out& out) { out << Styled(Look::dim, "server: ") << safe_line(line) << "\n"; });
    };
}

bool needs_login(const Error& error) {
    if (error.code == code::not_authorised) return true;
    const json::object* data = error.code == code::http_refused ? error.data.if_object() : nullptr;
    const json::value* status = data ? data->if_contains("httpStatus") : nullptr;
    return status && *status == json::value(401);
}

// Returns the option that gives this program the capability that a call needs.
std::string option_for(const json::value& data) {
    const json::object* o = data.if_object();
    const json::value* required = o ? o->if_contains("requiredCapabilities") : nullptr;
    const json::object* names = required ? required->if_object() : nullptr;
    if (!names) return {};
    if (names->contains("sampling")) return "--sample-command COMMAND answers it";
    if (names->contains("roots")) return "--root DIR names a folder for it";
    const json::value* elicitation = names->if_contains("elicitation");
    if (!elicitation) return {};
    const bool page = elicitation->is_object() && elicitation->get_object().contains("url");
    return page ? "it shows you a web page: call it on a terminal"
                : "it asks you something: --answer KEY=VALUE answers it, or call it on a terminal";
}

}  // namespace

Status status_of(const Error& error) {
    switch (error.code) {
        case code::connection_closed: return Status::connection;
        case code::request_timeout: return Status::timeout;
        case code::call_cancelled: return Status::interrupted;
        default: return Status::protocol;
    }
}

Session::Session(const Target& target, const Settings& settings, Console& console,
                 const std::function<void(ClientOptions&)>& adjust, std::function<void(const Error&)> gone)
    : label_(target.label),
      settings_(settings),
      console_(console),
      connection_(
          connection_to(target, stderr_lines(settings, console), authoriser_for(target, settings.login, console))) {
    ClientOptions options = client_options();
    if (adjust) adjust(options);
    client_.emplace(gone ? watched(connection_.transport, std::move(gone)) : connection_.transport, std::move(options));
}

Session::~Session() {
    console_.bar({});
    if (client_) client_->close(close_time);
}

ClientOptions Session::client_options() {
    ClientOptions o;
    o.info = {"tenon", TENON_VERSION};
    o.era = settings_.era;
    if (settings_.timeout) {
        o.limits.request_time = o.limits.connect_time = *settings_.timeout;
        o.limits.probe_time = std::min(o.limits.probe_time, *settings_.timeout / 2);
        o.limits.list_time = *settings_.timeout * list_share;
    }
    answer_questions(o);
    o.restart = false;  // the user sees that the server died
    settings_.verbose ? tell_more(o) : warn(o);
    traces_ = TraceExporter::from_environment(o.log);
    if (traces_) o.observers.push_back(traces_->observer());
    return o;
}

void Session::answer_questions(ClientOptions& o) {
    if (!settings_.roots.empty()) o.on_roots = [this](const std::stop_token&) { return settings_.roots; };
    if (!settings_.answers.empty())
        o.on_elicit = [this](const ElicitRequest& request, const std::stop_token&) { return scripted(request); };
    if (has_terminal()) {
        if (!o.on_elicit)
            o.on_elicit = [this](const ElicitRequest& request, std::stop_token stop) {
                Terminal terminal(console_, std::move(stop));
                return ask_form(terminal, request, label_);
            };
        o.on_elicit_url = [this](const ElicitUrlRequest& request, std::stop_token stop) {
            Terminal terminal(console_, std::move(stop));
            return ask_page(terminal, request, label_);
        };
    }
    if (!settings_.sample_command.empty())
        o.on_sample = [this](const SampleRequest& request, const std::stop_token& stop) {
            return sample_by_command(settings_.sample_command, request, stop);
        };
}

ElicitResult Session::scripted(const ElicitRequest& request) {
    try {
        return scripted_answer(settings_.answers, request);
    } catch (const Failure& failure) {
        const std::lock_guard lock(mutex_);
        unanswered_ = failure;
        throw;
    }
}

std::optional<Failure> Session::unanswered() const {
    const std::lock_guard lock(mutex_);
    return unanswered_;
}

void Session::fail_if_unanswered() const {
    if (const auto why = unanswered()) throw Failure(*why);
}

// Shows the first warnings of the library, for example about text on the server's standard output that is not a
// message.
void Session::warn(ClientOptions& o) {
    o.log = [this](const LogRecord& record) {
        if (record.level < LogLevel::warning || settings_.quiet || ++warnings_ > most_warnings) return;
        console_.note([&](Out& out) {
            out << Styled(Look::yellow, "tenon: warning: ") << safe_line(record.message) << "\n";
            if (warnings_ == most_warnings) out << Styled(Look::dim, "--verbose shows more warnings") << "\n";
        });
    };
}

void Session::tell_more(ClientOptions& o) {
    o.log = [this](const LogRecord& record) {
        console_.note([&](Out& out) { out << Styled(Look::dim, "tenon: " + safe_line(record.message)) << "\n"; });
    };
    o.on_log = [this](const LogMessage& message) {
        console_.note([&](Out& out) {
            out << Styled(Look::dim, "log: ") << safe_line(to_string(message.level)) << " "
                << safe_line(json::write(message.data)) << "\n";
        });
    };
}

CallOptions Session::call_options() const {
    CallOptions o;
    o.timeout = settings_.timeout;
    o.stop = interrupt_.token();
    return o;
}

const ServerInfo& Session::server() {
    if (!server_) server_ = with_client([&](Client& client) { return client.connect(call_options()); });
    return *server_;
}

Failure Session::failure_of(const Error& error) const {
    if (interrupt_.happened()) return Failure(Status::interrupted, "interrupted");
    if (auto why = unanswered()) return *std::move(why);  // the server only repeats it
    const Status status = status_of(error);
    Failure out(status, error.message);
    if (status == Status::protocol) out.answer = error;
    if (needs_login(error) && !settings_.login.browser && settings_.login.client_id.empty())
        out.fix =
            "-H 'Authorization: Bearer TOKEN' sends a token that you have; --login signs you in with your browser; "
            "--client-id and --client-secret-env do it without one";
    if (error.code == code::missing_capability) out.fix = option_for(error.data);
    if (status == Status::timeout) out.fix = "--timeout SECONDS gives it more time";
    const std::string tail = connection_.child && !settings_.verbose ? connection_.child->stderr_tail() : std::string();
    if (status == Status::connection && !tail.empty()) out.fix = "the end of its standard error:\n" + last_lines(tail);
    return out;
}

}  // namespace tenon::program
