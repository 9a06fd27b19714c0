// Asks the user to fill in a server's form, field by field.
#pragma once

#include <tenon/protocol/elicitation.hpp>

#include "asker.hpp"

namespace tenon::program {

/// `who` is the server's name. The end of input cancels.
ElicitResult ask_form(Asker& asker, const ElicitRequest& request, std::string_view who);

/// Shows the address with its host, and asks. Does not open it: the user does.
ElicitResult ask_page(Asker& asker, const ElicitUrlRequest& request, std::string_view who);

/// Splits an address at its host. `warning` points out a deceptive host.
struct UrlParts {
    std::string before, host, after;
    std::string warning = {};
};
UrlParts url_parts(std::string_view url);

}  // namespace tenon::program
