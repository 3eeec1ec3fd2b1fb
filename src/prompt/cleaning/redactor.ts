import { SummarizationError } from '../../foundations/errors/summarization-error.ts';
import { runSafely } from '../../foundations/util/async/callbacks.ts';
import { visibleText } from './visible-text.ts';

/** Makes a text fit to go to a summarizing model, into a record, a store, an event or a log. */
export type Redactor = (text: string) => string;

/** The caller's function that takes out of a text what must not leave. */
export type Redact = (text: string) => string;

/** Stands for a text that `redact` failed on. */
export const withheldText = '[text left out: it could not be redacted]';

const redactors = new WeakSet<Redact>([visibleText]);

/**
 * Makes a redactor: it removes invisible characters, then applies `redact`, which so sees no
 * secret that they split. A text that `redact` fails on, because it throws or returns
 * anything but a text, does not pass: {@link withheldText} takes its place. Given a redactor, it returns that one.
 *
 * @param onFault - Told each time `redact` fails.
 */
export function makeRedactor(redact?: Redact, onFault?: () => void): Redactor {
  if (redact === undefined) return visibleText;
  if (redactors.has(redact)) return redact;
  const redactor: Redactor = (text) => {
    const visible = visibleText(text);
    if (visible === '') return '';
    const redacted = resultOf(redact, visible);
    if (redacted !== undefined) return visibleText(redacted);
    onFault?.();
    return withheldText;
  };
  redactors.add(redactor);
  return redactor;
}

function resultOf(redact: (text: string) => unknown, text: string): string | undefined {
  try {
    const result = redact(text);
    if (typeof result === 'string') return result;
    // The rejection of an async function that nobody waits for would end the process.
    runSafely(() => result);
  } catch {
    // Its error may quote the text.
  }
  return undefined;
}

/** The error of a `redact` that failed. It has no cause: that may quote the text. */
export function redactFailure(): SummarizationError {
  return new SummarizationError({
    reason: 'redact',
    message: 'The option redact threw an error or did not return a string.',
  });
}
