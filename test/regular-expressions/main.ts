import { readdirSync, readFileSync } from 'node:fs';
import { findExpressions } from './find-expressions.ts';
import { faultOf } from './slow-expressions.ts';

/** A text that reads over and over what the expression before it gave up: a check that finds nothing is broken. */
const planted = { source: String.raw`^\s*~~~[a-z]*\s*\n(.*)\n\s*~~~\s*$`, flags: 'is' };

const root = new URL('../../src/', import.meta.url);
const faults: string[] = [];
const checked = new Map<string, string | undefined>();

async function look(place: string, source: string, flags: string): Promise<void> {
  const name = `/${source}/${flags}`;
  if (!checked.has(name)) checked.set(name, await faultOf(source, flags));
  const fault = checked.get(name);
  if (fault !== undefined) faults.push(`${place}: ${name} takes more than linear time: ${fault}`);
}

/** Loads a module and gives what it builds of expressions while it does. */
async function builtBy(url: URL): Promise<readonly RegExp[]> {
  const built: RegExp[] = [];
  const original = globalThis.RegExp;
  globalThis.RegExp = new Proxy(original, {
    construct: (target, [source, flags]) => {
      const expression = new target(source, flags);
      built.push(expression);
      return expression;
    },
  });
  try {
    await import(url.href);
  } finally {
    globalThis.RegExp = original;
  }
  return built;
}

if ((await faultOf(planted.source, planted.flags)) === undefined)
  throw new Error('The check passes an expression that takes cubic time.');

for (const path of readdirSync(root, { recursive: true, encoding: 'utf8' }).toSorted()) {
  if (!path.endsWith('.ts')) continue;
  const url = new URL(path, root);
  const text = readFileSync(url, 'utf8');
  const { literals, buildsOthers } = findExpressions(path, text);
  for (const { source, flags, start } of literals) {
    const line = text.slice(0, start).split('\n').length;
    await look(`src/${path}:${line}`, source, flags);
  }
  if (!buildsOthers) continue;
  const built = await builtBy(url);
  // What is built later, from values that nobody knows here, cannot be checked.
  if (built.length === 0) faults.push(`src/${path}: builds expressions after it has been loaded`);
  for (const { source, flags } of built) await look(`src/${path}`, source, flags);
}

for (const fault of faults) console.error(fault);
console.log(`${checked.size} regular expressions checked, ${faults.length} faults`);
if (faults.length > 0) process.exitCode = 1;
