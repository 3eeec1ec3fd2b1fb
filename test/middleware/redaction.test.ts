import type { ModelMessage } from 'ai';
import type { MockLanguageModelV4 } from 'ai/test';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  memoryStore,
  readArchive,
  SummarizationError,
  type SummarizationOptions,
  type SummaryInput,
  type SummaryStore,
  type SummaryTreeStore,
} from '../../src/index.ts';
import { assistant, toolStep, user, words } from '../support/messages.ts';
import { answer, summarizerModel, textResult } from '../support/models.ts';
import { lastPrompt, summaryOf } from '../support/prompts.ts';
import { sealedText } from '../support/sealed-text.ts';
import { force, recordOf, setUp, type SetUp } from '../support/set-up.ts';
import { untyped } from '../support/untyped.ts';

const secret = `sk-${'q7'.repeat(12)}`;
const card = 4_111_222_233_334_444;

/** Takes out whole secrets only: half of one is a leak that nothing recognizes any more. */
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
    ...toolStep(`call_${secret}`, long(secret), `get_${secret}`, {
      path: `${pad}/${secret}.ts`,
      card,
    }),
    ...toolStep(
      'call_2',
      JSON.stringify({ card, secret }),
      'write_file',
      `{"path":"src/${secret}.ts"}`,
    ),
    ...toolStep('call_3', `{"error":"${secret.replaceAll('q', String.raw`\u0071`)}"}`, 'bash', {
      command: `touch ${secret}.ts`,
    }),
    assistant(long(`We decided on ${veiled}`)),
    user(long(`card ${card} and ${secret}`)),
    assistant(long(`Understood: ${secret}`)),
    user(words(6, 60)),
    assistant(words(7, 300)),
    user('Go on.'),
  ];
}

/** What a summarizing model does that knows the secrets from elsewhere. */
const behaviors: Readonly<Record<string, (text: string, isObject: boolean) => string>> = {
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
  const thrown = await force(made, messages, { conversationId }).then(
    () => undefined,
    (error: unknown) => error,
  );
  const requests = JSON.stringify(summarizer.doGenerateCalls.map(({ prompt }) => prompt));
  return { left: [requests, ...texts, told(made.events), told(thrown)].join('\n'), made };
}

function summarizerThat(behavior: string, text: string): MockLanguageModelV4 {
  return summarizerModel(async ({ responseFormat }) =>
    textResult(behaviors[behavior]?.(text, responseFormat?.type === 'json') ?? ''),
  );
}

describe('what redact takes out', () => {
  it('reaches no summarizing model, store, event, debug line or error', async () => {
    const shapes = fc.record({
      shift: fc.integer({ min: 0, max: 400 }),
      strategy: fc.constantFrom('llm' as const, 'rule-based' as const),
      behavior: fc.constantFrom(...Object.keys(behaviors)),
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
    await fc.assert(
      fc.asyncProperty(shapes, async ({ shift, behavior, said, ...options }) => {
        const summarizer = summarizerThat(behavior, said);
        const { left } = await leftOf(options, history(shift), summarizer);
        expect(leak.exec(left)?.[0]).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  it('is in no archive, not in ids and names of tools either, which still join', async () => {
    const store = memoryStore();
    const made = setUp({ contextLength: 20_000, preserveRecent: 2, store, archive: true, redact });
    await force(made, history(0));
    const { messages } = await readArchive({ store, record: recordOf(made) });
    const archived = JSON.stringify(messages);
    expect(leak.exec(archived)?.[0]).toBeUndefined();
    expect(archived.split('"toolCallId":"call_***"')).toHaveLength(3);
    expect(archived.split('"toolName":"get_***"')).toHaveLength(3);
  });

  const known = { reason: 'invalid-output', message: `${secret} is no JSON` } as const;

  it.each([
    ['an error', new Error(`no: ${secret}`), 'The strategy mine threw.'],
    ['a text', secret, 'The strategy mine threw.'],
    [
      'an error of ours',
      new SummarizationError({ ...known, cause: new TypeError(secret) }),
      '*** is no JSON',
    ],
  ] as const)('is not told by a strategy of the caller that throws %s', async (_, thrown, said) => {
    const strategy = { name: 'mine', summarize: () => Promise.reject(thrown) };
    const options = { strategy, abortOnFailure: true, fallbackStrategy: false } as const;
    const { left } = await leftOf(options, history(0), summarizerModel());
    expect(left).toContain(said);
    expect(leak.exec(left)).toBeNull();
  });

  it('is not taken from an earlier record that still has it', async () => {
    const { store, debug, texts } = watch();
    const options = { contextLength: 20_000, preserveRecent: 2, store, debug };
    const call = async (
      given: SummarizationOptions,
      messages: ModelMessage[],
      summarizer: MockLanguageModelV4,
    ): Promise<unknown> => force(setUp({ ...options, ...given }, { summarizer }), messages);
    const first = history(3);
    await call({}, first, summarizerThat('repeats', secret));
    expect(texts.join('\n')).toMatch(leak);
    texts.length = 0;
    const summarizer = summarizerModel(answer({ summary: 'They went on.' }));
    const second = [...first, assistant(words(8, 300)), user('And?')];
    await call({ redact }, second, summarizer);
    const requests = JSON.stringify(summarizer.doGenerateCalls.map(({ prompt }) => prompt));
    expect(summarizer.doGenerateCalls).toHaveLength(1);
    expect(requests).toContain('They spoke of ***');
    let previous: string | undefined;
    const strategy = {
      name: 'mine',
      summarize: async (input: SummaryInput) => {
        previous = JSON.stringify(input.previous);
        return Promise.reject(new Error('no'));
      },
    };
    const hide = (text: string): string => text.replaceAll('went', '***');
    const third = [...second, assistant(words(9, 300)), user('So?')];
    await call({ strategy, redact: hide }, third, summarizer);
    expect(previous).toContain('They *** on.');
    expect(leak.exec([requests, ...texts].join('\n'))).toBeNull();
  });
});

describe('a redact that fails', () => {
  const returning = (result: (text: string) => unknown): SummarizationOptions =>
    untyped({ redact: result });
  const cannot = (text: string): never => {
    throw new Error(`cannot redact ${text}`);
  };
  const fails: readonly (readonly [string, SummarizationOptions])[] = [
    ['returns nothing', returning(() => undefined)],
    ['returns an object', returning((text) => ({ text }))],
    ['is asynchronous', returning(async (text) => text)],
    ['rejects', returning(async (text) => cannot(text))],
    ['throws', returning((text) => cannot(text))],
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
});
