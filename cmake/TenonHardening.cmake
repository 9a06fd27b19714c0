# Hardened builds: cheap run-time checks that stop the program at a memory error, and binaries that are hard to
# exploit. The options apply to the targets of this project only, never to the targets of a project that uses Tenon.
#
# Sanitizer trees are not hardened: sanitizers check more, and they do not work together with _FORTIFY_SOURCE.
include(CheckCXXCompilerFlag)
include(CheckPIESupported)

set(harden_by_default ON)
if(TENON_SANITIZE)
  set(harden_by_default OFF)
endif()
option(TENON_HARDEN "Harden Tenon's libraries, program and examples" ${harden_by_default})

# The compile options of libraries and programs.
add_library(tenon_hardening INTERFACE)
if(TENON_HARDEN)
  set(optimised $<CONFIG:Release,RelWithDebInfo,MinSizeRel>)  # _FORTIFY_SOURCE needs optimisation
  target_compile_options(tenon_hardening INTERFACE
    $<${optimised}:-U_FORTIFY_SOURCE> $<${optimised}:-D_FORTIFY_SOURCE=3> -D_GLIBCXX_ASSERTIONS)
  foreach(flag -fstack-protector-strong -fstack-clash-protection -fcf-protection=full)
    string(MAKE_C_IDENTIFIER "TENON_HAS${flag}" has)
    check_cxx_compiler_flag(${flag} ${has})
    if(${has})
      target_compile_options(tenon_hardening INTERFACE ${flag})
    endif()
  endforeach()
  check_pie_supported(LANGUAGES CXX)
endif()

# tenon_harden_links(TARGET): adds the linker options to a program or a shared library.
function(tenon_harden_links target)
  if(TENON_HARDEN AND CMAKE_EXECUTABLE_FORMAT STREQUAL "ELF")
    target_link_options(${target} PRIVATE -Wl,-z,relro,-z,now -Wl,-z,noexecstack)
  endif()
endfunction()

# tenon_harden_program(TARGET): adds the compile options and the linker options. Also drops unused functions: what is not
# in the program cannot be attacked.
function(tenon_harden_program target)
  target_link_libraries(${target} PRIVATE tenon_hardening)
  if(TENON_HARDEN)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  endif()
  tenon_harden_links(${target})
  if(NOT TENON_SANITIZE AND CMAKE_EXECUTABLE_FORMAT STREQUAL "ELF")
    target_link_options(${target} PRIVATE -Wl,--gc-sections)
  endif()
endfunction()
