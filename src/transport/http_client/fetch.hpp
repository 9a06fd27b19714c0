// Fetches one document from any origin, for signing in and for checking tokens. The URLs may come from other parties
// and are not trusted: only https is used, except on this machine, or if the operator wrote the URL. Redirects must
// stay within the origin. Size and time are limited. On request, only public addresses are allowed.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "transport/http_client/calls.hpp"

namespace tenon {

struct FetchOptions {
    std::string ca_file = {};  ///< certificates to trust, PEM; empty: the system's
    /// As in HttpClientOptions. A proxy looks up names itself, so addresses are not checked here then.
    std::optional<std::string> proxy = {};
    std::size_t max_body_bytes = 256 * 1024;
    std::size_t max_redirects = 3;             ///< followed only within the origin
    std::size_t max_at_once = 16;              ///< concurrent requests; more are refused
    Duration time = std::chrono::seconds(30);  ///< for one whole request
    bool url_is_trusted = false;               ///< the operator of this program wrote the URLs: http is allowed
};

struct FetchRequest {
    std::string_view method = "GET";  ///< or POST
    std::string url = {};
    web::OwnFields fields = {};
    std::string body = {};
    bool public_only = false;  ///< refuse addresses of this machine and of private networks
};

struct FetchResponse {
    int status = 0;
    web::OwnFields fields = {};
    std::string body = {};

    /// Returns the value of the field with this name; nullopt when the field is missing or repeated.
    std::optional<std::string> field(std::string_view name) const;
};

/// Fetches documents. Not thread-safe: use it only on the thread of the io_context. Calls no callback after its
/// destruction.
class HttpFetcher {
 public:
    using Done = std::function<void(Result<FetchResponse>)>;
    HttpFetcher(std::shared_ptr<asio::io_context> context, FetchOptions options);
    ~HttpFetcher();
    HttpFetcher(const HttpFetcher&) = delete;
    HttpFetcher& operator=(const HttpFetcher&) = delete;

    /// Sends a request and calls `done` once, never from inside this function. A response with any status is a success.
    void fetch(FetchRequest request, Done done);
    /// Cancels all requests without calling their `done`.
    void cancel();

 private:
    class Fetch;
    void tell(Done done, Result<FetchResponse> result);
    Result<std::shared_ptr<const HttpRoute>> route(const web::Url& url, bool public_only);

    const std::shared_ptr<asio::io_context> context_;
    const FetchOptions options_;
    std::shared_ptr<asio::ssl::context> tls_;  // created when needed
    std::set<std::shared_ptr<Fetch>> running_;
    std::vector<std::shared_ptr<Fetch>> finished_;  // kept alive until `done` is called
    const std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace tenon
