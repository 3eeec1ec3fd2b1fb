import { ownerCookie, ownerOf } from './owner.ts';

/** The user and the body of a request; or the reason of its refusal. */
export type GuardedRequest =
  | { readonly ok: true; readonly owner: string; readonly body: unknown }
  | { readonly ok: false; readonly response: Response };

const maxBodyBytes = 256_000;
const requestsPerMinute = Number(process.env['REQUESTS_PER_MINUTE'] ?? 120);

/** Lets in what a page of this app sends: from the same origin, with its owner's cookie, neither too much nor too often. */
export async function guardRequest(request: Request): Promise<GuardedRequest> {
  if (!isSameOrigin(request)) return refused(403, 'This request comes from another site.');
  const owner = requestOwner(request);
  if (owner === undefined) return refused(401, 'Reload the page: its cookie is missing.');
  if (isTooOften(owner)) return refused(429, 'That was too often. Wait a minute.');
  const text = await limitedText(request);
  if (text === undefined) return refused(413, 'This message is too long for this app.');
  return { ok: true, owner, body: parsed(text) };
}

/** The owner that the cookie of a request names. */
export function requestOwner(request: Request): string | undefined {
  const cookies = (request.headers.get('cookie') ?? '').split('; ');
  const given = cookies.find((cookie) => cookie.startsWith(`${ownerCookie}=`));
  return ownerOf(given?.slice(ownerCookie.length + 1));
}

/** Browsers name the origin of every POST; what names none is no page. */
function isSameOrigin({ headers }: Request): boolean {
  const origin = headers.get('origin');
  const host = headers.get('x-forwarded-host') ?? headers.get('host');
  return origin !== null && URL.canParse(origin) && new URL(origin).host === host;
}

const recent = new Map<string, readonly number[]>();

function isTooOften(owner: string): boolean {
  const now = Date.now();
  const times = (recent.get(owner) ?? []).filter((time) => time > now - 60_000);
  // Owners that are gone leave.
  if (recent.size > 10_000) recent.clear();
  recent.set(owner, [...times, now].slice(-requestsPerMinute));
  return times.length >= requestsPerMinute;
}

async function limitedText({ body }: Request): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBodyBytes) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refused(status: number, problem: string): GuardedRequest {
  // Unread parts of the request would block the next one on the same connection.
  const headers = { connection: 'close' };
  return { ok: false, response: new Response(problem, { status, headers }) };
}
