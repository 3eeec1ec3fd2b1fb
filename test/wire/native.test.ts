import { generateText, streamText, wrapLanguageModel, type ModelMessage } from 'ai';
import { afterEach, describe, expect, it } from 'vitest';
import {
  summarizationMiddleware,
  type SummarizationEvent,
  type SummarizationOptions,
} from '../../src/index.ts';
import { chat } from '../support/messages.ts';
import type { JsonRecord } from './json-view.ts';
import { compactingApi, thresholdOf } from './apis/compacting.ts';
import { caseHeader, startWireServer, type WireServer } from './apis/wire-server.ts';
import { providerOf, type WireProvider } from './providers.ts';

/** Tokens count for ten each, so that a threshold of 80,000 is reached with little text. */
const tokenMultiplier = 10;
/** Characters of a word of the tests, by which the servers count. */
const charactersPerToken = 0.65;

const openai = providerOf('openai.responses');
// The package of OpenAI of AI SDK 6 does not know the setting.
const { specificationVersion }: { readonly specificationVersion: string } =
  openai.createModel('http://127.0.0.1');
const compacting: readonly (readonly [string, WireProvider])[] = [
  ...(specificationVersion === 'v3' ? [] : [['openai.responses', openai] as const]),
  ['anthropic', providerOf('anthropic with system messages in mid conversation')],
];
const cases = compacting.flatMap(([name, provider]) =>
  (['generate', 'stream'] as const).map((mode) => ({ name, provider, mode })),
);

type ProviderOptions = NonNullable<Parameters<typeof generateText>[0]['providerOptions']>;

/** What the server got, whoever sent it. */
interface Running {
  readonly bodies: () => readonly JsonRecord[];
  readonly events: SummarizationEvent[];
  /** Gives back the messages of the answer. */
  readonly send: (
    messages: readonly ModelMessage[],
    providerOptions?: ProviderOptions,
  ) => Promise<readonly ModelMessage[]>;
}

const servers: WireServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function start(
  { provider, mode }: Pick<(typeof cases)[number], 'provider' | 'mode'>,
  given: SummarizationOptions = {},
): Promise<Running> {
  const { api, packageName } = provider;
  const server = await startWireServer({
    ...compactingApi(api, packageName, charactersPerToken),
    // With `native` the package does not promise to stand aside.
    rules: (request) =>
      api.rules(request).filter(({ rule }) => given.native === undefined || rule !== 'OR7'),
  });
  servers.push(server);
  const inner = provider.createModel(server.baseURL);
  const events: SummarizationEvent[] = [];
  const middleware = summarizationMiddleware({
    contextLength: 100_000,
    providers: { [inner.provider]: { tokenMultiplier } },
    strategy: 'rule-based',
    onEvent: (event) => events.push(event),
    ...given,
  });
  const model = wrapLanguageModel({ model: inner, middleware });
  return {
    bodies: () => server.requestsOf('the call').map(({ body }) => body),
    events,
    send: async (messages, providerOptions) => {
      const call = {
        model,
        messages: [...messages],
        maxRetries: 0,
        headers: { [caseHeader]: 'the call' },
        ...(providerOptions && { providerOptions }),
      };
      const result =
        mode === 'generate' ? await generateText(call) : streamText({ ...call, onError: () => {} });
      return (await result.response).messages;
    },
  };
}

/** A chat of so many tokens as they are counted here. */
function chatOf(tokens: number): ModelMessage[] {
  const perMessage = 200;
  const count = Math.round(tokens / tokenMultiplier / (perMessage + 12));
  return chat(count + 1 - (count % 2), perMessage);
}

const short = chatOf(20_000);
const dueHere = chatOf(88_000);
const hasSummary = (body: unknown): boolean => JSON.stringify(body).includes('summary-depth');
const reasons = (events: readonly SummarizationEvent[]): unknown[] =>
  events.flatMap((event) => (event.type === 'check' ? [event.reason] : []));

/** The provider's compaction, turned on by the caller. */
const compaction = {
  openai: { contextManagement: [{ type: 'compaction', compactThreshold: 80_000 }] },
  anthropic: {
    contextManagement: {
      edits: [{ type: 'compact_20260112', trigger: { type: 'input_tokens', value: 80_000 } }],
    },
  },
};

describe.each(cases)("the provider's own compaction, $name, $mode", (setting) => {
  it('is left alone, and so is what it left in the history', async () => {
    const { send, bodies, events } = await start(setting);
    const answer = await send(dueHere, compaction);
    await send([...dueHere, ...answer, ...short]);
    expect(bodies().map(hasSummary)).toEqual([false, false]);
    expect(bodies().map(thresholdOf)).toEqual([80_000, undefined]);
    expect(/"type":"compaction"|"cmp_1"/.test(JSON.stringify(bodies()[1]))).toBe(true);
    expect(reasons(events)).toEqual(['server-managed', 'server-managed']);
  });

  it("native: 'never' summarises although the caller has turned it on, whose setting is sent", async () => {
    const { send, bodies, events } = await start(setting, { native: 'never' });
    await send(dueHere, compaction);
    expect(bodies().map(hasSummary)).toEqual([true]);
    expect(bodies().map(thresholdOf)).toEqual([80_000]);
    expect(reasons(events)).toEqual(['token-ratio']);
  });

  it("native: 'never' stands aside where a compaction is all there is of what came before", async () => {
    const answer = await (await start(setting)).send(dueHere, compaction);
    const { send, bodies, events } = await start(setting, { native: 'never' });
    await send([...answer, ...dueHere]);
    expect(bodies().map(hasSummary)).toEqual([false]);
    expect(reasons(events)).toEqual(['server-managed']);
  });

  it("native: 'never' turns nothing on", async () => {
    const { send, bodies } = await start(setting, { native: 'never' });
    await send(short);
    expect(bodies().map(thresholdOf)).toEqual([undefined]);
  });
});
