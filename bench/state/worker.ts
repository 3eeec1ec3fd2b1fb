import { conversation } from './conversation.ts';
import { openStore, type StorePlace } from './engines.ts';
import { localProcess } from './local-process.ts';

// One process of a race: begins when it is told to, says when it pays, and what it sent.

/** What a process is told when it is started. */
export interface Race {
  readonly place: StorePlace;
  readonly number: number;
  readonly requests: number;
  readonly slowMs: number;
}

/** What a process says. */
export type Word =
  | { readonly kind: 'ready' | 'bill' }
  | { readonly kind: 'end'; readonly prompts: readonly string[]; readonly failures: number };

function say(word: Word): void {
  process.send?.(word);
}

const race: Race = JSON.parse(process.argv[2] ?? '');
const { store, close } = openStore(race.place);
const { slowMs } = race;
const { send } = localProcess(store, { slowMs, onBill: () => say({ kind: 'bill' }) });
// What a process that serves has loaded and connected.
await store.get('0'.repeat(64));
process.once('message', () => void run());
say({ kind: 'ready' });

async function run(): Promise<void> {
  const sent = await Promise.allSettled(
    Array.from({ length: race.requests }, async () => send(conversation(race.number))),
  );
  const prompts = sent.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  say({ kind: 'end', prompts: [...new Set(prompts)], failures: sent.length - prompts.length });
  process.disconnect();
  await close();
}
