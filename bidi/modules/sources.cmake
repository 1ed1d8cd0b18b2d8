# The typed commands and events of the modules session, browser, browsingContext, script, log and storage.
target_sources(bidi PRIVATE
    ${CMAKE_CURRENT_LIST_DIR}/browser.cpp
    ${CMAKE_CURRENT_LIST_DIR}/browsing_context.cpp
    ${CMAKE_CURRENT_LIST_DIR}/browsing_context_events.cpp
    ${CMAKE_CURRENT_LIST_DIR}/fields.cpp
    ${CMAKE_CURRENT_LIST_DIR}/log.cpp
    ${CMAKE_CURRENT_LIST_DIR}/script.cpp
    ${CMAKE_CURRENT_LIST_DIR}/script_values.cpp
    ${CMAKE_CURRENT_LIST_DIR}/session.cpp
    ${CMAKE_CURRENT_LIST_DIR}/storage.cpp)

foxbench_test(modules_test
    SOURCES
        ${CMAKE_CURRENT_LIST_DIR}/commands_browsing_context_test.cpp
        ${CMAKE_CURRENT_LIST_DIR}/commands_test.cpp
        ${CMAKE_CURRENT_LIST_DIR}/results_test.cpp
        ${CMAKE_CURRENT_LIST_DIR}/script_values_test.cpp
    DEPS bidi_testing
    PCH asio)

foxbench_test(modules_firefox_test
    SOURCES
        ${CMAKE_CURRENT_LIST_DIR}/firefox_browsing_context_test.cpp
        ${CMAKE_CURRENT_LIST_DIR}/firefox_events_test.cpp
        ${CMAKE_CURRENT_LIST_DIR}/firefox_fixture.cpp
        ${CMAKE_CURRENT_LIST_DIR}/firefox_script_test.cpp
        ${CMAKE_CURRENT_LIST_DIR}/firefox_session_test.cpp
        ${CMAKE_CURRENT_LIST_DIR}/test_site.cpp
    DEPS bidi_testing
    LABELS browser
    PCH asio)
