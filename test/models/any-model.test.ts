import { generateText, wrapLanguageModel, type ModelMessage } from 'ai';
import { afterAll, describe, expect, it } from 'vitest';
import { writeResults } from '../../bench/write-results.ts';
import { summarizationMiddleware, type SummarizationEvent } from '../../src/index.ts';
import { limited, serverKinds, type ServerKind } from './kinds.ts';
import { served } from '../wire/apis/served.ts';
import { charactersOfToken, serverOf } from './server.ts';

const turns = 60;

const sentence = 'We look at the next entry of the list and write down what came of it for later. ';

/** A conversation of sixty turns that grows beyond a limit. */
function conversationOf({ limit, growth = 1.6 }: ServerKind): readonly string[] {
  const characters = (growth * limit * charactersOfToken) / turns;
  const filler = sentence.repeat(Math.ceil(characters / sentence.length));
  return Array.from(
    { length: turns },
    (_, turn) => `Close TICKET-${1000 + turn}, please. ${filler}`,
  );
}

/** Has a conversation of sixty turns with a server, with the middleware and without. */
async function drive(kind: ServerKind) {
  const events: SummarizationEvent[] = [];
  const { rules = limited(kind.limit) } = kind;
  const server = serverOf(rules);
  const model = wrapLanguageModel({
    model: kind.model(served(server).settings),
    middleware: summarizationMiddleware({
      ...kind.options,
      onEvent: (event) => events.push(event),
    }),
  });
  const { failed, longestSeconds } = await converse(kind, model);
  const without = await converse(kind, kind.model(served(serverOf(rules)).settings));
  const { records, refused, tokens } = server.counts;
  const ends = events.flatMap((event) => (event.type === 'end' ? [event] : []));
  return {
    failed,
    failedWithout: without.failed,
    byModel: ends.filter(({ degraded }) => !degraded).length,
    byRules: ends.filter(({ degraded }) => degraded).length,
    requests: records,
    refused,
    kiloTokens: Math.round(tokens / 1000),
    longestSeconds,
    warnings: events.flatMap((event) => (event.type === 'warning' ? [event.code] : [])),
  };
}

async function converse(kind: ServerKind, model: Parameters<typeof generateText>[0]['model']) {
  const { hasInstructions = true, pictureBytes = 0, earlier = [] } = kind;
  const picture = new Uint8Array(pictureBytes).fill(7);
  picture.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a].slice(0, pictureBytes));
  const messages: ModelMessage[] = [...earlier];
  const failed: number[] = [];
  let longest = 0;
  for (const [turn, content] of conversationOf(kind).entries()) {
    const file = { type: 'file', data: picture, mediaType: 'image/png' } as const;
    const shown = pictureBytes === 0 ? [] : [file];
    messages.push({ role: 'user', content: [{ type: 'text', text: content }, ...shown] });
    const startedAt = performance.now();
    try {
      const { text } = await generateText({
        model,
        messages,
        maxRetries: 0,
        ...(hasInstructions ? { instructions: 'You help with tickets.' } : {}),
      });
      messages.push({ role: 'assistant', content: text });
    } catch {
      failed.push(turn);
      messages.push({ role: 'assistant', content: 'Sorry.' });
    }
    longest = Math.max(longest, performance.now() - startedAt);
  }
  return { failed, longestSeconds: longest / 1000 };
}

const driven = new Map<string, Awaited<ReturnType<typeof drive>>>();

describe('sixty turns, beyond what the server takes, with default options', () => {
  it.each(serverKinds.map((kind) => [kind.name, kind] as const))('%s', async (name, kind) => {
    const outcome = await drive(kind);
    driven.set(name, outcome);
    const lost = outcome.failed.filter((turn) => !outcome.failedWithout.includes(turn));
    // No call is lost that would have passed without, and the model writes every record.
    expect({ ...outcome, lost }).toMatchObject({ lost: [], byRules: 0 });
    expect(outcome.byModel).toBeGreaterThan(0);
    expect(outcome.failed).toEqual([]);
  });
});

afterAll(() => {
  const rows = [...driven].map(([name, { failed, failedWithout, ...of }]) => {
    const passed = `${60 - failed.length} / ${60 - failedWithout.length}`;
    const records = `${of.byModel} / ${of.byRules}`;
    const requests = `${of.requests} (${of.refused})`;
    const figures = [passed, records, requests, of.kiloTokens, of.longestSeconds.toFixed(1)];
    return `| ${name} | ${figures.join(' | ')} |`;
  });
  writeResults('models', 'npm run bench -- models', [
    '| server | calls that pass, with / without | records by the model / by rules | requests for them (refused) | tokens read for them, thousands | longest call, s |',
    '|---|---|---|---|---|---|',
    ...rows,
  ]);
});
