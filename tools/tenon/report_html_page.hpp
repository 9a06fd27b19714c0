// The fixed parts of the HTML report.
#pragma once

#include <string_view>

namespace tenon::program::html {

/// The style sheet for light and dark screens and for printing.
inline constexpr std::string_view style = R"(
:root{color-scheme:light dark;--ink:#1d232b;--soft:#5d6875;--line:#d9dee5;--page:#fff;--card:#f6f8fa;
--bad:#b3261e;--known:#8a5a00;--warn:#8a5a00;--good:#1a6e3c;--na:#5d6875}
@media(prefers-color-scheme:dark){:root{--ink:#e6e9ed;--soft:#9aa5b1;--line:#363d47;--page:#15191e;--card:#1d2229;
--bad:#ff8a80;--known:#ffc46b;--warn:#ffc46b;--good:#7dd99b;--na:#9aa5b1}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:62rem;padding:2rem 1.25rem 4rem;background:var(--page);color:var(--ink);
font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.6rem;line-height:1.2;margin:0 0 .25rem}h2{font-size:1.15rem;margin:2.25rem 0 .75rem}
h3{font-size:1rem;margin:0}p{margin:.35rem 0}.soft{color:var(--soft)}
.verdict{font-size:1.15rem;font-weight:600;margin:1rem 0}
.counts{display:flex;flex-wrap:wrap;gap:.6rem;list-style:none;padding:0;margin:1rem 0}
.counts li{background:var(--card);border:1px solid var(--line);border-radius:.5rem;padding:.4rem .9rem}
.counts b{display:block;font-size:1.4rem;line-height:1.2}
article{background:var(--card);border:1px solid var(--line);border-left:.3rem solid var(--soft);border-radius:.5rem;
padding:.8rem 1rem;margin:.75rem 0;break-inside:avoid}
.failed{border-left-color:var(--bad)}.known{border-left-color:var(--known)}.warning{border-left-color:var(--warn)}
.passed{border-left-color:var(--good)}.na{border-left-color:var(--na)}
.failed .tag,.counts .failed b{color:var(--bad)}.known .tag,.counts .known b{color:var(--known)}
.warning .tag,.counts .warning b{color:var(--warn)}.passed .tag,.counts .passed b{color:var(--good)}
.na .tag,.counts .na b{color:var(--na)}.tag{font-weight:700;text-transform:uppercase;font-size:.75rem}
code,pre{font:.85rem/1.45 ui-monospace,monospace}
pre{margin:.3rem 0;padding:.5rem .7rem;background:var(--page);border:1px solid var(--line);border-radius:.35rem;
white-space:pre-wrap;max-height:24rem;overflow:auto}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem .8rem;margin:.5rem 0 0}dt{color:var(--soft)}
dd{margin:0;min-width:0}
summary{cursor:pointer;font-weight:600;padding:.3rem 0}details{margin:.5rem 0}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid var(--line)}
td.n,th.n{text-align:right}
.find{display:none;width:100%;font:inherit;padding:.5rem .8rem;border:1px solid var(--line);border-radius:.5rem;
background:var(--card);color:inherit}
@media print{body{max-width:none;padding:0;font-size:10pt}.find{display:none!important}pre{max-height:none}
details:not([open])>:not(summary){display:none}})";

/// The script: shows the search field and makes it work.
inline constexpr std::string_view script = R"(
const field=document.querySelector('.find');field.style.display='block';
field.addEventListener('input',()=>{const want=field.value.toLowerCase();
for(const card of document.querySelectorAll('article'))
card.hidden=!card.textContent.toLowerCase().includes(want);
for(const fold of document.querySelectorAll('details.group'))fold.open=want!==''&&!!fold.querySelector('article:not([hidden])');
});)";

/// The hash of the script for the Content-Security-Policy, so no other script can run. A test compares the hash.
inline constexpr std::string_view script_hash = "sha256-3vIfo8WyPM8UHSj+XgSQIohjslLKNJ5teH7zHA/SFlA=";

}  // namespace tenon::program::html
