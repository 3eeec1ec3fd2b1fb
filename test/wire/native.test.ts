import { generateText, streamText, wrapLanguageModel, type ModelMessage } from 'ai';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  explainSummarization,
  summarizationMiddleware,
  type SummarizationEvent,
  type SummarizationOptions,
} from '../../src/index.ts';
import { chat, user, words } from '../support/messages.ts';
import { list, record } from './json-view.ts';
import { wireProviders, type WireProvider } from './providers.ts';
import { compactingApi, thresholdOf, type Compacting } from './servers/compacting-api.ts';
import { plainAnswer } from './servers/summary-answer.ts';
import { caseHeader, startWireServer, type WireServer } from './servers/wire-server.ts';
import { jsonReply, type WireApi, type WireReply } from './servers/wire-api.ts';

/** Tokens count for ten each, so that a threshold of 80,000 is reached with little text. */
const tokenMultiplier = 10;
/** Characters of a word of the tests, by which the servers count. */
const charactersPerToken = 0.65;

/** Of which AI SDK the providers are: the package of OpenAI of AI SDK 6 does not know the setting. */
const versionOf = (provider: WireProvider): string =>
  provider.createModel('http://127.0.0.1').specificationVersion;
const openai = providerOf('openai.responses');
const compacting: readonly (readonly [string, WireProvider])[] = [
  ...(versionOf(openai) === 'v3' ? [] : [['openai.responses', openai] as const]),
  ['anthropic', providerOf('anthropic with system messages in mid conversation')],
];
const modes = ['generate', 'stream'] as const;
const cases = compacting.flatMap(([name, provider]) =>
  modes.map((mode) => ({ name, provider, mode })),
);

function providerOf(name: string): WireProvider {
  const provider = wireProviders.find((candidate) => candidate.name === name);
  if (provider === undefined) throw new Error(`No provider ${name}.`);
  return provider;
}

type ProviderOptions = NonNullable<Parameters<typeof generateText>[0]['providerOptions']>;

/** What the server got, whoever sent it. */
interface Running {
  readonly bodies: () => readonly ReturnType<typeof record>[];
  readonly events: SummarizationEvent[];
  readonly model: ReturnType<typeof wrapLanguageModel>;
  readonly options: SummarizationOptions;
  readonly send: (
    messages: readonly ModelMessage[],
    providerOptions?: ProviderOptions,
  ) => Promise<{ readonly text: string; readonly messages: readonly ModelMessage[] }>;
}

