# Makes one ctest test of each suite of a gtest program. gtest_discover_tests() makes one of each test; but a program
# with a sanitizer takes longer to start than most unit tests take to run.
#
#   cmake -DPROGRAM=unit_core -DPREFIX=asan. -DOUTPUT=tests.cmake -P discover_suites.cmake
execute_process(COMMAND ${PROGRAM} --gtest_list_tests OUTPUT_VARIABLE lines RESULT_VARIABLE status TIMEOUT 60)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} --gtest_list_tests failed: ${status}\n${lines}")
endif()
# A suite is a line such as "LineFramer." or "Eras/CallRate." or "Sizes/0.  # TypeParam = int". Its tests are indented.
string(REPLACE ";" "," lines "${lines}")
string(REGEX MATCHALL "\n[A-Za-z][^ \n]*\\." suites "\n${lines}")
set(text "")
foreach(suite IN LISTS suites)
  string(STRIP "${suite}" suite)
  string(REGEX REPLACE "\\.$" "" suite "${suite}")
  string(APPEND text "add_test([==[${PREFIX}${suite}]==] [==[${PROGRAM}]==] [==[--gtest_filter=${suite}.*]==])\n"
                     "set_tests_properties([==[${PREFIX}${suite}]==] PROPERTIES TIMEOUT 300)\n")
endforeach()
file(WRITE ${OUTPUT} "${text}")
