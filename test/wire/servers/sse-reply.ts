import { text } from '../json-view.ts';
import type { WireReply } from './wire-api.ts';

/** A stream of server-sent events; `end` is a last line such as OpenAI's `[DONE]`. */
export function sseReply(
  events: readonly Readonly<Record<string, unknown>>[],
  end?: string,
): WireReply {
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    chunks: [
      ...events.map((event) => `data: ${JSON.stringify(event)}\n\n`),
      ...(end === undefined ? [] : [`data: ${end}\n\n`]),
    ],
  };
}

/** As {@link sseReply}, with the event's `type` as its name, as Anthropic and OpenAI Responses do it. */
export function namedSseReply(events: readonly Readonly<Record<string, unknown>>[]): WireReply {
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    chunks: events.map((event) => `event: ${text(event.type)}\ndata: ${JSON.stringify(event)}\n\n`),
  };
}

/** Cuts a text into pieces of about ten characters, as a model streams it. */
export function pieces(content: string): string[] {
  return content.match(/[\s\S]{1,10}/g) ?? [];
}
