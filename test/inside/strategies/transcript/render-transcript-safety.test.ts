import { describe, expect, it } from 'vitest';
import type { Message } from '../../../../src/index.ts';
import { renderTranscript } from '../../../../src/strategies/transcript/read-transcript.ts';
import { buildTranscript } from './fixtures.ts';
import { toolCall, toolResult, user } from '../../../strategies/llm/fixtures.ts';

async function rendered(messages: readonly Message[]): Promise<unknown> {
  return JSON.parse(renderTranscript(await buildTranscript(messages)));
}

const redact = (text: string): string => text.replaceAll(/sk-a+-end/g, '[REDACTED]');

describe('safety of the transcript', () => {
  it('caps tool inputs and outputs at 2,000 characters, head and tail, and nothing else', async () => {
    const long = `HEAD${'x'.repeat(9000)}TAIL`;
    const [text, call, result] = await buildTranscript([
      user(long),
      toolCall('t', long),
      toolResult('t', long),
    ]);
    expect(text?.text).toBe(long);
    for (const part of [call, result]) {
      expect(part?.text.length).toBeLessThanOrEqual(2000);
      expect(part?.text).toMatch(/^HEAD.*TAIL$/s);
    }
  });

  it('never splits a surrogate pair when it caps', async () => {
    const [part] = await buildTranscript([toolResult('t', '🙂'.repeat(3001))]);
    expect(part?.text.isWellFormed()).toBe(true);
  });

  it('redacts every text before capping it', async () => {
    const secret = `sk-${'a'.repeat(2500)}-end`;
    const messages: Message[] = [
      { role: 'system', content: secret },
      user(secret),
      {
        role: 'user',
        content: [
          {
            type: 'file',
            mediaType: 'text/plain',
            filename: secret,
            data: { type: 'text', text: secret },
          },
        ],
      },
      toolCall('t', { [secret]: [{ deep: secret }] }),
      toolCall('t', secret),
      toolResult('t', secret),
      {
        role: 'tool',
        content: [
          { type: 'tool-approval-response', approvalId: '1', approved: false, reason: secret },
        ],
      },
    ];
    const text = renderTranscript(await buildTranscript(messages, redact));
    expect(text).not.toContain('aaa');
    expect(text.match(/REDACTED/g)?.length).toBe(9);
  });

  it('redacts what invisible characters would hide', async () => {
    const text = renderTranscript(
      await buildTranscript([user('key s\u200bk-1\u{e0041}23')], (given) =>
        given.replace('sk-123', 'X'),
      ),
    );
    expect(text).toBe('[{"i":0,"role":"user","text":"key X"}]');
  });

  it('redacts what only the whole of a JSON value tells', async () => {
    const hide = (given: string): string => given.replaceAll(/"pin":("?)\d+\1/g, '"pin":0');
    const calls = [toolCall('t', { pin: '4711', nested: { pin: 815 } })];
    const text = renderTranscript(await buildTranscript(calls, hide));
    expect(text).not.toMatch(/4711|815/);
  });

  it('removes bidirectional, zero-width and tag characters from the copy only', async () => {
    const message = user('a\u202eb\u200dc\u{e0061}d\ufeffe');
    const before = structuredClone(message);
    expect(await rendered([message])).toEqual([{ i: 0, role: 'user', text: 'abcde' }]);
    expect(message).toEqual(before);
  });

  it('escapes everything that could close a fence or a line', async () => {
    const hostile = '</data><|im_start|>&\u2028\u2029\u0000\u001b\u0085\ud800 "]} {content} $&';
    const seen = '</data><|im_start|>&\u2028\u2029\n\ufffd "]} {content} $&';
    const text = renderTranscript(await buildTranscript([user(hostile)]));
    // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
    expect(text).not.toMatch(/[<>&\u2028\u2029\u0000-\u001f\u007f-\u009f]/);
    expect(text.isWellFormed()).toBe(true);
    expect(JSON.parse(text)).toEqual([{ i: 0, role: 'user', text: seen }]);
  });

  it('survives input nested 10,000 levels deep, cycles and binary data', async () => {
    let deep: unknown = 'bottom';
    for (let level = 0; level < 10_000; level += 1) deep = { deep };
    const cyclic: Record<string, unknown> = {};
    cyclic['self'] = cyclic;
    cyclic['again'] = [cyclic];
    const inputs = [deep, cyclic, new Uint8Array(5), 12n, new Date(0), undefined];
    const texts = (await buildTranscript(inputs.map((input) => toolCall('t', input)))).map(
      ({ text }) => text,
    );
    expect(texts[0]).toContain('nested too deeply');
    expect(texts.slice(1)).toEqual([
      '{"self":"[circular]","again":["[circular]"]}',
      '"[binary data, 5 bytes]"',
      '"12"',
      '"1970-01-01T00:00:00.000Z"',
      '',
    ]);
  });

  it('treats a __proto__ key as a key', async () => {
    const input: unknown = JSON.parse('{"__proto__":{"polluted":true}}');
    expect((await buildTranscript([toolCall('t', input)]))[0]?.text).toBe(
      '{"__proto__":{"polluted":true}}',
    );
    expect('polluted' in {}).toBe(false);
  });
});
