// The list methods. Pages are in the order of registration. Cursors stay valid while the lists change.
#pragma once

#include "core/server/call.hpp"
#include "core/server/settings.hpp"
#include "core/server/uses.hpp"

namespace tenon::core {

/// Answers list requests. Any thread may call it.
class Lists {
 public:
    /// `settings` must outlive this object.
    explicit Lists(const Settings& settings) : settings_(settings) {}

    /// Each returns one page: the entries after the cursor of the request that its sender may use.
    Result<HandlerResult> tools(const Call& call, const Features& features) const;
    Result<HandlerResult> resources(const Call& call, const Features& features) const;
    Result<HandlerResult> templates(const Call& call, const Features& features) const;
    /// Like resources(), and continues with ResourceOptions::list of the templates. Runs user code.
    Result<HandlerResult> resources_and_listed(const Call& call, const Features& features, Context& context) const;
    Result<HandlerResult> prompts(const Call& call, const Features& features) const;
    Result<HandlerResult> skills(const Call& call, const Features& features) const;
    /// Returns one skill (skills/get).
    Result<HandlerResult> skill(const Call& call, const Features& features) const;
    /// Returns one page of a folder of a skill.
    Result<HandlerResult> folder(const Call& call, const Features& features) const;

 private:
    CacheHints hints(const Call& call) const;
    HandlerResult listed_page(const Call& call, const Features& features, Context& context, std::uint64_t order,
                              std::string cursor) const;
    struct AllEntries {
        template <class Entry>
        bool operator()(const Entry&) const {
            return true;
        }
    };
    template <class Entry, class Shown = AllEntries>
    Result<HandlerResult> page(const Call& call, std::string_view member, const Table<Entry>& table, char kind,
                               const Shown& shown = {}) const;
    bool has_room(std::size_t bytes, std::size_t entries) const;
    Result<std::uint64_t> position(const Call& call, char kind) const;

    const Settings& settings_;
};

}  // namespace tenon::core
