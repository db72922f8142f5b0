# The page of `run --report`: its template, built from here by npm's packages into
# share/syncsim/page. Configuring needs no npm; a build without npm or its registry says so, is
# whole but for the page, and tries again the next time.
file(GLOB page_sources LIST_DIRECTORIES false CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*
  ${CMAKE_CURRENT_LIST_DIR}/src/*.ts ${CMAKE_CURRENT_LIST_DIR}/style/*.css)
set(page_template ${SYNCSIM_SHARE}/page/template.html)
add_custom_command(OUTPUT ${page_template}
  COMMAND ${CMAKE_CURRENT_LIST_DIR}/build.sh ${PROJECT_BINARY_DIR}/page ${page_template}
  DEPENDS ${page_sources}
  COMMENT "Building the page of run --report"
  VERBATIM)
add_custom_target(page ALL DEPENDS ${page_template})
