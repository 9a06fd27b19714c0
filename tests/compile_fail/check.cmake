# Checks that misuse of the library does not compile, and that the first error says what to do.
#
#   cmake -DSOURCE=case.cpp "-DCOMMAND=c++;-std=c++20;-I..." -P check.cmake
#
# Each `// expect: ...` line of the source must be in the compiler's output, the first one in its first error. With OK
# defined the source must compile. This proves that it fails for the right reason.
file(STRINGS ${SOURCE} expected REGEX "^// expect: ")
if(NOT expected)
  message(FATAL_ERROR "${SOURCE} has no `// expect:` line")
endif()

execute_process(COMMAND ${COMMAND} -fsyntax-only -DOK ${SOURCE} RESULT_VARIABLE status ERROR_VARIABLE output)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${SOURCE} must compile with -DOK, but:\n${output}")
endif()

execute_process(COMMAND ${COMMAND} -fsyntax-only ${SOURCE} RESULT_VARIABLE status ERROR_VARIABLE output)
if(status EQUAL 0)
  message(FATAL_ERROR "${SOURCE} must not compile, but does")
endif()

# The output after the first error says where the mistake was made. With `// at most: N bytes` it must also be short.
file(STRINGS ${SOURCE} most REGEX "^// at most: ")
string(REGEX REPLACE "[^0-9]" "" most "${most}")
string(LENGTH "${output}" length)
if(most AND length GREATER most)
  message(FATAL_ERROR "${SOURCE}: the compiler's output has ${length} bytes, and at most ${most} are allowed:\n${output}")
endif()

string(REPLACE ";" "," lines "${output}")
string(REGEX MATCH "error: [^\n]*" first_error "${lines}")
set(place "${first_error}")
foreach(line IN LISTS expected)
  string(REPLACE "// expect: " "" sentence "${line}")
  string(REPLACE ";" "," sentence "${sentence}")
  string(FIND "${place}" "${sentence}" found)
  if(found EQUAL -1)
    message(FATAL_ERROR "${SOURCE}: the compiler does not say\n  ${sentence}\nin:\n${place}\n\nAll it says:\n${output}")
  endif()
  set(place "${lines}")
endforeach()
