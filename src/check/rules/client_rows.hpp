// The client rules of the catalogue, by topic.
#pragma once

#include <span>

#include <tenon/check.hpp>

namespace tenon::check::client {

std::span<const Rule> message_rows();
std::span<const Rule> lifecycle_rows();
std::span<const Rule> transport_rows();

}  // namespace tenon::check::client
