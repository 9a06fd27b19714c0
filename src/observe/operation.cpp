#include <tenon/operation.hpp>

namespace tenon {

std::string_view to_string(OperationEnd end) {
    switch (end) {
        case OperationEnd::ok: return "ok";
        case OperationEnd::tool_error: return "tool_error";
        case OperationEnd::protocol_error: return "protocol_error";
        case OperationEnd::cancelled: return "cancelled";
        case OperationEnd::timed_out: return "timed_out";
        case OperationEnd::refused: return "refused";
        case OperationEnd::input_required: return "input_required";
    }
    return "";
}

}  // namespace tenon
