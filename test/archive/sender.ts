// A process of an application: sends one conversation again and again, all at once, when it is told to.
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { generateText } from 'ai';
import { openPlace, type Place } from '../stores/engines.ts';
import { emptyContent } from '../support/empty-content.ts';
import { chat } from '../support/messages.ts';
import { promptsOf } from '../support/prompts.ts';
import { setUp } from '../support/set-up.ts';

/** What a process has sent. */
export interface Sent {
  readonly paid: number;
  /** Digests of the prompts that reached the model. */
  readonly prompts: readonly string[];
}

const [, , address = '', requests = ''] = process.argv;
const place: Place = JSON.parse(address);
const { store, close } = openPlace(place);
let paid = 0;
const { model, inner } = setUp({
  store,
  secret: 'of all processes',
  maxWaitMs: 60_000,
  // Two hundred calls at once on a machine that does something else may take a store longer than it has.
  storeTimeoutMs: 60_000,
  strategy: {
    name: 'slow',
    summarize: async () => {
      paid += 1;
      await delay(300);
      const content = emptyContent(`Bill ${paid} of ${process.pid}.`);
      return { content, usage: { inputTokens: 1, outputTokens: 1 } };
    },
  },
});
// What a process that serves has connected.
await store.get('0'.repeat(64));
process.once('message', () => {
  void (async () => {
    const messages = chat(19);
    await Promise.all(
      Array.from({ length: Number(requests) }, async () => generateText({ model, messages })),
    );
    const prompts = promptsOf(inner).map((prompt) =>
      createHash('sha256').update(JSON.stringify(prompt)).digest('hex'),
    );
    process.send?.({ paid, prompts } satisfies Sent);
    process.disconnect();
    await close();
  })();
});
process.send?.('ready');
