// Which revisions a server speaks.
#pragma once

#include <string>
#include <vector>

#include "check/conversation.hpp"

namespace tenon::check {

struct Spoken {
    std::vector<protocol::Revision> revisions = {};  ///< newest first; only the newest unless all were asked for
    std::string name = {}, version = {};             ///< what the server calls itself
    std::string why = {};                            ///< there is none
};

Spoken revisions_of(Subject& subject);

}  // namespace tenon::check
