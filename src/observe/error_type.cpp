#include "observe/error_type.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <tenon/error.hpp>

namespace tenon::observe {
namespace {

using Row = std::pair<int, std::string_view>;

// The codes that Tenon uses. A peer may send any number, and each would be a new series.
constexpr std::array codes = {
    Row{code::parse_error, "-32700"},
    Row{code::invalid_request, "-32600"},
    Row{code::method_not_found, "-32601"},
    Row{code::invalid_params, "-32602"},
    Row{code::internal_error, "-32603"},
    Row{code::server_error, "-32000"},
    Row{code::resource_not_found, "-32002"},
    Row{code::url_elicitation_required, "-32042"},
    Row{code::header_mismatch, "-32020"},
    Row{code::missing_capability, "-32021"},
    Row{code::unsupported_version, "-32022"},
    Row{code::too_many_calls, "429"},
    Row{code::connection_closed, "connection_closed"},
    Row{code::call_cancelled, "cancelled"},
    Row{code::invalid_answer, "invalid_answer"},
    Row{71004, "not_authorised"},  // auth/error.hpp, which a lower module must not include
    Row{code::request_timeout, "timeout"},
    Row{code::limit_reached, "limit_reached"},
    Row{code::http_refused, "http_refused"},
};
constexpr std::array statuses = {
    Row{400, "400"}, Row{401, "401"}, Row{403, "403"}, Row{404, "404"}, Row{405, "405"}, Row{406, "406"},
    Row{408, "408"}, Row{411, "411"}, Row{413, "413"}, Row{415, "415"}, Row{417, "417"}, Row{421, "421"},
    Row{429, "429"}, Row{431, "431"}, Row{500, "500"}, Row{501, "501"}, Row{503, "503"}, Row{505, "505"},
};

template <class Table>
std::string_view find(const Table& table, int number) {
    const auto row = std::ranges::find(table, number, &Row::first);
    return row == table.end() ? "_OTHER" : row->second;
}

}  // namespace

std::string_view error_type(const Operation& operation) {
    switch (operation.end) {
        case OperationEnd::ok:
        case OperationEnd::input_required: return {};
        case OperationEnd::tool_error: return "tool_error";
        default: break;
    }
    if (operation.error_code != 0) return find(codes, operation.error_code);
    if (operation.end == OperationEnd::timed_out) return "timeout";
    if (operation.end == OperationEnd::cancelled) return "cancelled";
    if (operation.http_status != 0) return find(statuses, operation.http_status);
    return "_OTHER";
}

bool is_mistake_of_client(const Operation& operation) {
    if (operation.end == OperationEnd::refused || operation.end == OperationEnd::cancelled)
        return operation.http_status < 500;
    if (operation.end != OperationEnd::protocol_error) return false;
    switch (operation.error_code) {
        case code::parse_error:
        case code::invalid_request:
        case code::method_not_found:
        case code::invalid_params:
        case code::resource_not_found:
        case code::url_elicitation_required:
        case code::header_mismatch:
        case code::missing_capability:
        case code::unsupported_version:
        case code::too_many_calls: return true;
        default: return false;
    }
}

}  // namespace tenon::observe
