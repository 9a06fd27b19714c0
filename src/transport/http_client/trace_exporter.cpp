#include <tenon/trace_exporter.hpp>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <thread>

#include <tenon/client_options.hpp>

#include "io/last_resort.hpp"
#include "observe/mask.hpp"
#include "observe/otlp.hpp"
#include "runtime/server_impl.hpp"
#include "transport/http_client/fetch_thread.hpp"
#include "web/url.hpp"

namespace tenon {
namespace {

constexpr std::size_t most_response_bytes = 64 * 1024;
constexpr std::size_t bytes_of_span = 64;  // in the queue, in addition to its text
const std::string tenon_version = ClientOptions().info.version;

observe::Attributes describe(const TraceExporterOptions& options) {
    observe::Attributes out;
    for (const auto& [key, text] : options.resource)
        if (key != "service.name" || options.service_name.empty()) out.emplace_back(key, text);
    const bool named = std::ranges::any_of(out, [](const auto& pair) { return pair.first == "service.name"; });
    if (!named)
        out.emplace_back("service.name", options.service_name.empty() ? "unknown_service:tenon" : options.service_name);
    out.emplace_back("telemetry.sdk.name", "tenon");
    out.emplace_back("telemetry.sdk.language", "cpp");
    return out;
}

FetchOptions fetch_options(const TraceExporterOptions& options) {
    FetchOptions out;
    out.ca_file = options.ca_file;
    out.max_body_bytes = most_response_bytes;
    out.time = options.request_time;
    out.url_is_trusted = true;
    return out;
}

enum class Delivery { accepted, again, refused };

// As the specification of OTLP says.
Delivery delivery_of(const Result<FetchResponse>& response) {
    if (!response) return Delivery::again;
    if (response->status >= 200 && response->status < 300) return Delivery::accepted;
    const int status = response->status;
    return status == 429 || status == 502 || status == 503 || status == 504 ? Delivery::again : Delivery::refused;
}

}  // namespace

class TraceExporter::Impl {
 public:
    explicit Impl(TraceExporterOptions options)
        : options_(std::move(options)), resource_(describe(options_)), fetches_(fetch_options(options_)) {
        if (auto url = web::parse_url(options_.endpoint); !url)
            throw Exception(
                {code::invalid_params, "the endpoint for traces must be an http or https URL: " + url.error().message});
        thread_ = std::thread([this] { io::run_thread([this] { run(); }, [](const char*) {}); });
    }
    ~Impl() { close(); }

    void observe(const Operation& operation) {
        if (!sampler_.samples(operation)) return;
        std::string span = observe::encode_span(operation, {options_.arguments});
        if (span.empty()) return;
        {
            const std::lock_guard lock(mutex_);
            const std::size_t bytes = span.size() + bytes_of_span;
            if (queue_.size() >= options_.max_queue || queued_bytes_ + bytes > options_.max_queue_bytes || closing_ ||
                charge_.cover(queued_bytes_ + bytes) != base::MemoryDecision::granted) {
                ++dropped_;
                return;
            }
            queued_bytes_ += bytes;
            queue_.push_back(std::move(span));
            if (queue_.size() != 1 && queue_.size() != options_.max_batch) return;
        }
        changed_.notify_all();
    }

    bool flush(Duration time) {
        std::unique_lock lock(mutex_);
        ++flushing_;
        changed_.notify_all();
        const bool done = changed_.wait_for(lock, time, [this] { return queue_.empty() && sending_ == 0; });
        --flushing_;
        return done;
    }

    void close() {
        if (!thread_.joinable()) return;
        flush(options_.close_time);
        {
            const std::lock_guard lock(mutex_);
            closing_ = true;
            dropped_ += queue_.size();
            queue_.clear();
            charge_.release();
        }
        changed_.notify_all();
        fetches_.stop();
        thread_.join();
    }

    void charge_to(base::MemoryAccountPtr account) {
        const std::lock_guard lock(mutex_);
        charge_ = base::MemoryCharge(std::move(account));
    }
    std::uint64_t exported() const { return exported_.load(); }
    std::uint64_t dropped() const { return dropped_.load(); }

 private:
    void run() {
        std::unique_lock lock(mutex_);
        sending_ = 0;  // an exception may have ended the last run
        while (!closing_) {
            changed_.wait(lock, [this] { return closing_ || !queue_.empty(); });
            const auto full = [this] { return closing_ || flushing_ > 0 || queue_.size() >= options_.max_batch; };
            changed_.wait_for(lock, options_.schedule_delay, full);
            if (closing_ || queue_.empty()) continue;
            const auto batch = take();
            lock.unlock();
            send(batch);
            lock.lock();
            sending_ = 0;
            for (const std::string& span : batch) queued_bytes_ -= span.size() + bytes_of_span;
            charge_.keep_at_most(queued_bytes_);
            changed_.notify_all();
        }
    }

