import { APICallError, simulateStreamingMiddleware, wrapLanguageModel } from 'ai';
import { countPromptTokens } from '../../api/count-prompt-tokens.ts';
import type { CallOptions, WrappedModel } from '../../prompt/prompt-types.ts';
import { memberOf, parseRetryAfter } from '../../strategies/models/classify-failure.ts';
import { mediaFamilyOf } from '../../tokens/files/media-family-of.ts';
import { scanPrompt } from '../../tokens/scan-prompt.ts';
import { delay, withDeadline } from '../../util/async/waiting.ts';
import { runAtOnce } from '../../util/async/run-steps.ts';
import type { Budget } from './budget.ts';
import type { CallGate } from './call-gate.ts';
import type { Journal, Usage } from './journal.ts';

/** Dollars for a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
}

/** Whose calls are counted, and what they have to keep to. */
export interface Metering {
  readonly journal: Journal;
  readonly budget: Budget;
  readonly gate: CallGate;
  readonly isJudge: boolean;
  readonly price: Price | undefined;
  readonly maxOutputTokens: number;
}

type Generated = Awaited<ReturnType<WrappedModel['doGenerate']>>;

/** Milliseconds that one attempt may take, and that a provider may ask to wait. */
const patience = 600_000;
const maxAttempts = 6;

/**
 * A model whose calls wait for their turn, keep within the budget, are tried again where the provider asks for it,
 * and are counted.
 *
 * @param count - Told what each answered call took.
 */
export function meteredModel(
  model: WrappedModel,
  metering: Metering,
  count: (usage: Usage) => void,
): WrappedModel {
  const { maxOutputTokens, gate } = metering;
  const limited = ({ maxOutputTokens: asked = maxOutputTokens, ...params }: CallOptions) => ({
    ...params,
    maxOutputTokens: Math.min(asked, maxOutputTokens),
  });
  return wrapLanguageModel({
    model,
    middleware: [
      // Summaries are asked for as streams: counted and tried again like all others.
      simulateStreamingMiddleware(),
      {
        specificationVersion: 'v4',
        transformParams: async ({ params }) => limited(params),
        wrapGenerate: async ({ doGenerate, params }) =>
          gate(() => attempts(doGenerate, params, { model, metering, count })),
      },
    ],
  });
}

interface Call {
  readonly model: WrappedModel;
  readonly metering: Metering;
  readonly count: (usage: Usage) => void;
}

async function attempts(
  generate: () => PromiseLike<Generated>,
  params: CallOptions,
  { model, metering, count }: Call,
): Promise<Generated> {
  const { budget, journal, isJudge: judge, price = free, maxOutputTokens } = metering;
  const inputTokens =
    price === free ? 0 : runAtOnce(scanPrompt(params, mediaFamilyOf(model))).bound;
  const most = dollarsOf({ inputTokens, outputTokens: maxOutputTokens }, price);
  for (let attempt = 1; ; attempt += 1) {
    const settle = await budget.reserve(most);
    let dollars = most;
    const begin = performance.now();
    try {
      const result = await withDeadline(params.abortSignal, patience, async () => generate());
      const usage = { ...(await tokensOf(result, params)), ms: performance.now() - begin };
      dollars = dollarsOf(usage, price);
      count(usage);
      return result;
    } catch (error) {
      if (isUnbilled(error)) dollars = 0;
      const wait = waitAfter(error, attempt);
      if (wait === undefined || params.abortSignal?.aborted === true) throw error;
      await delay(wait, params.abortSignal);
    } finally {
      settle(dollars);
      if (dollars > 0) journal.append({ kind: 'call', judge, dollars });
    }
  }
}

const unsent: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);

/** What a provider refuses it does not bill, nor what never reached it. What became of a call that was cut off nobody knows. */
function isUnbilled(error: unknown): boolean {
  const code = memberOf(memberOf(error, 'cause'), 'code');
  return typeof memberOf(error, 'statusCode') === 'number' || unsent.has(code);
}

const free: Price = { input: 0, output: 0 };

/** Dollars that tokens cost. */
export function dollarsOf(usage: Omit<Usage, 'ms'>, { input, output }: Price): number {
  return (usage.inputTokens * input + usage.outputTokens * output) / 1_000_000;
}

/** As the provider reports them; counted where it does not. */
async function tokensOf(
  { usage, content }: Generated,
  { prompt }: CallOptions,
): Promise<Omit<Usage, 'ms'>> {
  const said = content.filter((part) => part.type === 'text');
  return {
    inputTokens: usage.inputTokens.total ?? (await counted(prompt)),
    outputTokens:
      usage.outputTokens.total ?? (await counted([{ role: 'assistant', content: said }])),
  };
}

async function counted(prompt: CallOptions['prompt']): Promise<number> {
  return (await countPromptTokens({ prompt })).total;
}

/** Milliseconds after which a call is tried again; `undefined` where that is of no use. */
function waitAfter(error: unknown, attempt: number): number | undefined {
  if (memberOf(error, 'isRetryable') !== true || attempt === maxAttempts) return undefined;
  const headers = APICallError.isInstance(error) ? error.responseHeaders : undefined;
  const asked = parseRetryAfter(headers, Date.now());
  if (asked !== undefined && asked > patience) return undefined;
  return asked ?? 1000 * 2 ** attempt;
}
