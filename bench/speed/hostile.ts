import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import { material } from './bodies.ts';
import { wrapped } from './harness.ts';

/** A kind of text, and how long the first look at a prompt of it took. */
export interface HostileTime {
  readonly kind: string;
  readonly ms: number;
  /** Over the time that English prose and code of the same size takes. */
  readonly ratio: number;
  readonly measuredBy: string;
}

const megabyte = 1_000_000;

function filled(unit: string, length: number): string {
  return unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
}

function oneMessage(text: string): LanguageModelV4Prompt {
  return [{ role: 'user', content: [{ type: 'text', text }] }];
}

function nested(depth: number): unknown {
  let value: unknown = 'leaf';
  for (let level = 0; level < depth; level += 1) value = { value };
  return value;
}

/** Base64 of numbers that repeat late: what encrypted or compressed data looks like. */
function base64(length: number): string {
  let state = 1;
  const bytes = Array.from({ length: 48_000 }, () => {
    state = Math.imul(state, 1_103_515_245) + 12_345;
    return String.fromCharCode((state >>> 16) & 255);
  });
  return filled(btoa(bytes.join('')), length);
}

const texts: readonly (readonly [kind: string, text: (length: number) => string])[] = [
  ['prose and code', (length) => filled(material, length)],
  ['one letter', (length) => 'a'.repeat(length)],
  ['a word', (length) => filled('abcdefghijklmnopqrstuvwxyz', length)],
  ['unspaced Chinese', (length) => filled('系统将在压缩历史消息后继续回答用户提出的问题', length)],
  ['unspaced Thai', (length) => filled('ภาษาไทยเขียนติดกันโดยไม่มีช่องว่างระหว่างคำ', length)],
  ['emoji', (length) => filled('🙂👩‍👩‍👧🏳️‍🌈🚀', length)],
  ['combining marks', (length) => filled('e\u0301\u0323\u0302', length)],
  ['lone surrogates', (length) => '\ud800'.repeat(length)],
  ['spaces', (length) => ' '.repeat(length)],
  ['base64', base64],
  ['hex', (length) => filled('deadbeef00112233445566778899aabbccddeeff', length)],
];

/** Times the first look at a megabyte of each kind, and at prompts of unusual shapes. */
export async function hostileTimes(): Promise<readonly HostileTime[]> {
  const rows: HostileTime[] = [];
  let usual = 0;
  const add = async (
    kind: string,
    prompt: LanguageModelV4Prompt,
    tokens: number,
  ): Promise<void> => {
    // The context is such that a bound cannot decide and a sample hardly can.
    const wrap = wrapped({ contextLength: tokens, strategy: 'none', fallbackStrategy: false });
    const startedAt = performance.now();
    await wrap.prepare(prompt).catch(() => {});
    const ms = performance.now() - startedAt;
    if (usual === 0) usual = ms;
    rows.push({ kind, ms, ratio: ms / usual, measuredBy: wrap.measuredBy() });
  };
  // Loads the tokenizer.
  await add('', oneMessage(filled(material, 1000)), 300);
  rows.length = 0;
  usual = 0;
  for (const [kind, text] of texts) await add(kind, oneMessage(text(megabyte)), megabyte / 3.2);
  await add('20 MB in one message', oneMessage(filled(material, 20 * megabyte)), 6 * megabyte);
  const tiny = Array.from({ length: 100_000 }, (_, index): LanguageModelV4Prompt[number] =>
    index % 2 === 0
      ? { role: 'user', content: [{ type: 'text', text: `Go on ${index}` }] }
      : { role: 'assistant', content: [{ type: 'text', text: `Done ${index}` }] },
  );
  await add('100,000 tiny messages', tiny, megabyte);
  const call = { toolCallId: 'a', toolName: 'read' };
  const output = { type: 'json' as const, value: JSON.parse(JSON.stringify(nested(1000))) };
  await add(
    'JSON nested 10,000 deep',
    [
      ...oneMessage('Read it.'),
      { role: 'assistant', content: [{ type: 'tool-call', ...call, input: nested(10_000) }] },
      { role: 'tool', content: [{ type: 'tool-result', ...call, output }] },
    ],
    60_000,
  );
  return rows;
}
