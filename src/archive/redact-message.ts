import { redactionDoor, type Redact } from '../cleaning/redaction-door.ts';
import { visibleText } from '../cleaning/visible-text.ts';
import type { Message } from '../prompt/prompt-types.ts';
import { isObject } from '../util/is-object.ts';

/** Fields of a part that say what it is and belongs to, and those that hold the content of a file. */
const structural: ReadonlySet<string> = new Set(['type', 'role', 'kind', 'mediaType', 'data']);

/**
 * A message as `redact` leaves it: every text of it, ids and names of tools, the names of fields in what tools were given and
 * returned, and addresses. What `redact` leaves alone stays exact to the character, as an archive is word
 * for word; it sees each text without its invisible characters, so that none splits a secret. The bytes
 * of files stay.
 */
export function redactMessage(message: Message, redact: Redact): unknown {
  const door = redactionDoor(redact);
  return redactPart(message, (text) => {
    const redacted = door(text);
    return redacted === visibleText(text) ? text : redacted;
  });
}

function redactPart(part: unknown, clean: (text: string) => string): object {
  if (!isObject(part)) return {};
  const fields = Object.entries(part).map(([name, value]) => {
    if (name === 'data') return [name, redactFile(value, clean)];
    if (structural.has(name)) return [name, value];
    if (name === 'content' || name === 'output') return [name, redactContent(value, clean)];
    return [name, redactValue(value, clean)];
  });
  return Object.fromEntries(fields);
}

/** The content of a message, or the output of a tool. */
function redactContent(value: unknown, clean: (text: string) => string): unknown {
  if (Array.isArray(value))
    return value.map((part: unknown) => (isObject(part) ? redactPart(part, clean) : part));
  if (!isObject(value)) return redactValue(value, clean);
  const { type, value: content } = value;
  const redacted = redactPart(value, clean);
  return type === 'content' && Array.isArray(content)
    ? { ...redacted, value: redactContent(content, clean) }
    : redacted;
}

function redactFile(data: unknown, clean: (text: string) => string): unknown {
  if (!isObject(data)) return data;
  if (typeof data['text'] === 'string') return { ...data, text: clean(data['text']) };
  return data['url'] instanceof URL ? { ...data, url: redactUrl(data['url'], clean) } : data;
}

/** An address that is none any more says nothing. */
function redactUrl(url: URL, clean: (text: string) => string): URL {
  if (url.protocol === 'data:') return url;
  const href = clean(url.href);
  return URL.canParse(href) ? new URL(href) : new URL('about:blank');
}

function redactValue(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value);
  // A number may be a secret too.
  if (typeof value === 'number')
    return clean(String(value)) === String(value) ? value : clean(String(value));
  if (Array.isArray(value)) return Array.from(value, (each: unknown) => redactValue(each, clean));
  if (value instanceof URL) return redactUrl(value, clean);
  if (!isObject(value) || value instanceof Uint8Array || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [clean(name), redactValue(each, clean)]),
  );
}
