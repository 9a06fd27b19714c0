// Keys that collide in boost::json::object of Boost 1.81.
#pragma once

#include <string>

namespace attack {

/// `count` members with different keys of eight letters, and the value 0.
///
/// That table is hashed by FNV-1a, beginning with the address of the table, and the bucket is the hash modulo the
/// capacity, which is the number of members. A large table is mapped 16 bytes after the beginning of a page. So the
/// last 12 bits of the hash are known. If the capacity is a multiple of 4096, keys with the same last 12 bits share
/// capacity / 4096 buckets.
std::string colliding_members(std::size_t count);

}  // namespace attack
