# The rules for `cmake --install`. Afterwards find_package(tenon) and pkg-config find Tenon.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tenon)

# The checker and the load generator are parts of the program, not of the libraries.
install(DIRECTORY include/tenon DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} PATTERN check.hpp EXCLUDE PATTERN bench.hpp EXCLUDE
        PATTERN scrape.hpp EXCLUDE)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# Each component has its own file of targets, so that the dependencies of others are not needed.
set(components core)
if(TENON_BUILD_HTTP)
  list(APPEND components http)
endif()
foreach(component IN LISTS components)
  install(TARGETS tenon-${component} EXPORT tenon-${component}-targets
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT tenon-${component}-targets NAMESPACE tenon:: DESTINATION ${package_dir})
endforeach()

configure_file(cmake/tenon-config.cmake.in tenon-config.cmake @ONLY)
# Before 1.0, a new minor version may be incompatible.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tenon-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tenon-config.cmake ${PROJECT_BINARY_DIR}/tenon-config-version.cmake
        DESTINATION ${package_dir})

# tenon_pkg_config(NAME DESCRIPTION LIBS REQUIRES OWN_LIBS OWN_REQUIRES): writes NAME.pc. A program that links a static
# library must also link what that library uses itself (OWN_...). For a shared library the linker finds it alone.
function(tenon_pkg_config name description libs requires own_libs own_requires)
  if(BUILD_SHARED_LIBS)
    set(own "Requires.private: ${own_requires}\nLibs.private: ${own_libs}\n")
  else()
    string(APPEND libs " ${own_libs}")
    string(APPEND requires " ${own_requires}")
  endif()
  # Relative to the file, so that the prefix may be moved, or changed by `cmake --install --prefix`.
  file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  string(CONCAT text
    "prefix=\${pcfiledir}/${up}\n"
    "libdir=\${prefix}/${CMAKE_INSTALL_LIBDIR}\n"
    "includedir=\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}\n\n"
    "Name: ${name}\nDescription: ${description}\nVersion: ${PROJECT_VERSION}\n"
    "Requires: ${requires}\nLibs: -L\${libdir} ${libs}\nCflags: -I\${includedir}\n${own}")
  file(WRITE ${PROJECT_BINARY_DIR}/${name}.pc "${text}")
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

tenon_pkg_config(tenon-core "MCP for C++: servers over stdio, sessions, clients of child processes"
                 "-ltenon-core -lboost_json" "" "-pthread" "re2")
if(TENON_BUILD_HTTP)
  set(http_requires "openssl")
  if(TENON_BUILD_SQLITE)
    string(APPEND http_requires " sqlite3")
  endif()
  tenon_pkg_config(tenon-http "MCP for C++: servers and clients over HTTP, authorisation"
                   "-ltenon-http" "tenon-core = ${PROJECT_VERSION}" "" "${http_requires}")
endif()
