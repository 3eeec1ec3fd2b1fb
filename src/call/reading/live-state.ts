import { renderLiveState } from '../../composing/render-live-state.ts';
import type { Policy } from '../../options/resolve-policy.ts';
import { harmlessly } from '../../util/async/harmlessly.ts';
import type { CallContext } from './call-context.ts';

/** Characters that a state may have, and how many for each token of a summary's budget. */
const maxStateCharacters = 4000;
const stateCharactersPerToken = 2;

/** What was said in a call. */
const said = new WeakMap<object, { readonly text: string | undefined }>();

/**
 * What the application says is true now, as it stands in the prompts of one call. Asked for when the first of them
 * is written, and not again: all attempts of a call say the same.
 */
export function liveStateOf(
  context: Pick<CallContext, 'options' | 'emit'>,
  { maxSummaryTokens }: Pick<Policy, 'maxSummaryTokens'>,
): (() => string | undefined) | undefined {
  const { options, emit } = context;
  const { liveState } = options;
  if (liveState === undefined) return undefined;
  const most = Math.min(maxStateCharacters, maxSummaryTokens * stateCharactersPerToken);
  const ask = (): string | undefined => {
    try {
      const state: unknown = liveState();
      if (state === undefined) return undefined;
      if (typeof state === 'string') return renderLiveState(state, most);
      // Of an async function: a rejection that nobody waits for would end the process.
      harmlessly(() => state);
      throw new TypeError('liveState returns a string or nothing, at once.');
    } catch (error) {
      const reason = 'liveState threw or did not return a string';
      emit({ type: 'failed', stage: 'liveState', reason, error });
      return undefined;
    }
  };
  return () => {
    const known = said.get(context) ?? { text: ask() };
    said.set(context, known);
    return known.text;
  };
}
