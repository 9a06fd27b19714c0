#include "base/uri_reference.hpp"

#include "base/ascii.hpp"
#include "base/uri.hpp"

namespace tenon::base {
namespace {

struct ReferenceParts {
    std::string_view scheme, authority, path, query;
    bool has_scheme = false, has_authority = false, has_query = false;
};

ReferenceParts split_reference(std::string_view s) {
    ReferenceParts p;
    if (const auto colon = s.find(':'); colon != s.npos && is_uri_scheme(s.substr(0, colon))) {
        p.scheme = s.substr(0, colon);
        p.has_scheme = true;
        s.remove_prefix(colon + 1);
    }
    if (const auto mark = s.find('?'); mark != s.npos) {
        p.query = s.substr(mark + 1);
        p.has_query = true;
        s = s.substr(0, mark);
    }
    if (s.starts_with("//")) {
        s.remove_prefix(2);
        p.has_authority = true;
        p.authority = s.substr(0, s.find('/'));
        s.remove_prefix(p.authority.size());
    }
    p.path = s;
    return p;
}

std::string join(const ReferenceParts& p, std::string_view path) {
    std::string out;
    if (p.has_scheme) out.append(p.scheme).append(":");
    if (p.has_authority) out.append("//").append(p.authority);
    out += path;
    if (p.has_query) out.append("?").append(p.query);
    return out;
}

std::string without_dot_segments(std::string_view path) {
    std::string out;
    while (!path.empty()) {
        const auto end = path.find('/', 1);
        const std::string_view segment = path.substr(0, end);
        const bool last = end == path.npos;
        const std::string_view name = segment.starts_with('/') ? segment.substr(1) : segment;
        if (name == "..") {
            const auto cut = out.rfind('/');
            out.erase(cut == out.npos ? 0 : cut);
            if (last) out += '/';
        } else if (name == ".") {
            if (last) out += '/';
        } else {
            out += segment;
        }
        path.remove_prefix(segment.size());
    }
    return out;
}

std::string merge(const ReferenceParts& base, std::string_view path) {
    if (base.has_authority && base.path.empty()) return "/" + std::string(path);
    const auto slash = base.path.rfind('/');
    return std::string(slash == base.path.npos ? "" : base.path.substr(0, slash + 1)) + std::string(path);
}

}  // namespace

SplitUri split_fragment(std::string_view uri) {
    const auto hash = uri.find('#');
    if (hash == uri.npos) return {uri, "", false};
    return {uri.substr(0, hash), uri.substr(hash + 1), true};
}

std::string resolve_uri(std::string_view base, std::string_view reference) {
    const auto [document, fragment, has_fragment] = split_fragment(reference);
    const std::string tail = has_fragment ? "#" + std::string(fragment) : "";
    base = split_fragment(base).document;
    if (base.empty()) return std::string(reference);
    if (document.empty()) return std::string(base) + tail;

    ReferenceParts r = split_reference(document);
    if (r.has_scheme) return std::string(reference);
    const ReferenceParts b = split_reference(base);
    r.scheme = b.scheme;
    r.has_scheme = b.has_scheme;
    std::string path;
    if (r.has_authority) {
        path = without_dot_segments(r.path);
    } else {
        r.authority = b.authority;
        r.has_authority = b.has_authority;
        if (r.path.empty()) {
            path = b.path;
            if (!r.has_query) {
                r.query = b.query;
                r.has_query = b.has_query;
            }
        } else {
            path = without_dot_segments(r.path.starts_with('/') ? std::string(r.path) : merge(b, r.path));
        }
    }
    return join(r, path) + tail;
}

}  // namespace tenon::base
