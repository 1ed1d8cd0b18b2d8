#include "service/report/html_page.hpp"

#include "service/report/text.hpp"

namespace foxbench::report {
namespace {

/// Colours of the targets (.t0 to .t7) differ in lightness as well as in hue, and their marks in shape.
constexpr std::string_view kStyle = R"css(
:root { color-scheme: light dark;
  --page: #f6f7f9; --card: #ffffff; --ink: #18212f; --soft: #5b6677; --line: #e0e4ea; --faint: #eef1f5; --code: #eef1f5;
  --good: #0f7b46; --good-back: #e2f4ea; --bad: #a8361c; --bad-back: #fdeae4;
  --t0: #2159d3; --t1: #d9660b; --t2: #0b8a62; --t3: #8b3bd1; --t4: #c72c72; --t5: #0a8aa6; --t6: #92700c; --t7: #55606f; }
@media (prefers-color-scheme: dark) { :root {
  --page: #11151c; --card: #191f29; --ink: #e4e9f1; --soft: #98a4b5; --line: #2c3543; --faint: #202835; --code: #242d3b;
  --good: #6ddca1; --good-back: #17382a; --bad: #ff9b80; --bad-back: #432218;
  --t0: #74a5ff; --t1: #ffa24d; --t2: #45d6a2; --t3: #c892ff; --t4: #ff84b7; --t5: #4cd3ee; --t6: #e5c04f; --t7: #a7b3c4; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 2.5rem 1.25rem 4rem; background: var(--page); color: var(--ink);
  font: 15px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; }
main { max-width: 76rem; margin: 0 auto; }
h1 { margin: 0 0 .35rem; font-size: 1.65rem; line-height: 1.25; letter-spacing: -.01em; }
h2 { margin: 2.6rem 0 .8rem; font-size: 1.2rem; }
h2 small { color: var(--soft); font-weight: 400; font-size: .85rem; margin-left: .5rem; }
h3 { margin: 1.6rem 0 .5rem; font-size: .95rem; }
p { margin: .5rem 0; }
.id { margin: 0 0 1.4rem; color: var(--soft); }
.state { display: inline-block; padding: .05rem .6rem; border-radius: 1rem; font-size: .85rem; font-weight: 600;
  color: var(--good); background: var(--good-back); }
.state.bad { color: var(--bad); background: var(--bad-back); }
.state.neutral { color: var(--soft); background: var(--faint); }
a { color: var(--t0); overflow-wrap: anywhere; }
code, .mono { font-family: ui-monospace, "SF Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: .9em; }
code { background: var(--code); border-radius: 4px; padding: .1em .35em; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1rem 1.2rem; }
.scroll { overflow-x: auto; padding: .3rem .4rem; }
.warning { border-color: var(--bad); margin: .8rem 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.4rem; margin: 0; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .42rem .8rem; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--faint); }
thead th { color: var(--soft); font-weight: 600; font-size: .84rem; vertical-align: bottom; border-bottom: 1px solid var(--line); }
.cost thead th { white-space: normal; min-width: 6.5rem; }
.unit { white-space: nowrap; }
th:first-child { text-align: left; }
tbody th { font-weight: 500; }
tbody tr:last-child > * { border-bottom: 0; }
tbody tr:hover > * { background: var(--faint); }
.latency { font-size: .86rem; }
.latency th, .latency td { padding: .38rem .5rem; }
.words th, .words td { text-align: left; white-space: normal; overflow-wrap: anywhere; }
ul { margin: .4rem 0; padding-left: 1.2rem; }
li { margin: .28rem 0; }
.hint { color: var(--soft); font-size: .9rem; }
figure { margin: 0; }
figure svg { display: block; width: 100%; height: auto; }
footer { margin-top: 3rem; color: var(--soft); font-size: .85rem; }
svg text { font: 12px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; fill: var(--ink);
  font-variant-numeric: tabular-nums; }
svg .soft { fill: var(--soft); }
svg .group { fill: var(--soft); font-weight: 600; font-size: 11px; letter-spacing: .06em; }
svg .grid { stroke: var(--line); stroke-width: 1; }
svg .minor { stroke: var(--faint); stroke-width: 1; }
svg .band { fill: var(--faint); opacity: .55; }
svg .whisker { fill: none; stroke: currentColor; stroke-width: 1.6; opacity: .7; }
svg .dot { fill: currentColor; stroke: var(--card); stroke-width: 1.2; }
.t0 { color: var(--t0); } .t1 { color: var(--t1); } .t2 { color: var(--t2); } .t3 { color: var(--t3); }
.t4 { color: var(--t4); } .t5 { color: var(--t5); } .t6 { color: var(--t6); } .t7 { color: var(--t7); }
.slower { color: var(--bad); } .faster { color: var(--good); } .same { color: var(--soft); } .unclear { color: var(--t6); }
.compared thead th { white-space: normal; }
svg.interval { display: block; margin: 0 auto; }
svg .threshold { fill: var(--line); }
svg .zero { stroke: var(--soft); stroke-width: 1; }
@media (max-width: 40rem) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .4rem; } }
@media print { body { background: none; padding: 0; } .card { break-inside: avoid; } }
)css";

}  // namespace

std::string html_page(std::string_view title, std::string_view body) {
    std::string page =
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>";
    page += html_text(title);
    page += "</title>\n<style>";
    page += kStyle;
    page += "</style>\n</head>\n<body>\n<main>\n";
    page += body;
    page += "</main>\n</body>\n</html>\n";
    return page;
}

}  // namespace foxbench::report
