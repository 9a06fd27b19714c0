#include <condition_variable>

#include <tenon/inspect.hpp>

#include <tenon/auth/token_store.hpp>

#include "base/base64.hpp"
#include "inspect/apps.hpp"
#include "inspect/commands.hpp"
#include "inspect/page_site.hpp"
#include "inspect/tap_http.hpp"
#include "inspect/tap_stdio.hpp"
#include "io/random.hpp"

namespace tenon::inspect {
namespace {

constexpr std::size_t workers = 8;        // commands that wait for the server at once
constexpr std::size_t max_waiting = 64;   // commands that wait for a worker
constexpr std::size_t secret_bytes = 24;  // of random
constexpr Duration stop_time = std::chrono::seconds(3);

std::string random_text() {
    const auto bytes = io::random_bytes<secret_bytes>();
    return base::base64url_encode({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

io::WorkerPool::Options pool_options() {
    io::WorkerPool::Options options;
    options.max_threads = options.max_per_peer = workers;
    options.max_waiting = max_waiting;
    options.on_error = [] {};
    return options;
}

}  // namespace

// The members are destroyed in reverse order: first the listener, which brings no more commands; then the workers; then
// the connection to the server.
class Inspector::Impl {
 public:
    explicit Impl(Options options)
        : options_(std::move(options)),
          secrets_{random_text(), random_text(), random_text()},
          listener_(options_.port),
          recorder_([this] { listener_.wake(); }),
          permissions_(options_.decisions),
          desk_(permissions_, recorder_),
          questions_(options_, permissions_, recorder_),
          pool_(pool_options()),
          session_(options_, recorder_, questions_),
          calls_(session_, desk_, recorder_, pool_),
          tasks_(session_, calls_, recorder_),
          check_(options_, recorder_),
          commands_({options_, recorder_, permissions_, desk_, questions_, session_, calls_, tasks_, check_}),
          apps_("http://127.0.0.1:" + port_text(listener_) + " http://localhost:" + port_text(listener_),
                apps_listener_.port(), session_, calls_, desk_, recorder_),
          site_(secrets_, listener_.port(), commands_, recorder_, pool_) {
        add_apps();
        add_tap();
        apps_listener_.start(apps_);
        listener_.start(site_);
        connect_first();
    }
    ~Impl() {
        listener_.stop();
        apps_listener_.stop();
        check_.stop();
        commands_.stop();
        calls_.cancel_all();
        desk_.drop_all();
        session_.disconnect();
        pool_.stop(stop_time);
    }

    int tap(const std::stop_token& stop) {
        if (http_tap_) {
            std::mutex mutex;
            std::unique_lock lock(mutex);
            std::condition_variable_any().wait(lock, stop, [] { return false; });
            return 0;
        }
        if (!options_.target || options_.target->command.empty())
            throw Exception({code::invalid_params, "a tap needs a server: a command or a URL"});
        const int status = run_stdio_tap(
            *options_.target, gate_, recorder_, [this](int) { enter_tap("ready"); }, stop);
        enter_tap("closed");
        return status;
    }
    std::string url() const {
        return "http://127.0.0.1:" + std::to_string(listener_.port()) + "/?token=" + secrets_.token;
    }
    std::string tap_address() const { return http_tap_ ? http_tap_->address() : std::string(); }
    std::uint16_t port() const { return listener_.port(); }
    std::uint16_t apps_port() const { return apps_listener_.port(); }

 private:
    static std::string port_text(const SiteListener& listener) { return std::to_string(listener.port()); }
    void add_apps() {
        site_.set_apps_origin(apps_.origin());
        commands_.extra_status["apps_origin"] = apps_.origin();
        commands_.add("app_open", true,
                      [this](const Arguments& a) { return apps_.open(a.text("uri"), a.text_or("call", "")); });
        commands_.add("app_message", true,
                      [this](const Arguments& a) { return apps_.message(a.text("app"), a.object("message")); });
        commands_.add("app_close", false, [this](const Arguments& a) {
            apps_.close(a.text("app"));
            return json::object();
        });
    }

    void connect_first() {
        if (!options_.target || options_.tap) return;
        try {
            session_.connect(*options_.target, options_.era);
        } catch (const Refusal& refusal) {
            throw Exception({code::invalid_params, refusal.message});
        }
    }
    void add_tap() {
        if (options_.tap && options_.target && !options_.target->url.empty()) {
            http_tap_ = std::make_unique<HttpTap>(*options_.target, gate_, recorder_);
            tap_state_ = "ready";
        }
        commands_.add("breakpoints", false, [this](const Arguments& a) {
            if (a.has("rules")) gate_.set_rules(a.array("rules"));
            return gate_.rules();
        });
        commands_.add("release", false, [this](const Arguments& a) {
            gate_.release(a.text("held"), a.has("text") ? std::optional(a.text("text")) : std::nullopt);
            return json::object();
        });
        commands_.add("drop", false, [this](const Arguments& a) {
            gate_.drop(a.text("held"));
            return json::object();
        });
        if (!options_.tap || !options_.target) return;
        for (const char* name : {"connect", "reconnect", "compare", "sign_in"})
            commands_.add(name, false, [](const Arguments&) -> json::value {
                throw Refusal{409, "A tap has one server, and its client connects to it."};
            });
        commands_.more_status = [this](json::object& status) {
            status["mode"] = "tap";
            status["open"].as_object()["held"] = gate_.held();
            const std::lock_guard lock(tap_mutex_);
            status["state"] = tap_state_;
            status["connection"] = 1;
            status["target"] =
                json::object{{"kind", http_tap_ ? "url" : "command"}, {"text", text_of(*options_.target, options_)}};
            if (http_tap_) status["tap_address"] = http_tap_->address();
        };
    }
    void enter_tap(std::string_view state) {
        {
            const std::lock_guard lock(tap_mutex_);
            tap_state_ = state;
        }
        recorder_.tell("state", commands_.status());
    }

    const Options options_;
    const Secrets secrets_;
    SiteListener listener_, apps_listener_{0};
    Recorder recorder_;
    Permissions permissions_;
    ConsentDesk desk_;
    Questions questions_;
    io::WorkerPool pool_;
    Session session_;
    Calls calls_;
    TaskBook tasks_;
    CheckRun check_;
    Commands commands_;
    Apps apps_;
    TapGate gate_{recorder_};
    std::unique_ptr<HttpTap> http_tap_;  // null: no tap, or one over stdio
    std::mutex tap_mutex_;
    std::string tap_state_ = "connecting";  // guarded by tap_mutex_
    PageSite site_;
};

Inspector::Inspector(Options options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Inspector::~Inspector() = default;
int Inspector::tap(const std::stop_token& stop) { return impl_->tap(stop); }
std::string Inspector::tap_address() const { return impl_->tap_address(); }
std::string Inspector::url() const { return impl_->url(); }
std::uint16_t Inspector::port() const { return impl_->port(); }
std::uint16_t Inspector::apps_port() const { return impl_->apps_port(); }

}  // namespace tenon::inspect
