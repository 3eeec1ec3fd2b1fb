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

const isSummary = ({ content }: Message): boolean =>
  /\[summary-depth:\d\] [0-9a-f]{16}\\nUser constraints/.test(JSON.stringify(content));

type Rewrite = (params: CallOptions) => CallOptions | Promise<CallOptions>;

function inCall(name: string, noticedBy: string, rewrite: Rewrite): PlantedDefect {
  const transformParams = async ({ params }: { params: CallOptions }) => rewrite(params);
  return {
    name,
    noticedBy,
    plant: { middleware: { specificationVersion: 'v4', transformParams } },
  };
}

function inPrompt(
  name: string,
  noticedBy: string,
  rewrite: (prompt: Prompt) => Prompt,
): PlantedDefect {
  return inCall(name, noticedBy, (params) => ({ ...params, prompt: rewrite(params.prompt) }));
}

function inDocuments(
  name: string,
  noticedBy: string,
  documents: NonNullable<Plant['documents']>,
): PlantedDefect {
  return { name, noticedBy, plant: { documents } };
}

const says = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const pause = async (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

let former: Message | undefined;

/** Defects, one for each check, and two for those of the state. */
export const plantedDefects: readonly PlantedDefect[] = [
  inPrompt('loses the message behind the summary', 'P1 to P18', (prompt) => {
    const at = prompt.findIndex(isSummary);
    return at === -1 ? prompt : prompt.toSpliced(at + 1, 1);
  }),
  inPrompt('copies messages', 'P24', (prompt) =>
    prompt.some(isSummary) ? prompt : prompt.map((message) => ({ ...message })),
  ),
  inPrompt('sends the summary of another call', 'P16', (prompt) => {
    const mine = prompt.find(isSummary);
    if (mine === undefined) return prompt;
    const other = former ?? mine;
    former = mine;
    return prompt.map((message) => (message === mine ? other : message));
  }),
  inPrompt('sends the text of an error', 'P33', (prompt) => [
    { role: 'system', content: canary },
    ...prompt,
  ]),
  inPrompt('sends more than fits', 'P61', (prompt) => [...prompt, says('more '.repeat(5000))]),
  inCall('adds a setting', 'P4', (params) => ({ ...params, temperature: 0 })),
  inCall('leaves a listener', 'P50', (params) => {
    params.abortSignal?.addEventListener('abort', () => {});
    return params;
  }),
  inCall('waits for the clock', 'P66', async (params) => pause(70_000).then(() => params)),
  inCall('heeds no abort', 'P34', async (params) => pause(200).then(() => params)),
  inCall('throws', 'P32', () => {
    throw new Error('planted');
  }),
  inCall('rejects beside the call', 'P54', (params) => {
    void Promise.reject(new Error('planted'));
    return params;
  }),
  { name: 'forgets', noticedBy: 'P63', plant: { forgets: true } },
  { name: 'keeps what is erased', noticedBy: 'P49', plant: { keepsErased: true } },
  { name: 'mixes tenants', noticedBy: 'P16', plant: { mixesTenants: true } },
  inDocuments('brings together what is erased and what was', 'P49', ({ union }) => ({
    union: (stored, mine) => union({ ...stored, epoch: mine.epoch }, mine),
  })),
  inDocuments('keeps what was begun before an erasure', 'P49', ({ union }) => ({
    union: (stored, mine) => {
      const epoch = stored.epoch > mine.epoch ? stored.epoch : mine.epoch;
      return union({ ...stored, epoch }, { ...mine, epoch });
    },
    isErasedSince: () => false,
  })),
  inDocuments('lets two have a claim', 'P63', () => ({ livingClaims: () => [] })),
  inDocuments('saves nothing', 'P63', () => ({
    saved: (document) => document,
  })),
];
