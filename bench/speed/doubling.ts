import { threadCpuUsage } from 'node:process';
import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider';
import { material, toolStep, turn } from './bodies.ts';
import { wrapped } from './harness.ts';

/** What a field costs when it is filled, at half of the size and at all of it. */
export interface Doubling {
  readonly field: string;
  readonly ms: number;
  /** Time for twice as much over the time for once: 2 is linear. */
  readonly growth: number;
  /** CPU time in milliseconds of the longest turn of the event loop: other work on the machine adds little. */
  readonly longestBlock: number;
}

/** Characters of the larger size, about. */
const size = 2_000_000;

function said(text: string): LanguageModelV4Message {
  return { role: 'user', content: [{ type: 'text', text }] };
}

function call(input: unknown, output: unknown): readonly LanguageModelV4Message[] {
  const named = { toolCallId: 'call', toolName: 'apply_patch' };
  const value = JSON.parse(JSON.stringify(output));
  return [
    said('Go on.'),
    { role: 'assistant', content: [{ type: 'tool-call', ...named, input }] },
    { role: 'tool', content: [{ type: 'tool-result', ...named, output: { type: 'json', value } }] },
  ];
}

function lines(length: number, line: (index: number) => string): string {
  const unit = line(1_000_000).length;
  return Array.from({ length: length / unit }, (_, index) => line(index)).join('');
}

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = { level: value };
  return value;
}

function lists(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}

const fields: Readonly<Record<string, (length: number) => readonly LanguageModelV4Message[]>> = {
  prose: (length) => [said(material.repeat(Math.ceil(length / material.length)).slice(0, length))],
  'unspaced Chinese': (length) => [said('系统将在压缩历史消息后继续回答'.repeat(length / 15))],
  rules: (length) => [said(lines(length, (index) => `Never do ${index}.\n`))],
  'line feeds': (length) => [said('\n'.repeat(length))],
  'wide JSON': (length) =>
    call(
      {},
      Object.fromEntries(Array.from({ length: length / 16 }, (_, index) => [`key${index}`, index])),
    ),
  'wide JSON asked for': (length) =>
    call(
      Object.fromEntries(Array.from({ length: length / 16 }, (_, index) => [`key${index}`, index])),
      'ok',
    ),
  'deep JSON': (length) => call(nested(length / 20), 'ok'),
  'deep lists': (length) => Array.from({ length: 20 }, () => call(lists(length / 40), 'ok')).flat(),
  'options of a part': (length) => {
    const options = Array.from({ length: length / 16 }, (_, index) => [`key${index}`, index]);
    const providerOptions = { openai: Object.fromEntries(options) };
    const part = { type: 'reasoning' as const, text: 'Thought.', providerOptions };
    return [{ role: 'assistant', content: [part] }];
  },
  'list of numbers': (length) =>
    call(
      {},
      Array.from({ length: length / 2 }, () => 1),
    ),
  'base64 in JSON': (length) =>
    call({}, { data: btoa(lines((length * 3) / 4, (index) => `${index}`)) }),
  joiners: (length) => [said('\u200d'.repeat(length))],
  'tool steps': (length) =>
    Array.from({ length: length / 200 }, (_, index) => toolStep(1000 + index, 1)).flat(),
  patch: (length) =>
    call({ patch: lines(length, (index) => `*** Update File: src/${index}/${index}.ts\n`) }, 'ok'),
  messages: (length) => Array.from({ length: length / 40 }, () => said('a')),
};

/** Watches the turns of the event loop until it is told to stop: the CPU milliseconds of the longest. */
function watchTurns(): () => number {
  let longest = 0;
  let before = cpuTime();
  const next = (): void => {
    const now = cpuTime();
    longest = Math.max(longest, now - before);
    before = now;
    waiting = setImmediate(next);
  };
  let waiting = setImmediate(next);
  return () => {
    clearImmediate(waiting);
    return Math.max(longest, cpuTime() - before);
  };
}

function cpuTime(): number {
  const { user, system } = threadCpuUsage();
  return (user + system) / 1000;
}

async function summarize(prompt: LanguageModelV4Prompt): Promise<number> {
  const wrap = wrapped({ contextLength: 100_000, strategy: 'rule-based' });
  const startedAt = performance.now();
  await wrap.prepare(prompt, { force: true }).catch(() => {});
  return performance.now() - startedAt;
}

/** Summarizes by rules what fills one field, once and twice. */
export async function doublings(): Promise<readonly Doubling[]> {
  const rows: Doubling[] = [];
  for (const [field, messages] of Object.entries(fields)) {
    const around = (length: number): LanguageModelV4Prompt => [
      ...turn(1, 400),
      ...messages(length),
      ...toolStep(2, 400),
      ...turn(3, 400),
      ...turn(4, 400),
    ];
    const once = await summarize(around(size / 2));
    const prompt = around(size);
    const stop = watchTurns();
    const twice = await summarize(prompt);
    rows.push({ field, ms: twice, growth: twice / once, longestBlock: stop() });
  }
  return rows;
}
