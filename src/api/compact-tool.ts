import { type Tool, jsonSchema, tool } from 'ai';
import { checked } from '../checks/check-object.ts';
import { lazily, optionsOf, rule } from '../checks/option-rule.ts';
import { compactToolMark } from '../prompt/own-options.ts';

/** Options of `compactTool`. */
export interface CompactToolOptions {
  /**
   * Tells the model when to call the tool.
   * @default at the end of a task, before one that needs little of what was said
   */
  readonly description?: string | undefined;
}

/** What the model may say when it calls the tool. */
export interface CompactToolInput {
  /** What the summary should look to. */
  readonly instructions?: string | undefined;
}

const optionsRule = lazily(() =>
  optionsOf<CompactToolOptions>({
    description: rule(
      'a string that is not empty',
      (value) => typeof value === 'string' && value.trim() !== '',
    ),
  }),
);

const defaultDescription =
  'Asks for a summary of the conversation so far, to make room. Call it when a task is finished and the next one needs few details of what came before; never in the middle of a task. The summary takes the place of the earlier messages from your next step on; what you must still know word for word, write down first.';

const accepted = 'Noted. Earlier messages are summarised as soon as that makes room.';

/**
 * Makes a tool with which an agent asks for a summary at the end of a task. The next call to a model behind
 * `summarizationMiddleware` summarises everything before the agent's call of the tool, even below the trigger,
 * unless fewer than `cooldownMessages` have come since the last summary; then it waits for them. One summary is
 * paid for each call of the tool, whatever is retried, restarted or sent to another instance. Where none can be
 * made, the wish lapses with the second user message.
 *
 * Offer it in every step, under any name. The middleware knows it by a mark in its `providerOptions`, which no
 * provider gets to see, and the wish by the call and its result among the messages.
 *
 * @example
 * new ToolLoopAgent({ model, tools: { ...tools, compact: compactTool() } });
 *
 * @throws {SummarizationOptionError} when an option is wrong.
 */
export function compactTool(options: CompactToolOptions = {}): Tool<CompactToolInput, string> {
  checked(optionsRule(), options);
  return tool({
    description: options.description ?? defaultDescription,
    inputSchema: jsonSchema<CompactToolInput>({
      type: 'object',
      properties: {
        instructions: {
          type: 'string',
          description: 'What the summary should look to, such as open problems or a decision.',
        },
      },
      additionalProperties: false,
    }),
    providerOptions: compactToolMark,
    execute: () => accepted,
  });
}
