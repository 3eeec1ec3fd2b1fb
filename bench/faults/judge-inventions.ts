import type { World } from './conversation.ts';
import type { Claim } from './fake-summariser.ts';
import { inventions } from './inventions.ts';
import { placeOf, tally, type Place } from './outcome.ts';
import { runWorld } from './run-world.ts';
import { showOf } from './show.ts';
import { truths, writerOf } from './writers.ts';

const lists = ['constraints', 'decisions', 'keyPoints', 'unresolved'] as const;

/** Prints where inventions end that are written as constraints and decisions. */
export async function invented(
  worlds: readonly World[],
  many: number,
  random: () => number,
): Promise<void> {
  const places: Place[] = [];
  for (const world of worlds) {
    const claims = claimsOf(world, Math.ceil(many / worlds.length), random, lists.slice(0, 2));
    const shown = await runWorld(world.messages, [writerOf([...truths(world), ...claims])]);
    if (shown === undefined) continue;
    for (const claim of claims) {
      const place = placeOf(shown, claim, false);
      places.push(place);
      showOf(place === 'kept' || place === 'demoted', `invented ${place}`, claim);
    }
  }
  print('inventions', places);
}

/** The same inventions once in any list and the narrative, then as constraints and decisions. */
export async function laundered(worlds: readonly World[], random: () => number): Promise<void> {
  const places: Place[] = [];
  for (const world of worlds) {
    const first = claimsOf(world, 6, random, lists);
    const second = first.map((claim, index): Claim => ({
      ...claim,
      field: index % 2 === 0 ? 'constraints' : 'decisions',
    }));
    const told = first.map((claim): Claim => ({ ...claim, field: 'summary' }));
    const shown = await runWorld(world.messages, [() => [...first, ...told], () => second]);
    if (shown === undefined) continue;
    for (const claim of second) {
      const place = placeOf(shown, claim, false);
      places.push(place);
      showOf(place === 'kept' || place === 'demoted', `laundered ${place}`, claim);
    }
  }
  print('laundered through a record', places);
}

function claimsOf(
  { facts }: World,
  many: number,
  random: () => number,
  fields: readonly Claim['field'][],
): readonly Claim[] {
  return inventions(random, facts, many).map((invention, index) => ({
    ...invention,
    field: fields[index % fields.length] ?? 'keyPoints',
  }));
}

function print(name: string, places: readonly Place[]): void {
  const { kept, marked, demoted, absent } = tally(places);
  console.log(
    `${name.padEnd(36)} of ${places.length}: ${kept} (${((100 * kept) / places.length).toFixed(1)} %) stand as constraint or decision, ${demoted} unmarked elsewhere, ${marked} marked, ${absent} gone`,
  );
}
