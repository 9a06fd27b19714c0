// Registry: holds the documents of a schema, with their resources ($id) and anchors, and resolves references.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <tenon/schema.hpp>

#include "schema/dialect.hpp"
#include "schema/program.hpp"

namespace tenon::schema {

struct Resource {
    using Anchors = std::map<std::string, const json::value*, std::less<>>;

    std::string uri;  // without fragment; empty for a resource without a name
    const json::value* root = nullptr;
    std::uint32_t location = 0;
    DialectUse dialect;
    Anchors anchors;          // including the dynamic ones
    Anchors dynamic_anchors;  // "" stands for `$recursiveAnchor: true`
};

/// A subschema and its place.
struct Place {
    const json::value* schema = nullptr;
    std::uint32_t resource = 0;
    std::uint32_t location = 0;
};

class Registry {
 public:
    Registry(const Options& options, std::vector<Location>& locations) : options_(options), locations_(locations) {}

    /// The root schema must outlive the registry.
    Result<Place> add_root(const json::value& schema);

    /// Resolves a reference that stands at `from`. Loads the document if it is a new one.
    Result<Place> resolve(const Place& from, std::string_view reference);

    /// Returns the place of a subschema. The subschema must have been found before.
    const Place& place(const json::value& schema) const { return places_.at(&schema); }

    const Resource& resource(std::uint32_t i) const { return resources_[i]; }

    /// A subschema with a dynamic anchor. dynamic_anchors() lists all with one name, in the order in which they were
    /// found.
    struct DynamicAnchor {
        std::uint32_t resource;
        const json::value* schema;
    };
    const std::vector<DynamicAnchor>& dynamic_anchors(const std::string& name) { return dynamic_anchors_[name]; }
    std::size_t dynamic_anchor_count() const { return dynamic_anchor_count_; }

    /// Returns the location of the token below `parent`.
    std::uint32_t below(std::uint32_t parent, std::string_view token);

 private:
    using Status = Result<void>;

    // An index with its own type: a plain number in a Result could be the value or the code of an Error.
    struct ResourceId {
        std::uint32_t index;
    };

    Error refuse_at(std::uint32_t location, std::string_view keyword, std::string_view what) const;
    Status measure(const json::value& v, std::uint32_t location, std::size_t depth);

    Result<ResourceId> add_document(const json::value& schema, std::string_view uri, Dialect fallback);
    Result<ResourceId> find_resource(const Place& from, std::string_view uri);
    Result<Place> find_pointer(const Place& from, const Resource& resource, std::string_view pointer);
    Result<Place> find_anchor(const Place& from, const Resource& resource, const std::string& anchor);
    const json::value* step(const json::value& v, const std::string& token) const;

    Status scan(const json::value& schema, std::uint32_t resource, std::uint32_t location);
    Status scan_keyword(const Keyword& keyword, const json::value& v, std::uint32_t resource, std::uint32_t location);
    Status scan_list(const json::value& v, std::uint32_t resource, std::uint32_t location);
    Status scan_map(const Keyword& keyword, const json::value& v, std::uint32_t resource, std::uint32_t location);
    Status scan_anchors(const json::object& schema, const json::value& holder, std::uint32_t resource,
                        std::uint32_t location);
    Result<std::string> resolved_uri(const Resource& base, std::string_view reference, std::uint32_t location);
    void add_dynamic_anchor(std::uint32_t resource, const std::string& name, const json::value& holder);
    Status add_anchor(std::uint32_t resource, const std::string& name, const json::value& holder,
                      std::uint32_t location, bool dynamic);
    Result<ResourceId> enter(const json::object& schema, const json::value& holder, std::uint32_t resource,
                             std::uint32_t location);

    Result<DialectUse> dialect_of(std::string_view uri, std::uint32_t location, std::size_t hops = 0);
    Result<DialectUse> dialect_from(const json::object& vocabularies, std::string_view uri, std::uint32_t location);

    const Options& options_;
    std::vector<Location>& locations_;
    std::deque<json::value> documents_;
    std::deque<Resource> resources_;
    std::map<std::string, std::uint32_t, std::less<>> by_uri_;
    std::map<std::string, std::vector<DynamicAnchor>> dynamic_anchors_;
    std::size_t dynamic_anchor_count_ = 0;
    std::unordered_map<const json::value*, Place> places_;
    std::size_t bytes_ = 0;      // size of all documents
    std::size_t uri_bytes_ = 0;  // size of all URIs that were built from references
};

}  // namespace tenon::schema
