import { anyText } from '../checks/option-rule.ts';
import { providerOptionsKey } from '../prompt/own-options.ts';
import type { CallOptions } from '../prompt/prompt-types.ts';
import type { SummarizationOptions } from './summarization-options.ts';

/**
 * The conversation that a call belongs to: as it says itself, else as the option says. An empty id is none.
 *
 * @param onFault - Told what the option threw, or that it gave something else than a text; the call goes on without.
 */
export function conversationIdOf(
  { conversationId: option }: Pick<SummarizationOptions, 'conversationId'>,
  params: CallOptions,
  onFault: (fault: unknown) => void,
): string | undefined {
  const own = params.providerOptions?.[providerOptionsKey]?.['conversationId'];
  if (typeof own === 'string') return own;
  try {
    const id: unknown = typeof option === 'function' ? option(params) : option;
    if (id === undefined || id === null || id === '') return undefined;
    return anyText.parse(id);
  } catch (fault) {
    onFault(fault);
    return undefined;
  }
}
