import { isOlderSDK } from '../../sdk/is-older-sdk.ts';
import { callModel, usageOf } from './call-model.ts';
import type { ModelCall, ModelCallResult } from './model-call.ts';
import {
  answerJsonSchema,
  parseAnswer,
  type AnswerKind,
  type SummaryAnswer,
} from './summary-answer.ts';

/** What one model is asked; made per model, because models read different amounts at once. */
export interface SummaryRequest {
  readonly kind: AnswerKind;
  /** The system prompt; constant, so that providers can cache it. */
  readonly instructions: string;
  readonly prompt: string;
}

/**
 * Asks a model for a summary through `generateObject`, see {@link callModel}. An
 * answer counts only if it ends with finish reason `stop`, has the asked form and a summary in it. A
 * Markdown fence around the JSON is removed; nothing else is repaired.
 *
 * @throws The signal's reason, when `abortSignal` aborts; nothing else.
 */
export async function generateSummaryObject(
  call: ModelCall & SummaryRequest,
): Promise<ModelCallResult<{ readonly answer: SummaryAnswer }>> {
  return callModel<{ readonly answer: SummaryAnswer }>(call, async (ai, settings) => {
    const result = await startQuietly(() =>
      ai.generateObject({
        ...settings,
        schema: ai.jsonSchema(answerJsonSchema(call.kind), {
          // Read tolerantly below: the schema is what is asked for, not what is accepted.
          validate: (value) => ({ success: true, value }),
        }),
        ...(isOlderSDK(ai)
          ? { system: call.instructions, experimental_repairText: repairText }
          : { instructions: call.instructions, repairText }),
      }),
    );
    const usage = usageOf(result);
    if (result.finishReason !== 'stop')
      return { outcome: 'invalid-output', usage, detail: `finish reason ${result.finishReason}` };
    const answer = parseAnswer(result.object, call.clean);
    if (answer !== undefined) return { outcome: 'ok', usage, answer };
    const detail = 'the answer is not a summary of the asked form';
    return { outcome: 'invalid-output', usage, detail };
  });
}

/**
 * Starts a call without the SDK's note that `generateObject` is deprecated, which would stand in every
 * user's log on the package's account. The SDK writes it before its first await, so the setting is back
 * before anybody else can run.
 */
function startQuietly<T>(start: () => Promise<T>): Promise<T> {
  const logger = globalThis.AI_SDK_LOG_WARNINGS;
  globalThis.AI_SDK_LOG_WARNINGS = false;
  try {
    return start();
  } finally {
    globalThis.AI_SDK_LOG_WARNINGS = logger;
  }
}

const repairText = ({ text }: { readonly text: string }): Promise<string | null> =>
  Promise.resolve(withoutFence(text));

const codeFence = '```';

/** The inside of one Markdown fence that spans the whole text; `null` tells the SDK to give up. */
export function withoutFence(text: string): string | null {
  const fenced = text.trim();
  const firstLine = fenced.indexOf('\n');
  const lastLine = fenced.lastIndexOf('\n');
  if (firstLine >= lastLine || fenced.slice(lastLine).trim() !== codeFence) return null;
  const opening = fenced.slice(0, firstLine);
  return /^```[a-z]*\s*$/i.test(opening) ? fenced.slice(firstLine, lastLine) : null;
}
