import { readdirSync, readFileSync } from 'node:fs';
import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider';

/** Characters a token of this text takes, about; the sizes of the table are chosen by it. */
const charactersPerToken = 4.2;

const root = new URL('../../', import.meta.url);

/** The project's own texts: prose, code and JSON, as agents read them. */
export const material: string = ['README.md', 'CONTRIBUTING.md', 'package-lock.json']
  .map((name) => readFileSync(new URL(name, root), 'utf8').slice(0, 60_000))
  .concat(
    readdirSync(new URL('src/', root), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .toSorted()
      .map((name) => readFileSync(new URL(`src/${name}`, root), 'utf8')),
  )
  .join('\n');

/** `length` characters of the material, from a place of their own. */
export function passage(seed: number, length: number): string {
  const start = (seed * 7919) % material.length;
  let text = `${seed}: ${material.slice(start, start + length)}`;
  while (text.length < length) text += material;
  return text.slice(0, length);
}

/**
 * An agent's conversation of about `tokens` tokens: a system message, user turns, answers, tool calls
 * with results of 200 to 12,000 characters. Ends with a tool result or a user message.
 */
export function agentPrompt(tokens: number, seed = 0): LanguageModelV4Prompt {
  const prompt: LanguageModelV4Prompt = [
    { role: 'system', content: passage(seed, 1200) },
    { role: 'user', content: [{ type: 'text', text: passage(seed + 1, 400) }] },
    { role: 'assistant', content: [{ type: 'text', text: passage(seed + 2, 300) }] },
  ];
  const sizes = [200, 1500, 4000, 800, 12_000, 2500, 600];
  let left = tokens * charactersPerToken - 1900;
  for (let step = 3; left > 0; step += 1) {
    const size = Math.min(left, sizes[step % sizes.length] ?? 0);
    const added = step % 9 === 0 ? turn(seed + step, size) : toolStep(seed + step, size);
    prompt.push(...added);
    left -= size + 180;
  }
  return prompt;
}

/** A user turn and its answer. */
export function turn(seed: number, size: number): LanguageModelV4Message[] {
  return [
    { role: 'user', content: [{ type: 'text', text: passage(seed, Math.min(size, 600)) }] },
    { role: 'assistant', content: [{ type: 'text', text: passage(seed + 500, size) }] },
  ];
}

/** A tool call and its result. */
export function toolStep(seed: number, size: number): LanguageModelV4Message[] {
  const toolCallId = `call_${seed}`;
  const toolName = 'read_file';
  return [
    {
      role: 'assistant',
      content: [
        { type: 'text', text: passage(seed + 900, 100) },
        { type: 'tool-call', toolCallId, toolName, input: { path: `src/${seed}.ts`, limit: 200 } },
      ],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId,
          toolName,
          output: { type: 'text', value: passage(seed, size) },
        },
      ],
    },
  ];
}
