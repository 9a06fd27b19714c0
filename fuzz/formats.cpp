// Invariant: no format check fails or depends on anything but its text, and those that contain one another agree.
// Input: a text.
#include <string>

#include "schema/format.hpp"
#include "support.hpp"

namespace tenon::fuzz::formats_target {
namespace {

namespace format = schema::format;

constexpr std::string_view names[] = {
    "date",     "time",          "date-time",    "duration", "email",        "idn-email",
    "hostname", "idn-hostname",  "ipv4",         "ipv6",     "uri",          "uri-reference",
    "iri",      "iri-reference", "uri-template", "uuid",     "json-pointer", "relative-json-pointer",
    "regex"};

void run(std::string_view input) {
    for (const auto name : names) {
        const schema::FormatCheck check = schema::find_format(name);
        must(check != nullptr, "every format of the specification is known");
        must(check(input) == check(std::string(input)), "a check depends on its text only");
    }
    must(schema::find_format("no-such-format") == nullptr, "other formats are not known");
    if (format::date(input)) must(format::date_time(std::string(input) + "T00:00:00Z"), "a date makes a date-time");
    if (format::time(input)) must(format::date_time("2020-02-29T" + std::string(input)), "a time makes a date-time");
    if (format::uri(input)) must(format::uri_reference(input) && format::iri(input), "a URI is a reference and an IRI");
    if (format::uri_reference(input)) must(format::iri_reference(input), "a URI reference is an IRI reference");
    // IDNA refuses some labels with "--", which a plain host name may have.
    const bool reserved = input.find("--") != input.npos;
    if (format::hostname(input) && !reserved) must(format::idn_hostname(input), "a host name may be international");
    if (format::email(input) && !reserved) must(format::idn_email(input), "an address may be international");
    if (format::json_pointer(input)) must(format::relative_json_pointer("0" + std::string(input)), "0 and a pointer");
}

const Target target{"formats", run, {.base_bytes = 8 << 20, .base_allocations = 100'000, .base_work = 40'000'000}};

}  // namespace
}  // namespace tenon::fuzz::formats_target
