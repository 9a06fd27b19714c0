# Writes the files of web/ as one C++ file, so that the program needs no other file.
# usage: cmake -DROOT=web -DFILES="index.html;app/main.js" -DOUTPUT=assets.cpp -P embed.cmake
set(max_bytes 1048576)  # all files together
set(arrays "")
set(table "")
set(number 0)
set(total 0)
foreach(name IN LISTS FILES)
  file(READ ${ROOT}/${name} bytes HEX)
  string(LENGTH "${bytes}" digits)
  math(EXPR size "${digits} / 2")
  math(EXPR total "${total} + ${size}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(APPEND arrays "constexpr unsigned char file_${number}[] = {${bytes}0};\n")
  string(APPEND table "    {\"/${name}\", {reinterpret_cast<const char*>(file_${number}), ${size}}},\n")
  math(EXPR number "${number} + 1")
endforeach()
if(total GREATER max_bytes)
  message(FATAL_ERROR "the files of web/ have ${total} bytes; at most ${max_bytes} are allowed")
endif()
file(WRITE ${OUTPUT} "// Made by src/inspect/embed.cmake.
#include \"inspect/assets.hpp\"

namespace tenon::inspect {
namespace {
${arrays}
const Asset table[] = {
${table}};
}  // namespace

std::span<const Asset> assets() { return table; }

}  // namespace tenon::inspect
")
