import { readdirSync, readFileSync } from 'node:fs';
import type { JSONValue, ModelMessage } from 'ai';
import { parse } from 'yaml';

const folder = new URL('./', import.meta.url);

/** What a message says, and how somebody who understands would put it. */
export interface Statement {
  /** Number of the message, from 0. */
  readonly at: number;
  /** Its words, exactly. */
  readonly words: string;
  /** @default the words */
  readonly as?: string | undefined;
}

type GivenMessage =
  | { readonly user: string }
  | { readonly assistant: string }
  /** A call of a tool: its name and its input as JSON. */
  | { readonly call: string }
  | { readonly result: string };

/** What holds in a conversation. */
interface Truth {
  readonly language: string;
  readonly domain: string;
  /** Rules of the user that hold at the end. */
  readonly rules: readonly Statement[];
  /** Rules that the message `by` ended, with its words. */
  readonly ended: readonly {
    readonly at: number;
    readonly words: string;
    readonly by: number;
    readonly ending: string;
  }[];
  /** What looks like a rule and is none: jokes, signs, texts to be written, what a tool says. */
  readonly lookalikes: readonly { readonly at: number; readonly words: string }[];
  /** Values that whoever goes on needs, each with a sentence that holds it. */
  readonly facts: readonly { readonly at: number; readonly value: string; readonly as: string }[];
  readonly decisions: readonly Statement[];
  readonly open: readonly Statement[];
}

/** A conversation and what holds in it. */
export interface Conversation extends Truth {
  readonly name: string;
  readonly messages: readonly ModelMessage[];
  /** What each message says, by number. */
  readonly texts: readonly string[];
}

/**
 * Reads `conversations/*.yaml`. In a message, a line `<<file 1-20>>` stands for these lines of a file of
 * `material/`.
 */
export function loadConversations(): readonly Conversation[] {
  return readdirSync(new URL('conversations', folder))
    .filter((file) => file.endsWith('.yaml'))
    .toSorted()
    .map((file) => {
      const given: Truth & { readonly messages: readonly GivenMessage[] } = {
        ended: [],
        ...parse(readFileSync(new URL(`conversations/${file}`, folder), 'utf8')),
      };
      const texts = given.messages.map((message) => withMaterial(Object.values(message).join('')));
      const name = file.replace('.yaml', '');
      return { ...given, name, messages: modelMessages(given.messages), texts };
    });
}

function modelMessages(given: readonly GivenMessage[]): readonly ModelMessage[] {
  const names: string[] = [];
  return given.map((message): ModelMessage => {
    if ('user' in message) return { role: 'user', content: withMaterial(message.user) };
    if ('assistant' in message)
      return { role: 'assistant', content: withMaterial(message.assistant) };
    if ('call' in message) {
      const [, toolName = '', input = ''] = /^(\w+) (.*)$/su.exec(message.call) ?? [];
      names.push(toolName);
      const toolCallId = `call-${names.length}`;
      const read: JSONValue = JSON.parse(input);
      return {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId, toolName, input: read }],
      };
    }
    const output = { type: 'text', value: withMaterial(message.result) } as const;
    const toolCallId = `call-${names.length}`;
    const toolName = names.at(-1) ?? '';
    return { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] };
  });
}

function withMaterial(text: string): string {
  return text.replaceAll(
    /^<<(?<file>[\w.-]+) (?<from>\d+)-(?<to>\d+)>>$/gmu,
    (_whole, file: string, from: string, to: string) => {
      const lines = readFileSync(new URL(`material/${file}`, folder), 'utf8')
        .trimEnd()
        .split('\n');
      return lines.slice(Number(from) - 1, Number(to)).join('\n');
    },
  );
}

/** A text of somebody else in a message of the user. */
export interface ForeignText {
  /** How it stands in the message. */
  readonly form: string;
  readonly language: string;
  /** A rule of the user, which stands in `ask`. */
  readonly own: string;
  readonly ask: string;
  readonly text: string;
  /** What looks like a rule in `text`. */
  readonly planted: string;
}

/** Reads `foreign-texts.yaml`. */
export function loadForeignTexts(): readonly ForeignText[] {
  return parse(readFileSync(new URL('foreign-texts.yaml', folder), 'utf8'));
}

/**
 * A conversation that opens with a text of somebody else and goes on about other things.
 *
 * @param isMarked - Whether the application says that the text is a document's.
 */
export function withForeignText(
  { form, ask, text }: ForeignText,
  around: Conversation,
  isMarked: boolean,
): readonly ModelMessage[] {
  const source = { providerOptions: { summarization: { source: 'document' } } };
  const opening: ModelMessage =
    form === 'second part' || isMarked
      ? {
          role: 'user',
          content: [
            { type: 'text', text: ask },
            { type: 'text', text, ...(isMarked ? source : {}) },
          ],
        }
      : { role: 'user', content: form === 'retrieval' ? `${text}\n\n${ask}` : `${ask}\n\n${text}` };
  const reply: ModelMessage = {
    role: 'assistant',
    content: around.texts.find((_text, at) => around.messages[at]?.role === 'assistant') ?? '',
  };
  return [opening, reply, ...around.messages];
}
