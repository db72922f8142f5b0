# Interface of flags that every target of ours is compiled with.
add_library(syncsim_flags INTERFACE)
target_compile_options(syncsim_flags INTERFACE
  "$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;-Wconversion;-Wshadow;-Werror>"
  $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>  # the same bits on every machine
  # What nvcc generates is not pedantic.
  "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra,-Wconversion,-Wshadow;-Werror=all-warnings>")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(syncsim_flags INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)  # false alarms: GCC bug 105651
endif()
if(SYNCSIM_SANITIZE)
  target_compile_options(syncsim_flags INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:\
-fsanitize=${SYNCSIM_SANITIZE};-fno-sanitize-recover=all;-fno-omit-frame-pointer>")
  target_link_options(syncsim_flags INTERFACE -fsanitize=${SYNCSIM_SANITIZE})
endif()

set(SYNCSIM_LAYERS "" CACHE INTERNAL "")

# syncsim_unify(TARGET BATCH): its sources are compiled so many at a time, in a third of the time.
# Helpers in anonymous namespaces then share them: each layer's have names of their own. The presets
# for debugging, and the determinism check's second program, compile every file by itself.
function(syncsim_unify target batch)
  if(NOT SYNCSIM_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${batch})
  # Of a header it would be told for a reason; a batch includes sources.
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
endfunction()

# syncsim_layer(NAME [LAYERS below...] [LIBRARIES external...] [DIRECTORY dir] [EXCLUDE file...]
#   [COLD] [ALONE])
# COLD: no time is spent there, so it is optimised less, and compiles in two thirds of the time.
# ALONE: its instructions are counted (./run guard), so each file is compiled by itself.
# Sources are every .cpp under the layer's directory, so that adding one needs no edit here.
function(syncsim_layer name)
  cmake_parse_arguments(ARG "COLD;ALONE" "DIRECTORY" "LAYERS;LIBRARIES;EXCLUDE" ${ARGN})
  if(NOT ARG_DIRECTORY)
    set(ARG_DIRECTORY sim/${name})
  endif()
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${ARG_DIRECTORY}/*.cpp)
  foreach(excluded ${ARG_EXCLUDE})
    list(FILTER sources EXCLUDE REGEX "/${excluded}$")
  endforeach()
  add_library(syncsim_${name} STATIC ${sources})
  add_library(syncsim::${name} ALIAS syncsim_${name})
  set_target_properties(syncsim_${name} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(syncsim_${name} PUBLIC cxx_std_20)
  target_include_directories(syncsim_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/syncsim>)
  if(ARG_COLD)
    target_compile_options(syncsim_${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
  if(NOT ARG_ALONE)
    syncsim_unify(syncsim_${name} 12)
  endif()
  list(TRANSFORM ARG_LAYERS PREPEND syncsim_)
  target_link_libraries(syncsim_${name}
    PUBLIC ${ARG_LAYERS} ${ARG_LIBRARIES}
    PRIVATE $<BUILD_INTERFACE:syncsim_flags>)
  set(SYNCSIM_LAYERS ${SYNCSIM_LAYERS} syncsim_${name} CACHE INTERNAL "")
endfunction()
