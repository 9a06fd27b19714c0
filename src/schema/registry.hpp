// Registry: the documents of a schema, the resources ($id) and anchors in them, and where a reference leads.
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

    std::string uri;  // without fragment; empty when nobody named it
    const json::value* root = nullptr;
    std::uint32_t location = 0;
    DialectUse dialect;
    Anchors anchors;          // the dynamic ones too
    Anchors dynamic_anchors;  // "" stands for `$recursiveAnchor: true`
};

/// A subschema and where it is.
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

    /// Where a reference leads, seen from a place; loads the document when it is a new one.
    Result<Place> resolve(const Place& from, std::string_view reference);

    /// The place of a subschema that was found before.
    const Place& place(const json::value& schema) const { return places_.at(&schema); }

    const Resource& resource(std::uint32_t i) const { return resources_[i]; }

    /// The subschemas with a dynamic anchor of this name, in the order in which they were found.
    struct DynamicAnchor {
        std::uint32_t resource;
        const json::value* schema;
    };
    const std::vector<DynamicAnchor>& dynamic_anchors(const std::string& name) { return dynamic_anchors_[name]; }
    std::size_t dynamic_anchor_count() const { return dynamic_anchor_count_; }

    /// The place below `parent`, at this token.
    std::uint32_t below(std::uint32_t parent, std::string_view token);

 private:
    using Status = Result<void>;

    // A plain number would fit both sides of a Result: the value, and the code of an Error.
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
    std::size_t bytes_ = 0;      // of the documents
    std::size_t uri_bytes_ = 0;  // of all URIs that were made out of references
};

}  // namespace tenon::schema
