#include "stores/store_url.hpp"

#include <charconv>
#include <map>
#include <optional>

#include <tenon/store/errors.hpp>
#include <tenon/store/open.hpp>

#include "base/printable.hpp"
#include "base/uri.hpp"

namespace tenon::stores {
namespace {

constexpr std::string_view allowed =
    "Use memory:, sqlite:PATH[?durable=power], redis://[USER:PASSWORD@]HOST[:PORT][/DATABASE][?prefix=NAME], the same "
    "with rediss:// and [?ca=FILE] for TLS, or redis+unix:PATH";
constexpr std::size_t max_shown = 100, max_prefix = 64;

Error wrong(const std::string& why) {
    return {code::store_misconfigured, "wrong store URL: " + why + ". " + std::string(allowed)};
}

std::string quoted(std::string_view text) { return "\"" + base::printable(text, max_shown) + "\""; }

template <class Number>
std::optional<Number> number(std::string_view text, Number most) {
    Number out = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    if (error != std::errc() || end != text.data() + text.size() || out > most) return std::nullopt;
    return out;
}

using Parameters = std::map<std::string, std::string, std::less<>>;

// Cuts the query off `rest`, and reads it. Only the names in `known` may occur.
Result<Parameters> take_query(std::string_view& rest, std::initializer_list<std::string_view> known) {
    Parameters out;
    const auto mark = rest.find('?');
    if (mark == std::string_view::npos) return out;
    auto query = rest.substr(mark + 1);
    rest = rest.substr(0, mark);
    while (!query.empty()) {
        const auto one = query.substr(0, query.find('&'));
        query.remove_prefix(std::min(query.size(), one.size() + 1));
        const auto name = one.substr(0, one.find('='));
        const auto value = base::percent_decode(one.substr(std::min(one.size(), name.size() + 1)));
        if (std::find(known.begin(), known.end(), name) == known.end())
            return wrong("unknown parameter " + quoted(name));
        if (!value || value->empty()) return wrong("the parameter " + quoted(name) + " has no value, or a wrong one");
        if (!out.emplace(name, *value).second) return wrong("the parameter " + quoted(name) + " occurs twice");
    }
    return out;
}

Result<StoreUrl> parse_sqlite(std::string_view rest) {
    const auto parameters = take_query(rest, {"durable"});
    if (!parameters) return parameters.error();
    const auto path = base::percent_decode(rest);
    if (!path || path->empty() || path->find('\0') != std::string::npos)
        return wrong("sqlite: needs the path of a file");
    SqliteUrl out{*path};
    if (const auto it = parameters->find("durable"); it != parameters->end()) {
        if (it->second != "power" && it->second != "process")
            return wrong("durable is " + quoted(it->second) + ", but must be process or power");
        out.survives_power_failure = it->second == "power";
    }
    return StoreUrl(out);
}

Result<void> read_parameters(redis::Address& to, const Parameters& parameters) {
    for (const auto& [name, value] : parameters) {
        if (name == "ca") {
            if (!to.tls) return wrong("ca needs rediss://");
            to.ca_file = value;
        } else if (name == "prefix") {
            const bool plain = value.find_first_of("{}* \t\r\n") == std::string::npos;
            if (!plain || value.size() > max_prefix)
                return wrong("the prefix must have at most 64 characters, without spaces, braces and stars");
            to.prefix = value;
        } else {
            const auto database = number<unsigned>(value, 1'000'000);
            if (!database) return wrong("the database " + quoted(value) + " is not a number");
            to.database = *database;
        }
    }
    return {};
}

// "user:password", ":password", or "password" as Redis itself reads it.
Result<void> read_login(redis::Address& to, std::string_view login) {
    const auto colon = login.find(':');
    const auto user = base::percent_decode(colon == std::string_view::npos ? "" : login.substr(0, colon));
    const auto password = base::percent_decode(colon == std::string_view::npos ? login : login.substr(colon + 1));
    if (!user || !password) return wrong("the user or the password has a wrong % sequence");
    if (password->empty()) return wrong("the password is empty");
    to.user = *user, to.password = *password;
    return {};
}

Result<void> read_host(redis::Address& to, std::string_view authority) {
    std::string_view host = authority, port;
    if (authority.starts_with('[')) {
        const auto end = authority.find(']');
        if (end == std::string_view::npos) return wrong("a bracket of the address is missing");
        host = authority.substr(1, end - 1);
        authority.remove_prefix(end + 1);
        if (!authority.empty() && authority[0] != ':') return wrong("text after the bracket of the address");
        port = authority.empty() ? authority : authority.substr(1);
        if (!authority.empty() && port.empty()) return wrong("the port is missing");
    } else if (const auto colon = authority.find(':'); colon != std::string_view::npos) {
        host = authority.substr(0, colon);
        port = authority.substr(colon + 1);
        if (port.empty()) return wrong("the port is missing");
    }
    if (host.empty() || host.find_first_of(" \t\r\n\"%@/") != std::string_view::npos)
        return wrong("the host is missing");
    to.host = host;
    if (port.empty()) return {};
    const auto value = number<std::uint32_t>(port, 65535);
    if (!value || *value == 0) return wrong("the port " + quoted(port) + " is not a number from 1 to 65535");
    to.port = static_cast<std::uint16_t>(*value);
    return {};
}

Result<StoreUrl> parse_redis(std::string_view rest, bool tls) {
    redis::Address out;
    out.tls = tls;
    // A password may have "?" or "/", although they should be encoded. So the login is cut off first.
    if (const auto at = rest.rfind('@'); at != std::string_view::npos) {
        if (const auto login = read_login(out, rest.substr(0, at)); !login) return login.error();
        rest.remove_prefix(at + 1);
    }
    const auto parameters = take_query(rest, {"prefix", "ca"});
    if (!parameters) return parameters.error();
    if (const auto read = read_parameters(out, *parameters); !read) return read.error();
    const auto slash = rest.find('/');
    if (const auto host = read_host(out, rest.substr(0, slash)); !host) return host.error();
    if (slash != std::string_view::npos && slash + 1 < rest.size()) {
        const auto database = number<unsigned>(rest.substr(slash + 1), 1'000'000);
        if (!database) return wrong("the database " + quoted(rest.substr(slash + 1)) + " is not a number");
        out.database = *database;
    }
    return StoreUrl(out);
}

Result<StoreUrl> parse_unix(std::string_view rest) {
    redis::Address out;
    const auto parameters = take_query(rest, {"prefix", "database"});
    if (!parameters) return parameters.error();
    if (const auto read = read_parameters(out, *parameters); !read) return read.error();
    const auto path = base::percent_decode(rest);
    if (!path || path->empty() || path->size() > 100) return wrong("redis+unix: needs a path of at most 100 bytes");
    out.unix_path = *path;
    return StoreUrl(out);
}

bool take(std::string_view& text, std::string_view prefix) {
    if (!text.starts_with(prefix)) return false;
    text.remove_prefix(prefix.size());
    return true;
}

}  // namespace

Result<StoreUrl> parse_store_url(std::string_view url) {
    if (url == "memory:") return StoreUrl(MemoryUrl{});
    if (take(url, "sqlite:")) return parse_sqlite(url);
    if (take(url, "redis+unix:")) return parse_unix(url);
    if (take(url, "rediss://")) return parse_redis(url, true);
    if (take(url, "redis://")) return parse_redis(url, false);
    const auto colon = url.find(':');
    if (colon == std::string_view::npos || !base::is_uri_scheme(url.substr(0, colon))) return wrong("it has no scheme");
    return wrong("the scheme " + quoted(url.substr(0, colon)) + " is unknown, or not followed by what it needs");
}

}  // namespace tenon::stores

namespace tenon {

std::string without_password(std::string_view url) {
    const auto at = url.rfind('@');
    const auto begin = url.find("://");
    if (at == std::string_view::npos) return base::printable(url);
    if (begin == std::string_view::npos || begin > at) return "***" + base::printable(url.substr(at));
    return base::printable(url.substr(0, begin + 3)) + "***" + base::printable(url.substr(at));
}

}  // namespace tenon
