import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import { streamWithHead } from '../../../src/retry/stream-head.ts';

type Part = LanguageModelV4StreamPart;

const start: Part = { type: 'stream-start', warnings: [] };
const raw: Part = { type: 'raw', rawValue: 1 };
const failed: Part = { type: 'error', error: 'first' };
const text = (delta: string): Part => ({ type: 'text-delta', id: '0', delta });

/** A stream that hands out parts when asked, and tells what became of it. */
function source(parts: readonly Part[], error?: unknown) {
  const seen = { pulled: 0, cancelled: undefined as unknown };
  const stream = new ReadableStream<Part>(
    {
      pull: (controller) => {
        const part = parts[seen.pulled];
        seen.pulled += 1;
        if (part !== undefined) controller.enqueue(part);
        else if (error === undefined) controller.close();
        else controller.error(error);
      },
      cancel: (reason) => {
        seen.cancelled = reason ?? 'without a reason';
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, seen };
}

async function read(stream: ReadableStream<Part>): Promise<{ parts: Part[]; error?: unknown }> {
  const parts: Part[] = [];
  try {
    for await (const part of stream) parts.push(part);
    return { parts };
  } catch (error) {
    return { parts, error };
  }
}

describe('streamWithHead', () => {
  it('passes a stream on as it is', async () => {
    const parts = [start, raw, text('a'), start, text('b'), failed];
    const asked: Part[] = [];
    const stream = streamWithHead(source(parts).stream, (part) => {
      asked.push(part);
      return part;
    });
    expect(await read(stream)).toEqual({ parts });
    expect(asked).toEqual([text('a')]);
  });

  it.each([[[]], [[start]], [[start, raw]]])(
    'passes a stream on that says nothing: %j',
    async (parts) => {
      const stream = streamWithHead(source(parts).stream, () => failed);
      expect(await read(stream)).toEqual({ parts });
    },
  );

  it('puts another part in the place of the first, or another stream in the place of all', async () => {
    const other = source([start, text('b')]);
    const first = source([start, failed, text('a')]);
    const replaced = streamWithHead(first.stream, () => other.stream);
    expect(await read(replaced)).toEqual({ parts: [start, text('b')] });
    expect(first.seen).toEqual({ pulled: 2, cancelled: 'without a reason' });
    const again = source([start, failed, text('a')]).stream;
    const parts = [start, text('x'), text('a')];
    expect(await read(streamWithHead(again, () => text('x')))).toEqual({ parts });
  });

  it('shows a stream that breaks as an error part, and lets it break as it would have', async () => {
    const broken = () => source([start, raw], 'first').stream;
    const asked: Part[] = [];
    const passed = streamWithHead(broken(), (part) => {
      asked.push(part);
      return part;
    });
    expect(await read(passed)).toEqual({ parts: [start, raw], error: 'first' });
    expect(asked).toEqual([failed]);
    const second = streamWithHead(broken(), () => ({ type: 'error', error: 'second' }));
    expect(await read(second)).toEqual({ parts: [start, raw], error: 'second' });
    const other = streamWithHead(broken(), () => source([text('b')]).stream);
    expect(await read(other)).toEqual({ parts: [start, raw, text('b')] });
    const late = streamWithHead(source([text('a')], 'late').stream, () => failed);
    expect(await read(late)).toEqual({ parts: [failed], error: 'late' });
  });

  it('reads nothing before it is asked, and no further than it is asked', async () => {
    const { stream, seen } = source([start, raw, text('a'), text('b'), text('c')]);
    const reader = streamWithHead(stream, (part) => part).getReader();
    await Promise.resolve();
    expect(seen.pulled).toBe(0);
    for (let count = 1; count <= 5; count += 1) {
      await reader.read();
      expect(seen.pulled).toBe(count);
    }
  });

  it('cancels the stream it reads: before output, after it, and the one that took its place', async () => {
    const silent = new Promise<never>(() => {});
    let cancelled: unknown;
    const waiting = new ReadableStream<Part>({
      pull: () => silent,
      cancel: (reason) => {
        cancelled = reason;
      },
    });
    const head = streamWithHead(waiting, (part) => part).getReader();
    void head.read();
    await head.cancel('early');
    expect(cancelled).toBe('early');

    const first = source([failed]);
    const other = source([start, text('b'), text('c')]);
    const reader = streamWithHead(first.stream, () => other.stream).getReader();
    await reader.read();
    await reader.cancel('late');
    expect(first.seen.cancelled).toBe('without a reason');
    expect(other.seen.cancelled).toBe('late');
  });

  it('cancels a stream that comes too late for a caller who has left', async () => {
    const { promise, resolve } = Promise.withResolvers<ReadableStream<Part>>();
    const other = source([text('b')]);
    const reader = streamWithHead(source([failed]).stream, () => promise).getReader();
    const pending = reader.read();
    await Promise.resolve();
    await reader.cancel('gone');
    resolve(other.stream);
    expect(await pending).toEqual({ done: true, value: undefined });
    await new Promise((done) => setTimeout(done, 0));
    expect(other.seen).toEqual({ pulled: 0, cancelled: 'gone' });
  });
});
