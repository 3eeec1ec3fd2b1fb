import { generateText, jsonSchema, tool, wrapLanguageModel, type ModelMessage } from 'ai';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { ContextOverflowError, memoryStore, summarizationMiddleware } from '../../src/index.ts';
import { countingProvider, type Reporting } from '../support/counting-provider.ts';
import { assistant, toolStep, user, words } from '../support/messages.ts';
import { checkProperty } from './rig/check-property.ts';

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

/** A provider, and conversations that begin with so many messages already said. */
const plans = (contextLengths: readonly number[], hiddenTokens: readonly number[]) =>
  fc.record({
    counting: fc.record({
      messageTokens: fc.integer({ min: 0, max: 8 }),
      toolPartTokens: fc.integer({ min: 0, max: 8 }),
      countsTools: fc.boolean(),
      hiddenTokens: fc.constantFrom(...hiddenTokens),
      usage: fc.constantFrom(...honest, ...honest, ...honest, ...silent),
    }),
    provider: fc.constantFrom('openai.responses', 'anthropic.messages', 'custom'),
    contextLength: fc.constantFrom(...contextLengths),
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

type Plan = ReturnType<typeof plans> extends fc.Arbitrary<infer Drawn> ? Drawn : never;

const inputSchema = jsonSchema<{ path: string }>({
  type: 'object',
  properties: { path: { type: 'string' } },
});
const description = 'Reads a file of the project and gives its text, line by line, with numbers.';
const tools = { read_file: tool({ description, inputSchema }) };

/** A message of the user stays whole: it takes a fifth of the room at the most, so that something legal fits. */
function turnMessages(
  { kind, share }: Plan['conversations'][number]['turns'][number],
  { contextLength, counting }: Plan,
  id: string,
): ModelMessage[] {
  const tokens = Math.ceil(share * contextLength);
  const most = (contextLength - counting.hiddenTokens) / 5;
  if (kind === 'chat') return [user(words(id.length, Math.min(tokens, most)))];
  const row = (_: unknown, number: number) => ({
    number,
    ok: number % 3 === 0,
    score: number * 17,
  });
  const rows = JSON.stringify(Array.from({ length: Math.ceil(tokens / 14) }, row));
  const output = kind === 'tool' ? words(id.length, tokens) : rows;
  return [user('Look into it.'), ...toolStep(id, output)];
}

/** Has the conversations of a plan; gives back what the provider was sent, and the most that it takes. */
async function run(plan: Plan) {
  const { counting, provider, contextLength } = plan;
  const { model: inner, received } = countingProvider(counting, { provider, modelId: 'counted' });
  const store = memoryStore();
  const secret = 'a secret for the tests';
  const options = { contextLength, strategy: 'rule-based', store, secret } as const;
  const wrapped = () =>
    wrapLanguageModel({ model: inner, middleware: summarizationMiddleware(options) });
  let model = wrapped();
  const maxOutputTokens = Math.floor(plan.answer * contextLength);
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
  return { received, limit: contextLength - maxOutputTokens };
}

it('a prompt is never over the limit, whatever frames a provider has and hides, and however it reports usage', async () => {
  // Most cases are small: a prompt of a large model takes a second to count.
  const lengths = [4000, 4000, 4000, 4000, 8000, 8000];
  const visible = plans([...lengths, ...lengths, 16_000, 32_000], [0]);
  const hiding = plans([8000, 8000, 8000, 16_000], [500, 2000, 5000]);
  await checkProperty(
    fc.asyncProperty(fc.oneof(visible, hiding), async (plan) => {
      const { usage, hiddenTokens } = plan.counting;
      const { received, limit } = await run(plan);
      // What is hidden is known once it has been reported.
      const known = received.filter(({ isAfterUsage }) => hiddenTokens === 0 || isAfterUsage);
      const isKnown = hiddenTokens === 0 || !silent.includes(usage);
      expect(isKnown ? known.filter(({ tokens }) => tokens > limit) : []).toEqual([]);
    }),
    400,
  );
});
