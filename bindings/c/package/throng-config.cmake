# The targets throng::throng, the shared library, and throng::static.
get_filename_component(_throng "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET throng::throng)
    add_library(throng::throng SHARED IMPORTED)
    add_library(throng::static STATIC IMPORTED)
    set_target_properties(throng::throng throng::static PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${_throng}/include")
    if(WIN32)
        set_target_properties(throng::throng PROPERTIES IMPORTED_LOCATION "${_throng}/lib/throng.dll"
            IMPORTED_IMPLIB "${_throng}/lib/throng.dll.lib")
        set_target_properties(throng::static PROPERTIES IMPORTED_LOCATION "${_throng}/lib/throng.lib"
            INTERFACE_LINK_LIBRARIES "kernel32;ntdll;userenv;ws2_32;dbghelp")
    elseif(APPLE)
        set_target_properties(throng::throng PROPERTIES IMPORTED_LOCATION "${_throng}/lib/libthrong.dylib")
        set_target_properties(throng::static PROPERTIES IMPORTED_LOCATION "${_throng}/lib/libthrong.a")
    else()
        set_target_properties(throng::throng PROPERTIES IMPORTED_LOCATION "${_throng}/lib/libthrong.so"
            IMPORTED_NO_SONAME TRUE)
        set_target_properties(throng::static PROPERTIES IMPORTED_LOCATION "${_throng}/lib/libthrong.a"
            INTERFACE_LINK_LIBRARIES "pthread;dl;m")
    endif()
endif()
unset(_throng)
