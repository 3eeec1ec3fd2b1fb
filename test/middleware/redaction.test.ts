import { generateText, type ModelMessage } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  llmStrategy,
  memoryStore,
  readArchive,
  type SummarizationOptions,
  type SummaryInput,
  type SummaryStore,
  type SummaryTreeStore,
} from '../../src/index.ts';
import { emptyContent } from '../support/empty-content.ts';
import { chat, user, words } from '../support/messages.ts';
import { answer, summarizerModel, textResult } from '../support/models.ts';
import { lastPrompt, summaryOf } from '../support/prompts.ts';
import { sealedText } from '../support/sealed-text.ts';
import { setUp, type SetUp } from '../support/set-up.ts';
import { untyped } from '../support/untyped.ts';

const secret = `sk-${'q7'.repeat(12)}`;
const card = 4_111_222_233_334_444;

/** Takes out whole secrets only: half of one is a leak that nothing recognises any more. */
function redact(text: string): string {
  return text.replaceAll(secret, '***').replaceAll(String(card), '***');
}

const leak = /q7q7q7|41112222|33334444/;

/** A secret as a person sees it, with something in it that only a model sees. */
const veiled = `${secret.slice(0, 9)}\u00ad\u200b${secret.slice(9)}`;

/** A conversation with secrets in every field; `shift` moves them over whatever borders there are. */
function history(shift: number): ModelMessage[] {
  const pad = 'x'.repeat(shift);
  const long = (text: string): string => `${pad} ${text} ${words(shift, 150)} ${text}`;
  const step = (id: string, toolName: string, input: unknown, value: string): ModelMessage[] => [
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: id, toolName, input }] },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: id, toolName, output: { type: 'text', value } }],
    },
  ];
  return [
    {
      role: 'user',
      content: [
        { type: 'text', text: long(`never use ${secret}`) },
        {
          type: 'file',
          mediaType: 'text/plain',
          filename: `${secret}.txt`,
          data: { type: 'text', text: long(veiled) },
        },
      ],
    },
    ...step(`call_${secret}`, `get_${secret}`, { path: `${pad}/${secret}.ts`, card }, long(secret)),
    ...step(
      'call_2',
      'write_file',
      `{"path":"src/${secret}.ts"}`,
      JSON.stringify({ card, secret }),
    ),
    ...step(
      'call_3',
      'bash',
      { command: `touch ${secret}.ts` },
      `{"error":"${secret.replaceAll('q', String.raw`\u0071`)}"}`,
    ),
    { role: 'assistant', content: long(`We decided on ${veiled}`) },
    user(long(`card ${card} and ${secret}`)),
    { role: 'assistant', content: long(`Understood: ${secret}`) },
    user(words(6, 60)),
    { role: 'assistant', content: words(7, 300) },
    user('Go on.'),
  ];
}

/** What a summarising model does that knows the secrets from elsewhere. */
const behaviours: Readonly<Record<string, (text: string, isObject: boolean) => string>> = {
  repeats: (text, isObject) =>
    isObject
      ? answer({
          summary: `They spoke of ${text}.`,
          keyPoints: [text, `card ${card}`],
          context: { domainEntities: [text], constraints: [text], decisions: [text] },
        })
      : `They spoke of ${text}.`,
  babbles: (text) => `I will not write JSON about ${text}.`,
  fails: (text) => {
    throw Object.assign(new Error(`refused: ${text}`), {
      name: `Error about ${text}`,
      code: text,
      statusCode: 400,
      responseBody: text,
    });
  },
  breaks: (text) => {
    throw Object.assign(new TypeError(`lost: ${text}`), { name: text, code: `E ${text}` });
  },
};

/** All that left for anywhere but the conversation's model, as one text. */
interface Watched {
  readonly store: SummaryStore;
  readonly trees: SummaryTreeStore;
  readonly debug: (line: string) => void;
  readonly texts: string[];
}

function watch(): Watched {
  const memory = memoryStore();
  const held = new Set<string>();
  const texts: string[] = [];
  return {
    texts,
    debug: (line) => texts.push(line),
    store: {
      ...memory,
      compareAndSet: async (key, entry) => {
        const text = sealedText(entry.value);
        const { records = [] }: { readonly records?: readonly { record: { id: string } }[] } =
          text.startsWith('{"epoch"') ? JSON.parse(text) : {};
        // A record that is continued is written again as it was.
        const added = records.filter(({ record }) => !held.has(record.id));
        for (const { record } of added) held.add(record.id);
        texts.push(key, records.length === 0 ? text : JSON.stringify(added));
        return memory.compareAndSet(key, entry);
      },
    },
    trees: {
      persist: async (id, result) => {
        texts.push(id, JSON.stringify(result));
      },
      getFinalSummary: async () => undefined,
      list: async () => [],
      delete: async () => {},
    },
  };
}

