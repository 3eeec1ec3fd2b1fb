import type { LanguageModelMiddleware } from 'ai';
import type { Message } from '../../src/index.ts';
import { user } from '../support/prompt-messages.ts';
import type { CallOptions, Prompt } from '../support/prompt-types.ts';

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
}

const isSummary = ({ content }: Message): boolean =>
  /\[summary-depth:\d\] [0-9a-f]{8}\\nUser constraints/.test(JSON.stringify(content));

type Rewrite = (params: CallOptions) => CallOptions | Promise<CallOptions>;

const calling = (rewrite: Rewrite): Plant => ({
  middleware: {
    specificationVersion: 'v4',
    transformParams: async ({ params }) => rewrite(params),
  },
});

const rewriting = (rewrite: (prompt: Prompt) => Prompt): Plant =>
  calling((params) => ({ ...params, prompt: rewrite(params.prompt) }));

const pause = async (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

let former: Message | undefined;

/** What the package could do wrong, and the check that is to notice it, of those that could grow blind unseen. */
export const plantedDefects: readonly (readonly [name: string, noticedBy: string, Plant])[] = [
  [
    'loses the message behind the summary',
    'P1 to P18',
    rewriting((prompt) => {
      const at = prompt.findIndex(isSummary);
      return at === -1 ? prompt : prompt.toSpliced(at + 1, 1);
    }),
  ],
  [
    'sends the summary of another call',
    'P16',
    rewriting((prompt) => {
      const mine = prompt.find(isSummary);
      if (mine === undefined) return prompt;
      const other = former ?? mine;
      former = mine;
      return prompt.map((message) => (message === mine ? other : message));
    }),
  ],
  [
    'copies messages',
    'P24',
    rewriting((prompt) =>
      prompt.some(isSummary) ? prompt : prompt.map((message) => ({ ...message })),
    ),
  ],
  ['sends more than fits', 'P61', rewriting((prompt) => [...prompt, user('more '.repeat(5000))])],
  ['adds a setting', 'P4', calling((params) => ({ ...params, temperature: 0 }))],
  ['heeds no abort', 'P34', calling(async (params) => pause(200).then(() => params))],
  ['waits for the clock', 'P66', calling(async (params) => pause(70_000).then(() => params))],
  [
    'throws',
    'P32',
    calling(() => {
      throw new Error('planted');
    }),
  ],
  ['forgets', 'P63', { forgets: true }],
  ['keeps what is erased', 'P49', { keepsErased: true }],
  ['mixes tenants', 'P16', { mixesTenants: true }],
];
