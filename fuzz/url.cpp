// Invariant: the text of a URL reads as the same URL; a reference resolves to a URL without control characters.
// Input: a base URL, a line feed, a reference.
#include "web/url.hpp"

#include <algorithm>

#include "base/uri.hpp"
#include "base/uri_reference.hpp"
#include "support.hpp"

namespace tenon::fuzz::url_target {
namespace {

using web::Url;

bool is_visible(std::string_view text) {
    return std::ranges::all_of(text, [](unsigned char c) { return c > 0x20 && c != 0x7F; });
}

bool same(const Url& a, const Url& b) {
    return a.tls == b.tls && a.host == b.host && a.port == b.port && a.target == b.target;
}

void check(const Url& url) {
    must(!url.host.empty() && is_visible(url.host), "a host is visible text");
    must(url.target.starts_with('/') && is_visible(url.target), "a target is a visible path");
    must(url.target.find('#') == url.target.npos, "a target has no fragment");
    must(is_visible(url.authority()), "an authority fits into a header");
    const auto again = web::parse_url(url.text());
    must(again.has_value() && same(*again, url), "the text of a URL reads as the same URL");
    must(again->text() == url.text() && again->user.empty(), "the text of a URL does not change, and has no user");
    must(web::same_origin(url, *again), "a URL has its own origin");
}

void run(std::string_view input) {
    Feed feed(input);
    const auto text = feed.until('\n'), reference = feed.rest();
    if (const auto uri = base::parse_uri(text)) (void)base::has_traversal(*uri);
    must(base::resolve_uri("", reference) == reference, "without a base a reference stays as it is");
    (void)base::resolve_uri(text, reference);

    const auto url = web::parse_url(text);
    if (!url) return;
    check(*url);
    const auto itself = web::resolve_reference(*url, url->text());
    must(itself.has_value() && same(*itself, *url), "a URL resolves to itself");
    const auto resolved = web::resolve_reference(*url, reference);
    if (!resolved) return;
    check(*resolved);
    if (!reference.starts_with('/') && reference.find(':') == reference.npos)
        must(web::same_origin(*url, *resolved), "a relative reference keeps the origin");
}

const Target target{"url", run};

}  // namespace
}  // namespace tenon::fuzz::url_target