/** Everything an error or event says, causes and stacks too. */
function told(value: unknown): string {
  if (value instanceof Error) {
    const { name, message, stack, cause } = value;
    return [name, message, stack, told(cause), JSON.stringify(Object.entries(value))].join(' ');
  }
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.values(value).map(told).join(' ');
}

const conversationId = `chat of ${secret}`;

/** Makes the call and returns what left, decoded. */
async function leftOf(
  options: SummarizationOptions,
  messages: ModelMessage[],
  summarizer: MockLanguageModelV4,
): Promise<{ readonly left: string; readonly made: SetUp }> {
  const { store, trees, debug, texts } = watch();
  const made = setUp(
    {
      contextLength: 20_000,
      preserveRecent: 2,
      store,
      secret: 'x'.repeat(16),
      summaryTreeStore: trees,
      debug,
      redact,
      ...options,
    },
    { summarizer },
  );
  const call = generateText({
    model: made.model,
    messages,
    maxRetries: 0,
    providerOptions: { summarization: { force: true, conversationId } },
  });
  const thrown = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  const requests = JSON.stringify(summarizer.doGenerateCalls.map(({ prompt }) => prompt));
  return { left: [requests, ...texts, told(made.events), told(thrown)].join('\n'), made };
}

function summarizerThat(behaviour: string, text: string): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    provider: 'openai.responses',
    modelId: 'summarizer',
    doGenerate: async ({ responseFormat }) =>
      textResult(behaviours[behaviour]?.(text, responseFormat?.type === 'json') ?? ''),
  });
}

