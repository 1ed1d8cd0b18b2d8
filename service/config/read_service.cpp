#include "service/config/read_service.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <arpa/inet.h>

#include "service/config/locations.hpp"
#include "service/document/purpose.hpp"
#include "service/error.hpp"
#include "service/text/words.hpp"
#include "service/url/url.hpp"

namespace foxbench::config {
namespace {

using std::chrono::milliseconds;
using yaml::Value;

/// Longer ones make unreadable tables and ids.
constexpr std::size_t kMaxName = 60;

/// Makes of what `read` throws the error that this value is not what was expected.
template <class Read>
auto at(const Value& value, const Read& read) {
    try {
        return read();
    } catch (const Error& error) {
        value.fail(error.what());
    }
}

bool is_loopback(const std::string& address) {
    return address == "::1" || address.starts_with("127.");
}

bool is_address(const std::string& text) {
    unsigned char buffer[sizeof(in6_addr)];
    return inet_pton(AF_INET, text.c_str(), buffer) == 1 || inet_pton(AF_INET6, text.c_str(), buffer) == 1;
}

/// "127.0.0.1:8177", "[::1]:8177", "localhost:8177", "0.0.0.0:8177".
void read_listen(const Value& value, Server& server) {
    constexpr const char* kExpected = "expected ADDRESS:PORT, such as 127.0.0.1:8177, localhost:8177 or [::1]:8177";
    const std::string text = value.string();
    const auto colon = text.rfind(':');
    if (colon == std::string::npos || colon == 0) value.fail(kExpected);
    std::string host = text.substr(0, colon);
    unsigned port = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + colon + 1, end, port);
    if (error != std::errc{} || stop != end || port > 65535) value.fail(kExpected);
    if (host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
    server.port = static_cast<std::uint16_t>(port);
    if (host == "localhost" || host == "127.0.0.1") {
        server.addresses = {"127.0.0.1", "::1"};
    } else if (is_address(host)) {
        server.addresses = {host};
    } else {
        value.fail(kExpected);
    }
}

std::string read_text(const Value& value, std::size_t most) {
    auto text = value.string();
    if (text::count_characters(text) > most) value.fail("expected at most " + std::to_string(most) + " characters");
    return text;
}

/// A list that says nothing is a slip: what is left out has its default.
void refuse_empty(const Value& list) {
    if (list.items().empty()) list.fail("expected at least one");
}

/// "3%", or a fraction such as 0.03.
double read_share(const Value& value) {
    const auto text = value.string();
    const bool percent = text.ends_with('%');
    double share = 0;
    const char* end = text.data() + text.size() - (percent ? 1 : 0);
    const auto [stop, error] = std::from_chars(text.data(), end, share);
    if (percent) share /= 100;
    if (error != std::errc{} || stop != end || !(share >= 0) || share > 1)
        value.fail("expected a share of 0% to 100%, such as 2%");
    return share;
}

Schedule read_schedule(const std::string& name, const Value& value, const Config& config) {
    value.allow_only({"cron", "time_zone", "workload", "preset", "overrides", "targets", "launches", "label", "note",
                      "purpose", "missed", "overlap", "quiet", "before", "skip_if_same_build", "max_duration",
                      "finish_by"});
    check_name(value, name, "schedule");

    const Value cron = value.at("cron");
    const auto zone = value.find("time_zone");
    Schedule schedule{.name = name,
                      .cron = at(cron, [&] { return schedule::CronExpression::parse(cron.string()); }),
                      .zone = zone ? at(*zone, [&] { return schedule::TimeZone::find(zone->string()); })
                                   : schedule::TimeZone::local(),
                      .workload = {},
                      .preset = {},
                      .targets = {},
                      .launches = {},
                      .label = {},
                      .note = {},
                      .purpose = {},
                      .quiet = {},
                      .before = {},
                      .max_duration = {},
                      .finish_by = {}};
    if (const auto workload = value.find("workload")) schedule.workload = workload->string();
    if (const auto preset = value.find("preset")) schedule.preset = preset->string();
    if (const auto overrides = value.find("overrides")) {
        for (const auto& [parameter, chosen] : overrides->members()) schedule.overrides[parameter] = chosen.json();
    }
    if (const auto targets = value.find("targets")) {
        refuse_empty(*targets);
        schedule.targets = read_target_names(*targets, config);
    }
    if (const auto launches = value.find("launches")) schedule.launches = launches->integer(1, kMaxLaunches);
    if (const auto label = value.find("label")) schedule.label = read_text(*label, document::kMaxLabelCharacters);
    if (const auto note = value.find("note")) schedule.note = read_text(*note, document::kMaxNoteCharacters);
    if (const auto purpose = value.find("purpose")) {
        schedule.purpose = purpose->string();
        if (schedule.purpose != document::kAa)
            purpose->fail("expected aa (a run that measures its targets against themselves), or nothing");
    }
    if (const auto missed = value.find("missed")) {
        const std::string word = missed->string();
        if (word != "run-once" && word != "skip") missed->fail("expected run-once or skip");
        schedule.missed = word == "skip" ? schedule::Missed::skip : schedule::Missed::run_once;
    }
    if (const auto overlap = value.find("overlap")) {
        const std::string word = overlap->string();
        if (word != "skip" && word != "queue") overlap->fail("expected skip or queue");
        schedule.overlap = word == "queue" ? schedule::Overlap::queue : schedule::Overlap::skip;
    }
    if (const auto quiet = value.find("quiet")) schedule.quiet = read_quiet(*quiet);
    if (const auto before = value.find("before")) schedule.before = read_strings(*before);
    if (const auto skip = value.find("skip_if_same_build")) schedule.skip_if_same_build = skip->boolean();
    if (const auto most = value.find("max_duration")) {
        schedule.max_duration = read_duration(*most);
        if (*schedule.max_duration <= milliseconds::zero()) most->fail("expected more than no time, such as 4h");
    }
    if (const auto end = value.find("finish_by")) {
        const std::string text = end->string();
        const auto digit = [&](std::size_t i) { return text[i] >= '0' && text[i] <= '9'; };
        if (text.size() != 5 || text[2] != ':' || !digit(0) || !digit(1) || !digit(3) || !digit(4) ||
            text.substr(0, 2) > "23" || text.substr(3) > "59")
            end->fail("expected a time of the day, such as \"07:00\"");
        schedule.finish_by = text;
    }
    return schedule;
}

}  // namespace

double Alerts::smallest_step_of(const std::string& series) const {
    const auto found = of_series.find(series);
    return found == of_series.end() ? smallest_step : found->second;
}

std::string Server::url() const {
    const std::string& first = addresses.front();
    std::string host = first;
    if (first == "0.0.0.0") host = "127.0.0.1";
    if (first == "::") host = "::1";
    if (host.find(':') != std::string::npos) host = "[" + host + "]";
    return "http://" + host + ":" + std::to_string(port);
}

void check_name(const Value& value, const std::string& name, const char* what) {
    const bool good = !name.empty() && name.size() <= kMaxName && std::ranges::all_of(name, [](unsigned char c) {
        return std::isalnum(c) || c == '-' || c == '_' || c == '.';
    });
    if (!good) {
        value.fail("'" + name + "' is no name for a " + what + ": up to " + std::to_string(kMaxName) +
                   " letters, digits and . _ - only");
    }
}

milliseconds read_duration(const Value& value) {
    return at(value, [&] { return text::parse_duration(value.string()); });
}

std::vector<std::string> read_strings(const Value& value) {
    std::vector<std::string> strings;
    for (const auto& item : value.items()) strings.push_back(item.string());
    return strings;
}

std::filesystem::path read_path(const Value& value, const std::filesystem::path& folder) {
    const auto path = expand_home(value.string());
    if (path.empty()) value.fail("expected a path");
    return (path.is_absolute() ? path : folder / path).lexically_normal();
}

std::vector<std::string> read_target_names(const Value& value, const Config& config) {
    const auto known = config.target_names();
    std::vector<std::string> names;
    for (const auto& item : value.items()) {
        const auto name = item.string();
        if (std::ranges::find(known, name) == known.end())
            item.fail("there is no target '" + name + "'." + text::suggestion(name, known));
        if (std::ranges::find(names, name) != names.end()) item.fail("the target '" + name + "' is named twice");
        names.push_back(name);
    }
    return names;
}

Server read_server(const Value& value, const std::filesystem::path& folder) {
    value.allow_only({"listen", "hosts", "token_file", "shutdown_grace"});
    Server server;
    if (const auto listen = value.find("listen")) read_listen(*listen, server);
    if (const auto hosts = value.find("hosts")) server.host_names = read_strings(*hosts);
    if (const auto tokens = value.find("token_file")) server.token_file = read_path(*tokens, folder);
    if (const auto grace = value.find("shutdown_grace")) server.shutdown_grace = read_duration(*grace);
    if (server.token_file.empty() && !std::ranges::all_of(server.addresses, is_loopback)) {
        value.fail("listening on " + server.addresses.front() +
                   " lets other machines in, which needs tokens: add token_file: FILE (lines 'read TOKEN' or 'run "
                   "TOKEN', mode 0600), or listen on 127.0.0.1");
    }
    return server;
}

Quiet read_quiet(const Value& value) {
    value.allow_only({"load_below", "wait"});
    Quiet quiet;
    const Value load = value.at("load_below");
    quiet.load_below = load.number();
    if (!std::isfinite(quiet.load_below) || quiet.load_below <= 0) load.fail("expected a load above 0, such as 0.5");
    const Value wait = value.at("wait");
    quiet.wait = read_duration(wait);
    if (quiet.wait > kLongestQuietWait) wait.fail("expected at most 24h");
    return quiet;
}

std::vector<Schedule> read_schedules(const Value& value, const Config& config) {
    std::vector<Schedule> schedules;
    for (const auto& [name, schedule] : value.members()) schedules.push_back(read_schedule(name, schedule, config));
    return schedules;
}

Retention read_retention(const Value& value) {
    value.allow_only({"samples", "runs", "keep_last"});
    Retention retention;
    const auto read_age = [](const Value& age) {
        const auto duration = read_duration(age);
        if (duration <= milliseconds::zero()) age.fail("expected more than no time, such as 90d");
        return duration;
    };
    if (const auto samples = value.find("samples")) retention.samples = read_age(*samples);
    if (const auto runs = value.find("runs")) retention.runs = read_age(*runs);
    if (const auto last = value.find("keep_last"))
        retention.keep_last = static_cast<std::size_t>(last->integer(0, 1'000'000));
    return retention;
}

Alerts read_alerts(const Value& value) {
    value.allow_only({"smallest_step", "series"});
    Alerts alerts;
    if (const auto step = value.find("smallest_step")) alerts.smallest_step = read_share(*step);
    if (const auto series = value.find("series")) {
        for (const auto& [name, step] : series->members()) alerts.of_series[name] = read_share(step);
    }
    return alerts;
}

std::vector<Webhook> read_webhooks(const Value& value, const std::filesystem::path& folder) {
    std::vector<Webhook> webhooks;
    for (const auto& item : value.items()) {
        item.allow_only({"webhook", "secret_file", "on"});
        Webhook webhook;
        const Value url = item.at("webhook");
        webhook.url = url.string();
        static_cast<void>(at(url, [&] { return url::parse_url(webhook.url); }));
        if (const auto secret = item.find("secret_file")) webhook.secret_file = read_path(*secret, folder);
        if (const auto on = item.find("on")) {
            refuse_empty(*on);
            webhook.alerts = false;
            for (const auto& state : on->items()) {
                if (state.string() == kOnAlerts) {
                    webhook.alerts = true;
                    continue;
                }
                const auto word = at(state, [&] { return document::run_state_from(state.string()); });
                if (!document::is_final(word)) state.fail("expected a state that a run ends in");
                webhook.on.push_back(word);
            }
        } else {
            webhook.on = {document::RunState::failed, document::RunState::invalid, document::RunState::partial};
        }
        webhooks.push_back(std::move(webhook));
    }
    return webhooks;
}

}  // namespace foxbench::config
