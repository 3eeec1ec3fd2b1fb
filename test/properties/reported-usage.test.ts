import { generateText, jsonSchema, tool, wrapLanguageModel, type ModelMessage } from 'ai';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ContextOverflowError, memoryStore, summarizationMiddleware } from '../../src/index.ts';
import { countingProvider, type Counting, type Reporting } from '../support/counting-provider.ts';
import { assistant, toolStep, user, words } from '../support/messages.ts';
import { checkProperty } from './rig/check-property.ts';

/** What is said in one call of a conversation. */
type Turn = { readonly kind: 'chat' | 'tool' | 'json'; readonly share: number };

interface Plan {
  readonly counting: Counting;
  readonly provider: string;
  readonly contextLength: number;
  readonly answer: number;
  readonly hasTools: boolean;
  readonly firstText: string;
  /** Conversations that begin with so many messages already said. */
  readonly conversations: readonly {
    readonly said: number;
    readonly sayTokens: number;
    readonly turns: readonly Turn[];
  }[];
  readonly restarts: boolean;
}

/** Most cases are small: a prompt of a large model takes a second to count. */
const small = [4000, 4000, 8000, 32_000];

const honest: readonly Reporting[] = [
  'total',
  'cached among',
  'cached apart',
  'parts only',
  'without output',
  'output not a number',
  'output too small',
];
const silent: readonly Reporting[] = ['missing', 'zero', 'not a number', 'negative'];

const countings = (hiddenTokens: fc.Arbitrary<number>): fc.Arbitrary<Counting> =>
  fc.record({
    messageTokens: fc.integer({ min: 0, max: 8 }),
    toolPartTokens: fc.integer({ min: 0, max: 8 }),
    countsTools: fc.boolean(),
    hiddenTokens,
    usage: fc.constantFrom(...honest, ...honest, ...honest, ...silent),
  });

const plans = (sizes: {
  readonly contextLengths: readonly number[];
  readonly hidden: fc.Arbitrary<number>;
}): fc.Arbitrary<Plan> =>
  fc.record({
    counting: countings(sizes.hidden),
    provider: fc.constantFrom('openai.responses', 'anthropic.messages', 'custom'),
    contextLength: fc.constantFrom(...sizes.contextLengths),
    answer: fc.constantFrom(0, 0.1),
    hasTools: fc.boolean(),
    firstText: fc.constantFrom('hi', 'Tell me about rivers.', words(3, 300)),
    conversations: fc.array(
      fc.record({
        said: fc.constantFrom(0, 0, 20, 40),
        sayTokens: fc.constantFrom(1, 20, 120),
        turns: fc.array(
          fc.record({
            kind: fc.constantFrom('chat', 'tool', 'json'),
            share: fc.constantFrom(0.02, 0.1, 0.3, 0.7, 1.4),
          }),
          { minLength: 1, maxLength: 4 },
        ),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    restarts: fc.boolean(),
  });

const tools = {
  read_file: tool({
    description: 'Reads a file of the project and gives its text, line by line, with numbers.',
    inputSchema: jsonSchema<{ path: string }>({
      type: 'object',
      properties: { path: { type: 'string' } },
    }),
  }),
};

/** A message of the user stays whole: it takes a fifth of the room at the most, so that something legal fits. */
function turnMessages(
  { kind, share }: Turn,
  { contextLength, counting }: Plan,
  id: string,
): ModelMessage[] {
  const tokens = Math.ceil(share * contextLength);
  if (kind === 'chat')
    return [user(words(id.length, Math.min(tokens, (contextLength - counting.hiddenTokens) / 5)))];
  const output = kind === 'tool' ? words(id.length, tokens) : JSON.stringify(rows(tokens));
  return [user('Look into it.'), ...toolStep(id, output)];
}

/** Some tokens of JSON, about ten a row. */
function rows(tokens: number): unknown {
  return Array.from({ length: Math.ceil(tokens / 14) }, (_, id) => ({
    id,
    ok: id % 3 === 0,
    score: id * 17,
  }));
}

async function run(plan: Plan) {
  const { counting, provider, contextLength } = plan;
  const { model: inner, received } = countingProvider(counting, {
    provider,
    modelId: 'counted',
  });
  const store = memoryStore();
  const wrapped = () =>
    wrapLanguageModel({
      model: inner,
      middleware: summarizationMiddleware({
        contextLength,
        strategy: 'rule-based',
        store,
        secret: 'a secret for the tests',
      }),
    });
  let model = wrapped();
  const maxOutputTokens = Math.floor(plan.answer * contextLength);
  const limit = contextLength - maxOutputTokens;
  for (const [index, { said, sayTokens, turns }] of plan.conversations.entries()) {
    const messages: ModelMessage[] = said === 0 ? [user(plan.firstText)] : [];
    for (let message = 0; message < said; message += 1)
      messages.push(
        (message % 2 === 0 ? user : assistant)(`${index} ${message} ${words(message, sayTokens)}`),
      );
    for (const [step, turn] of [undefined, ...turns].entries()) {
      if (turn !== undefined) messages.push(...turnMessages(turn, plan, `${index}${step}`));
      if (messages.at(-1)?.role === 'assistant') messages.push(user('Go on.'));
      try {
        const { text } = await generateText({
          model,
          maxRetries: 0,
          instructions: 'You are terse.',
          messages,
          ...(maxOutputTokens > 0 ? { maxOutputTokens } : {}),
          tools: plan.hasTools ? tools : {},
        });
        messages.push(assistant(text));
      } catch (error) {
        if (!ContextOverflowError.isInstance(error)) throw error;
        break;
      }
    }
    if (plan.restarts) model = wrapped();
  }
  return { received, limit };
}

describe('a prompt after the first usage that a model has reported', () => {
  it('is never over the limit, whatever frames the provider has and however it reports', async () => {
    const contextLengths = [...small, ...small, ...small, 64_000];
    await checkProperty(
      fc.asyncProperty(plans({ contextLengths, hidden: fc.constant(0) }), async (plan) => {
        const { received, limit } = await run(plan);
        expect(received.filter(({ tokens }) => tokens > limit)).toEqual([]);
      }),
    );
  });

  it('is never over the limit where the provider hides thousands of tokens', async () => {
    const hidden = fc.constantFrom(500, 2000, 5000);
    await checkProperty(
      fc.asyncProperty(plans({ contextLengths: [8000, 16_000], hidden }), async (plan) => {
        const { received, limit } = await run(plan);
        // Nothing is known of a provider that reports nothing.
        if (silent.includes(plan.counting.usage)) return;
        const known = received.filter(({ isAfterUsage }) => isAfterUsage);
        expect(known.filter(({ tokens }) => tokens > limit)).toEqual([]);
      }),
    );
  });
});
