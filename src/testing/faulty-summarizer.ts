import { checkThat } from '../checks/check-object.ts';
import type { CallOptions } from '../prompt/prompt-types.ts';
import { emptyContent } from '../record/empty-content.ts';
import { recordingModel, type GivenAnswer, type RecordingModel } from './scripted-model.ts';

/**
 * What may go wrong in a call of a summarising model:
 * - `error`: it cannot be reached;
 * - `not-json`: it answers with chatter;
 * - `empty`: it answers with nothing;
 * - `cut-off`: it stops in the middle of its answer;
 * - `silent`: it never answers, until the call is given up.
 */
export type SummarizerFault = 'error' | 'not-json' | 'empty' | 'cut-off' | 'silent';

const faultNames: ReadonlySet<string> = new Set<SummarizerFault>([
  'error',
  'not-json',
  'empty',
  'cut-off',
  'silent',
]);
const allowed = `undefined or one of ${[...faultNames].join(', ')}`;

/**
 * A summarising model whose calls go wrong as often as said: `faults` are those of its calls, one after another
 * and again from the first; `undefined` is a call that goes well. Its summaries say how many calls there were.
 *
 * @throws {SummarizationOptionError} naming the fault that is none.
 *
 * @example
 * const summarizer = faultySummarizer(['error', undefined, 'not-json']); // two of three calls go wrong
 */
export function faultySummarizer(faults: readonly (SummarizerFault | undefined)[]): RecordingModel {
  checkThat(Array.isArray(faults), 'faults', faults, 'a list');
  for (const [index, fault] of faults.entries())
    checkThat(fault === undefined || faultNames.has(fault), `faults[${index}]`, fault, allowed);
  let calls = 0;
  return recordingModel({ modelId: 'summarizer' }, async (params) => {
    const fault = faults[calls % Math.max(1, faults.length)];
    calls += 1;
    return fault === undefined ? textAnswer(summaryOf(calls, params)) : failing(fault, params);
  });
}

async function failing(fault: SummarizerFault, { abortSignal }: CallOptions): Promise<GivenAnswer> {
  switch (fault) {
    case 'error':
      throw new Error('The summarising model cannot be reached.');
    case 'not-json':
      return textAnswer('Sure, here is the summary you asked for.');
    case 'empty':
      return textAnswer('');
    case 'cut-off':
      return { ...textAnswer('{"summary": "It was about'), finishReason: 'length' };
    case 'silent':
      return new Promise((_resolve, reject) => {
        const giveUp = (): void => reject(new Error('The call was given up.'));
        if (abortSignal?.aborted === true) giveUp();
        abortSignal?.addEventListener('abort', giveUp, { once: true });
      });
  }
}

function textAnswer(text: string): GivenAnswer {
  return { content: [{ type: 'text', text }] };
}

/** A whole summary, or plain text where no object is asked for. */
function summaryOf(calls: number, { responseFormat }: CallOptions): string {
  const summary = `Summary number ${calls} of the conversation.`;
  if (responseFormat?.type !== 'json') return summary;
  return JSON.stringify(emptyContent(summary));
}
