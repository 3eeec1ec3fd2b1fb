import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider';
import { asObject, readShownRecord, type KnownRecord } from './known-record.ts';
import type { Turn } from './reading.ts';

const envelope = /\[summary-depth:\d+\][^]*?\[\/summary-depth:\d+\]/;

/** Reads what a prompt holds: the summary record, wherever it stands, and the messages that are visible. */
export function readPrompt(prompt: LanguageModelV4Prompt): {
  readonly record: KnownRecord;
  readonly turns: readonly Turn[];
} {
  const given = prompt.flatMap(readMessage);
  const summary = given.map(({ text }) => envelope.exec(text)?.[0]).find(Boolean);
  return {
    record: readShownRecord(summary ?? ''),
    turns: given
      .filter(({ role }) => role !== 'system')
      .map(({ role, text, calls }): Turn => ({ role, text: text.replace(envelope, ''), calls })),
  };
}

/** One turn for a message, one for each result of a tool message. */
function readMessage(message: LanguageModelV4Message): Turn[] {
  const { role, content } = message;
  if (role === 'system') return [{ role, text: content, calls: [] }];
  const texts = content.flatMap((part) => (part.type === 'text' ? part.text : []));
  const calls = content.flatMap((part) =>
    part.type === 'tool-call' ? { name: part.toolName, input: asObject(part.input) } : [],
  );
  const results = content.flatMap((part): Turn[] => {
    if (part.type !== 'tool-result' || !('value' in part.output)) return [];
    const { value } = part.output;
    return [{ role, text: outputText(value), calls: [] }];
  });
  return role === 'tool' ? results : [{ role, text: texts.join('\n'), calls }];
}

/** Output of a tool: a text, passages of an archive, or any JSON. */
function outputText(value: unknown): string {
  if (typeof value === 'string') return value;
  const { passages } = asObject(value);
  return Array.isArray(passages)
    ? passages.map((passage: unknown) => String(asObject(passage)['text'])).join('\n')
    : JSON.stringify(value);
}
