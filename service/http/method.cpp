#include "service/http/method.hpp"

namespace foxbench::http {

std::string_view to_string(Method method) noexcept {
    switch (method) {
        case Method::get:
            return "GET";
        case Method::post:
            return "POST";
        case Method::put:
            return "PUT";
        case Method::patch:
            return "PATCH";
        case Method::del:
            return "DELETE";
    }
    return {};
}

std::optional<Method> method_from(std::string_view word) noexcept {
    if (word == "HEAD") return Method::get;
    for (const Method method : {Method::get, Method::post, Method::put, Method::patch, Method::del}) {
        if (word == to_string(method)) return method;
    }
    return std::nullopt;
}

}  // namespace foxbench::http
