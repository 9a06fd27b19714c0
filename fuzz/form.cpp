// Invariant: the fields of a form, written again, read as the same fields; names do not repeat.
// Input: application/x-www-form-urlencoded.
#include "auth/form.hpp"

#include <set>

#include "support.hpp"

namespace tenon::fuzz::form_target {
namespace {

using namespace auth::client;

void run(std::string_view input) {
    const auto fields = parse_form(input);
    if (!fields) return;
    must(fields->size() <= max_form_fields, "fields are within their limit");
    std::set<std::string> names;
    Form form;
    for (const auto& [name, value] : *fields) {
        must(names.insert(name).second, "names do not repeat");
        must(field_of(*fields, name) == value, "a field is found by its name");
        form.add(name, value);
    }
    must(all_between(form.text(), 0x21, 0x7E), "a written form is visible ASCII");
    const auto again = parse_form(form.text());
    must(again.has_value() && *again == *fields, "a written form reads as the same fields");
}

const Target target{"form", run};

}  // namespace
}  // namespace tenon::fuzz::form_target
