import herePrompt from '../../../prompts/summarize-here.md' with { type: 'text' };
import { redactionDoor, withheldText } from '../../cleaning/redaction-door.ts';
import type { CallOptions } from '../../prompt/prompt-types.ts';
import { fillTemplate } from '../../prompts/fill-template.ts';
import { withDeadline } from '../../util/async/with-deadline.ts';
import type { ModelPanel } from '../models/ask-models.ts';
import { maxAnswerCharacters } from '../models/call-model.ts';
import { usageOf, type CallUsage } from '../models/classify-failure.ts';
import { nameOfModel, ownCallMark } from '../models/resolve-model.ts';
import { parseAnswer, type SummaryAnswer } from '../models/summary-answer.ts';
import type { SummaryInput } from '../summary-strategy.ts';

/** Milliseconds a call may take, where nobody says. */
const defaultTimeoutMs = 60_000;
/** Room that a record needs where the call asks for a short answer. */
const leastOutputTokens = 4000;

/**
 * Asks for the first answer of a summary at the end of the very prompt that the provider has in its cache: once, with
 * tools and settings as they are. An answer that is a tool call, goes on with the conversation or is no record for any
 * other reason is billed and left, and the transcript is sent instead.
 *
 * @param panel - Asks with the transcript.
 * @param instructions - How a record is written.
 */
export function askInConversation(
  panel: ModelPanel,
  input: SummaryInput,
  instructions: string,
): ModelPanel {
  const { conversation } = input;
  if (conversation === undefined || !canAskIn(conversation)) return panel;
  let billed: CallUsage = { inputTokens: 0, outputTokens: 0 };
  let wasAsked = false;
  const bill = (usage: CallUsage): void => {
    billed = usage;
  };
  return {
    ...panel,
    usage: () => {
      const { inputTokens, outputTokens } = panel.usage();
      return {
        inputTokens: inputTokens + billed.inputTokens,
        outputTokens: outputTokens + billed.outputTokens,
      };
    },
    calls: () => panel.calls() + (wasAsked ? 1 : 0),
    ask: async (prepare) => {
      const isFirst = !wasAsked;
      wasAsked = true;
      const answer = isFirst ? await askOnce(input, conversation, instructions, bill) : undefined;
      return answer ?? panel.ask(prepare);
    },
  };
}

/**
 * Whether a record can be asked for: a message of the user may follow, the answer may be a text of any form, and no
 * call that has just been approved would be run by the provider, which the conversation's own call has it run too.
 */
function canAskIn({ prompt, toolChoice, responseFormat }: CallOptions): boolean {
  const isOpen = toolChoice === undefined || ['auto', 'none'].includes(toolChoice.type);
  const last = prompt.at(-1)?.role;
  const isInTurn = last === 'user' || last === 'tool';
  return isOpen && responseFormat?.type !== 'json' && isInTurn && !hasNewApproval(prompt);
}

function hasNewApproval(prompt: CallOptions['prompt']): boolean {
  const answered = prompt.findLastIndex(({ role }) => role === 'assistant');
  return prompt
    .slice(answered + 1)
    .some(
      ({ role, content }) =>
        role === 'tool' && content.some(({ type }) => type === 'tool-approval-response'),
    );
}

async function askOnce(
  input: SummaryInput,
  conversation: CallOptions,
  instructions: string,
  bill: (usage: CallUsage) => void,
): Promise<SummaryAnswer | undefined> {
  const { model, onAttempt, redact, abortSignal, summaryTimeoutMs = defaultTimeoutMs } = input;
  const name = nameOfModel(model);
  try {
    const result = await withDeadline(abortSignal, summaryTimeoutMs, async (signal) =>
      model.doGenerate({ ...callFor(input, conversation, instructions), abortSignal: signal }),
    );
    bill(billedBy(result.usage));
    const isText = result.content.every(({ type }) => type === 'text' || type === 'reasoning');
    const text = result.content
      .map((part) => (part.type === 'text' ? part.text : ''))
      .join('')
      .slice(0, maxAnswerCharacters);
    const isWhole = isText && result.finishReason.unified === 'stop';
    const answer = isWhole ? parseAnswer(text, redactionDoor(redact)) : undefined;
    const isRecord = answer !== undefined && answer.summary !== withheldText;
    const detail = 'asked in the conversation, it wrote no record';
    onAttempt?.({
      model: name,
      ...(isRecord ? { outcome: 'ok' } : { outcome: 'invalid-output', detail }),
    });
    return isRecord ? answer : undefined;
  } catch (error) {
    const isAborted = abortSignal?.aborted === true;
    bill(usageOf(error));
    onAttempt?.({ model: name, outcome: isAborted ? 'aborted' : 'transport-error' });
    abortSignal?.throwIfAborted();
    return undefined;
  }
}

function callFor(
  { recentMessages = 0 }: SummaryInput,
  conversation: CallOptions,
  instructions: string,
): CallOptions {
  const { prompt, maxOutputTokens, providerOptions } = conversation;
  const here = fillTemplate(herePrompt, { content: String(recentMessages) });
  const text = `${here}\n${instructions}`;
  return {
    ...conversation,
    prompt: [...prompt, { role: 'user', content: [{ type: 'text', text }] }],
    ...(maxOutputTokens === undefined
      ? {}
      : { maxOutputTokens: Math.max(maxOutputTokens, leastOutputTokens) }),
    providerOptions: { ...providerOptions, ...ownCallMark() },
  };
}

function billedBy({
  inputTokens,
  outputTokens,
}: Awaited<ReturnType<SummaryInput['model']['doGenerate']>>['usage']): CallUsage {
  return usageOf({
    usage: { inputTokens: inputTokens.total, outputTokens: outputTokens.total },
  });
}
