import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import { callCounter, measureWith, type TokenMeasure } from '../../../src/sizing/token-measure.ts';
import * as sent from '../../support/prompt-messages.ts';
import { words } from '../../support/messages.ts';
import { plainRates } from '../../../src/sizing/calibration.ts';

/** One step of a conversation: what somebody says or a tool prints, and how many words of it. */
export interface Said {
  readonly kind: 'user' | 'answer' | 'tool';
  readonly words: number;
}

/** Writes a conversation of numbered steps, so that each text is found again in a prompt. */
export function historyPrompt(steps: readonly Said[]): LanguageModelV4Prompt {
  return steps.flatMap((step, index): LanguageModelV4Prompt => {
    const text = textOf(step, index);
    const id = `call_${index}`;
    if (step.kind === 'tool')
      return [
        sent.assistant('', sent.call(id, { input: { path: `${index}.ts` } })),
        { role: 'tool', content: [sent.result(id, text)] },
      ];
    return step.kind === 'user' ? [sent.user(text)] : [sent.assistant(text)];
  });
}

function textOf(step: Said, index: number): string {
  return `${factOf(index)}: ${words(index, step.words)}`;
}

/** What only one step says. */
export function factOf(index: number): string {
  return `fact-${index}-${index * 7919}`;
}

/** Counts as the middleware does. */
export async function testMeasure(): Promise<TokenMeasure> {
  return measureWith(
    await callCounter({}, { provider: 'openai.responses', modelId: 'gpt-test' }),
    plainRates(1),
  );
}

/** Share of a prompt's bytes that the next one has at its beginning and, behind one change, once more. */
export function keptBytes(before: LanguageModelV4Prompt, after: LanguageModelV4Prompt): number {
  const [old, next] = [bytesOf(before), bytesOf(after)];
  let prefix = 0;
  while (prefix < Math.min(old.length, next.length) && old[prefix] === next[prefix]) prefix += 1;
  let low = 0;
  let high = old.length - prefix;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (next.indexOf(old.slice(old.length - middle), prefix) === -1) high = middle - 1;
    else low = middle;
  }
  return (prefix + low) / old.length;
}

function bytesOf(prompt: LanguageModelV4Prompt): string {
  return prompt.map((message) => JSON.stringify(message)).join('');
}
