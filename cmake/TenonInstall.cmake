# The rules for `cmake --install`. Afterwards find_package(tenon) provides the target tenon::tenon.
include(CMakePackageConfigHelpers)

get_property(modules GLOBAL PROPERTY TENON_MODULES)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tenon)

install(DIRECTORY include/tenon DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(TARGETS tenon ${modules} EXPORT tenon-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT tenon-targets NAMESPACE tenon:: DESTINATION ${package_dir})

# Before 1.0, a new minor version may be incompatible.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tenon-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES cmake/tenon-config.cmake ${PROJECT_BINARY_DIR}/tenon-config-version.cmake DESTINATION ${package_dir})
