# Writes the files of web/ as one C++ file, so that the program needs no other file.
# usage: cmake -DROOT=web -DFILES="index.html;app/main.js" -DOUTPUT=assets.cpp -P embed.cmake
# In index.html, "<!-- modules -->" becomes a link for each module: the browser fetches them at once, without reading one to
# find the next.
set(max_bytes 1048576)  # all files together
set(modules "")
foreach(name IN LISTS FILES)
  if(name MATCHES "\\.js$")
    string(APPEND modules "<link rel=\"modulepreload\" href=\"/${name}\">\n")
  endif()
endforeach()
set(arrays "")
set(table "")
set(number 0)
set(total 0)
foreach(name IN LISTS FILES)
  if(name STREQUAL index.html)
    file(READ ${ROOT}/${name} text)
    string(REPLACE "<!-- modules -->\n" "${modules}" text "${text}")
    string(HEX "${text}" bytes)
  else()
    file(READ ${ROOT}/${name} bytes HEX)
  endif()
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
