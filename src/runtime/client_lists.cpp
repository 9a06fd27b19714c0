// Reads lists page by page, within the limits of the client.
#include <tenon/client.hpp>

#include "core/client/page_guard.hpp"
#include "io/random.hpp"
#include "json/weight.hpp"
#include "protocol/read_server.hpp"
#include "protocol/read_task.hpp"
#include "runtime/client_impl.hpp"

namespace tenon {
namespace {

template <class T>
using ReadPage = std::function<Result<Page<T>>(const json::value&)>;

/// Reads one list, page by page.
class Walk {
 public:
    Walk(std::shared_ptr<Client::Impl> impl, std::string method, CallOptions options)
        : impl_(std::move(impl)),
          method_(std::move(method)),
          options_(std::move(options)),
          guard_(impl_->limits(), io::random_bytes<16>()) {}

    /// Returns the entries of the next page, or nullopt after the last page. Throws Exception.
    template <class T>
    std::optional<std::vector<T>> next(const ReadPage<T>& read) {
        if (over_) return std::nullopt;
        over_ = true;  // also when an exception follows
        const TimePoint begin = Clock::now();
        const json::value answer = ask();
        Page<T> page = read(answer).value();
        guard_.page(page.items.size(), json::weight(answer), Clock::now() - begin).value();
        cursor_ = std::move(page.nextCursor);
        over_ = !cursor_;
        return std::move(page.items);
    }

 private:
    // Requests the next page. The limits on further pages are checked only here, so that the caller gets the earlier
    // pages.
    json::value ask() {
        core::ClientCall call;
        call.method = method_;
        call.longest = guard_.time_left();
        if (cursor_) {
            guard_.next(*cursor_).value();
            call.params.emplace("cursor", *cursor_);
        }
        const TimePoint until = later(Clock::now(), guard_.time_left());
        auto answer = impl_->wait(std::move(call), options_);
        if (answer) return *std::move(answer);
        const bool out_of_time = answer.error().code == code::request_timeout && Clock::now() >= until;
        throw Exception(out_of_time ? guard_.too_slow() : answer.error());
    }

    const std::shared_ptr<Client::Impl> impl_;
    const std::string method_;
    const CallOptions options_;
    core::PageGuard guard_;
    std::optional<std::string> cursor_;
    bool over_ = false;
};

template <class T>
List<T> list(const std::shared_ptr<Client::Impl>& impl, std::string method, CallOptions options, ReadPage<T> read) {
    const auto walk = std::make_shared<Walk>(impl, std::move(method), std::move(options));
    return List<T>([walk, read = std::move(read)] { return walk->next<T>(read); });
}

Result<Page<json::value>> read_any(const json::value& answer, const std::string& member) {
    const json::object* o = answer.if_object();
    const json::value* entries = o ? o->if_contains(member) : nullptr;
    if (!entries || !entries->is_array())
        return Error{code::invalid_answer, "The server's answer is invalid: it has no list `" + member + "`"};
    Page<json::value> page;
    page.items.assign(entries->get_array().begin(), entries->get_array().end());
    if (const json::value* next = o->if_contains("nextCursor"); next && next->is_string())
        page.nextCursor = std::string(next->get_string());
    return page;
}

}  // namespace

List<Tool> Client::list_tools(CallOptions options) {
    return list<Tool>(impl_, "tools/list", std::move(options), protocol::read_tools);
}
List<Resource> Client::list_resources(CallOptions options) {
    return list<Resource>(impl_, "resources/list", std::move(options), protocol::read_resources);
}
List<ResourceTemplate> Client::list_resource_templates(CallOptions options) {
    return list<ResourceTemplate>(impl_, "resources/templates/list", std::move(options),
                                  protocol::read_resource_templates);
}
List<Prompt> Client::list_prompts(CallOptions options) {
    return list<Prompt>(impl_, "prompts/list", std::move(options), protocol::read_prompts);
}
List<TaskInfo> Client::list_tasks(CallOptions options) {
    return list<TaskInfo>(impl_, "tasks/list", std::move(options), protocol::read_tasks);
}
List<json::value> Client::list_any(std::string method, std::string member, CallOptions options) {
    return list<json::value>(
        impl_, std::move(method), std::move(options),
        [member = std::move(member)](const json::value& answer) { return read_any(answer, member); });
}

}  // namespace tenon
