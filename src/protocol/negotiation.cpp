#include "protocol/negotiation.hpp"

namespace tenon::protocol {

Revision negotiate(std::string_view asked) {
    const auto r = revision(asked);
    return r && Rules(*r).is_legacy() ? *r : legacy_revisions().front();
}

}  // namespace tenon::protocol
