import { eraseConversation, memoryStore } from '../../src/index.ts';
import { computeAtOnce } from '../support/compute-at-once.ts';
import { summarize, talk } from '../support/summarized-chat.ts';
import { settled } from '../support/virtual-time.ts';

/** Lets this thread do what others do for the package, under a secret, so that a seed repeats to the event. */
export async function onOneThread(secret: string): Promise<void> {
  await computeAtOnce(async () => {
    // What loads on demand loads now, with what reads a store that others share, and archives.
    const store = { ...memoryStore() };
    const options = { secret, encrypt: true, archive: true, conversationId: 'first' };
    for (const length of [9, 15]) await settled(summarize(store, talk(length), options));
    await settled(eraseConversation({ store, secret, conversationId: 'first' }));
  });
}
