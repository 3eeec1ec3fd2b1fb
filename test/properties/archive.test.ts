import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { readArchive, type SummaryStore, type Message } from '../../src/index.ts';
import { checkProperty } from './rig/check-property.ts';
import { assistant, call, result, user } from '../support/prompt-messages.ts';
import { secret, summarize, talk } from '../support/summarized-chat.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string(),
  // Half of a pair, what the archive marks with, what a prototype has, a mark of bytes.
  fc.constantFrom('\uD83D', '\u0000bytes:', '__proto__', '\uFEFFbom', 'a\r\nb\u0000', ''),
);
// JSON.parse of V8 reads one that is escaped as half of a pair as another one now and then.
const name = text.filter((each) => each.isWellFormed());
const bytes = fc.uint8Array({ maxLength: 300 });
const address = fc.webUrl().map((url) => new URL(url));

const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((each) => !Object.is(each, -0)),
    fc.boolean(),
    fc.constant(null),
    address,
    bytes,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;

const file = fc.oneof(
  bytes.map((data) => ({ type: 'data' as const, data })),
  bytes.map((data) => ({ type: 'data' as const, data: Buffer.from(data).toString('base64') })),
  address.map((url) => ({ type: 'url' as const, url })),
  text.map((each) => ({ type: 'text' as const, text: each })),
);

/** As JSON says it: without -0. */
const output = fc.jsonValue().map((each) => JSON.parse(JSON.stringify(each)));

/** A turn: a file, a call with any input and what came of it, with options of any kind on all of them. */
const turn = fc
  .record({ text, file, input: value, output, options: value, filename: text })
  .map(({ input, filename, ...drawn }): Message[] => {
    // As a provider of its own may leave it there, whatever the types say.
    const experimental = Object.assign(JSON.parse('{}'), { drawn: drawn.options });
    const about = { providerOptions: { experimental, other: {} } };
    const given = { ...result('a'), output: { type: 'json', value: drawn.output } } as const;
    const sent = { type: 'file', mediaType: 'text/plain', filename, data: drawn.file } as const;
    return [
      { role: 'user', content: [sent], ...about },
      assistant(drawn.text, call('a', { input })),
      { role: 'tool', content: [given] },
      { ...assistant('Done.'), ...about },
    ];
  });

/** A store that keeps bytes, as a database does. */
function storeOfBytes(): SummaryStore {
  const rows = new Map<string, Uint8Array>();
  return {
    get: async (key) => {
      const row = rows.get(key);
      return row && new TextDecoder().decode(row);
    },
    compareAndSet: async (key, entry) => {
      const row = rows.get(key);
      if ((row && new TextDecoder().decode(row)) !== entry.expected) return false;
      rows.set(key, new TextEncoder().encode(entry.value));
      return true;
    },
    delete: async (key) => {
      rows.delete(key);
    },
  };
}

it('an archive gives back word for word what JSON, bytes and addresses hold', async () => {
  await checkProperty(
    fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 3 }), async (turns) => {
      const messages = [user('Go on.'), ...turns.flat(), ...talk(5)];
      const store = storeOfBytes();
      const { record, covered } = await summarize(store, messages, { archive: true });
      const read = await readArchive({ store, secret, record });
      expect(read.messages).toEqual(messages.slice(0, covered));
    }),
  );
});
