# bin/syncsim, share/syncsim/{topologies,scenarios}, headers, and find_package(syncsim).
include(CMakePackageConfigHelpers)

install(TARGETS syncsim RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY topologies scenarios DESTINATION ${CMAKE_INSTALL_DATADIR}/syncsim)
install(FILES ${SYNCSIM_SHELL_FILES}/syncsim.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${SYNCSIM_SHELL_FILES}/syncsim
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${SYNCSIM_SHELL_FILES}/_syncsim
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(DIRECTORY ${SYNCSIM_SHARE}/page DESTINATION ${CMAKE_INSTALL_DATADIR}/syncsim OPTIONAL)
install(DIRECTORY sim strategies DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/syncsim
  FILES_MATCHING PATTERN "*.h")

add_library(syncsim_all INTERFACE)  # what users link: syncsim::syncsim
set_target_properties(syncsim_all PROPERTIES EXPORT_NAME syncsim)
target_link_libraries(syncsim_all INTERFACE syncsim_scenario syncsim_strategies)

install(TARGETS ${SYNCSIM_LAYERS} syncsim_all EXPORT syncsimTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
set(SYNCSIM_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/syncsim)
install(EXPORT syncsimTargets NAMESPACE syncsim:: DESTINATION ${SYNCSIM_PACKAGE_DIR})
configure_package_config_file(sim/syncsimConfig.cmake.in
  ${PROJECT_BINARY_DIR}/syncsimConfig.cmake INSTALL_DESTINATION ${SYNCSIM_PACKAGE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/syncsimConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/syncsimConfig.cmake
  ${PROJECT_BINARY_DIR}/syncsimConfigVersion.cmake DESTINATION ${SYNCSIM_PACKAGE_DIR})
