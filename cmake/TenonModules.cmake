# A module is the code of one folder src/<name>, compiled once. It may use only the modules that it names. Users link
# libraries, which consist of modules; our tests link modules. Most of the compile time of a file goes into Boost.JSON
# and the standard library. So all modules share one precompiled header. ./dev lint reads every file without it.

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
if(PROJECT_IS_TOP_LEVEL)
  # Objects name no folder of this machine: builds can be reproduced, and ccache can use them in another clone.
  add_compile_options(-ffile-prefix-map=${PROJECT_SOURCE_DIR}=.)
endif()
if(TENON_SANITIZE)
  add_compile_options(-fsanitize=${TENON_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${TENON_SANITIZE})
endif()
if(TENON_SANITIZE MATCHES "address" AND NOT TENON_BUILD_FUZZ)
  # These checks are on every use of a pointer. They cost a third of the compile time, and each process would apply a
  # million relocations when it starts. What they find, the address sanitizer finds when the pointer is used; only
  # misaligned pointers remain to the trees of ./dev fuzz, which have all checks.
  add_compile_options(-fno-sanitize=null,alignment,vptr,object-size,pointer-overflow)
endif()
if(TENON_SANITIZE MATCHES "thread")
  # The thread sanitizer does not understand fences. With this definition Asio does not use them.
  add_compile_definitions(BOOST_ASIO_DISABLE_FENCED_BLOCK)
endif()

# The same code goes into static and shared libraries.
set(tenon_code POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
if(TENON_SANITIZE AND NOT BUILD_SHARED_LIBS)
  # A test program with a fixed address needs no relocations, so it starts quickly. There are thousands of starts.
  list(APPEND tenon_code POSITION_INDEPENDENT_CODE OFF)
  add_compile_options(-fno-pie)
  add_link_options(-no-pie)
endif()

# A program that links with --gc-sections contains only the functions that it uses, and is half as large. Several files
# are compiled as one (TENON_UNITY), so without sections the linker would keep all of them.
add_library(tenon_sections INTERFACE)
if(NOT TENON_SANITIZE AND CMAKE_EXECUTABLE_FORMAT STREQUAL "ELF")
  target_compile_options(tenon_sections INTERFACE -ffunction-sections -fdata-sections)
endif()

# Builds the precompiled header. It must have the same flags and definitions as the modules, or the compiler rejects it.
function(tenon_precompile)
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/pch.cpp CONTENT "")  # unlike WRITE, it keeps a file that is the same
  add_library(tenon_pch OBJECT EXCLUDE_FROM_ALL ${CMAKE_CURRENT_BINARY_DIR}/pch.cpp)
  target_include_directories(tenon_pch PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(tenon_pch PRIVATE tenon_flags tenon_sections tenon_hardening tenon_defines)
  set_target_properties(tenon_pch PROPERTIES ${tenon_code})
  target_precompile_headers(tenon_pch PRIVATE ${ARGN})
endfunction()

# tenon_module(NAME FOLDERS folders... EXCEPT folders... USES modules... LINKS libraries... ALONE files...)
# FOLDERS: the folders of src/, if it is not the one folder NAME. EXCEPT: folders below NAME that are another module.
# Headers take most of the time to compile a file, so several files are compiled as one. Files under ALONE have
# private names that other files of the module have too.
option(TENON_UNITY "Compile several files as one: three times as fast, but a change recompiles more" ON)

# tenon_unity(TARGET SIZE): compiles the files of a target in groups of SIZE, except files with the property
# SKIP_UNITY_BUILD_INCLUSION. CMake's own UNITY_BUILD writes absolute paths into the files that it generates, so ccache
# could not use the objects of another clone.
function(tenon_unity target size)
  get_target_property(sources ${target} SOURCES)
  if(NOT TENON_UNITY OR NOT sources)
    return()
  endif()
  set(compiled "")
  set(group "")
  set(number 0)
  foreach(source IN LISTS sources ITEMS "")  # the empty one ends the last group
    if(source)
      cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
      get_source_file_property(alone ${source} SKIP_UNITY_BUILD_INCLUSION)
      if(alone OR NOT source MATCHES "\\.cpp$")
        list(APPEND compiled ${source})
        continue()
      endif()
      cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
      string(APPEND group "#include \"${source}\"\n")
      math(EXPR number "${number} + 1")
      math(EXPR rest "${number} % ${size}")
    endif()
    if(group AND (NOT source OR rest EQUAL 0))
      set(file ${CMAKE_CURRENT_BINARY_DIR}/unity/${target}_${number}.cpp)
      file(CONFIGURE OUTPUT ${file} CONTENT "${group}" @ONLY)
      list(APPEND compiled ${file})
      set(group "")
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES SOURCES "${compiled}")
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
endfunction()

if(TENON_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ takes a file that is included for a header, where an anonymous namespace would be a mistake.
  target_compile_options(tenon_flags INTERFACE -Wno-subobject-linkage)
  if(NOT TENON_SANITIZE)
    # g++ inlines less in large files, which would cost 6 % of the instructions of a call. This makes no file large.
    target_compile_options(tenon_flags INTERFACE --param=large-unit-insns=1000000)
  endif()
endif()
function(tenon_module name)
  cmake_parse_arguments(ARG "" "" "FOLDERS;EXCEPT;USES;LINKS;ALONE" ${ARGN})
  if(NOT ARG_FOLDERS)
    set(ARG_FOLDERS ${name})
  endif()
  list(TRANSFORM ARG_FOLDERS REPLACE "(.+)" "${CMAKE_CURRENT_SOURCE_DIR}/\\1/*.cpp" OUTPUT_VARIABLE patterns)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${patterns})
  foreach(folder IN LISTS ARG_EXCEPT)
    list(FILTER sources EXCLUDE REGEX "^${CMAKE_CURRENT_SOURCE_DIR}/${name}/${folder}/")
  endforeach()
  add_library(tenon_${name} STATIC EXCLUDE_FROM_ALL ${sources})
  list(TRANSFORM ARG_ALONE PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/${name}/)
  if(ARG_ALONE)
    file(GLOB alone CONFIGURE_DEPENDS ${ARG_ALONE})
    set_source_files_properties(${alone} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
  tenon_unity(tenon_${name} 12)
  target_include_directories(tenon_${name} PUBLIC ${PROJECT_SOURCE_DIR}/include PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_compile_features(tenon_${name} PUBLIC cxx_std_20)
  target_link_libraries(tenon_${name} PRIVATE tenon_flags tenon_sections tenon_hardening tenon_defines PUBLIC ${ARG_LINKS})
  foreach(used IN LISTS ARG_USES)
    target_link_libraries(tenon_${name} PUBLIC tenon_${used})
  endforeach()
  set_target_properties(tenon_${name} PROPERTIES ${tenon_code})
  target_precompile_headers(tenon_${name} REUSE_FROM tenon_pch)
  set_property(GLOBAL APPEND PROPERTY TENON_MODULES tenon_${name})
endfunction()

# tenon_library(NAME MODULES modules... PUBLIC libraries... PRIVATE libraries...)
# The library that users link, as tenon::NAME: the objects of some modules. Static or shared, as BUILD_SHARED_LIBS says.
# A shared library exports what the headers of include/tenon declare, and the parts of modules that another library of
# ours uses; these headers say "#pragma GCC visibility push(default)".
function(tenon_library name)
  cmake_parse_arguments(ARG "" "" "MODULES;PUBLIC;PRIVATE" ${ARGN})
  list(TRANSFORM ARG_MODULES REPLACE "(.+)" "$<TARGET_OBJECTS:tenon_\\1>" OUTPUT_VARIABLE objects)
  set(target tenon-${name})
  add_library(${target} ${objects})
  add_library(tenon::${name} ALIAS ${target})
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                              $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${target} PUBLIC ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE})
  # Before 1.0, a new minor version may be incompatible.
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX EXPORT_NAME ${name} VERSION ${PROJECT_VERSION}
                        SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  if(NOT PROJECT_IS_TOP_LEVEL AND NOT TENON_INSTALL)
    set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON)  # build only what the other project links
  endif()
  if(BUILD_SHARED_LIBS)
    tenon_harden_links(${target})
    set(exports ${PROJECT_SOURCE_DIR}/cmake/exports.map)
    target_link_options(${target} PRIVATE -Wl,--version-script=${exports})
    set_target_properties(${target} PROPERTIES LINK_DEPENDS ${exports})
    if(NOT TENON_SANITIZE)
      target_link_options(${target} PRIVATE -Wl,--no-undefined)
    endif()
  endif()
  set_property(GLOBAL APPEND PROPERTY TENON_LIBRARIES ${target})
endfunction()
