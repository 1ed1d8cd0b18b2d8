#include "service/workload/formula.hpp"

#include <cmath>

#include <muParser.h>

#include "service/error.hpp"

namespace foxbench::workload {
namespace {

constexpr double kMaxExactInteger = 9007199254740992.0;

double ceil_of(double value) {
    return std::ceil(value);
}

}  // namespace

std::int64_t evaluate(const std::string& formula, const Variables& variables) {
    double value = 0;
    try {
        mu::Parser parser;
        parser.DefineFun("ceil", ceil_of);
        for (const auto& [name, number] : variables) parser.DefineConst(name, static_cast<double>(number));
        parser.SetExpr(formula);
        value = parser.Eval();
    } catch (const mu::Parser::exception_type& error) {
        throw Error(ErrorCode::usage, "the formula '" + formula + "' cannot be evaluated: " + error.GetMsg());
    }
    if (!(value >= 0 && value <= kMaxExactInteger) || value != std::floor(value)) {
        throw Error(ErrorCode::usage, "the formula '" + formula + "' gives " + std::to_string(value) +
                                          ", not a whole number from 0 to 2^53");
    }
    return static_cast<std::int64_t>(value);
}

}  // namespace foxbench::workload
