# A module is the static library of one folder src/<name>. It may use only the modules that it names. Most of the
# compile time of a file goes into Boost.JSON and the standard library. So all modules share one precompiled header.
# ./dev lint reads every file without it.

add_library(tenon_flags INTERFACE)
target_compile_features(tenon_flags INTERFACE cxx_std_20)
target_compile_options(tenon_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Wcast-qual -Wconversion -Wsign-conversion)
if(TENON_WERROR)
  target_compile_options(tenon_flags INTERFACE -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 reports these inside the standard library and Boost at -O2. They are known false positives.
  target_compile_options(tenon_flags INTERFACE -Wno-maybe-uninitialized -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds -Wno-stringop-overread -Wno-dangling-pointer)
endif()
if(TENON_SANITIZE)
  add_compile_options(-fsanitize=${TENON_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${TENON_SANITIZE})
endif()
if(TENON_SANITIZE MATCHES "thread")
  # The thread sanitizer does not understand fences. With this definition Asio does not use them.
  add_compile_definitions(BOOST_ASIO_DISABLE_FENCED_BLOCK)
endif()

# Builds the precompiled header. It must have the same flags and definitions as the modules, or the compiler rejects it.
function(tenon_precompile)
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/pch.cpp "")
  add_library(tenon_pch OBJECT ${CMAKE_CURRENT_BINARY_DIR}/pch.cpp)
  target_include_directories(tenon_pch PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(tenon_pch PRIVATE tenon_flags tenon_hardening tenon_defines)
  set_target_properties(tenon_pch PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_precompile_headers(tenon_pch PRIVATE ${ARGN})
endfunction()

# tenon_module(NAME USES modules... LINKS libraries... ALONE files...)
# Most of what a file costs is the headers that it includes, so several files are compiled as one. Files under ALONE have
# private names that other files of the module have too.
option(TENON_UNITY "Compile several files as one: three times as fast, but a change recompiles more" ON)
if(TENON_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ takes a file that is included for a header, where an anonymous namespace would be a mistake.
  target_compile_options(tenon_flags INTERFACE -Wno-subobject-linkage)
  if(NOT TENON_SANITIZE)
    # g++ inlines less in large files, which would cost 6 % of the instructions of a call. This makes no file large.
    target_compile_options(tenon_flags INTERFACE --param=large-unit-insns=1000000)
  endif()
endif()
function(tenon_module name)
  cmake_parse_arguments(ARG "" "" "USES;LINKS;ALONE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  add_library(tenon_${name} STATIC ${sources})
  list(TRANSFORM ARG_ALONE PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/${name}/)
  if(ARG_ALONE)
    file(GLOB alone CONFIGURE_DEPENDS ${ARG_ALONE})
    set_source_files_properties(${alone} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
  set_target_properties(tenon_${name} PROPERTIES UNITY_BUILD ${TENON_UNITY} UNITY_BUILD_BATCH_SIZE 12)
  target_include_directories(tenon_${name}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_compile_features(tenon_${name} PUBLIC cxx_std_20)
  target_link_libraries(tenon_${name} PRIVATE $<BUILD_INTERFACE:tenon_flags> $<BUILD_INTERFACE:tenon_hardening>
                                              $<BUILD_INTERFACE:tenon_defines>
                                      PUBLIC ${ARG_LINKS})
  foreach(used IN LISTS ARG_USES)
    target_link_libraries(tenon_${name} PUBLIC tenon_${used})
  endforeach()
  set_target_properties(tenon_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_precompile_headers(tenon_${name} REUSE_FROM tenon_pch)
  set_property(GLOBAL APPEND PROPERTY TENON_MODULES tenon_${name})
  set_property(GLOBAL APPEND PROPERTY TENON_ARROWS "${name}:${ARG_USES}")
endfunction()
