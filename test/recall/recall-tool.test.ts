import type { ModelMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import { memoryStore, type SummaryStore, type Message } from '../../src/index.ts';
import {
  recallTool,
  type RecallInput,
  type RecallOutput,
  type RecallToolOptions,
} from '../../src/entries/recall/index.ts';
import { knownStrategy } from '../properties/rig/known-strategy.ts';
import { assistant, call, result, results, user } from '../support/prompt-messages.ts';
import { countText } from '../support/count-text.ts';
import { secret, summarize, talk } from '../support/summarized-chat.ts';
import { untyped } from '../support/untyped.ts';

const conversationId = 'chat 1';

/** Asks the tool as the SDK does. */
async function ask(
  recall: ReturnType<typeof recallTool>,
  input: RecallInput,
  messages: ModelMessage[] = [],
): Promise<RecallOutput> {
  const given = { toolCallId: 'a', messages, context: {} };
  return untyped<RecallOutput>(await recall.execute?.(input, given));
}

/** A tool over the archive of a chat that begins with some messages. */
async function recallOf(
  first: readonly Message[],
  options: Pick<RecallToolOptions, 'maxTokens' | 'maxTurnTokens'> = {},
  store: SummaryStore = memoryStore(),
): Promise<ReturnType<typeof recallTool>> {
  await summarize(store, [...first, ...talk(7)], { archive: true, conversationId });
  return recallTool({ store, secret, conversationId, ...options });
}

const found = [
  user('The port is in src/server/readConfig2.ts, next to MAX_RETRY_COUNT.'),
  assistant('I see the gas bill of 4711 euros, naïve façade, 設定 is 8080.'),
];

const unspaced = [
  user('邮件服务器的证书九月到期，请提前更新。'),
  user('配達員は二十キロより重い荷物を断ります。'),
  user('새 장바구니는 방문자의 구 퍼센트에게 열려 있습니다.'),
  user('ใบรับรองของเซิร์ฟเวอร์อีเมลหมดอายุเดือนธันวาคม'),
  user('វិញ្ញាបនបត្រម៉ាស៊ីនមេផុតកំណត់ខែធ្នូ'),
  user('ໃບຢັ້ງຢືນໝົດອາຍຸເດືອນທັນວາ'),
  user('လက်မှတ်သည်ဒီဇင်ဘာလတွင်သက်တမ်းကုန်ဆုံးမည်'),
  user('Сертификат почтового сервера заканчивается двадцатого июня.'),
];

describe('recallTool', () => {
  it.each([
    ['Chinese', '证书到期', 0],
    ['Japanese', '荷物の重さ', 1],
    ['Korean', '방문자는', 2],
    ['Thai', 'หมดอายุ', 3],
    ['Khmer', 'ផុតកំណត់', 4],
    ['Lao', 'ໝົດອາຍຸ', 5],
    ['Burmese', 'သက်တမ်းကုန်', 6],
    ['another form of a word', 'серверы сертификатами', 7],
  ])('finds words inside a run: %s', async (_what, query, position) => {
    const { passages } = await ask(await recallOf(unspaced), { query });
    expect(passages[0]).toMatchObject({ position });
  });

  it.each([
    ['a word', 'gas bill', 1],
    ['a part of a path', 'server', 0],
    ['a part of a name in capitals', 'retry', 0],
    ['a part that a capital begins', 'config', 0],
    ['the beginning of a word', 'faç', 1],
    ['a number', '4711', 1],
    ['another script', '設定', 1],
    ['other capitals', 'PORT', 0],
  ])('finds %s', async (_what, query, position) => {
    const { passages } = await ask(await recallOf(found), { query });
    const { role, content: [part] = [] } = found[position] ?? {};
    const text: unknown = Reflect.get(Object(part), 'text');
    expect(passages).toEqual([{ position, offset: 0, role, text }]);
  });

  it.each([
    [{ query: 'gas bill', position: null, offset: null }, 0],
    [{ query: '', position: '1' }, 0],
    [{ query: null, position: 1, offset: '2' }, 2],
  ])('understands a model that does not keep to the schema: %j', async (input, offset) => {
    const { passages } = await ask(await recallOf(found), untyped(input));
    const text = 'I see the gas bill of 4711 euros, naïve façade, 設定 is 8080.'.slice(offset);
    expect(passages[0]).toEqual({ position: 1, offset, role: 'assistant', text });
  });

  it.each<[unknown, string?]>([
    [{ position: -1 }],
    [{ position: 'one' }],
    [{ position: 1, offset: -1 }],
    [{ position: 1.5 }],
    [{ position: true }],
    [{ query: 5 }],
    [null],
    [{ query: 'fa' }, 'Nothing was found. Try'],
    [{ query: `${'oboe '.repeat(100)}gas` }, 'Nothing was found. Try'],
    [{ query: '$^()[]' }, 'Nothing was found. Try'],
    [{ query: '__proto__ constructor' }, 'Nothing was found. Try'],
    [{ position: 7 }, 'The positions of summarized messages are 0 to 6.'],
  ])('reads nothing for %j and says so', async (input, note = 'Nothing was ') => {
    const answer = await ask(await recallOf(found), untyped(input));
    const told = expect.stringContaining(note);
    expect(answer).toEqual({ recalledFromArchive: true, passages: [], note: told });
  });

  it('reads calls with the names of their tools', async () => {
    const called = call('a', { toolName: 'weather', input: { city: 'Oslo' } });
    const recall = await recallOf([user('Rain?'), assistant('', called), results('a')]);
    const { passages } = await ask(recall, { query: 'weather', position: 1 });
    expect(passages.slice(0, 2)).toEqual([
      { position: 1, offset: 0, role: 'assistant', text: 'weather {"city":"Oslo"}' },
      { position: 2, offset: 0, role: 'tool', text: 'ok' },
    ]);
  });

  it('reads by position, on and on, within its budget, word for word', async () => {
    const long = user(`${'Many words about rivers and stones. '.repeat(400)}The end.`);
    const recall = await recallOf([long, assistant('An answer.')], { maxTokens: 300 });
    let text = '';
    const sizes: number[] = [];
    let next: RecallOutput['next'] = { position: 0, offset: 0 };
    while (next?.position === 0) {
      const answer: RecallOutput = await ask(recall, next);
      sizes.push(countText(JSON.stringify(answer)));
      for (const passage of answer.passages) if (passage.position === 0) text += passage.text;
      next = answer.next;
    }
    expect([{ type: 'text', text }]).toEqual(long.content);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(300);
    expect(Math.min(...sizes.slice(0, -1))).toBeGreaterThan(240);
    const wide = await recallOf([long], { maxTokens: 9000, maxTurnTokens: 9000 });
    const { passages } = await ask(wide, { query: 'rivers' });
    expect(passages).toHaveLength(8);
    for (const each of passages) expect([each.offset % 1200, each.text.length]).toEqual([0, 1200]);
  });

  it('reads no more for one user message than its budget', async () => {
    const store = memoryStore();
    const recall = await recallOf(
      [user('words '.repeat(3000)), assistant('Yes.')],
      { maxTokens: 500, maxTurnTokens: 900 },
      store,
    );
    // What other tools answer takes nothing of it.
    const ofOthers = { role: 'tool' as const, content: [result('b', 'words '.repeat(900))] };
    const messages: ModelMessage[] = [{ role: 'user', content: 'Read.' }, ofOthers];
    const texts: string[] = [];
    for (let step = 0; step < 5; step += 1) {
      const value = await ask(recall, { position: 0 }, [...messages]);
      texts.push(value.passages.map(({ text }) => text).join(''));
      const output = { type: 'json', value } as const;
      messages.push({ role: 'tool', content: [{ ...result('a'), output }] });
    }
    expect(texts.map((text) => text !== '')).toEqual([true, true, false, false, false]);
    // Those that are made at the same time share it.
    const atOnce: ModelMessage[] = [{ role: 'user', content: 'Read.' }];
    const answers = await Promise.all(
      [0, 0, 0, 0].map((position) => ask(recall, { position }, atOnce)),
    );
    expect(answers.filter(({ passages }) => passages.length > 0)).toHaveLength(2);
    // What an answer does not take is left for the next one.
    const few: ModelMessage[] = [...atOnce];
    for (const query of ['oboe', 'flute', 'harp'])
      expect((await ask(recall, { query }, few)).note).toMatch(/^Nothing was found/);
    // And the next user message has its own.
    messages.push({ role: 'user', content: 'Again.' });
    expect((await ask(recall, { position: 0 }, messages)).passages).not.toEqual([]);
  });

  it('sees what is summarized later, and only the conversation it was made for', async () => {
    const store = memoryStore();
    const recall = await recallOf(found, {}, store);
    const messages = [...found, ...talk(7), user('The colour is mauve.'), ...talk(8).slice(1)];
    expect((await ask(recall, { query: 'mauve' })).passages).toEqual([]);
    await summarize(store, messages, { archive: true, conversationId });
    expect((await ask(recall, { query: 'mauve' })).passages).toMatchObject([{ position: 9 }]);
    for (const other of [{ conversationId: 'chat 2' }, { namespace: 'another' }]) {
      const elsewhere = recallTool({ store, secret, conversationId, ...other });
      expect((await ask(elsewhere, { query: 'mauve' })).note).toMatch(/Nothing was summarized/);
    }
  });

  it('says that the archive cannot be read', async () => {
    const get = () => Promise.reject(new Error('secret of the store'));
    const recall = recallTool({ store: { ...memoryStore(), get }, secret, conversationId });
    expect((await ask(recall, { query: 'gas' })).note).toBe(
      'The archive cannot be read at the moment.',
    );
  });

  it('stays out of summaries and of its own findings', async () => {
    const store = memoryStore();
    const value = await ask(await recallOf(found), { query: 'gas' });
    const output = { type: 'json', value } as const;
    const recalled: Message[] = [
      user('What was the bill?'),
      assistant('', call('a', { toolName: 'memory' })),
      { role: 'tool', content: [{ ...result('a'), toolName: 'memory', output }] },
      assistant('It was high.'),
    ];
    const strategy = knownStrategy();
    const messages = [...recalled, ...talk(7)];
    await summarize(store, messages, { archive: true, conversationId, strategy });
    expect(JSON.stringify(strategy.inputs[0]?.messages)).not.toContain('4711');
    expect(JSON.stringify(strategy.inputs[0]?.messages)).toContain('It was high.');
    const recall = recallTool({ store, secret, conversationId });
    expect((await ask(recall, { query: '4711' })).passages).toEqual([]);
    expect((await ask(recall, { query: 'high' })).passages).toMatchObject([{ position: 3 }]);
  });

  it('tells the model what it takes', () => {
    const { inputSchema } = recallTool({ store: memoryStore(), secret, conversationId });
    const description = expect.any(String);
    const place = { type: 'integer', minimum: 0, description };
    const properties = { query: { type: 'string', description }, position: place, offset: place };
    const jsonSchema = { type: 'object', properties, additionalProperties: false };
    expect(inputSchema).toMatchObject({ jsonSchema });
  });

  it.each([
    [{ maxTokens: 99 }, /Invalid option maxTokens: .* an integer of at least 100/],
    [{ maxTurnTokens: 0.5 }, /Invalid option maxTurnTokens/],
    [{ conversationId: undefined }, /Invalid option conversationId: .* or messages/],
  ])('refuses %j', (wrong, message) => {
    const options = Object.assign({ store: memoryStore(), secret, conversationId }, wrong);
    expect(() => recallTool(options)).toThrow(message);
  });
});
