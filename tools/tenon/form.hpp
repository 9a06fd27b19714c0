// A form that a server wants filled in, asked for field by field.
#pragma once

#include <tenon/protocol/elicitation.hpp>

#include "asker.hpp"

namespace tenon::program {

/// `who` is what the server calls itself. An end of input cancels.
ElicitResult ask_form(Asker& asker, const ElicitRequest& request, std::string_view who);

/// Shows the address with its host, and asks. Nothing is opened: that is the user's to do.
ElicitResult ask_page(Asker& asker, const ElicitUrlRequest& request, std::string_view who);

/// An address around its host. A host that is written to deceive is pointed out by `warning`.
struct UrlParts {
    std::string before, host, after;
    std::string warning = {};
};
UrlParts url_parts(std::string_view url);

}  // namespace tenon::program
