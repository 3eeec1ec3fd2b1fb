import type { Message } from '../../../prompt/prompt-types.ts';
import { redactionDoor, type Redact } from '../../../cleaning/redaction-door.ts';
import type { TimeSlices } from '../../../util/async/time-slices.ts';
import { flattenValue } from './flatten-value.ts';
import { outputText } from './output-text.ts';

/**
 * Whose words a text holds. `memory` is what the narrative of an earlier record said, `list` what it listed,
 * `facts` what an extractor has read out of a tool call.
 */
export type SourceRole = 'user' | 'assistant' | 'call' | 'result' | 'memory' | 'list' | 'facts';

/** One text that a summary can quote. */
export interface SourceText {
  /** Position of the message among the messages to cover, -1 for an earlier record. */
  readonly index: number;
  readonly role: SourceRole;
  readonly text: string;
  /** Of an earlier record: whether it quotes the user. */
  readonly quotesUser?: boolean | undefined;
  /** Of an earlier record: whether it quotes the assistant. */
  readonly isReply?: boolean | undefined;
  /**
   * What a mention in it counts, from 0 to 1.
   * @default 1
   */
  readonly standing?: number | undefined;
  /** The tool call that it belongs to. */
  readonly call?: CallOfText | undefined;
}

/** Which call a text belongs to. */
export interface CallOfText {
  readonly toolCallId: string;
  readonly toolName: string;
}

/**
 * Lists the texts of messages in order: what was said, what tools were asked and what they answered,
 * JSON without its punctuation. Reasoning, files and provider-specific parts are left out.
 *
 * @param redact - Its door takes whole texts: a secret cut in two would not be recognised any more.
 */
export async function sourceTexts(
  messages: readonly Message[],
  slices: TimeSlices,
  redact?: Redact,
): Promise<readonly SourceText[]> {
  const clean = redactionDoor(redact);
  const texts: SourceText[] = [];
  for (const [index, message] of messages.entries()) {
    const add = async (role: SourceRole, whole: string, call?: CallOfText): Promise<void> => {
      const text = clean(whole);
      if (/\S/.test(text)) texts.push({ index, role, text, call });
      await slices.pause();
    };
    if (message.role === 'system') {
      await add('assistant', message.content);
      continue;
    }
    const spoken = message.role === 'user' ? 'user' : 'assistant';
    for (const part of message.content) {
      if (part.type === 'text') await add(spoken, part.text);
      else if (part.type === 'file' && part.data.type === 'text')
        await add('result', part.data.text);
      else if (part.type === 'tool-call')
        await add('call', await flattenValue(part.input, slices), part);
      else if (part.type === 'tool-result')
        await add('result', await outputText(part.output, slices), part);
    }
  }
  return texts;
}
