import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { RuleViolation } from './rule.ts';

/** Rules SD2 and SD4: what must hold before a provider package converts the prompt. */
export function sdkPromptRules(prompt: LanguageModelV4Prompt): RuleViolation[] {
  return prompt.flatMap(({ role, content }, index): RuleViolation[] => {
    if (role !== 'tool') return [];
    const previous = prompt[index - 1];
    const isLost =
      content.some(({ type }) => type === 'tool-approval-response') && !waitsForProvider(previous);
    return [
      ...(previous?.role === 'tool' ? [{ rule: 'SD2', message: 'are tool messages' }] : []),
      ...(isLost ? [{ rule: 'SD4', message: 'hold an approval that has lost its call' }] : []),
    ].map(({ rule, message }) => ({
      rule,
      severity: 'E',
      message: `Messages ${index - 1} and ${index} ${message}.`,
    }));
  });
}

/** Whether a message has a call that the provider executes, without its result. */
function waitsForProvider(message: LanguageModelV4Message | undefined): boolean {
  if (message?.role !== 'assistant') return false;
  const answered = new Set(
    message.content.map((part) => (part.type === 'tool-result' ? part.toolCallId : undefined)),
  );
  return message.content.some(
    (part) =>
      part.type === 'tool-call' && part.providerExecuted === true && !answered.has(part.toolCallId),
  );
}
