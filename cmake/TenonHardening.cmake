# Hardened builds: cheap checks at run time that turn memory errors into a clean end, and binaries that are hard to
# exploit. They apply to what is built here. Nothing of it reaches the flags of a consumer's own targets.
#
# Sanitizers check more and do not work together with _FORTIFY_SOURCE, so their trees are not hardened.
include(CheckCXXCompilerFlag)
include(CheckPIESupported)

set(harden_by_default ON)
if(TENON_SANITIZE)
  set(harden_by_default OFF)
endif()
option(TENON_HARDEN "Harden Tenon's libraries, program and examples" ${harden_by_default})

# The compile options, for libraries and programs.
add_library(tenon_hardening INTERFACE)
if(TENON_HARDEN)
  set(optimised $<CONFIG:Release,RelWithDebInfo,MinSizeRel>)  # _FORTIFY_SOURCE needs an optimising compiler
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

# tenon_harden_program(TARGET): the compile options, and those of the linker. Only a program decides how it is linked.
function(tenon_harden_program target)
  target_link_libraries(${target} PRIVATE tenon_hardening)
  if(TENON_HARDEN)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    if(CMAKE_EXECUTABLE_FORMAT STREQUAL "ELF")
      target_link_options(${target} PRIVATE -Wl,-z,relro,-z,now -Wl,-z,noexecstack)
    endif()
  endif()
endfunction()
