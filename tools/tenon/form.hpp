// Asks the user to fill in a server's form, field by field.
#pragma once

#include <tenon/protocol/elicitation.hpp>

#include "asker.hpp"

namespace tenon::program {

/// Asks for all fields and returns the answers. `who` is the server's name. The end of the input cancels the form.
ElicitResult ask_form(Asker& asker, const ElicitRequest& request, std::string_view who);

/// Shows the address, with its host marked, and asks for consent. Does not open the page: the user does that.
ElicitResult ask_page(Asker& asker, const ElicitUrlRequest& request, std::string_view who);

/// An address, split at its host. `warning` is set when the host looks deceptive.
struct UrlParts {
    std::string before, host, after;
    std::string warning = {};
};
UrlParts url_parts(std::string_view url);

}  // namespace tenon::program
