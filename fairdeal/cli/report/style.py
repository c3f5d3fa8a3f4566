"""The page's style: two schemes of colours, and A4."""

from typing import Final

STYLE: Final = """
:root{color-scheme:light dark;--ink:#1a1a1a;--paper:#fff;--soft:#f0f0f0;--line:#767676;--go:#1a56b0}
:root{--s0:#b9d3f5;--s1:#f6d2a2;--s2:#d9c7ef;--s3:#d0d0d0;--s4:#f5efb0;--s5:#c4e6e6;--mark:#1a56b0}
@media (prefers-color-scheme:dark){
:root{--ink:#ececec;--paper:#161616;--soft:#262626;--line:#9a9a9a;--go:#8ab8ff}
:root{--s0:#2b4f80;--s1:#7a4f16;--s2:#563f78;--s3:#555;--s4:#6b6420;--s5:#2a6262;--mark:#8ab8ff}}
body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);margin:0 auto}
body{max-width:60rem;padding:1rem}
a{color:var(--go)}h1{font-size:1.6rem}h2{font-size:1.3rem;margin-top:2rem}
.verdict{border:3px solid var(--ink);padding:.5rem 1rem;font-size:1.3rem}
.verdict b{display:block}
table{border-collapse:collapse;width:100%;margin:.5rem 0}caption{text-align:left;font-weight:bold}
th,td{border:1px solid var(--line);padding:.2rem .5rem;text-align:left;vertical-align:top}
th,td{overflow-wrap:anywhere}
pre,code{font:13px/1.4 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere}
pre{background:var(--soft);padding:.5rem}
svg{display:block;width:100%;height:auto;margin:.5rem 0}svg.none{width:0;height:0;margin:0}
figure{margin:1rem 0}figcaption{font-size:.95rem}
.panels{display:grid;grid-template-columns:repeat(auto-fit,minmax(15rem,1fr));gap:1rem}
.t{fill:var(--ink);font:13px sans-serif}.small{font-size:11px}.m{text-anchor:middle}
.e{text-anchor:end}.inv{fill:var(--paper);font-weight:bold}
.rule{stroke:var(--line)}.limit{stroke:var(--ink);stroke-dasharray:6 3;stroke-width:2}
.band{fill:var(--soft);stroke:var(--line)}.mark{fill:var(--mark)}.plate{fill:var(--paper)}
.pl{stroke:var(--ink);fill:none;stroke-width:1}.full{stroke:var(--ink)}
.pale{stroke:var(--line);stroke-dasharray:3 2;fill-opacity:.55}
.f0{fill:url(#p0)}.f1{fill:url(#p1)}.f2{fill:url(#p2)}.f3{fill:url(#p3)}.f4{fill:url(#p4)}
.f5{fill:url(#p5)}.s0{fill:var(--s0)}.s1{fill:var(--s1)}.s2{fill:var(--s2)}.s3{fill:var(--s3)}
.s4{fill:var(--s4)}.s5{fill:var(--s5)}
.up,.aside{fill:var(--soft);stroke:var(--ink);stroke-width:2}.unseen{fill:none;stroke:var(--line)}
.way{fill:none;stroke:var(--mark);stroke-width:2.5}.w1{stroke:var(--ink);stroke-dasharray:7 4}
.w2{stroke:var(--line);stroke-dasharray:2 3}
.px{image-rendering:pixelated}.frame{fill:none;stroke:var(--ink)}
.out{fill:none;stroke:#000;stroke-width:1.5}
@page{size:A4;margin:15mm}
@media print{body{font-size:10pt;max-width:none;padding:0}h2{break-after:avoid}
pre,code{font-size:7pt}thead{display:table-header-group}
tr,figure,svg,.verdict{break-inside:avoid}nav{break-after:page}}
"""
