import type { SummaryInput, SummaryOutput, SummaryStrategy, Message } from '../../src/index.ts';
import { canary } from '../properties/generators/faults.ts';
import { hostileFragments } from '../properties/generators/texts.ts';
import { untyped } from '../support/untyped.ts';

/** What may be wrong with a summarizer. */
export const summarizerFaults = [
  'throws',
  'throws text',
  'hangs',
  'takes 5 s',
  'takes 30 s and throws',
  'answers nothing',
  'answers blanks',
  'answers without context',
  'writes too much',
  'writes hostile texts',
] as const;

/** What is wrong with a summarizer, if anything. */
export type SummarizerFault = 'none' | (typeof summarizerFaults)[number];

/** What a summary stands for: its own messages behind those of the one before. */
export interface Witness {
  readonly tenant: string;
  readonly messages: readonly Message[];
  readonly parent: Witness | undefined;
  /** Messages that the record before stands for, where rules have written it: its narrative may stand for less. */
  readonly behindRules: number | undefined;
}

/** A strategy whose texts name what they stand for, and in which something can be wrong. */
export interface FaultyStrategy extends SummaryStrategy {
  fault: SummarizerFault;
  /** By the number in the text `S<number>.` of a narrative. */
  readonly witnesses: readonly Witness[];
}

/** Makes the strategy that all processes of a world share. */
export function faultyStrategy(): FaultyStrategy {
  const witnesses: Witness[] = [];
  /** The number of a summary: of two the later one has been begun later. */
  const begin = ({ previous, messages, namespace = '' }: SummaryInput): number => {
    const parent = witnessOf(previous?.summary ?? '', witnesses);
    const behindRules = previous?.degraded === true ? previous.coveredMessages : undefined;
    return witnesses.push({ tenant: namespace, messages, parent, behindRules }) - 1;
  };
  const write = (number: number, fault: SummarizerFault): SummaryOutput => {
    const hostile = fault === 'writes hostile texts' ? hostileFragments : [];
    const summary = `S${number}. ${hostile.join(' ')}`;
    const long = fault === 'writes too much' ? Array(30).fill('too much '.repeat(200)) : [];
    const list = [...hostile, ...long];
    return {
      content: {
        summary,
        keyPoints: list,
        context: {
          participants: list,
          decisions: list,
          actionItems: list.map((task) => ({ task })),
          unresolved: list,
          domainEntities: list,
          constraints: [],
        },
      },
      usage: { inputTokens: 1, outputTokens: 1 },
    };
  };
  const strategy: FaultyStrategy = {
    name: 'witness',
    fault: 'none',
    witnesses,
    summarize: async (input) => {
      const { fault } = strategy;
      const number = begin(input);
      if (fault === 'throws') throw new Error(canary);
      if (fault === 'throws text') throw untyped<Error>(canary);
      if (fault === 'hangs') return new Promise(() => {});
      if (fault.startsWith('takes'))
        await new Promise((resolve) => {
          setTimeout(resolve, fault === 'takes 5 s' ? 5000 : 30_000);
        });
      if (fault.endsWith('and throws')) throw new Error(canary);
      if (fault === 'answers nothing') return untyped(undefined);
      const output = write(number, fault);
      if (fault === 'answers blanks')
        return { ...output, content: { ...output.content, summary: ' \n' } };
      if (fault === 'answers without context') return untyped({ content: { summary: canary } });
      return output;
    },
  };
  return strategy;
}

/** What the narrative in a text stands for, if it still says so. */
export function witnessOf(text: string, witnesses: readonly Witness[]): Witness | undefined {
  const number = /\bS(\d+)\./.exec(text)?.[1];
  return number === undefined ? undefined : witnesses[Number(number)];
}

/**
 * What a summary stands for, from the beginning of its conversation: the texts of messages, and `undefined` for those
 * that only rules have read.
 */
export function witnessedTexts(
  { messages, parent, behindRules }: Witness,
  textOf: (message: Message) => string | undefined,
): readonly (string | undefined)[] {
  const before = parent === undefined ? [] : witnessedTexts(parent, textOf);
  const gap = Math.max(0, (behindRules ?? before.length) - before.length);
  const own = messages.map((message) => textOf(message)).filter((text) => text !== undefined);
  return [...before, ...Array<undefined>(gap), ...own];
}
