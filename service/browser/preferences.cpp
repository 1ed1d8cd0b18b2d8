#include "service/browser/preferences.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <map>

#include "service/error.hpp"

namespace foxbench::browser {

namespace {

using document::Json;

constexpr std::array kMeasuringPreferences{
    // What would run in the browser while a pass is measured.
    MeasuringPreference{"browser.startup.page", 0, "a blank first tab: about:home renders and fetches"},
    MeasuringPreference{"browser.newtabpage.enabled", false, "new tabs stay blank"},
    MeasuringPreference{
        "dom.ipc.processPrelaunch.enabled", false,
        "spare content processes start about a second after the page has loaded, inside the measurement"},
    MeasuringPreference{"browser.ml.enable", false, "no inference engine and its models"},
    MeasuringPreference{"app.normandy.enabled", false, "no studies, which change preferences"},
    MeasuringPreference{"app.update.disabledForTesting", true, "a browser that replaces itself makes the run invalid"},
    MeasuringPreference{"extensions.update.enabled", false, "no downloads"},
    MeasuringPreference{"browser.search.update", false, "no downloads"},
    MeasuringPreference{"services.settings.server", "data:,#remote-settings-dummy/v1",
                        "no synchronisation of remote settings"},
    MeasuringPreference{"network.captive-portal-service.enabled", false, "no probes of the network"},
    MeasuringPreference{"network.connectivity-service.enabled", false, "no probes of the network"},
    MeasuringPreference{"idle.lastDailyNotification", -1, "no daily maintenance of databases"},

    // What would write to the disk that is measured.
    MeasuringPreference{"browser.sessionstore.interval", 1800000, "milliseconds; the default writes every 15 seconds"},
    MeasuringPreference{"browser.sessionstore.resume_from_crash", false, "nothing to restore"},
    MeasuringPreference{"browser.cache.disk.enable", false, "the page's own files would be written"},
    MeasuringPreference{"toolkit.telemetry.unified", false, "no pings"},
    MeasuringPreference{"toolkit.telemetry.archive.enabled", false, "pings would be kept on disk"},
    MeasuringPreference{"datareporting.policy.dataSubmissionEnabled", false,
                        "nothing is sent, and no page asks about it"},

    // What would stand in the way of a page.
    MeasuringPreference{"toolkit.startup.max_resumed_crashes", -1, "no safe mode after killed launches"},
    MeasuringPreference{"browser.shell.checkDefaultBrowser", false, "no question"},
    MeasuringPreference{"browser.startup.homepage_override.mstone", "ignore", "no page about a new version"},
    MeasuringPreference{"browser.aboutwelcome.enabled", false, "no welcome page"},

    // What would end a long measurement.
    MeasuringPreference{"dom.max_script_run_time", 0, "a workload may run for minutes"},
    MeasuringPreference{"dom.ipc.reportProcessHangs", false, "likewise"},
    MeasuringPreference{"hangmonitor.timeout", 0, "likewise"},
    MeasuringPreference{"browser.tabs.unloadOnLowMemory", false, "the measured tab must stay"},
};

constexpr std::array kPreciseTimerPreferences{
    MeasuringPreference{"privacy.reduceTimerPrecision", false, "a step of 20 µs, isolated or not"},
    MeasuringPreference{"privacy.reduceTimerPrecision.unconditional", false, "a step of about 0.1 µs"},
};

Json value_of(const MeasuringPreference& preference) {
    switch (preference.kind) {
        case MeasuringPreference::Kind::boolean:
            return preference.integer != 0;
        case MeasuringPreference::Kind::integer:
            return preference.integer;
        case MeasuringPreference::Kind::text:
            break;
    }
    return preference.text;
}

bool is_control(char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

void check_name(const std::string& name) {
    bool good = !name.empty();
    for (const char c : name) good = good && !is_control(c) && c != '"' && c != '\\' && c != ' ';
    if (!good) {
        throw Error(ErrorCode::usage, "a preference cannot be called " +
                                          Json(name).dump(-1, ' ', true, Json::error_handler_t::replace) +
                                          "; see about:config for the names");
    }
}

/// Firefox has preferences of exactly these types (modules/libpref/parser).
void check_value(const std::string& name, const Json& value) {
    if (value.is_boolean()) return;
    if (value.is_number_integer()) {
        using Limits = std::numeric_limits<std::int32_t>;
        const bool fits =
            value.is_number_unsigned()
                ? value.get<std::uint64_t>() <= static_cast<std::uint64_t>(Limits::max())
                : value.get<std::int64_t>() >= Limits::min() && value.get<std::int64_t>() <= Limits::max();
        if (fits) return;
        throw Error(ErrorCode::usage, "preference " + name + ": " + value.dump() +
                                          " does not fit into the 32 bits that a preference has");
    }
    if (value.is_string()) {
        if (value.get_ref<const std::string&>().find('\0') == std::string::npos) return;
        throw Error(ErrorCode::usage,
                    "preference " + name + ": its text holds a zero byte, which no preference can have");
    }
    throw Error(ErrorCode::usage, "preference " + name +
                                      ": a preference is true, false, a whole number or a text, not " +
                                      (value.is_number() ? value.dump() : std::string(value.type_name())) +
                                      "; write a fraction as a text");
}

std::string js_string(std::string_view text) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string result = "\"";
    for (const char c : text) {
        switch (c) {
            case '"':
            case '\\':
                result += {'\\', c};
                break;
            case '\n':
                result += "\\n";
                break;
            case '\r':
                result += "\\r";
                break;
            default:
                // Of JSON's escapes the parser of user.js knows only those above, so \t and the like go by number.
                if (is_control(c)) {
                    result += {'\\', 'x', kDigits[static_cast<unsigned char>(c) >> 4], kDigits[c & 15]};
                } else {
                    result += c;
                }
        }
    }
    return result + '"';
}

}  // namespace

std::span<const MeasuringPreference> measuring_preferences() noexcept {
    return kMeasuringPreferences;
}

Preferences effective_preferences(const Json& target, Timer timer) {
    std::map<std::string, Json> values;
    for (const MeasuringPreference& preference : kMeasuringPreferences) {
        values[std::string(preference.name)] = value_of(preference);
    }
    if (timer == Timer::precise) {
        for (const MeasuringPreference& preference : kPreciseTimerPreferences) {
            values[std::string(preference.name)] = value_of(preference);
        }
    }
    if (!target.is_null() && !target.is_object()) {
        throw Error(ErrorCode::usage, "preferences are names with values, not " + std::string(target.type_name()));
    }
    for (const auto& [name, value] : target.items()) {
        check_name(name);
        check_value(name, value);
        values[name] = value;
    }
    Preferences preferences = Preferences::object();
    for (auto& [name, value] : values) preferences[name] = std::move(value);
    return preferences;
}

std::string user_js(const Preferences& preferences) {
    std::string text = "// Written by foxbench for each launch.\n";
    for (const auto& [name, value] : preferences.items()) {
        const std::string written = value.is_string() ? js_string(value.get_ref<const std::string&>()) : value.dump();
        text += "user_pref(" + js_string(name) + ", " + written + ");\n";
    }
    return text;
}

}  // namespace foxbench::browser
