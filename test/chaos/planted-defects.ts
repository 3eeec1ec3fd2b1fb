import type { LanguageModelMiddleware } from 'ai';
// oxlint-disable-next-line no-restricted-imports -- what is planted there stands for mistakes inside
import type * as Documents from '../../src/state/document.ts';
import type { CallOptions, Prompt } from '../support/prompt-types.ts';
import { canary } from '../properties/generators/faults.ts';
import type { Message } from '../../src/index.ts';

/** What the package could do wrong. */
export interface PlantedDefect {
  readonly name: string;
  /** The check that is to notice it, by the beginning of its name. */
  readonly noticedBy: string;
  readonly plant: Plant;
}

/** A defect of the package, as a world can have it. */
export interface Plant {
  /** Stands between the middleware and the models. */
  readonly middleware?: LanguageModelMiddleware;
  /** Processes know nothing that their store does not tell them. */
  readonly forgets?: true;
  /** Nothing is erased. */
  readonly keepsErased?: true;
  /** All tenants are one. */
  readonly mixesTenants?: true;
  /** What is said of documents. */
  readonly documents?: (right: DocumentFunctions) => Partial<DocumentFunctions>;
}

/** The functions that documents are changed by, and claimed. */
export type DocumentFunctions = typeof Documents;

type Rewrite = (prompt: Prompt) => Prompt;

const isSummary = ({ content }: Message): boolean =>
  /\[summary-depth:\d\] [0-9a-f]{16}\\nUser constraints/.test(JSON.stringify(content));

function inPrompt(name: string, noticedBy: string, rewrite: Rewrite): PlantedDefect {
  return inCall(name, noticedBy, (params) => ({ ...params, prompt: rewrite(params.prompt) }));
}

function inCall(
  name: string,
  noticedBy: string,
  rewrite: (params: CallOptions) => CallOptions | Promise<CallOptions>,
): PlantedDefect {
  const transformParams = async ({ params }: { params: CallOptions }) => rewrite(params);
  return {
    name,
    noticedBy,
    plant: { middleware: { specificationVersion: 'v4', transformParams } },
  };
}

function inDocuments(
  name: string,
  noticedBy: string,
  documents: NonNullable<Plant['documents']>,
): PlantedDefect {
  return { name, noticedBy, plant: { documents } };
}

/** Only prompts with a summary, in which a defect of composing would stand. */
const ifSummarised =
  (rewrite: Rewrite): Rewrite =>
  (prompt) =>
    prompt.some(isSummary) ? rewrite(prompt) : prompt;

let former: Message | undefined;

/** Defects, each of which stands for a kind that a check was written against. */
export const plantedDefects: readonly PlantedDefect[] = [
  inPrompt(
    'loses the message behind the summary',
    'P1 to P18',
    ifSummarised((prompt) => {
      const at = prompt.findIndex(isSummary);
      return prompt.filter((_, index) => index !== at + 1);
    }),
  ),
  inPrompt('loses the last message', 'P1 to P18', (prompt) =>
    prompt.length > 3 ? prompt.slice(0, -1) : prompt,
  ),
  inPrompt(
    'sends a message twice',
    'P1 to P18',
    ifSummarised((prompt) => [...prompt, ...prompt.slice(-1)]),
  ),
  inPrompt('turns two messages round', 'P1 to P18', (prompt) =>
    prompt.length > 3 ? [...prompt.slice(0, -2), ...prompt.slice(-2).toReversed()] : prompt,
  ),
  inPrompt('copies messages', 'P24', (prompt) =>
    prompt.some(isSummary) ? prompt : prompt.map((message) => ({ ...message })),
  ),
  inPrompt(
    'puts the summary last',
    'P1 to P18',
    ifSummarised((prompt) => [
      ...prompt.filter((message) => !isSummary(message)),
      ...prompt.filter(isSummary),
    ]),
  ),
  inPrompt(
    'sends the summary of another call',
    'P16',
    ifSummarised((prompt) => {
      const mine = prompt.find(isSummary);
      const other = former;
      former = mine;
      return prompt.map((message) => (message === mine ? (other ?? message) : message));
    }),
  ),
  inPrompt('sends the text of an error', 'P33', (prompt) => [
    { role: 'system', content: canary },
    ...prompt,
  ]),
  inPrompt(
    'sends a blank message',
    'P1 to P18',
    ifSummarised((prompt) => [...prompt, { role: 'user', content: [{ type: 'text', text: ' ' }] }]),
  ),
  inCall('leaves its options in', 'P4', (params) => ({
    ...params,
    providerOptions: { summarization: { force: true } },
  })),
  inCall('adds a setting', 'P4', (params) => ({ ...params, temperature: 0 })),
  inCall('leaves a listener', 'P50', (params) => {
    params.abortSignal?.addEventListener('abort', () => {});
    return params;
  }),
  inCall('waits for the clock', 'P66', async (params) => {
    await new Promise((resolve) => {
      setTimeout(resolve, 70_000);
    });
    return params;
  }),
  inCall('throws', 'P32', () => {
    throw new Error('planted');
  }),
  inCall('rejects beside the call', 'P54', (params) => {
    void Promise.reject(new Error('planted'));
    return params;
  }),
  inPrompt('sends more than fits', 'P61', (prompt) => [
    ...prompt,
    { role: 'user', content: [{ type: 'text', text: 'more '.repeat(5000) }] },
  ]),
  inCall('heeds no abort', 'P34', async (params) => {
    await new Promise((resolve) => {
      setTimeout(resolve, 200);
    });
    return params;
  }),
  { name: 'forgets', noticedBy: 'P63', plant: { forgets: true } },
  { name: 'keeps what is erased', noticedBy: 'P49', plant: { keepsErased: true } },
  { name: 'mixes tenants', noticedBy: 'P16', plant: { mixesTenants: true } },
  inDocuments('brings together what is erased and what was', 'P49', ({ union }) => ({
    union: (stored, mine) => union({ ...stored, epoch: mine.epoch }, mine),
  })),
  inDocuments('erases no record, and says that it has', 'P49', ({ erased }) => ({
    erased: (document, ...more) => {
      const result = erased(document, ...more);
      return { ...result, document: { ...result.document, records: document.records } };
    },
  })),
  inDocuments('keeps what was begun before an erasure', 'P49', ({ saved }) => ({
    saved: (document, made, terms) => saved(document, made, { ...terms, since: undefined }),
    isErasedSince: () => false,
  })),
  inDocuments('forgets the newest of two records', 'P63', ({ tidied }) => ({
    tidied: (document, now, bounds) => {
      const tidy = tidied(document, now, bounds);
      return tidy.records.length > 1 ? { ...tidy, records: tidy.records.slice(0, -1) } : tidy;
    },
  })),
  inDocuments('lets two have a claim', 'P63', () => ({ livingClaims: () => [] })),
  inDocuments('says in no document what it writes', 'P63', () => ({
    claimed: (document) => document,
  })),
  inDocuments('saves nothing', 'P63', () => ({
    saved: (document, kept) => ({ document, kept }),
  })),
];