describe('what redact takes out', () => {
  it('reaches no summarising model, store, event, debug line or error', async () => {
    const shapes = fc.record({
      shift: fc.integer({ min: 0, max: 400 }),
      strategy: fc.constantFrom('llm' as const, 'rule-based' as const),
      behaviour: fc.constantFrom(...Object.keys(behaviours)),
      abortOnFailure: fc.boolean(),
      /** Read at once, or in pieces. */
      maxTranscriptTokens: fc.constantFrom(undefined, 500),
      messageFilter: fc.constantFrom(
        undefined,
        { toolResults: 'summary' as const, userMessages: 'summary' as const },
        { agentMessages: 'summary' as const, toolResults: 'omit' as const },
      ),
      said: fc.constantFrom(
        secret,
        veiled,
        `${'y'.repeat(390)}${secret}`,
        `${'y'.repeat(160)}${secret}`,
      ),
    });
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(shapes, async ({ shift, behaviour, said, ...options }) => {
        runs += 1;
        const summarizer = summarizerThat(behaviour, said);
        const { left } = await leftOf(options, history(shift), summarizer);
        expect(leak.exec(left)?.[0]).toBeUndefined();
      }),
      { numRuns: 300 },
    );
    expect(runs).toBeGreaterThanOrEqual(300);
  });

  it('is in no archive, not in ids and names of tools either, which still join', async () => {
    const store = memoryStore();
    const made = setUp({ contextLength: 20_000, preserveRecent: 2, store, archive: true, redact });
    await generateText({
      model: made.model,
      messages: history(0),
      providerOptions: { summarization: { force: true } },
    });
    const end = made.events.find((event) => event.type === 'end');
    if (end === undefined) throw new Error('expected a summary');
    const { messages } = await readArchive({ store, record: end.record });
    const archived = JSON.stringify(messages);
    expect(leak.exec(archived)?.[0]).toBeUndefined();
    expect(archived.split('"toolCallId":"call_***"')).toHaveLength(3);
    expect(archived.split('"toolName":"get_***"')).toHaveLength(3);
  });

  it('is not in the excerpt of an unusable answer, not even the half that is before the cut', async () => {
    const said = `${'y'.repeat(160)}${secret}`;
    const { left } = await leftOf({}, history(0), summarizerThat('babbles', said));
    expect(left).toMatch(/excerpt="I will not write JSON about y+\*\*\*/);
    expect(leak.exec(left)).toBeNull();
  });

  it.each([
    ['the name before it', { ['k'.repeat(150)]: card }, undefined],
    ['the limit of a condensed message', {}, { userMessages: 'summary' as const }],
  ])('is not cut in two by %s', async (_, input, messageFilter) => {
    const messages: ModelMessage[] = [
      user(`${'x '.repeat(235)}. Never use ${secret} ${words(1, 100)}`),
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: '1', toolName: 'pay', input }],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: '1',
            toolName: 'pay',
            output: { type: 'text', value: 'paid' },
          },
        ],
      },
      ...history(0).slice(-5),
    ];
    const options = { strategy: 'rule-based' as const, messageFilter };
    const { left, made } = await leftOf(options, messages, summarizerModel());
    expect(summaryOf(lastPrompt(made.inner))).toContain('***');
    expect(leak.exec(left)?.[0]).toBeUndefined();
  });

  it.each([['as an error', new Error(`no: ${secret}`)] as const, ['as text', secret] as const])(
    'is not told by a strategy of the caller that throws it %s',
    async (_, thrown) => {
      const strategy = {
        name: 'mine',
        summarize: () => Promise.reject(thrown),
      };
      const options = { strategy, abortOnFailure: true, fallbackStrategy: false as const };
      const { left } = await leftOf(options, history(0), summarizerModel());
      expect(left).toContain('The strategy mine threw.');
      expect(leak.exec(left)).toBeNull();
    },
  );

  it('is not taken from an earlier record that still has it', async () => {
    const { store, debug, texts } = watch();
    const options = {
      contextLength: 20_000,
      preserveRecent: 2,
      store,
      secret: 'x'.repeat(16),
      debug,
    };
    const call = async (
      more: SummarizationOptions,
      messages: ModelMessage[],
      summarizer: MockLanguageModelV4,
    ): Promise<void> => {
      const { model } = setUp({ ...options, ...more }, { summarizer });
      await generateText({
        model,
        messages,
        providerOptions: { summarization: { force: true } },
      });
    };
    const first = history(3);
    await call({}, first, summarizerThat('repeats', secret));
    expect(texts.join('\n')).toMatch(leak);
    texts.length = 0;
    const summarizer = summarizerModel(answer({ summary: 'They went on.' }));
    const more = [...first, { role: 'assistant' as const, content: words(8, 300) }, user('And?')];
    await call({ redact }, more, summarizer);
    const requests = summarizer.doGenerateCalls.map(({ prompt }) => prompt);
    expect(requests).toHaveLength(1);
    expect(JSON.stringify(requests)).toContain('They spoke of ***');
    let previous: string | undefined;
    const strategy = {
      name: 'mine',
      summarize: (input: SummaryInput) => {
        previous = JSON.stringify(input.previous);
        return Promise.reject(new Error('no'));
      },
    };
    const third = [...more, { role: 'assistant' as const, content: words(9, 300) }, user('So?')];
    await call({ strategy, redact: (text) => text.replaceAll('went', '***') }, third, summarizer);
    expect(previous).toContain('They *** on.');
    expect(leak.exec([JSON.stringify(requests), ...texts].join('\n'))).toBeNull();
  });
});

describe('a redact that fails', () => {
  const returning = (result: (text: string) => unknown): SummarizationOptions =>
    untyped({ redact: result });
  const fails: readonly (readonly [string, SummarizationOptions])[] = [
    [
      'throws',
      returning((text) => {
        throw new Error(`cannot redact ${text}`);
      }),
    ],
    ['returns nothing', returning(() => undefined)],
    ['returns an object', returning((text) => ({ text }))],
    ['is asynchronous', returning(async (text) => text)],
    ['rejects', returning((text) => Promise.reject(new Error(`cannot redact ${text}`)))],
  ];

  it.each(fails)('lets no text pass when it %s; the call goes on', async (_, failing) => {
    for (const strategy of ['llm', 'rule-based'] as const) {
      const summarizer = summarizerThat('repeats', secret);
      const { left, made } = await leftOf({ strategy, ...failing }, history(5), summarizer);
      expect(leak.exec(left)).toBeNull();
      expect(made.inner.doGenerateCalls).toHaveLength(1);
      expect(summaryOf(lastPrompt(made.inner))).toBeUndefined();
      const failed = made.events.filter((event) => event.type === 'failed');
      expect(failed.map(({ reason, stage }) => `${stage}: ${reason}`)).toContain(
        'summarize: redact',
      );
      expect(failed.filter(({ stage }) => stage === 'redact')).not.toEqual([]);
    }
  });

  it('leaves out the text that it fails for, and says so once', async () => {
    const failing = (text: string): string => {
      if (text.includes(secret)) throw new Error(text);
      return text;
    };
    for (const strategy of ['llm', 'rule-based'] as const) {
      const summarizer = summarizerModel(answer({ summary: 'They spoke of rivers.' }));
      const { left, made } = await leftOf(
        { strategy, redact: failing },
        [user(secret), ...history(0).slice(6)],
        summarizer,
      );
      expect(left).not.toContain('q7q7q7');
      expect(summaryOf(lastPrompt(made.inner))).toContain('[summary-depth:0]');
      const stages = made.events.flatMap((event) => (event.type === 'failed' ? event.stage : []));
      expect(stages).toEqual(['redact']);
    }
  });

  it('leaves a strategy nothing of an earlier record that it fails for', async () => {
    const store = memoryStore();
    const seen: string[] = [];
    const strategy = {
      name: 'mine',
      summarize: async ({ previous }: SummaryInput) => {
        seen.push(JSON.stringify(previous ?? ''));
        const literal = { minutes: `${secret} was said`, changedFiles: [`${secret}.ts`] };
        const content = { ...emptyContent('They spoke of rivers.'), ...literal };
        return { content, usage: { inputTokens: 0, outputTokens: 0 } };
      },
    };
    const failing = (text: string): string => {
      if (text.includes(secret)) throw new Error(text);
      return text;
    };
    const call = async (options: SummarizationOptions, messages: ModelMessage[]): Promise<void> => {
      const { model } = setUp({ ...options, store, strategy, contextLength: 8000 });
      const providerOptions = { summarization: { force: true } };
      await generateText({ model, messages, providerOptions });
    };
    await call({}, chat(31));
    await call({ redact: failing }, chat(41));
    expect(seen).toHaveLength(2);
    expect(seen[1]).toContain('They spoke of rivers.');
    expect(seen[1]).not.toContain(secret);
  });
});

