/** The style of the page: light and dark, wide and narrow. */
export const htmlStyle = `
:root { color-scheme: light dark; --ground: #ffffff; --card: #f6f7f9; --text: #1b1f24; --quiet: #59636e; --line: #d5dae0;
  --sent: #2463d6; --full: #c9d3e3; --limit: #c2322b; --made: #8a5a00; }
@media (prefers-color-scheme: dark) { :root { --ground: #101317; --card: #191e25; --text: #e8ebef; --quiet: #9aa5b1;
  --line: #2e363f; --sent: #6ea2ff; --full: #3a4657; --limit: #ff7b72; --made: #f0b849; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 68rem; padding: 2rem 1.25rem 4rem; background: var(--ground); color: var(--text);
  font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; margin: 0 0 .25rem; } h2 { font-size: 1.2rem; margin: 2.5rem 0 .5rem; } h3 { font-size: 1rem; margin: 0; }
p { margin: .25rem 0; } .quiet { color: var(--quiet); }
section { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: 1rem; margin: .75rem 0; }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .75rem; margin: .75rem 0; }
dt { color: var(--quiet); font-size: .85rem; } dd { margin: 0; font-size: 1.15rem; font-variant-numeric: tabular-nums; }
svg { display: block; width: 100%; height: 15rem; }
.full { fill: var(--full); } .sent { fill: var(--sent); } .limit { stroke: var(--limit); stroke-width: 2; stroke-dasharray: 6 4; vector-effect: non-scaling-stroke; }
.made { fill: var(--made); }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: 0; margin: .5rem 0 0; list-style: none; font-size: .85rem; color: var(--quiet); }
.legend i { display: inline-block; width: .8rem; height: .8rem; margin-right: .4rem; border-radius: .15rem; vertical-align: -.05rem; }
details { border-top: 1px solid var(--line); padding: .5rem 0; } details:first-of-type { margin-top: 1rem; }
summary { cursor: pointer; } summary:focus-visible { outline: 2px solid var(--sent); outline-offset: 3px; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: .85rem/1.45 ui-monospace, monospace; margin: .5rem 0; max-height: 24rem; overflow: auto; }
svg.bar { height: 1.25rem; margin: .6rem 0; } .interval { fill: none; stroke: var(--text); stroke-width: 2; vector-effect: non-scaling-stroke; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-variant-numeric: tabular-nums; } th, td { padding: .4rem .9rem .4rem 0; text-align: left; white-space: nowrap; border-bottom: 1px solid var(--line); }
h4 { font-size: .85rem; margin: .9rem 0 .2rem; color: var(--quiet); font-weight: 600; } ul { margin: 0; padding-left: 1.2rem; }
`;
