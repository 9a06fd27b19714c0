// Finds the revisions that a server supports.
#pragma once

#include <string>
#include <vector>

#include "check/wire/conversation.hpp"

namespace tenon::check {

struct SupportedRevisions {
    std::vector<protocol::Revision> revisions = {};  ///< newest first; only the newest unless all were requested
    std::string name = {}, version = {};             ///< as the server introduces itself
    std::string why = {};                            ///< why no revision was found
    bool answers_http = false;                       ///< a POST was answered, with any status
};

SupportedRevisions revisions_of(Subject& subject);

}  // namespace tenon::check
