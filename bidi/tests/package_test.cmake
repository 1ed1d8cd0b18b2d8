# Installs the library to a scratch prefix and builds the example against it, as a stranger's project would.
# Arguments: BUILD (this project's build folder), EXAMPLES (the example's source folder), SCRATCH, COMPILER, GENERATOR.

function(step)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT status EQUAL 0)
        message(FATAL_ERROR "${ARGN}: ${status}\n${output}")
    endif()
endfunction()

file(REMOVE_RECURSE ${SCRATCH})
step(${CMAKE_COMMAND} --install ${BUILD} --prefix ${SCRATCH}/prefix --component bidi)
step(${CMAKE_COMMAND} -S ${EXAMPLES} -B ${SCRATCH}/build -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER}
    -DCMAKE_PREFIX_PATH=${SCRATCH}/prefix)
step(${CMAKE_COMMAND} --build ${SCRATCH}/build)

execute_process(COMMAND ${SCRATCH}/build/bidi_evaluate RESULT_VARIABLE status ERROR_VARIABLE output)
if(NOT status EQUAL 2 OR NOT output MATCHES "^usage:")
    message(FATAL_ERROR "the example built against the package does not run: ${status} ${output}")
endif()
file(REMOVE_RECURSE ${SCRATCH})
