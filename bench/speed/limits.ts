import { createHash } from 'node:crypto';
import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider';
import { agentPrompt, passage, turn } from './bodies.ts';
import { continued, summarized } from './paths.ts';

/** A call with a record applied: processor time of the middleware over that of `JSON.parse` and one SHA-256 of the body. */
export interface LimitedCall {
  readonly name: string;
  readonly ratio: number;
  /** The most that it may be. */
  readonly limit: number;
}

const tokens = 100_000;
const rounds = 7;
const callsOfRound = 20;

const chat: LanguageModelV4Prompt = Array.from({ length: 220 }, (_, seed) =>
  turn(seed, 1300),
).flat();

const picture = Buffer.from(passage(3, 300_000)).toString('base64');
const pictures: LanguageModelV4Prompt = Array.from({ length: 10 }, (_, seed) => [
  ...withPicture(seed),
  ...turn(seed + 50, 900),
  ...turn(seed + 90, 900),
]).flat();

function withPicture(seed: number): LanguageModelV4Message[] {
  const data = { type: 'data' as const, data: picture.slice(4 * seed) };
  return [
    { role: 'user', content: [{ type: 'file', mediaType: 'image/png', data }] },
    { role: 'assistant', content: [{ type: 'text', text: passage(seed, 300) }] },
  ];
}

/** Processor time in microseconds: others on the machine take wall time only. */
async function processorTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  for (let call = 0; call < callsOfRound; call += 1) await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

async function ratioOf(prompt: LanguageModelV4Prompt): Promise<number> {
  const { wrap } = await summarized(prompt, 3 * tokens, 1);
  const body = JSON.stringify(continued(prompt, 78));
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const parsing = await processorTime(() => void JSON.parse(body));
    const hashing = await processorTime(() => createHash('sha256').update(body).digest('hex'));
    const all = await processorTime(() => wrap.prepare(JSON.parse(body)));
    ratios.push((all - parsing) / (parsing + hashing));
  }
  return Math.min(...ratios);
}

/** Measures calls of 100,000 tokens, or of ten pictures, against about half more than twice the time of `JSON.parse`. */
export async function limitedCalls(): Promise<readonly LimitedCall[]> {
  return [
    { name: 'an agent', ratio: await ratioOf(agentPrompt(tokens)), limit: 2 },
    { name: 'a chat', ratio: await ratioOf(chat), limit: 2 },
    { name: 'pictures', ratio: await ratioOf(pictures), limit: 1 },
  ];
}
