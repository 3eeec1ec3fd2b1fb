import { stringifySteps } from '../json/stringify-json.ts';
import type { Message, Prompt, ToolMessage, UserMessage } from '../prompt/prompt-types.ts';
import type { ToolOutput } from '../prompt/read-message-part.ts';
import { runInSlices } from '../util/async/run-steps.ts';
import type { TimeSlices } from '../util/async/time-slices.ts';

/** What the model is told before older messages are summarised. Constant: it stands in a prompt that is cached. */
const notice =
  '[notice] Soon the earlier messages of this conversation will be replaced by a summary. What must be kept word for word, write down now. [/notice]';

/**
 * Adds the notice to a message of the user or to a tool's result, at its end and without another part where that
 * is possible: some hosts take no list of parts, and none takes another message in every place.
 *
 * @returns `undefined` where the message takes no text.
 */
export async function withNotice(
  prompt: Prompt,
  at: number,
  slices: TimeSlices,
): Promise<Prompt | undefined> {
  const message = prompt[at];
  const told = message && (await toldMessage(message, slices));
  return told && prompt.with(at, told);
}

async function toldMessage(message: Message, slices: TimeSlices): Promise<Message | undefined> {
  if (message.role === 'user') return toldUser(message);
  return message.role === 'tool' ? toldTool(message, slices) : undefined;
}

function toldUser(message: UserMessage): UserMessage {
  const { content } = message;
  const last = content.at(-1);
  const isText = last?.type === 'text';
  const text = isText ? behind(last.text) : notice;
  const part = isText ? { ...last, text } : { type: 'text' as const, text };
  return { ...message, content: [...(isText ? content.slice(0, -1) : content), part] };
}

async function toldTool(
  message: ToolMessage,
  slices: TimeSlices,
): Promise<ToolMessage | undefined> {
  const { content } = message;
  const at = content.findLastIndex((part) => part.type === 'tool-result');
  const part = content[at];
  const output = part?.type === 'tool-result' ? await toldOutput(part.output, slices) : undefined;
  if (part?.type !== 'tool-result' || output === undefined) return undefined;
  return { ...message, content: content.with(at, { ...part, output }) };
}

async function toldOutput(output: ToolOutput, slices: TimeSlices): Promise<ToolOutput | undefined> {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return { ...output, value: behind(output.value) };
    case 'json':
    case 'error-json': {
      // Most providers send it as a text anyway.
      const value = behind(await runInSlices(stringifySteps(output.value), slices));
      return { ...output, type: output.type === 'json' ? 'text' : 'error-text', value };
    }
    case 'content': {
      // Some providers make a result of each part: another one would answer no call.
      const at = output.value.findLastIndex(({ type }) => type === 'text');
      const part = output.value[at];
      if (part?.type !== 'text') return undefined;
      return { ...output, value: output.value.with(at, { ...part, text: behind(part.text) }) };
    }
    default:
      return undefined;
  }
}

function behind(text: string): string {
  return text === '' ? notice : `${text}\n\n${notice}`;
}
