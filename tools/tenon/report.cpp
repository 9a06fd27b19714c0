#include "report.hpp"

#include "json_text.hpp"
#include "layout.hpp"

namespace tenon::program {
namespace {

std::string_view kind_of(Status status) {
    switch (status) {
        case Status::ok: return "ok";
        case Status::tool_error: return "tool";
        case Status::usage: return "usage";
        case Status::connection: return "connection";
        case Status::protocol: return "protocol";
        case Status::timeout: return "timeout";
        case Status::interrupted: return "interrupted";
    }
    return "";
}

json::object json_of(const Failure& failure) {
    json::object error{
        {"status", static_cast<int>(failure.status)}, {"kind", kind_of(failure.status)}, {"message", failure.what()}};
    if (!failure.fix.empty()) error.emplace("fix", failure.fix);
    if (failure.answer) {
        error.emplace("code", failure.answer->code);
        if (!failure.answer->data.is_null()) error.emplace("data", failure.answer->data);
    }
    return {{"error", std::move(error)}};
}

}  // namespace

void report(Console& console, const Failure& failure, bool as_json) {
    console.bar({});
    if (as_json) return console.note([&](Out& out) { out << compact_json(json_of(failure)) << "\n"; });
    console.note([&](Out& out) {
        out << Styled(Look::red, "tenon: ") << safe_text(failure.what()) << "\n";
        if (!failure.fix.empty()) write_wrapped(out, safe_text(failure.fix), 2);
        if (failure.answer && !failure.answer->data.is_null())
            out << "  " << Styled(Look::dim, compact_json(failure.answer->data)) << "\n";
    });
}

}  // namespace tenon::program
