import { setTimeout as delay } from 'node:timers/promises';
import { record } from '../json-view.ts';
import type { RuleViolation } from './rule.ts';
import type { WireApi, WireReply, WireRequest } from './wire-api.ts';

/** Settings of a provider package. */
export interface ProviderSettings {
  readonly baseURL: string;
  readonly apiKey: string;
  readonly fetch: typeof fetch;
}

/** A request that an API was sent. */
export interface CapturedRequest extends WireRequest {
  /** Every rule the body breaks, those that were let pass included. */
  readonly violations: readonly RuleViolation[];
}

/** An API that stands in for a provider's service: whoever has its settings asks it. */
export interface ServedApi {
  readonly settings: ProviderSettings;
  /** Oldest first. */
  readonly requests: CapturedRequest[];
}

/** Each has an address of its own: what is learned of a model is known by it. */
let lastPort = 1024;

/** Lets an API answer as its service would; nothing is sent anywhere. */
export function served(api: WireApi, address?: string): ServedApi {
  const baseURL = address ?? `http://127.0.0.1:${(lastPort += 1)}`;
  const requests: CapturedRequest[] = [];
  const answered = async (...given: Parameters<typeof fetch>): Promise<Response> => {
    const asked = new Request(...given);
    const request: WireRequest = {
      path: new URL(asked.url).pathname,
      headers: Object.fromEntries(asked.headers),
      body: record(await asked.json()),
    };
    const violations = api.rules(request);
    requests.push({ ...request, violations });
    const refused = violations.find(
      ({ severity }) => severity === 'E' || (severity === 'S' && api.isStrict),
    );
    const reply = refused === undefined ? api.answer(request) : api.refuse(refused);
    return new Response(streamOf(reply, asked.signal), {
      status: reply.status,
      headers: reply.headers,
    });
  };
  return { settings: { baseURL, apiKey: 'unused', fetch: answered }, requests };
}

function streamOf(
  { chunks, pauseMs = 0 }: WireReply,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const rest = [...chunks];
  return new ReadableStream({
    pull: async (controller) => {
      const chunk = rest.shift();
      if (chunk === undefined) return controller.close();
      if (pauseMs > 0) await delay(pauseMs, undefined, { signal });
      controller.enqueue(typeof chunk === 'string' ? encoder.encode(chunk) : chunk);
    },
  });
}
