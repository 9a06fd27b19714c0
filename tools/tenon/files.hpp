// Files: read whole within a limit, and created without overwriting others.
#pragma once

#include <string>
#include <string_view>

#include <tenon/error.hpp>

namespace tenon::program {

Result<std::string> read_whole_file(const std::string& path);
/// To its end.
Result<std::string> read_whole_input(int fd);

enum class Existing { refuse, overwrite };
/// Makes a file, as a whole or not at all: when the disk is full, nothing half-written is left, and a file that was
/// there is as it was. Refused: when there is one (Existing::refuse), or a link where it would be.
Result<void> make_file(const std::string& path, std::string_view bytes, Existing existing);

/// Makes a safe file name: letters, digits, and . - _ inside; never empty, hidden or long.
std::string safe_file_name(std::string_view text);
/// Returns the file extension of a media type, such as ".png"; ".bin" when unknown.
std::string extension_of(std::string_view mime_type);

}  // namespace tenon::program
