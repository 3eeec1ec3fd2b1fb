import type { World } from './conversation.ts';
import type { Fact } from './fact.ts';
import type { Claim } from './fake-summariser.ts';
import { inventions } from './inventions.ts';
import { says } from './outcome.ts';
import { runWorld } from './run-world.ts';
import { truth, truths, writerOf } from './writers.ts';

/** How much of what the summariser left out is there all the same. */
export async function drops(
  worlds: readonly World[],
  dose: number,
  random: () => number,
): Promise<void> {
  const seen = new Presence();
  for (const world of worlds) {
    const kept = world.facts.filter(() => random() >= dose);
    const shown = await runWorld(world.messages, [writerOf(kept.map(truth))]);
    if (shown !== undefined) seen.add(world.facts, (fact) => says(shown, fact));
  }
  print(`${100 * dose} % of facts dropped`, seen);
}

/** Whether 100 lines of noise in each list push out what matters. */
export async function flooding(worlds: readonly World[], random: () => number): Promise<void> {
  const seen = new Presence();
  for (const world of worlds) {
    const noise = inventions(random, world.facts, 100);
    const fields = ['keyPoints', 'decisions', 'unresolved', 'domainEntities'] as const;
    const flood = noise.map(({ text, citing }, index): Claim => ({
      field: fields[index % fields.length] ?? 'keyPoints',
      text,
      citing,
    }));
    const shown = await runWorld(world.messages, [writerOf([...flood, ...truths(world)])]);
    if (shown !== undefined) seen.add(world.facts, (fact) => says(shown, fact));
  }
  print('flooded with 100 inventions', seen);
}

/** Texts of tools and of the summariser among the constraints and decisions of hostile records. */
export async function hostile(worlds: readonly World[], random: () => number): Promise<void> {
  let placed = 0;
  let tried = 0;
  const examples = new Set<string>();
  for (const world of worlds) {
    const claims = hostileClaims(world, random);
    const shown = await runWorld(world.messages, [writerOf(claims)]);
    if (shown === undefined) continue;
    const texts = new Set(claims.map(({ text }) => text));
    const standing = [...(shown['constraints'] ?? []), ...(shown['decisions'] ?? [])]
      .map(({ text }) => text)
      .filter((text) => texts.has(text));
    placed += standing.length;
    tried += texts.size;
    for (const text of standing) examples.add(text);
  }
  console.log(`\nhostile: ${placed} of ${tried} texts stand as constraint or decision`);
  for (const text of [...examples].slice(0, 8)) console.log(`  ${text}`);
}

/** What tools printed, contraries of what was said, and inventions, each in both lists. */
function hostileClaims({ facts, planted }: World, random: () => number): readonly Claim[] {
  const rules = facts.filter(({ kind }) => kind === 'rule');
  const claims = [
    ...planted.map((text) => ({ text, citing: text })),
    // Cites a message of the user for what a tool printed.
    ...planted.map((text) => ({ text: `${text} `, citing: rules[0]?.said ?? text })),
    ...facts.flatMap(({ negated, swapped, said }) =>
      [negated, swapped].flatMap((text) => (text === undefined ? [] : [{ text, citing: said }])),
    ),
    // A piece of a rule says the contrary of it.
    ...rules.map(({ said }) => ({
      text: said.replace(/^(?:Never|Do not|Niemals|Nunca|Никогда не|不要)\s*/u, ''),
      citing: said,
    })),
    ...inventions(random, facts, 12),
  ];
  const lists = ['constraints', 'decisions'] as const;
  return claims
    .filter(({ text, citing }) => text !== citing || planted.includes(text))
    .flatMap((claim) => lists.map((field) => ({ ...claim, text: claim.text.trim(), field })));
}

/** Counts facts by kind, and those that are there. */
class Presence {
  readonly all = new Map<string, number>();
  readonly there = new Map<string, number>();

  add(facts: readonly Fact[], isThere: (fact: Fact) => boolean): void {
    for (const fact of facts) {
      this.all.set(fact.kind, (this.all.get(fact.kind) ?? 0) + 1);
      if (isThere(fact)) this.there.set(fact.kind, (this.there.get(fact.kind) ?? 0) + 1);
    }
  }
}

function print(name: string, { all, there }: Presence): void {
  const cells = [...all]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([kind, count]) => `${kind} ${Math.round((100 * (there.get(kind) ?? 0)) / count)} %`);
  console.log(`${name.padEnd(32)} ${cells.join('  ')}`);
}
