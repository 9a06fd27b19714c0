// Invariant: the fields of a form, written again, read as the same fields; no name stands there twice.
// Input: application/x-www-form-urlencoded.
#include "auth/form.hpp"

#include <set>

#include "support.hpp"

namespace tenon::fuzz {
namespace {

using namespace auth::client;

void run(std::string_view input) {
    const auto fields = parse_form(input);
    if (!fields) return;
    must(fields->size() <= max_form_fields, "fields are within their limit");
    std::set<std::string> names;
    Form form;
    for (const auto& [name, value] : *fields) {
        must(names.insert(name).second, "a name stands there once");
        must(field_of(*fields, name) == value, "a field is found by its name");
        form.add(name, value);
    }
    for (const unsigned char c : form.text()) must(c > 0x20 && c < 0x7F, "a written form is visible ASCII");
    const auto again = parse_form(form.text());
    must(again.has_value() && *again == *fields, "a written form reads as the same fields");
}

const Target target{"form", run};

}  // namespace
}  // namespace tenon::fuzz
