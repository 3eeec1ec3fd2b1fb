import { emptyContent } from '../../src/record/content-items.ts';
import type { SummaryStrategy } from '../../src/index.ts';
import type { Corpus, Session } from './load-sessions.ts';
import { replay, type ObservedCall, type Provider } from './replay.ts';

/** Errors are estimates over what was reported, less one. */
export interface Figures {
  /** Of first calls, counted with nothing known of the model. */
  readonly first: readonly number[];
  /** Of the last call of a session when it is the first that a process sees. */
  readonly whole: readonly number[];
  /** From the second call of each session on, no summary in between. */
  readonly calls: readonly ObservedCall[];
  /** Calls sent as being below the trigger: reported tokens over it, less one. */
  readonly sent: readonly number[];
  /** Calls at which the trigger fired first: tokens of the prompt over it, less one. */
  readonly fired: readonly number[];
  /** Calls that were not sent, since nothing legal would have fitted. */
  readonly refused: number;
}

const triggerTokenRatio = 0.8;
/** Share of the context that a session takes where nothing is to be summarised. */
const calmShare = 0.75;
/** Share of a session at which the trigger is to fire. */
const triggerShare = 0.6;

/** Tokens of a first call below which it says nothing: a greeting alone. */
const leastTokens = 500;

/** Nothing changes a prompt, whatever is decided. */
const measuring = { strategy: 'none', fallbackStrategy: false } as const;

/** A summary at once and for nothing. */
const instant: SummaryStrategy = {
  name: 'instant',
  summarize: () =>
    Promise.resolve({
      content: emptyContent('The participants worked on the task.'),
      usage: { inputTokens: 0, outputTokens: 0 },
    }),
};

/** Replays each session of a corpus at context lengths of its own. */
export async function measureCorpus({ sessions }: Corpus, provider: Provider): Promise<Figures> {
  const first: number[] = [];
  const whole: number[] = [];
  const calls: ObservedCall[] = [];
  const sent: number[] = [];
  const fired: number[] = [];
  let refused = 0;
  for (const session of sessions) {
    const start = session.calls[0];
    const end = session.calls.at(-1);
    if (start === undefined || end === undefined) continue;
    if (tokensUntil(session, provider, start) >= leastTokens)
      first.push(...(await errorsAlone(session, provider, start)));
    whole.push(...(await errorsAlone(session, provider, end)));

    const full = tokensUntil(session, provider, end);
    const calm = { ...measuring, contextLength: Math.ceil(full / calmShare) };
    const { calls: all } = await replay(session, provider, calm);
    calls.push(...all.slice(1));

    const contextLength = Math.ceil((full * triggerShare) / triggerTokenRatio);
    const options = { contextLength, strategy: instant, minMessages: 1 };
    const trigger = contextLength * triggerTokenRatio;
    const eventful = await replay(session, provider, options);
    refused += eventful.refused;
    for (const { check, reported } of eventful.calls)
      if (check.reason === 'below-trigger') sent.push(reported / trigger - 1);
    const firing = eventful.calls.find(({ check }) => check.act !== 'none');
    if (firing !== undefined) fired.push(firing.unabridged / trigger - 1);
  }
  return { first, whole, calls, sent, fired, refused };
}

/** Error of one call with nothing known, at the trigger, so that everything is counted. */
async function errorsAlone(
  session: Session,
  provider: Provider,
  end: number,
): Promise<readonly number[]> {
  // Half of the context: an estimate that is too high shall not be taken for an overflow.
  const contextLength = 2 * tokensUntil(session, provider, end);
  const options = { ...measuring, contextLength, triggerTokenRatio: 0.5 };
  const { calls } = await replay(session, provider, options, [end]);
  return calls.map(errorOf);
}

/** How far what the middleware said of a call is from what was reported for it. */
export function errorOf({ check, reported }: ObservedCall): number {
  return check.tokens / reported - 1;
}

function tokensUntil({ messages, tools }: Session, provider: Provider, end: number): number {
  return provider.tokens.input({ prompt: messages.slice(0, end), tools: [...tools] });
}
