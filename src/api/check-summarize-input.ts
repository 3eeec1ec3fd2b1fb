import { SummarizationOptionError } from '../errors/summarization-option-error.ts';
import { checkInput, checkObject } from '../checks/check-object.ts';
import { anyAbortSignal, anyObject, integer, type OptionRule } from '../checks/option-rule.ts';
import type { SummarizeConversationInput } from './summarize-conversation.ts';
import { checkMessages } from './check-messages.ts';
import { checkModel } from './given-model.ts';

/** Checked in words of their own. */
const elsewhere: OptionRule = { allowed: '', accepts: () => true };

const inputRules: Readonly<Record<keyof SummarizeConversationInput, OptionRule>> = {
  messages: elsewhere,
  model: elsewhere,
  config: anyObject,
  depth: integer(0),
  parent: anyObject,
  abortSignal: anyAbortSignal,
};

/**
 * Checks what `summarizeConversation` is given, by callers without types too; `config` as far as it is an
 * object.
 *
 * @throws {SummarizationOptionError} naming what is wrong and what is allowed.
 */
export async function checkSummarizeInput(input: SummarizeConversationInput): Promise<void> {
  checkInput(input, 'messages and model');
  checkObject(input, inputRules, '');
  checkMessages(input.messages, 'messages');
  checkModel(input.model);
  if (input.parent === undefined) return;
  const { summaryRecordSchema } = await import('../record/record-schemas.ts');
  const { error } = summaryRecordSchema.safeParse(input.parent);
  if (error === undefined) return;
  const path = error.issues[0]?.path.join('.') ?? '';
  throw new SummarizationOptionError({
    option: 'parent',
    value: input.parent,
    allowed: `a record that summarizeConversation wrote${path === '' ? '' : `; its ${path} is wrong`}`,
  });
}
