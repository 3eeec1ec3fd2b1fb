import type { CallOptions } from '../prompt/prompt-types.ts';

/**
 * Tokens of the context that a call keeps for its answer: `maxOutputTokens`, and with them the thinking
 * budget where the provider adds it (Anthropic, Bedrock); Google's is part of the answer. `undefined`
 * when the call names neither.
 */
export function answerReserve({
  maxOutputTokens,
  providerOptions: { anthropic, google, vertex, bedrock } = {},
}: Pick<CallOptions, 'maxOutputTokens' | 'providerOptions'>): number | undefined {
  const added = Math.max(
    budget(anthropic?.['thinking'], 'budgetTokens'),
    budget(bedrock?.['reasoningConfig'], 'budgetTokens'),
  );
  const within = Math.max(
    budget(google?.['thinkingConfig'], 'thinkingBudget'),
    budget(vertex?.['thinkingConfig'], 'thinkingBudget'),
  );
  const reserve = Math.max((maxOutputTokens ?? 0) + added, within);
  return maxOutputTokens === undefined && reserve === 0 ? undefined : reserve;
}

function budget(settings: unknown, name: string): number {
  if (typeof settings !== 'object' || settings === null) return 0;
  if ('type' in settings && settings.type === 'disabled') return 0;
  // Negative budgets leave the choice to the model.
  const value: unknown = Reflect.get(settings, name);
  return typeof value === 'number' && value > 0 ? value : 0;
}
