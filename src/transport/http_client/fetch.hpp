// One request, one whole answer, of any origin: what signing in and checking tokens fetch. URLs that others have named
// are not trusted: https only, but for this machine; redirects only within the origin; a limit to size and time; and,
// where asked for, public addresses only.
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
    std::string ca_file = {};  ///< certificates to trust, PEM; the system's when empty
    std::optional<std::string> proxy =
        {};  ///< as in HttpClientOptions; a proxy looks up names, and guards them, itself
    std::size_t max_body_bytes = 256 * 1024;
    std::size_t max_redirects = 3;             ///< followed, and only within the origin
    std::size_t max_at_once = 16;              ///< more are refused
    Duration time = std::chrono::seconds(30);  ///< for all of it
};

struct FetchRequest {
    std::string_view method = "GET";  ///< or POST
    std::string url = {};
    web::OwnFields fields = {};
    std::string body = {};
    bool public_only = false;  ///< refuse addresses of this machine and of private networks
};

struct FetchAnswer {
    int status = 0;
    web::OwnFields fields = {};
    std::string body = {};

    /// The value of the only field of this name; nothing when there is none or more than one.
    std::optional<std::string> field(std::string_view name) const;
};

/// For the thread of the io_context. No callback comes after it is gone.
class HttpFetcher {
 public:
    using Done = std::function<void(Result<FetchAnswer>)>;
    HttpFetcher(std::shared_ptr<asio::io_context> context, FetchOptions options);
    ~HttpFetcher();
    HttpFetcher(const HttpFetcher&) = delete;
    HttpFetcher& operator=(const HttpFetcher&) = delete;

    /// `done` comes once, never from within. Any status is an answer.
    void fetch(FetchRequest request, Done done);
    /// All of them: none is told.
    void cancel();

 private:
    class Fetch;
    void tell(Done done, Result<FetchAnswer> result);
    Result<std::shared_ptr<const HttpRoute>> route(const web::Url& url, bool public_only);

    const std::shared_ptr<asio::io_context> context_;
    const FetchOptions options_;
    std::shared_ptr<asio::ssl::context> tls_;  // made when it is needed
    std::set<std::shared_ptr<Fetch>> running_;
    std::vector<std::shared_ptr<Fetch>> finished_;  // until they are told
    const std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace tenon
