import { moveSummary } from '../composing/inject-summary.ts';
import { placementKey } from '../composing/resolve-placement.ts';
import { contextOverflowOf } from '../overflow/context-overflow.ts';
import { errorEvidence } from '../overflow/error-evidence.ts';
import { withCallWarnings } from '../report/warning-memory.ts';
import type { StreamPart } from '../util/async/map-stream.ts';
import { isObject } from '../util/is-object.ts';
import { generateFitting, streamFitting } from './overflow-retry.ts';
import type { Generated, Send, SentCall, Streamed } from './sent-call.ts';
import { streamOrError, streamWithHead, type Replacement } from './stream-head.ts';

/**
 * Sends a call: once more, shortened, when the provider refuses it as too long, and once more for each further place
 * that its summary may have when the prompt is refused for another reason. The place that is taken is remembered for
 * the model.
 */
export async function generateWithRetry(call: SentCall, send: Send<Generated>): Promise<Generated> {
  let result: Generated;
  try {
    result = await generateFitting(call, send);
  } catch (error) {
    const next = placedElsewhere(call, error);
    if (next === undefined) throw error;
    return generateWithRetry(next, () => next.model.doGenerate(next.params));
  }
  if (!isObject(result) || call.isPlacedAnew !== true) return result;
  rememberPlacement(call);
  return withCallWarnings(call, result);
}

/** As {@link generateWithRetry} for a stream, up to its first output. */
export async function streamWithRetry(call: SentCall, send: Send<Streamed>): Promise<Streamed> {
  const again = (next: SentCall): Promise<Streamed> =>
    streamWithRetry(next, () => next.model.doStream(next.params));
  let result: Streamed;
  try {
    result = await streamFitting(call, send);
  } catch (error) {
    const next = placedElsewhere(call, error);
    if (next === undefined) throw error;
    return again(next);
  }
  if (!isObject(result) || call.composition === undefined) return result;
  const replace = (part: StreamPart): Replacement | Promise<Replacement> => {
    const next = part.type === 'error' ? placedElsewhere(call, part.error) : undefined;
    if (next !== undefined) return streamOrError(again(next));
    if (part.type !== 'error' && call.isPlacedAnew === true) rememberPlacement(call);
    return part;
  };
  return { ...result, stream: streamWithHead(result.stream, replace) };
}

/** The call with its summary in the next place, where the prompt was refused for what may be its place. */
function placedElsewhere(call: SentCall, error: unknown): SentCall | undefined {
  const { params, composition, counted, style } = call;
  if (composition === undefined || !mayBeRefusedPlace(error)) return undefined;
  const moved = moveSummary(params.prompt, composition.text, style.placement);
  if (moved === undefined) return undefined;
  params.abortSignal?.throwIfAborted();
  const { prompt, placement } = moved;
  return {
    ...call,
    params: { ...params, prompt },
    composition: { ...composition, prompt },
    counted: { ...counted, prompt },
    style: { ...style, placement },
    isPlacedAnew: true,
  };
}

function rememberPlacement({ memory, model, style, warn }: SentCall): void {
  const { placement } = style;
  const key = placementKey(model);
  memory.placements.set(key, placement);
  const name = `${model.provider}:${model.modelId}`;
  warn({
    code: 'placement-refused',
    cause: `placement-refused ${key} ${placement}`,
    message:
      `${name} refused a prompt with the summary where it stood and took it as '${placement}', where summaries ` +
      `for it go from now on. Set placement: '${placement}' to save the refused request of each process.`,
  });
}

/** Statuses under which prompts are refused; llama.cpp says under 500 that a template failed. */
const refusingStatuses: ReadonlySet<number> = new Set([400, 422, 500]);

/** Words by which a request is refused for its content, or for who sent it: it must not be repeated. */
const otherMatters =
  /content[ _-]?(?:filter|management|policy)|responsibleai|safety|moderation|flagged|guardrail|api[ _-]?key|credit|billing|quota|rate[ _-]?limit|authenticat|permission|not[ _]found|does not exist/;

/** Words by which templates and APIs refuse a role, or the order of roles. */
const placeWords =
  /template|jinja|alternat|(?:system|developer)['"’ ]*(?:role|message|prompt|instruction)|role['": ]*(?:system|developer)/;

/** Words by which something else of a request is refused. */
const otherParts =
  /tool|function|schema|image|file|audio|param|max[ _]|temperature|top_p|stream|format|json|model|reasoning|thinking|signature|cach/;

/**
 * Whether a prompt may have been refused for where the summary stands. What else a refusal may mean is told by its
 * words; one that says nothing may mean that.
 */
function mayBeRefusedPlace(error: unknown): boolean {
  const { statuses, texts, codes } = errorEvidence(error);
  if (!statuses.every((status) => refusingStatuses.has(status))) return false;
  const said = [...texts, ...codes];
  if (said.some((text) => otherMatters.test(text)) || contextOverflowOf(error) !== undefined)
    return false;
  if (texts.some((text) => placeWords.test(text))) return true;
  const isRefusal = statuses.length > 0 && !statuses.includes(500);
  return isRefusal && !texts.some((text) => otherParts.test(text));
}