    std::vector<std::string> take() {
        const std::size_t count = std::min(queue_.size(), options_.max_batch);
        std::vector<std::string> out(std::make_move_iterator(queue_.begin()),
                                     std::make_move_iterator(queue_.begin() + static_cast<std::ptrdiff_t>(count)));
        queue_.erase(queue_.begin(), queue_.begin() + static_cast<std::ptrdiff_t>(count));
        sending_ = count;
        return out;
    }

    void send(const std::vector<std::string>& batch) {
        const std::string body = observe::encode_trace_request(resource_, tenon_version, batch);
        Duration pause = options_.first_pause;
        for (std::size_t attempt = 1; attempt <= options_.max_attempts; ++attempt, pause *= 2) {
            const auto response = post(body);
            if (!response) break;  // closing
            switch (delivery_of(*response)) {
                case Delivery::accepted:
                    exported_ += batch.size();
                    failing_ = false;
                    return;
                case Delivery::refused: attempt = options_.max_attempts; break;
                case Delivery::again: break;
            }
            tell(*response);
            if (attempt < options_.max_attempts && !wait(pause)) break;
        }
        dropped_ += batch.size();
    }

    // Returns nullopt when the exporter closes.
    std::optional<Result<FetchResponse>> post(const std::string& body) {
        struct Answer {
            std::optional<Result<FetchResponse>> response;
        };
        const auto answer = std::make_shared<Answer>();
        FetchRequest request{.method = "POST", .url = options_.endpoint, .fields = {}, .body = body};
        request.fields.emplace_back("Content-Type", "application/x-protobuf");
        for (const auto& [name, value] : options_.headers) request.fields.emplace_back(name, value);
        fetches_.fetch(std::move(request), [this, answer](Result<FetchResponse> response) {
            const std::lock_guard lock(mutex_);
            answer->response = std::move(response);
            changed_.notify_all();
        });
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return closing_ || answer->response; });
        return std::move(answer->response);
    }

    // Returns false when the exporter closes.
    bool wait(Duration time) {
        std::unique_lock lock(mutex_);
        return !changed_.wait_for(lock, time, [this] { return closing_; });
    }

    void tell(const Result<FetchResponse>& response) {
        if (std::exchange(failing_, true) || !options_.log) return;
        const std::string why =
            response ? "it answered with status " + std::to_string(response->status) : response.error().message;
        const std::string text = "cannot export traces to " + observe::mask_text(options_.endpoint) + ": " + why;
        options_.log({.time = std::chrono::system_clock::now(), .level = LogLevel::warning, .message = text});
    }

    const TraceExporterOptions options_;
    const observe::Attributes resource_;
    const observe::Sampler sampler_{options_.parent_based, options_.ratio};
    std::atomic<std::uint64_t> exported_{0}, dropped_{0};
    bool failing_ = false;  // the last attempt failed; used only by the thread
    std::mutex mutex_;      // guards the members below, up to flushing_
    std::condition_variable changed_;
    std::deque<std::string> queue_;  // encoded spans
    std::size_t queued_bytes_ = 0;   // of the queue, and of the batch that is being sent
    base::MemoryCharge charge_;
    std::size_t sending_ = 0;  // spans of the batch that is being sent
    bool closing_ = false;
    int flushing_ = 0;
    FetchThread fetches_;
    std::thread thread_;
};

TraceExporter::TraceExporter(TraceExporterOptions options) : impl_(std::make_shared<Impl>(std::move(options))) {}
TraceExporter::~TraceExporter() { impl_->close(); }

std::shared_ptr<TraceExporter> TraceExporter::from_environment(LogSink log) {
    const auto get = [](const char* name) {
        const char* const value = std::getenv(name);
        return value ? std::optional<std::string>(value) : std::nullopt;
    };
    auto options = TraceExporterOptions::from(get, std::move(log));
    return options ? std::make_shared<TraceExporter>(*std::move(options)) : nullptr;
}

OperationObserver TraceExporter::observer() const {
    return [weak = std::weak_ptr(impl_)](const Operation& operation) {
        if (const auto impl = weak.lock()) impl->observe(operation);
    };
}

void TraceExporter::charge_to(const Server& server) {
    impl_->charge_to(std::make_shared<base::MemoryAccount>(server.impl()->budget()));
}
std::uint64_t TraceExporter::exported() const { return impl_->exported(); }
std::uint64_t TraceExporter::dropped() const { return impl_->dropped(); }
bool TraceExporter::flush(Duration time) { return impl_->flush(time); }

std::shared_ptr<void> TraceExporter::add_to(Metrics& metrics) const {
    return metrics.add([impl = impl_](MetricsSnapshot& snapshot) {
        const auto add = [&](const char* name, const char* help, std::uint64_t value) {
            snapshot.families.push_back(
                {name, MetricsSnapshot::Kind::counter, {}, help, {}, {{{}, static_cast<double>(value)}}});
        };
        add("tenon_spans_exported", "Spans that the collector accepted.", impl->exported());
        add("tenon_spans_dropped", "Spans that were lost: the collector was slow or failed.", impl->dropped());
    });
}

}  // namespace tenon
