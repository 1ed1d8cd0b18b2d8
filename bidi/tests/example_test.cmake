# Runs the example with a real Firefox. Argument: EXAMPLE (the program).

set(firefox $ENV{FOXBENCH_FIREFOX})
if(NOT firefox)
    find_program(firefox_found NAMES firefox firefox-esr)
    set(firefox ${firefox_found})
endif()
if(NOT firefox)
    message(FATAL_ERROR "no Firefox: install firefox-esr, or set FOXBENCH_FIREFOX to one")
endif()

execute_process(COMMAND ${EXAMPLE} ${firefox} "document.title" RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE errors)
if(NOT status EQUAL 0 OR NOT output STREQUAL "\"Hello from BiDi\"\n")
    message(FATAL_ERROR "status ${status}, output: ${output}\n${errors}")
endif()

execute_process(COMMAND ${EXAMPLE} ${firefox} "throw new Error('on purpose')" RESULT_VARIABLE status ERROR_VARIABLE errors)
if(status EQUAL 0 OR NOT errors MATCHES "on purpose")
    message(FATAL_ERROR "a script that throws: status ${status}\n${errors}")
endif()
