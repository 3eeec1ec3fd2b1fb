import herePrompt from '../../../prompts/summarize-here.md' with { type: 'text' };
import { redactionDoor, withheldText } from '../../cleaning/redaction-door.ts';
import type { CallOptions } from '../../prompt/prompt-types.ts';
import { fillTemplate } from '../../prompts/template.ts';
import { withDeadline } from '../../util/async/waiting.ts';
import { maxAnswerCharacters } from '../models/call-model.ts';
import { usageOf, type CallUsage } from '../models/classify-failure.ts';
import { nameOfModel, ownCallMark } from '../models/resolve-model.ts';
import { parseAnswer, type SummaryAnswer } from '../models/summary-answer.ts';
import type { SummaryInput } from '../summary-strategy.ts';

/** Room that a record needs where the call asks for a short answer. */
const leastOutputTokens = 4000;

/**
 * Asks for a summary at the end of the very prompt that the provider has in its cache: once, with settings as they are,
 * and tools that are not to be called. An answer that is a tool call, goes on with the conversation or is no record for any other reason is billed
 * and left.
 *
 * @param instructions - How a record is written.
 * @returns What was billed, and the record if there is one; nothing where it cannot be asked for.
 */
export async function askInConversation(
  input: SummaryInput,
  instructions: string,
  timeoutMs: number,
): Promise<{ readonly answer?: SummaryAnswer | undefined; readonly usage?: CallUsage }> {
  const { model, conversation, onAttempt, redact, abortSignal } = input;
  if (conversation === undefined || !canAskIn(conversation)) return {};
  const name = nameOfModel(model);
  const asked = callFor(input, conversation, instructions);
  try {
    const { content, usage, finishReason } = await withDeadline(
      abortSignal,
      timeoutMs,
      async (signal) => model.doGenerate({ ...asked, abortSignal: signal }),
    );
    const isText = content.every(({ type }) => type === 'text' || type === 'reasoning');
    const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
    const isWhole = isText && finishReason.unified === 'stop';
    const read = isWhole
      ? parseAnswer(text.slice(0, maxAnswerCharacters), redactionDoor(redact))
      : undefined;
    const answer = read?.summary === withheldText ? undefined : read;
    const detail = 'asked in the conversation, it wrote no record';
    onAttempt?.({
      model: name,
      ...(answer ? { outcome: 'ok' } : { outcome: 'invalid-output', detail }),
    });
    const { inputTokens, outputTokens } = usage;
    const tokens = { inputTokens: inputTokens.total, outputTokens: outputTokens.total };
    return { answer, usage: usageOf({ usage: tokens }) };
  } catch (error) {
    const isAborted = abortSignal?.aborted === true;
    onAttempt?.({ model: name, outcome: isAborted ? 'aborted' : 'transport-error' });
    abortSignal?.throwIfAborted();
    return { usage: usageOf(error) };
  }
}

/**
 * Whether a record can be asked for: a message of the user may follow, the answer may be a text of any form, and no
 * call that has just been approved would be run by the provider, which the conversation's own call has it run too.
 */
function canAskIn({ prompt, toolChoice, responseFormat }: CallOptions): boolean {
  const isOpen = toolChoice === undefined || ['auto', 'none'].includes(toolChoice.type);
  const unanswered = prompt.slice(prompt.findLastIndex(({ role }) => role === 'assistant') + 1);
  const isInTurn = ['user', 'tool'].includes(prompt.at(-1)?.role ?? '');
  const isApproved = unanswered.some(
    ({ role, content }) =>
      role === 'tool' && content.some(({ type }) => type === 'tool-approval-response'),
  );
  return isOpen && responseFormat?.type !== 'json' && isInTurn && !isApproved;
}

/** Models whose cache loses the messages with another choice of tools. */
const keepsChoice = /anthropic|claude/i;

function callFor(
  { model, recentMessages = 0 }: SummaryInput,
  conversation: CallOptions,
  instructions: string,
): CallOptions {
  const { prompt, tools = [], maxOutputTokens, providerOptions } = conversation;
  const mayChoose = tools.length > 0 && !keepsChoice.test(`${model.provider} ${model.modelId}`);
  const here = fillTemplate(herePrompt, { content: String(recentMessages) });
  const text = `${here}\n${instructions}`;
  return {
    ...conversation,
    prompt: [...prompt, { role: 'user', content: [{ type: 'text', text }] }],
    ...(mayChoose && { toolChoice: { type: 'none' } }),
    ...(maxOutputTokens === undefined
      ? {}
      : { maxOutputTokens: Math.max(maxOutputTokens, leastOutputTokens) }),
    providerOptions: { ...providerOptions, ...ownCallMark() },
  };
}