describe('what a strategy object keeps', () => {
  const messages = history(0);
  /** Calls through a middleware of its own, with the one strategy. */
  const callWith = async (
    strategy: SummarizationOptions['strategy'],
    options: SummarizationOptions,
    summarizer: MockLanguageModelV4,
  ): Promise<string> => {
    const { inner, model } = setUp(
      { contextLength: 20_000, preserveRecent: 2, strategy, ...options },
      { summarizer },
    );
    const before = summarizer.doGenerateCalls.length;
    await generateText({
      model,
      messages,
      providerOptions: { summarization: { force: true } },
    });
    const requests = summarizer.doGenerateCalls.slice(before).map(({ prompt }) => prompt);
    return JSON.stringify([requests, summaryOf(lastPrompt(inner))]);
  };

  it.each([['condensed messages', { messageFilter: { agentMessages: 'summary' as const } }, {}]])(
    'of %s goes to no other namespace',
    async (_, strategyOptions, options) => {
      let tenant = 'TENANT-ONE';
      const summarizer = new MockLanguageModelV4({
        provider: 'openai.responses',
        modelId: 'summarizer',
        doGenerate: async ({ responseFormat }) =>
          textResult(
            responseFormat?.type === 'json'
              ? answer({ summary: 'They spoke.' })
              : `They spoke of ${tenant}.`,
          ),
      });
      const strategy = llmStrategy({ models: [summarizer], ...strategyOptions });
      const one = { ...options, namespace: 'one' };
      expect(await callWith(strategy, one, summarizer)).toContain('TENANT-ONE');
      tenant = 'TENANT-TWO';
      expect(await callWith(strategy, one, summarizer)).toContain('TENANT-ONE');
      for (const namespace of [undefined, 'One', 'one ', 'o\u00adne']) {
        const seen = await callWith(strategy, { ...options, namespace }, summarizer);
        expect(seen).toContain('TENANT-TWO');
        expect(seen).not.toContain('TENANT-ONE');
      }
    },
  );

  it.each([['condensed messages', { messageFilter: { agentMessages: 'summary' as const } }, {}]])(
    'of %s is redacted for whoever takes it',
    async (_, strategyOptions, options) => {
      const summarizer = summarizerThat('repeats', 'the Danube');
      const strategy = llmStrategy({ models: [summarizer], ...strategyOptions });
      expect(await callWith(strategy, options, summarizer)).toContain('They spoke of the Danube');
      const hide = (text: string): string => text.replaceAll('Danube', '***');
      const calls = summarizer.doGenerateCalls.length;
      const seen = await callWith(strategy, { ...options, redact: hide }, summarizer);
      expect(seen).toContain('They spoke of the ***');
      expect(seen).not.toContain('Danube');
      // What was kept is used: only what is made from it is asked for anew.
      expect(summarizer.doGenerateCalls.length - calls).toBeLessThan(calls);
    },
  );
});