const servers: WireServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function start(
  { provider, mode }: Pick<(typeof cases)[number], 'provider' | 'mode'>,
  how: Compacting | ((api: WireApi) => WireApi),
  given: SummarizationOptions = {},
): Promise<Running> {
  const { api, packageName } = provider;
  const server = await startWireServer(
    typeof how === 'function' ? how(api) : compactingApi(api, packageName, how, charactersPerToken),
  );
  servers.push(server);
  const inner = provider.createModel(server.baseURL);
  const events: SummarizationEvent[] = [];
  const options: SummarizationOptions = {
    native: 'prefer',
    contextLength: 100_000,
    providers: { [inner.provider]: { tokenMultiplier } },
    strategy: 'rule-based',
    onEvent: (event) => events.push(event),
    ...given,
  };
  const model = wrapLanguageModel({ model: inner, middleware: summarizationMiddleware(options) });
  return {
    bodies: () => server.requestsOf('the call').map(({ body }) => body),
    events,
    model: wrapLanguageModel({ model: inner, middleware: [] }),
    options,
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
      const [text, response] = [await result.text, await result.response];
      return { text, messages: response.messages };
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
const tooLong = chatOf(150_000);
const hasSummary = (body: unknown): boolean => JSON.stringify(body).includes('summary-depth');
const reasons = (events: readonly SummarizationEvent[]): unknown[] =>
  events.flatMap((event) => (event.type === 'check' ? [event.reason] : []));
/** An error of either API; what is streamed fails without its text. */
const refusal = (message: string): WireReply =>
  jsonReply(400, { type: 'error', error: { type: 'invalid_request_error', message } });
const failures = (events: readonly SummarizationEvent[]): unknown[] =>
  events.flatMap((event) => (event.type === 'failed' ? [event.stage] : []));

describe.each(cases)('native: prefer, $name, $mode', (setting) => {
  const dialect = setting.name === 'anthropic' ? 'anthropic' : 'openai';

  it("turns the provider's compaction on at the trigger, below which nothing else happens", async () => {
    const { send, bodies, events } = await start(setting, 'compacts');
    const { text } = await send(short);
    expect(text).toContain(plainAnswer);
    expect(bodies()).toHaveLength(1);
    expect(bodies()[0]?.context_management).toEqual(
      dialect === 'openai'
        ? [{ type: 'compaction', compact_threshold: 80_000 }]
        : {
            edits: [{ type: 'compact_20260112', trigger: { type: 'input_tokens', value: 80_000 } }],
          },
    );
    expect(reasons(events)).toEqual(['below-trigger']);
  });

  it('leaves a prompt beyond the trigger to the provider, and what comes back in its place', async () => {
    const { send, bodies, events } = await start(setting, 'compacts');
    const first = await send(dueHere);
    expect(hasSummary(bodies()[0])).toBe(false);
    expect(reasons(events)).toEqual(['native']);
    // Of Anthropic's compaction, the SDK makes a text of the answer.
    expect(first.text === plainAnswer).toBe(dialect === 'openai');
    const grown = [...dueHere, ...first.messages, user(words(1, 100))];
    await send(grown);
    const [, second] = bodies();
    expect(hasSummary(second)).toBe(false);
    expect(thresholdOf(record(second))).toBe(80_000);
    const sent = list(record(second)[dialect === 'openai' ? 'input' : 'messages']);
    const place = sent.findIndex((entry) => /cmp_1|"compaction"/.test(JSON.stringify(entry)));
    // All that came before it, as it was.
    expect(place).toBe(dueHere.length);
    expect(reasons(events).at(-1)).toBe('server-managed');
    // The usage of a compacted prompt is not that of what was sent.
    expect(events.filter(({ type }) => type === 'warning')).toEqual([]);
  });

  it('steps in where the prompt does not fit, from then on without the setting', async () => {
    const { send, bodies, events } = await start(setting, 'ignores');
    const { text } = await send(tooLong);
    expect(text).toBe(plainAnswer);
    expect(hasSummary(bodies()[0])).toBe(true);
    expect(thresholdOf(record(bodies()[0]))).toBeUndefined();
    expect(reasons(events)).toEqual(['context-overflow']);
    await send([...tooLong, user('And now?')]);
    expect(hasSummary(bodies()[1])).toBe(true);
    expect(thresholdOf(record(bodies()[1]))).toBeUndefined();
    expect(bodies()).toHaveLength(2);
  });

  it('steps in where what came after the compaction does not fit either', async () => {
    const { send, bodies, events } = await start(setting, 'compacts');
    const first = await send(dueHere);
    await send([...dueHere, ...first.messages, ...tooLong]);
    expect(hasSummary(bodies()[1])).toBe(true);
    expect(reasons(events)).toEqual(['native', 'context-overflow']);
  });

  it('counts what came after the compaction where an estimate is not enough', async () => {
    const { send, bodies } = await start(setting, 'compacts');
    const first = await send(dueHere);
    // Four characters a token would be 70,000.
    const numbers = Array.from({ length: 2800 }, (_, index) => `${index * 7919}#0123456789`);
    const dense = numbers.map((text) => text.slice(0, 9)).join('#');
    await send([...dueHere, ...first.messages, user(dense), ...chat(3)]);
    expect(hasSummary(bodies()[1])).toBe(true);
  });

  it('a refusal of the setting costs one more request, once for the model', async () => {
    const { send, bodies, events } = await start(setting, 'refuses');
    const { text } = await send(dueHere);
    expect(text).toBe(plainAnswer);
    expect(bodies().map(thresholdOf)).toEqual([80_000, undefined]);
    expect(bodies().map(hasSummary)).toEqual([false, true]);
    expect(failures(events)).toEqual(['native']);
    await send([...dueHere, user('And now?')]);
    expect(bodies().map(thresholdOf)).toEqual([80_000, undefined, undefined]);
    expect(failures(events)).toEqual(['native']);
  });

  it('an error that has nothing to do with the setting is the call’s, after one request', async () => {
    const { send, bodies, events } = await start(setting, (api) => ({
      ...api,
      answer: () => refusal('Invalid image.'),
    }));
    await expect(send(short)).rejects.toThrow(/Invalid image|No output/);
    expect(bodies()).toHaveLength(1);
    expect(failures(events)).toEqual([]);
  });

  it('a failure of the server is no refusal of the setting', async () => {
    const { send, bodies } = await start(setting, (api) => ({
      ...api,
      answer: () => ({ ...refusal('Could not compact the context.'), status: 503 }),
    }));
    await expect(send(short)).rejects.toThrow(/Could not compact|No output/);
    expect(bodies()).toHaveLength(1);
  });

  it('what is refused without the setting too says nothing about it', async () => {
    const { send, bodies } = await start(setting, (api) => ({
      ...api,
      answer: () => refusal('Cannot compact this.'),
    }));
    await expect(send(short)).rejects.toThrow(/Cannot compact|No output/);
    await expect(send(short)).rejects.toThrow(/Cannot compact|No output/);
    expect(bodies().map(thresholdOf)).toEqual([80_000, undefined, 80_000, undefined]);
  });

  it('an error that quotes the user teaches nothing', async () => {
    const { send, bodies } = await start(setting, (api) => ({
      ...api,
      answer: (request) =>
        thresholdOf(request.body) === undefined
          ? api.answer(request)
          : refusal('Invalid text: please compact this'),
    }));
    for (const text of ['Please compact this.', 'And please compact this.']) {
      // oxlint-disable-next-line no-await-in-loop -- one after another is the point
      await send([...short, user(text)]);
    }
    expect(bodies().map(thresholdOf)).toEqual([80_000, undefined, 80_000, undefined]);
  });

  it('a compacted prompt that is refused as too long is summarised and sent again', async () => {
    let isFull = false;
    const { send, bodies, events } = await start(setting, (api) => {
      const answering = compactingApi(
        api,
        setting.provider.packageName,
        'compacts',
        charactersPerToken,
      );
      const message =
        dialect === 'openai'
          ? { code: 'context_length_exceeded', message: 'Your input exceeds the context window.' }
          : {
              type: 'invalid_request_error',
              message: 'prompt is too long: 210000 tokens > 200000 maximum',
            };
      return {
        ...api,
        answer: (request) =>
          isFull && !hasSummary(request.body)
            ? jsonReply(400, { error: message })
            : answering.answer(request),
      };
    });
    const first = await send(dueHere);
    isFull = true;
    const { text } = await send([...dueHere, ...first.messages, user('And now?')]);
    expect(text).toBe(plainAnswer);
    expect(bodies().slice(1).map(hasSummary)).toEqual([false, true]);
    expect(failures(events)).toEqual(['native']);
    // It was not the setting.
    isFull = false;
    await send(short);
    expect(thresholdOf(record(bodies().at(-1)))).toBe(80_000);
  });

  it('summarises where it is asked to, also what the provider has compacted', async () => {
    const { send, bodies, events } = await start(setting, 'compacts');
    const first = await send(dueHere);
    await send([...dueHere, ...first.messages, user('And now?')], {
      summarization: { force: true },
    });
    expect(hasSummary(bodies()[1])).toBe(true);
    expect(thresholdOf(record(bodies()[1]))).toBeUndefined();
    expect(reasons(events)).toEqual(['native', 'forced']);
  });

  it('leaves to the provider what it alone knows, whatever it says of the length', async () => {
    const setup = await start(setting, 'compacts');
    const { messages } = await setup.send(dueHere);
    const { send, bodies } = await start(setting, (api) => ({
      ...api,
      answer: () => refusal('prompt is too long: 210000 tokens > 200000 maximum'),
    }));
    await expect(send([...messages, user('And now?')])).rejects.toThrow(/too long|No output/);
    expect(bodies().map(thresholdOf)).toEqual([80_000]);
  });

  it('keeps to what the caller has set', async () => {
    const { send, bodies, events } = await start(setting, 'ignores');
    await send(tooLong, {
      openai: { contextManagement: [{ type: 'compaction', compactThreshold: 5000 }] },
      anthropic: {
        contextManagement: {
          edits: [{ type: 'compact_20260112', trigger: { type: 'input_tokens', value: 60_000 } }],
        },
      },
    });
    expect(thresholdOf(record(bodies()[0]))).toBe(dialect === 'openai' ? 5000 : 60_000);
    expect(reasons(events)).toEqual(['server-managed']);
  });

  it('asks for no less than the provider takes, and for nothing where that comes too late', async () => {
    const least = dialect === 'openai' ? 1000 : 50_000;
    const low = await start(setting, 'ignores', { contextLength: least + 100 });
    await low.send([user('Hello.')]);
    expect(low.bodies().map(thresholdOf)).toEqual([least]);
    const lower = await start(setting, 'ignores', { contextLength: least });
    await lower.send([user('Hello.')]);
    expect(lower.bodies().map(thresholdOf)).toEqual([undefined]);
  });

  it('is explained', async () => {
    const { model, options } = await start(setting, 'ignores');
    const explained = await explainSummarization({ model, messages: dueHere, options });
    expect(explained).toMatchObject({ act: 'none', reason: 'native' });
  });
});

describe.each(cases)('native: never, $name, $mode', (setting) => {
  it('summarises although the caller has turned compaction on, whose setting is sent', async () => {
    const { send, bodies, events } = await start(
      setting,
      // What the package promises where it does stand aside.
      (api) => ({
        ...compactingApi(api, setting.provider.packageName, 'compacts', charactersPerToken),
        rules: (request) => api.rules(request).filter(({ rule }) => rule !== 'OR7'),
      }),
      { native: 'never' },
    );
    await send(dueHere, {
      openai: { contextManagement: [{ type: 'compaction', compactThreshold: 99_000 }] },
      anthropic: {
        contextManagement: {
          edits: [{ type: 'compact_20260112', trigger: { type: 'input_tokens', value: 99_000 } }],
        },
      },
    });
    expect(bodies().map(hasSummary)).toEqual([true]);
    expect(bodies().map(thresholdOf)).toEqual([99_000]);
    expect(reasons(events)).toEqual(['token-ratio']);
  });

  it('stands aside where a compaction is all there is of what came before', async () => {
    const setup = await start(setting, 'compacts');
    const { messages } = await setup.send(dueHere);
    const { send, bodies, events } = await start(setting, 'ignores', { native: 'never' });
    await send([...messages, ...dueHere]);
    expect(bodies().map(hasSummary)).toEqual([false]);
    expect(reasons(events)).toEqual(['server-managed']);
  });

  it('turns nothing on', async () => {
    const { send, bodies } = await start(setting, 'compacts', { native: 'never' });
    await send(short);
    expect(bodies().map(thresholdOf)).toEqual([undefined]);
  });
});

it.each(
  wireProviders.filter(
    (provider) =>
      versionOf(provider) === versionOf(openai) &&
      !compacting.some(([, { name }]) => provider.name === name),
  ),
)('native: prefer changes nothing for $name', async (provider) => {
  const { send, bodies, events } = await start({ provider, mode: 'generate' }, (api) => api);
  await send(dueHere);
  expect(JSON.stringify(bodies()[0])).not.toContain('compact');
  expect(hasSummary(bodies()[0])).toBe(true);
  expect(reasons(events)).toEqual(['token-ratio']);
});

describe('a refusal', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is forgotten after an hour', async () => {
    const [setting] = cases;
    if (setting === undefined) throw new Error('No case.');
    const { send, bodies } = await start(setting, 'refuses');
    await send(short);
    vi.advanceTimersByTime(59 * 60_000);
    await send(short);
    vi.advanceTimersByTime(2 * 60_000);
    await send(short);
    expect(bodies().map(thresholdOf)).toEqual([80_000, undefined, undefined, 80_000, undefined]);
  });
});
