// Caches results for as long as the server allows (2026-07-28: `ttlMs`). Belongs to one client, so it may hold private
// results; they are dropped when the client's credentials change. When it is full, the oldest results are dropped.
#pragma once

#include <cstddef>
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>

#include <tenon/client_options.hpp>
#include <tenon/json.hpp>

namespace tenon::core {

class ResultCache {
 public:
    explicit ResultCache(const ClientLimits& limits) : limits_(limits) {}

    /// Returns the cached result, or null when there is none or it is too old. Valid until the next call.
    const json::value* find(std::string_view method, const json::object& params, TimePoint now);
    /// Caches a result if its cache hints allow that and the method is cacheable.
    void keep(std::string_view method, const json::object& params, const json::value& result, TimePoint now);
    /// Drops all results without `cacheScope: public`. They belong to the credentials of the requests.
    void drop_private();
    /// Drops all results of this method.
    void forget(std::string_view method);
    /// Drops the result of resources/read for this URI.
    void forget_resource(std::string_view uri);
    void clear();

    std::size_t entries() const { return by_key_.size(); }
    std::size_t bytes() const { return bytes_; }

 private:
    struct Entry {
        std::string key;
        std::string method;
        std::string uri;
        json::value result;
        TimePoint until;
        std::size_t bytes;
        bool shared;  // `cacheScope: public`
    };
    using Entries = std::list<Entry>;  // the oldest first

    void drop(Entries::iterator entry);
    template <class Predicate>
    void drop_if(Predicate predicate);

    const ClientLimits& limits_;
    Entries entries_;
    std::unordered_map<std::string, Entries::iterator> by_key_;
    std::size_t bytes_ = 0;
};

}  // namespace tenon::core
