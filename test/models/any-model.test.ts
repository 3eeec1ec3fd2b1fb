import { afterAll, describe, expect, it } from 'vitest';
import { writeResults } from '../../bench/write-results.ts';
import { drive, type Driven } from './drive.ts';
import { serverKinds } from './kinds.ts';

const driven = new Map<string, Driven>();

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
  writeResults('models', 'npm run bench:models', [
    '| server | calls that pass, with / without | records by the model / by rules | requests for them (refused) | tokens read for them, thousands | longest call, s |',
    '|---|---|---|---|---|---|',
    ...rows,
  ]);
});
