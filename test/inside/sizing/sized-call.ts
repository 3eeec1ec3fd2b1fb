import type { Message } from '../../../src/index.ts';
import type { ModelCalibration } from '../../../src/sizing/model-calibration.ts';
import { sizeCall, type SizedCall } from '../../../src/sizing/size-call.ts';
import type { SizeInterval } from '../../../src/sizing/size-interval.ts';
import type { SizeRates } from '../../../src/sizing/size-rates.ts';
import type { UsageAnchor } from '../../../src/sizing/usage-memory.ts';
import { scanPrompt } from '../../../src/tokens/scan-prompt.ts';
import { runAtOnce } from '../../../src/util/async/run-steps.ts';
import { assistant, system, user } from '../../support/prompt-messages.ts';

/** The model of the calls that are sized here. */
export const model = { provider: 'openai.chat', modelId: 'gpt-5' };
export const rates: SizeRates = { multiplier: 1.5, least: 1.25, hidden: 0 };
const text = 'The river runs through the market. ';
export const prompt: Message[] = [
  system('You are kind.'),
  user(text.repeat(200)),
  assistant('It does.'),
  user('Where does it come from?'),
];

/** Of a factor that was given, or one that is learned. */
export function calibrationOf(given: number | undefined): ModelCalibration {
  return { given, start: 1.5, rates: () => rates, load: async () => rates, learn: () => {} };
}

/** All sizes of a call, told one by one as they come. */
export async function intervalsOf(
  more: Partial<SizedCall> & { readonly reported?: UsageAnchor } = {},
  sent: Message[] = prompt,
  onInterval: (interval: SizeInterval) => void = () => {},
): Promise<SizeInterval[]> {
  const { reported, ...call } = more;
  const intervals: SizeInterval[] = [];
  for await (const interval of sizeCall({
    params: { prompt: sent },
    systems: sent.slice(0, 1),
    model,
    scan: runAtOnce(scanPrompt({ prompt: sent }, 'openai')),
    calibration: calibrationOf(undefined),
    findReported: async () => reported,
    limit: 50_000,
    ...call,
  })) {
    onInterval(interval);
    intervals.push(interval);
  }
  return intervals;
}

/** What was reported of the system message and the first text: 2000 tokens, and 10 of the answer. */
export const reported: UsageAnchor = {
  tokens: 2010,
  inputTokens: 2000,
  sentMessages: 1,
  rest: 2,
  restBound: 80,
  restEstimate: 7,
};
