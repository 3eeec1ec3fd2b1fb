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

/** Headings of a summary by the names of what stands under them. */
const headings: Readonly<Record<string, string>> = {
  Constraints: 'constraints',
  'Ended constraints': 'endedConstraints',
  Decisions: 'decisions',
  'Action items': 'actionItems',
  Unresolved: 'unresolved',
  'Key points': 'keyPoints',
  Summary: 'summary',
  Plan: 'plan',
  Activity: 'activity',
  'User messages': 'userMessages',
  'Said by the user': 'userQuotes',
  Participants: 'participants',
  Entities: 'domainEntities',
};

/** What the summary in a prompt says, by heading: the lines of lists, other texts as one. */
export function summarySections(prompt: LanguageModelV4Prompt): Record<string, unknown> {
  const text = summaryOf(prompt);
  if (text === undefined) throw new Error('The prompt holds no summary.');
  const body = text.slice(text.indexOf('[summary-depth:')).split('\n').slice(2);
  const sections = new Map<string, string[]>();
  let lines: string[] = [];
  for (const line of body) {
    if (line.startsWith('[/summary-depth:')) break;
    const heading = /^# (.*)$/.exec(line)?.[1];
    if (heading === undefined) lines.push(line);
    else sections.set(headings[heading] ?? heading, (lines = []));
  }
  const asText = new Set(['summary', 'plan', 'activity']);
  return Object.fromEntries(
    [...sections].map(([name, all]) => [name, asText.has(name) ? all.join('\n') : all]),
  );
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
