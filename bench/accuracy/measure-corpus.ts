import type { Corpus, Session } from './load-sessions.ts';
import { replay, type ObservedCall, type Provider } from './replay.ts';

/** Errors are estimates over what was reported, less one. */
export interface Figures {
  /** Of first calls, counted with nothing known of the model. */
  readonly first: readonly number[];
  /** Of the last call of a session when it is the first that a process sees. */
  readonly whole: readonly number[];
  /** From the second call of each session on. */
  readonly calls: readonly ObservedCall[];
}

/** Share of the context that a session takes: nothing is to be summarized. */
const calmShare = 0.75;

/** Tokens of a first call below which it says nothing: a greeting alone. */
const leastTokens = 500;

/** Replays each session of a corpus at context lengths of its own. */
export async function measureCorpus({ sessions }: Corpus, provider: Provider): Promise<Figures> {
  const first: number[] = [];
  const whole: number[] = [];
  const calls: ObservedCall[] = [];
  for (const session of sessions) {
    const start = session.calls[0];
    const end = session.calls.at(-1);
    if (start === undefined || end === undefined) continue;
    if (tokensUntil(session, provider, start) >= leastTokens)
      first.push(...(await errorsAlone(session, provider, start)));
    whole.push(...(await errorsAlone(session, provider, end)));

    const contextLength = Math.ceil(tokensUntil(session, provider, end) / calmShare);
    calls.push(...(await replay(session, provider, { contextLength })).slice(1));
  }
  return { first, whole, calls };
}

/** Error of one call with nothing known, at the trigger, so that everything is counted. */
async function errorsAlone(
  session: Session,
  provider: Provider,
  end: number,
): Promise<readonly number[]> {
  // Half of the context: an estimate that is too high shall not be taken for an overflow.
  const contextLength = 2 * tokensUntil(session, provider, end);
  const options = { contextLength, triggerTokenRatio: 0.5 };
  const calls = await replay(session, provider, options, [end]);
  return calls.map(errorOf);
}

/** How far what the middleware said of a call is from what was reported for it. */
export function errorOf({ check, reported }: ObservedCall): number {
  return check.tokens / reported - 1;
}

function tokensUntil({ messages, tools }: Session, provider: Provider, end: number): number {
  return provider.tokens.input({ prompt: messages.slice(0, end), tools: [...tools] });
}
