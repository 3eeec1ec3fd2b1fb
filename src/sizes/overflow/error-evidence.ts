import { parseJson } from '../../foundations/util/json.ts';

/** Contents of a provider's error, gathered from every field in which gateways and SDKs put them. */
export interface ErrorEvidence {
  /** Error texts in lower case, outermost first. Never a text of the request or of an answer. */
  readonly texts: readonly string[];
  /** Codes, types and names in lower case. */
  readonly codes: readonly string[];
  /** HTTP statuses, also those that a body repeats. */
  readonly statuses: readonly number[];
  /** Numbers that llama.cpp gives as fields. */
  readonly limit?: number | undefined;
  readonly tokens?: number | undefined;
  /** Whether the provider answered with a status and no body. */
  readonly hasEmptyBody: boolean;
}

/** Objects looked at, and characters read, of one error at the most: bodies may be of any size. */
const maxNodes = 64;
const maxEvidenceCharacters = 20_000;

/**
 * Where an error may hold another one, or a part of itself. The request is not among them, and neither
 * is the content of an answer: what is said in a conversation must not pass for an error.
 */
const innerKeys = [
  'lastError',
  'cause',
  'error',
  'errors',
  'data',
  'detail',
  'details',
  'response',
  'metadata',
  'raw',
  'message',
  'error_message',
  'errorMessage',
  'error_msg',
  'msg',
  'base_resp',
  'status_msg',
  'result',
  'responseBody',
  'body',
] as const;

/** Names of errors whose message quotes what could not be parsed, be it an answer. */
const quotingErrors: ReadonlySet<string> = new Set(['AI_TypeValidationError', 'AI_JSONParseError']);

/** Gathers what an error says: `APICallError`, `RetryError`, error parts of streams, plain bodies, texts. */
export function errorEvidence(error: unknown): ErrorEvidence {
  const texts: string[] = [];
  const codes: string[] = [];
  const statuses: number[] = [];
  const stated: { limit?: number | undefined; tokens?: number | undefined } = {};
  let hasEmptyBody = false;
  let characters = maxEvidenceCharacters;

  const seen = new Set<unknown>();
  const pending: unknown[] = [error];
  for (let index = 0; index < pending.length && seen.size < maxNodes; index += 1) {
    const node = pending[index];
    if (typeof node === 'string') {
      if (characters <= 0) continue;
      const text = node.slice(0, characters);
      characters -= text.length;
      // A body, or one within it; anything else is no more than a text.
      const parsed = parseJson(text);
      if (typeof parsed === 'object' && parsed !== null) pending.push(parsed);
      else {
        texts.push(text.toLowerCase());
        pending.push(jsonWithin(text));
      }
      continue;
    }
    if (typeof node !== 'object' || node === null || seen.has(node)) continue;
    seen.add(node);
    if (Array.isArray(node)) {
      pending.push(...node.slice(0, maxNodes));
      continue;
    }
    const read = (key: string): unknown => propertyOf(node, key);
    if (read('responseBody') === '') hasEmptyBody = true;
    stated.limit ??= numberOf(read('n_ctx'));
    stated.tokens ??= numberOf(read('n_prompt_tokens'));
    const names = ['name', 'code', 'type', 'status'].map(read);
    for (const value of names)
      if (typeof value === 'string') codes.push(value.toLowerCase().slice(0, 200));
    const numbers = ['statusCode', 'status', 'code', 'status_code'].map((key) => Number(read(key)));
    statuses.push(...numbers.filter((value) => value >= 100 && value < 600));
    pending.push(...innerValues(node, read));
  }
  return { texts, codes, statuses, hasEmptyBody, ...stated };
}

/** The object that stands in a text, as gateways put the answers of others into theirs. */
function jsonWithin(text: string): unknown {
  const [start, end] = [text.indexOf('{'), text.lastIndexOf('}')];
  const parsed = start < 0 || end < start ? undefined : parseJson(text.slice(start, end + 1));
  return typeof parsed === 'object' ? parsed : undefined;
}

function innerValues(node: object, read: (key: string) => unknown): readonly unknown[] {
  // The last of several attempts is the one that counts; the message repeats it.
  const lastError = read('lastError');
  if (lastError !== undefined && lastError !== null) return [lastError];
  if (quotingErrors.has(String(read('name')))) return [read('value')];
  const exceptions = Object.keys(node).filter((key) => key.endsWith('Exception'));
  return [...innerKeys, ...exceptions].map(read);
}

/** A property, `undefined` when its getter throws: looking at an error must not make another. */
function propertyOf(node: object, key: string): unknown {
  try {
    return Reflect.get(node, key);
  } catch {
    return undefined;
  }
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
