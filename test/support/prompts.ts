import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { MockLanguageModelV4 } from 'ai/test';

/** The prompts that reached a model, generate and stream calls in their order. */
export function promptsOf(model: MockLanguageModelV4): LanguageModelV4Prompt[] {
  return [...model.doGenerateCalls, ...model.doStreamCalls].map(({ prompt }) => prompt);
}

/** The last prompt that reached a model. */
export function lastPrompt(model: MockLanguageModelV4): LanguageModelV4Prompt {
  const prompt = promptsOf(model).at(-1);
  if (prompt === undefined) throw new Error('The model was not called.');
  return prompt;
}

/** A message's text. */
export function textOf(message: LanguageModelV4Message | undefined): string {
  if (message === undefined) return '';
  if (typeof message.content === 'string') return message.content;
  return message.content
    .map((part) => {
      if (part.type === 'text') return part.text;
      return part.type === 'tool-result' && 'value' in part.output
        ? JSON.stringify(part.output.value)
        : '';
    })
    .join('');
}

/** The rendered summary in a prompt, if there is one. */
export function summaryOf(prompt: LanguageModelV4Prompt): string | undefined {
  return prompt.map(textOf).find((text) => text.includes('[summary-depth:'));
}

/** The JSON of the summary in a prompt. */
export function summaryJson(prompt: LanguageModelV4Prompt): Record<string, unknown> {
  const line = summaryOf(prompt)
    ?.split('\n')
    .find((candidate) => candidate.startsWith('{'));
  if (line === undefined) throw new Error('The prompt holds no summary.');
  const parsed: unknown = JSON.parse(line);
  if (typeof parsed !== 'object' || parsed === null) throw new Error('The summary is no object.');
  return { ...parsed };
}

/** Roles of a prompt, one letter each, the summary as `S` when it stands alone. */
export function shapeOf(prompt: LanguageModelV4Prompt): string {
  return prompt
    .map((message) =>
      message.role === 'system' && textOf(message).startsWith('[summary-depth:')
        ? 'S'
        : message.role.charAt(0),
    )
    .join('');
}
