import {
  callModel,
  callSettings,
  usageOf,
  withBoundedAnswers,
  type ModelCall,
  type ModelCallResult,
} from './call-model.ts';
import {
  answerJsonSchema,
  parseAnswer,
  type AnswerKind,
  type SummaryAnswer,
} from './summary-answer.ts';

/** One call for a summary. */
export interface SummaryCall extends ModelCall {
  /** The system prompt; constant, so that providers can cache it. */
  readonly instructions: string;
  readonly kind: AnswerKind;
}

/** How a call for a summary ended. */
export type SummaryCallResult = ModelCallResult<{ readonly answer: SummaryAnswer }>;

/**
 * Asks a model for a summary through `generateObject`, see {@link callSettings}. An
 * answer counts only if it ends with finish reason `stop`, has the asked form and a summary in it. A
 * Markdown fence around the JSON is removed; nothing else is repaired.
 *
 * @throws The signal's reason, when `abortSignal` aborts; nothing else.
 */
export async function generateSummaryObject(call: SummaryCall): Promise<SummaryCallResult> {
  return callModel(call, (abortSignal) => generateObjectOf(call, abortSignal));
}

async function generateObjectOf(
  call: SummaryCall,
  abortSignal: AbortSignal,
): Promise<SummaryCallResult> {
  // Loaded here: the root entry must cost nothing to import.
  const { generateObject, jsonSchema, wrapLanguageModel } = await import('ai');
  const model = withBoundedAnswers(call.model, wrapLanguageModel);
  const result = await startQuietly(() =>
    generateObject({
      ...callSettings(call, abortSignal),
      model,
      schema: jsonSchema(answerJsonSchema(call.kind), {
        // Read tolerantly below: the schema is what is asked for, not what is accepted.
        validate: (value) => ({ success: true, value }),
      }),
      instructions: call.instructions,
      repairText: ({ text }) => Promise.resolve(withoutFence(text)),
    }),
  );
  const usage = usageOf(result);
  if (result.finishReason !== 'stop') {
    return { outcome: 'invalid-output', usage, detail: `finish reason ${result.finishReason}` };
  }
  const answer = parseAnswer(result.object, call.clean);
  return answer === undefined
    ? { outcome: 'invalid-output', usage, detail: 'the answer is not a summary of the asked form' }
    : { outcome: 'ok', usage, answer };
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

const fence = '```';

/** The inside of one Markdown fence that spans the whole text; `null` tells the SDK to give up. */
function withoutFence(text: string): string | null {
  const fenced = text.trim();
  const firstLine = fenced.indexOf('\n');
  const lastLine = fenced.lastIndexOf('\n');
  if (firstLine >= lastLine || fenced.slice(lastLine).trim() !== fence) return null;
  const opening = fenced.slice(0, firstLine);
  return /^```[a-z]*\s*$/i.test(opening) ? fenced.slice(firstLine, lastLine) : null;
}
