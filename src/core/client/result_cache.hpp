// Answers that a server allows to be used again for a while (2026-07-28: `ttlMs`). One client's own, so that it may
// hold what is private; the oldest answers make room for new ones.
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

    /// Null when there is none that is still fresh. Valid until the next call.
    const json::value* find(std::string_view method, const json::object& params, TimePoint now);
    /// Keeps it when its hints allow that and the method's answers may be kept at all.
    void keep(std::string_view method, const json::object& params, const json::value& result, TimePoint now);
    /// Every answer to this method.
    void forget(std::string_view method);
    /// The answer to resources/read of this URI.
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
