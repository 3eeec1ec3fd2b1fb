import { readdirSync, readFileSync } from 'node:fs';
import type { JSONValue, ModelMessage } from 'ai';
import { parse } from 'yaml';
import { z } from 'zod';

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

const number = z.int().min(0);
const said = z.string().min(1);
const statement = z.strictObject({ at: number, words: said, as: said.optional() });
const conversationSchema: z.ZodType<Truth & { readonly messages: readonly GivenMessage[] }> =
  z.strictObject({
    language: said,
    domain: said,
    messages: z
      .array(
        z.union([
          z.strictObject({ user: said }),
          z.strictObject({ assistant: said }),
          z.strictObject({ call: z.string().regex(/^\w+ \{.*\}$/su) }),
          z.strictObject({ result: said }),
        ]),
      )
      .min(12)
      .max(40),
    rules: z.array(statement).min(1),
    ended: z
      .array(z.strictObject({ at: number, words: said, by: number, ending: said }))
      .default([]),
    lookalikes: z.array(z.strictObject({ at: number, words: said })).min(1),
    facts: z.array(z.strictObject({ at: number, value: said, as: said })).min(1),
    decisions: z.array(statement).min(1),
    open: z.array(statement).min(1),
  });

/**
 * Reads `conversations/*.yaml`. In a message, a line `<<file 1-20>>` stands for these lines of a file of
 * `material/`.
 *
 * @throws Where a file has another form, or cites what its message does not say.
 */
export function loadConversations(): readonly Conversation[] {
  return readdirSync(new URL('conversations', folder))
    .filter((file) => file.endsWith('.yaml'))
    .toSorted()
    .map((file) => {
      const name = file.replace('.yaml', '');
      const given = conversationSchema.parse(
        parse(readFileSync(new URL(`conversations/${file}`, folder), 'utf8')),
        { error: () => `in ${file}` },
      );
      const messages = modelMessages(given.messages);
      const texts = given.messages.map((message) => withMaterial(Object.values(message).join('')));
      const conversation = { ...given, name, messages, texts };
      checkCitations(conversation);
      return conversation;
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
      if (Number(to) > lines.length) throw new Error(`${file} has no line ${to}`);
      return lines.slice(Number(from) - 1, Number(to)).join('\n');
    },
  );
}

function checkCitations(conversation: Conversation): void {
  const { name, texts, messages, rules, ended, lookalikes, facts, decisions, open } = conversation;
  const check = (place: number, cited: string, byUser: boolean): void => {
    const isUsers = messages[place]?.role === 'user';
    if (oneLine(texts[place] ?? '').includes(oneLine(cited)) && (isUsers || !byUser)) return;
    throw new Error(
      `${name}: message ${place} does not say "${cited}"${byUser ? ", or is not the user's" : ''}`,
    );
  };
  for (const rule of rules) check(rule.at, rule.words, true);
  for (const rule of ended) {
    check(rule.at, rule.words, true);
    check(rule.by, rule.ending, true);
    if (rule.by <= rule.at)
      throw new Error(`${name}: message ${rule.by} cannot end "${rule.words}"`);
  }
  for (const other of [...lookalikes, ...decisions, ...open]) check(other.at, other.words, false);
  for (const fact of facts) {
    check(fact.at, fact.value, false);
    if (!fact.as.includes(fact.value)) throw new Error(`${name}: "${fact.as}" lacks ${fact.value}`);
  }
  for (const [place, { role }] of messages.entries()) {
    const before = messages[place - 1];
    const isAfterCall = before?.role === 'assistant' && typeof before.content !== 'string';
    if ((role === 'tool') !== isAfterCall)
      throw new Error(`${name}: message ${place} answers no call, or its call has no answer`);
  }
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}

const forms = [
  'retrieval',
  'second part',
  'forwarded mail',
  'search JSON',
  'triple quotes',
  'quoted lines',
] as const;

/** A text of somebody else in a message of the user. */
export interface ForeignText {
  readonly form: (typeof forms)[number];
  readonly language: string;
  /** A rule of the user, which stands in `ask`. */
  readonly own: string;
  readonly ask: string;
  readonly text: string;
  /** What looks like a rule in `text`. */
  readonly planted: string;
}

const foreignSchema: z.ZodType<readonly ForeignText[]> = z.array(
  z.strictObject({
    form: z.enum(forms),
    language: said,
    own: said,
    ask: said,
    text: said,
    planted: said,
  }),
);

/**
 * Reads `foreign-texts.yaml`.
 *
 * @throws Where it has another form, or cites what its texts do not say.
 */
export function loadForeignTexts(): readonly ForeignText[] {
  const texts = foreignSchema.parse(
    parse(readFileSync(new URL('foreign-texts.yaml', folder), 'utf8')),
  );
  for (const { own, ask, text, planted } of texts) {
    if (!ask.includes(own)) throw new Error(`"${ask}" does not say "${own}"`);
    if (!text.includes(planted)) throw new Error(`"${text}" does not say "${planted}"`);
  }
  return texts;
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
