#include <tenon/inspect.hpp>

#include <tenon/auth/token_store.hpp>

#include "base/base64.hpp"
#include "inspect/commands.hpp"
#include "inspect/page_site.hpp"
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
          site_(secrets_, listener_.port(), commands_, recorder_, pool_) {
        listener_.start(site_);
        if (options_.target) session_.connect(*options_.target, options_.era);
    }
    ~Impl() {
        listener_.stop();
        check_.stop();
        calls_.cancel_all();
        desk_.drop_all();
        session_.disconnect();
        pool_.stop(stop_time);
    }

    std::string url() const {
        return "http://127.0.0.1:" + std::to_string(listener_.port()) + "/?token=" + secrets_.token;
    }
    std::uint16_t port() const { return listener_.port(); }
    std::uint16_t apps_port() const { return 0; }

 private:
    const Options options_;
    const Secrets secrets_;
    SiteListener listener_;
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
    PageSite site_;
};

Inspector::Inspector(Options options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Inspector::~Inspector() = default;
std::string Inspector::url() const { return impl_->url(); }
std::uint16_t Inspector::port() const { return impl_->port(); }
std::uint16_t Inspector::apps_port() const { return impl_->apps_port(); }

}  // namespace tenon::inspect
