// Reads whole files within a limit, and creates files without overwriting others.
#pragma once

#include <string>
#include <string_view>

#include <tenon/error.hpp>

namespace tenon::program {

Result<std::string> read_whole_file(const std::string& path);
/// Reads to the end of the input.
Result<std::string> read_whole_input(int fd);

enum class Existing { refuse, overwrite };
/// Creates a file completely or not at all: when the disk is full, no incomplete file is left, and an old file stays
/// unchanged. Refuses to follow a symbolic link. With Existing::refuse, also refuses to replace an old file.
Result<void> make_file(const std::string& path, std::string_view bytes, Existing existing);
/// Returns why make_file() with Existing::overwrite would fail now. Leaves no file behind.
Result<void> can_make_file(const std::string& path);

/// Makes a safe file name of letters, digits and . - _ from the text. The name is never empty, hidden or long.
std::string safe_file_name(std::string_view text);
/// Returns the file extension of a media type, such as ".png". Returns ".bin" for an unknown type.
std::string extension_of(std::string_view mime_type);

}  // namespace tenon::program
