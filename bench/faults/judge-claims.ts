import type { World } from './conversation.ts';
import type { Fact } from './fact.ts';
import type { Claim } from './fake-summariser.ts';
import { placeOf, tally, type Place } from './outcome.ts';
import { runWorld } from './run-world.ts';
import { showOf } from './show.ts';
import { truth, writerOf } from './writers.ts';

/** A way in which a record is wrong. */
export type Wrong = 'miscopied' | 'relinked' | 'negated' | 'stale';

/**
 * Prints where true claims end: as they were said, in other words, languages and forms.
 *
 * @returns The places of those in other words, languages and forms.
 */
export async function faithful(worlds: readonly World[], name: string): Promise<readonly Place[]> {
  const places = new Map<string, Place[]>();
  const add = (kind: string, place: Place): void => {
    places.set(kind, [...(places.get(kind) ?? []), place]);
  };
  for (const world of worlds) {
    await judge(world, world.facts.map(claimOf), (place) => add('as said', place));
    for (const kind of ['paraphrase', 'translation', 'format'] as const) {
      const claims = world.facts.flatMap((fact) =>
        fact.variants
          .filter((variant) => variant.kind === kind)
          .map(({ text }): Claim => ({ field: fact.field, text, citing: fact.said, fact })),
      );
      await judge(world, claims, (place) => add(kind, place));
    }
  }
  for (const [kind, found] of places) print(`true, ${name}, ${kind}`, found);
  return [...places].flatMap(([kind, found]) => (kind === 'as said' ? [] : found));
}

/** Prints where claims end half of which are wrong, and where the right half does. */
export async function wrongClaims(
  worlds: readonly World[],
  wrong: Wrong,
  random: () => number,
): Promise<void> {
  const wrongPlaces: Place[] = [];
  const rightPlaces: Place[] = [];
  const told: Place[] = [];
  let inForce = 0;
  for (const { messages, facts, stale } of worlds) {
    const candidates = wrong === 'stale' ? [...facts, ...stale] : facts;
    const isWrong = new Set(
      candidates.filter(
        (fact) =>
          wrongText(fact, wrong, stale) !== undefined && (wrong === 'stale' || random() < 0.5),
      ),
    );
    const claims = candidates.map((fact) => {
      const text = wrongText(fact, wrong, stale);
      return isWrong.has(fact) && text !== undefined ? { ...truth(fact), text } : truth(fact);
    });
    const narrative = claims.slice(0, 6).map((claim): Claim => ({ ...claim, field: 'summary' }));
    const shown = await runWorld(messages, [writerOf([...claims, ...narrative])]);
    if (shown === undefined) continue;
    const rules = shown['constraints']?.map(({ text }) => text) ?? [];
    inForce += stale.filter(({ said }) => rules.includes(said)).length;
    for (const claim of claims) {
      const isFalse = claim.fact !== undefined && isWrong.has(claim.fact);
      const lists = { ...shown, summary: [] };
      const place = placeOf(lists, claim, !isFalse);
      (isFalse ? wrongPlaces : rightPlaces).push(place);
      if (isFalse) showOf(place === 'kept' || place === 'demoted', `${wrong} ${place}`, claim);
      else showOf(place !== 'kept', `right ${place}`, claim);
    }
    for (const claim of narrative)
      if (claim.fact !== undefined && isWrong.has(claim.fact)) {
        const place = placeOf({ summary: shown['summary'] ?? [] }, claim, false);
        told.push(place);
        showOf(place === 'kept', `${wrong} told`, claim);
      }
  }
  print(`${wrong}, in lists`, wrongPlaces);
  if (wrong === 'stale') console.log(`  rules that the user has ended, still in force: ${inForce}`);
  else print(`${wrong}, in the narrative`, told);
  print('  the true ones beside them', rightPlaces);
}

function wrongText(fact: Fact, wrong: Wrong, stale: readonly Fact[]): string | undefined {
  if (wrong === 'stale') return stale.includes(fact) ? fact.told : undefined;
  return fact[wrong];
}

function claimOf(fact: Fact): Claim {
  return { field: fact.field, text: fact.told, citing: fact.said, fact };
}

async function judge(
  { messages }: World,
  claims: readonly Claim[],
  add: (place: Place) => void,
): Promise<void> {
  const shown = await runWorld(messages, [writerOf(claims)]);
  if (shown === undefined) return;
  for (const claim of claims) {
    const place = placeOf(shown, claim, true);
    add(place);
    showOf(place !== 'kept', place, claim);
  }
}

/** Prints how many claims ended where. */
export function print(name: string, found: readonly Place[]): void {
  const { kept, marked, demoted, absent } = tally(found);
  const share = (count: number): string =>
    `${count} (${Math.round((100 * count) / found.length)} %)`;
  console.log(
    `${name.padEnd(36)} of ${found.length}: kept ${share(kept)}, marked ${share(marked)}, demoted ${share(demoted)}, absent ${share(absent)}`,
  );
}
