#include "core/page_guard.hpp"

namespace tenon::core {

Result<void> PageGuard::next(const std::string& cursor) {
    if (seen_.size() + 1 >= max_pages_)
        return Error{code::invalid_answer,
                     "the server's list has more pages than the limit of " + std::to_string(max_pages_)};
    if (!seen_.insert(cursor).second)
        return Error{code::invalid_answer, "the server's list goes round in circles: it gave the same cursor twice"};
    return {};
}

}  // namespace tenon::core
