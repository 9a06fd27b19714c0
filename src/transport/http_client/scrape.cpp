#include <tenon/scrape.hpp>

#include <future>

#include "transport/http_client/fetch_thread.hpp"

namespace tenon {

Result<std::string> scrape(const std::string& url, Duration time) {
    FetchOptions options;
    options.max_body_bytes = 16 * 1024 * 1024;
    options.time = time;
    options.url_is_trusted = true;
    FetchRequest request{.method = "GET", .url = url, .fields = {}, .body = {}};
    request.fields.emplace_back("Accept", "text/plain;version=0.0.4");
    std::promise<Result<FetchResponse>> answer;
    FetchThread thread(options);
    thread.fetch(std::move(request), [&](Result<FetchResponse> response) { answer.set_value(std::move(response)); });
    auto response = answer.get_future().get();  // comes within `time`
    if (!response) return response.error();
    if (response->status != 200)
        return Error{code::http_refused, "it answered with status " + std::to_string(response->status)};
    return std::move(response->body);
}

}  // namespace tenon
