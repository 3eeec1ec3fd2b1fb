import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider';
import { type RuleViolation, broken } from './rule-violation.ts';

/** Rules SD2 to SD4: what must hold before a provider package converts the prompt. */
export function sdkPromptRules(prompt: LanguageModelV4Prompt): RuleViolation[] {
  return prompt.flatMap((message, index) => {
    const previous = prompt[index - 1];
    const open = providerCalls(previous).length > 0;
    if (message.role !== 'tool') return [];
    const approvals = message.content.filter((part) => part.type === 'tool-approval-response');
    return [
      previous?.role === 'tool'
        ? [broken('SD2', `Messages ${index - 1} and ${index} are tool messages.`)]
        : [],
      approvals.length > 0 && !open
        ? [broken('SD4', `The approval in message ${index} has lost its call.`)]
        : [],
    ].flat();
  });
}

/** Calls that the provider executes and that have no result in the same message. */
function providerCalls(message: LanguageModelV4Message | undefined): string[] {
  if (message?.role !== 'assistant') return [];
  const answered = new Set(
    message.content.filter((part) => part.type === 'tool-result').map((part) => part.toolCallId),
  );
  return message.content
    .filter((part) => part.type === 'tool-call')
    .filter((part) => part.providerExecuted === true && !answered.has(part.toolCallId))
    .map((part) => part.toolCallId);
}
