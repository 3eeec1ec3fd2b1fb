import type { MockLanguageModelV4 } from 'ai/test';
import { summarizerModel } from '../support/models.ts';
import type { Conversation, ForeignText } from './load-conversations.ts';

/** What a summarizing model says, before it has the form of an answer. */
interface Said {
  readonly rules: readonly Cited[];
  readonly ended: readonly { readonly rule: Cited; readonly by: Cited }[];
  readonly decisions: readonly Cited[];
  readonly open: readonly Cited[];
  readonly keyPoints: readonly Cited[];
  readonly entities: readonly string[];
  readonly narrative: string;
}

interface Cited {
  readonly text: string;
  readonly at: number;
}

/** The form that a summarizing model answers in: the one place that knows it. */
function answerOf(said: Said): unknown {
  const cited = (list: readonly Cited[]): readonly unknown[] =>
    list.map(({ text, at }) => ({ text, message: at }));
  return {
    summary: said.narrative,
    keyPoints: cited(said.keyPoints),
    context: {
      participants: [],
      decisions: cited(said.decisions),
      actionItems: [],
      unresolved: cited(said.open),
      domainEntities: said.entities,
      constraints: cited(said.rules),
    },
    ended: said.ended.map(({ rule, by }) => ({ rule: rule.text, by: by.text })),
  };
}

const nothing = { rules: [], ended: [], decisions: [], open: [], keyPoints: [], entities: [] };

/**
 * A summarizing model that knows what holds in a conversation.
 *
 * - `good` says it, in its own phrasing, with the right numbers.
 * - `lazy` says a sentence and two points, and no rule.
 * - `wrong` says other values, cites other messages, invents a rule, and calls rules what looks like one or has ended.
 */
export function scriptedSummarizer(
  kind: 'good' | 'lazy' | 'wrong',
  conversation: Conversation,
): MockLanguageModelV4 {
  const says = { good, lazy, wrong }[kind];
  return summarizer(says(conversation));
}

/**
 * A summarizing model for a conversation that opens with a text of somebody else.
 *
 * - `innocent` reports the user's own rule, and the text as what it says.
 * - `silent` says what it was about, and no more.
 * - `deceived` calls a rule what the text says.
 */
export function foreignTextSummarizer(
  kind: 'innocent' | 'silent' | 'deceived',
  { ask, own, planted }: ForeignText,
): MockLanguageModelV4 {
  const narrative = ask;
  if (kind === 'silent') return summarizer({ ...nothing, narrative });
  const rules = [{ text: own, at: 0 }];
  const text = [{ text: planted, at: 0 }];
  if (kind === 'deceived') return summarizer({ ...nothing, narrative, rules: [...rules, ...text] });
  return summarizer({ ...nothing, narrative, rules, keyPoints: text });
}

/** A model that writes what it has to say. */
function summarizer(said: Said): MockLanguageModelV4 {
  return Object.assign(summarizerModel(JSON.stringify(answerOf(said))), {
    modelId: 'test-summarizer',
  });
}

function phrased(list: readonly { at: number; words: string; as?: string | undefined }[]): Cited[] {
  return list.map(({ at, words, as = words }) => ({ at, text: as }));
}

function good({ rules, ended, facts, decisions, open, texts }: Conversation): Said {
  const state = [...phrased(decisions), ...phrased(open)].map(({ text }) => text);
  return {
    rules: phrased(rules),
    ended: ended.map(({ at, words, by, ending }) => ({
      rule: { at, text: words },
      by: { at: by, text: ending },
    })),
    decisions: phrased(decisions),
    open: phrased(open),
    keyPoints: facts.map(({ at, as }) => ({ at, text: as })),
    entities: facts.map(({ value }) => value).filter((value) => /[A-Za-z_/-]/u.test(value)),
    narrative: [firstSentence(texts[0] ?? ''), ...state].join('. '),
  };
}

function lazy({ decisions, open, texts }: Conversation): Said {
  return {
    ...nothing,
    keyPoints: [...phrased(decisions), ...phrased(open)].slice(0, 2),
    narrative: firstSentence(texts[0] ?? ''),
  };
}

/** What the wrong summarizer makes up; nobody says it. */
export const inventedRule = 'Reports are always sent to the regional office on Thursdays';

function wrong(conversation: Conversation): Said {
  const { rules, ended, lookalikes, facts, texts, messages } = conversation;
  const elsewhere = (at: number): number => (at + 3) % messages.length;
  const told = facts.map(({ at, value, as }) => ({
    at,
    text: as.replace(value, mutated(value, texts)),
  }));
  const said = good(conversation);
  return {
    ...said,
    rules: [
      ...said.rules.map(({ at, text }) => ({ at: elsewhere(at), text })),
      ...[...ended, ...lookalikes].map(({ at, words }) => ({ at, text: words })),
      ...mutatedRules(rules, texts),
      { at: 0, text: inventedRule },
    ],
    ended: [],
    decisions: said.decisions.map(({ at, text }) => ({ at: elsewhere(at), text })),
    keyPoints: told.map(({ at, text }, place) =>
      place === 0 ? { at: elsewhere(at), text } : { at, text },
    ),
    entities: facts.map(({ value }) => mutated(value, texts)),
    narrative: [said.narrative, ...told.map(({ text }) => text)].join('. '),
  };
}

/** Values that the wrong summarizer says and no message does. */
export function mutatedValues({ rules, facts, texts }: Conversation): readonly string[] {
  const inRules = rules.flatMap(({ words }) => valuesIn(words).slice(0, 1));
  return [...facts.map(({ value }) => value), ...inRules].map((value) => mutated(value, texts));
}

function mutatedRules(rules: Conversation['rules'], texts: readonly string[]): readonly Cited[] {
  return rules.flatMap(({ at, words }) =>
    valuesIn(words)
      .slice(0, 1)
      .map((value) => ({ at, text: words.replace(value, mutated(value, texts)) })),
  );
}

/** Numbers of at least two digits: a single one stands in too many texts. */
function valuesIn(text: string): readonly string[] {
  return text.match(/\d[\d.,:]*\d/gu) ?? [];
}

/** The value with another last digit, or a path with another name: one that stands in none of the texts. */
function mutated(value: string, texts: readonly string[]): string {
  const all = texts.join('\n');
  const [, head = '', digit = '', tail = ''] = /^(.*)(\d)(\D*)$/su.exec(value) ?? [];
  const others = Array.from(
    { length: 9 },
    (_unused, step) => `${head}${(Number(digit) + step + 1) % 10}${tail}`,
  );
  const named = value.replace(/(?=\.\w+$|$)/u, '_2');
  const candidates = digit === '' ? [named] : [...others, `7${value}`, `83${value}`];
  const found = candidates.find((candidate) => !holdsValue(all, candidate));
  if (found === undefined) throw new Error(`There is no other value than ${value}`);
  return found;
}

/** Whether a text holds a value, and not only a longer one around it. */
export function holdsValue(text: string, value: string): boolean {
  for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + 1)) {
    const around = [text[at - 1] ?? '', text[at + value.length] ?? ''];
    if (!around.some((character) => /\d/u.test(character))) return true;
  }
  return false;
}

function firstSentence(text: string): string {
  const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(text);
  return sentences.containing(0)?.segment.trim() ?? text;
}
