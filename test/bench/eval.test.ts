import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { evaluate, type Outcome } from '../../bench/eval/evaluate.ts';
import { figuresOf } from '../../bench/eval/figures.ts';
import { methods } from '../../bench/eval/methods.ts';
import { readQuestions } from '../../bench/eval/questions.ts';
import * as library from '../../src/index.ts';
import { words } from '../support/messages.ts';
import { answer, summarizerModel } from '../support/models.ts';

const turns = Array.from({ length: 30 }, (_, index) => [
  { role: 'user', content: index === 0 ? 'We go to Ghent.' : `${index}: ${words(index, 60)}` },
  { role: 'assistant', content: `Noted: ${words(index, 60)}` },
]).flat();
const question = { question: 'Where do we go?', answer: 'Ghent', type: 'places' };
const own = { messages: turns, questions: [question, { question: 'Why?', unanswerable: true }] };
const longMemEval = {
  question_id: 'q1',
  question_type: 'temporal',
  question: 'Where?',
  question_date: '2 May',
  answer: 'Ghent',
  haystack_sessions: [turns.slice(0, 2)],
  haystack_dates: ['1 May'],
};
const locomo = {
  sample_id: 'l1',
  conversation: {
    speaker_a: 'Ann',
    speaker_b: 'Bo',
    session_2: [{ speaker: 'Bo', text: 'Fine.' }],
    session_1_date_time: '1 May',
    session_1: [{ speaker: 'Ann', text: 'Ghent?', blip_caption: 'a map' }],
  },
  qa: [
    { question: 'Where?', answer: 7, category: 3 },
    { question: 'Who else?', category: 5 },
  ],
};

it('reads the published forms and its own', () => {
  const read = readQuestions(
    [own, longMemEval, locomo].map((each) => JSON.stringify(each)).join('\n'),
  );
  expect(readQuestions(JSON.stringify([own, longMemEval, locomo]))).toEqual(read);
  expect(read[1]).toMatchObject({
    messages: [{ role: 'user', content: '[1 May]\nWe go to Ghent.' }, { role: 'assistant' }],
    questions: [{ question: 'Today is 2 May. Where?', reference: 'Ghent', type: 'temporal' }],
  });
  expect(read[2]).toMatchObject({
    messages: [
      { role: 'user', content: '[1 May]\nAnn: Ghent? [shares a picture: a map]' },
      { role: 'assistant', content: 'Bo: Fine.' },
    ],
    questions: [
      { id: 'l1/1', reference: '7', type: 'open-domain', unanswerable: false },
      { id: 'l1/2', type: 'adversarial', unanswerable: true },
    ],
  });
  expect(() => readQuestions('{"messages":[]}')).toThrow('conversation 1 has no list of questions');
});

it('asks with each method, judges, pays once and goes on where it stopped', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'eval-'));
  const journal = path.join(folder, 'journal.jsonl');
  let calls = 0;
  const model = summarizerModel(({ prompt, responseFormat }) => {
    calls += 1;
    if (responseFormat?.type === 'json') return answer({ summary: 'They spoke.' });
    return JSON.stringify(prompt).includes('Ghent') ? 'Ghent, I think.' : 'It does not say.';
  });
  const judge = summarizerModel(({ prompt }) => {
    const part = prompt.at(-1)?.content[0];
    const given = JSON.parse(typeof part === 'object' && part.type === 'text' ? part.text : '');
    const isRight = given.unanswerable !== given.answer.includes(given.reference);
    return JSON.stringify({ verdict: isRight ? 'yes' : 'no' });
  });
  const names = Object.keys(methods);
  const price = { input: 1, output: 1 };
  const run = async (runs: number): Promise<readonly Outcome[]> =>
    evaluate(readQuestions(JSON.stringify([own])), {
      library,
      model,
      judge,
      methods: names,
      runs,
      contextLength: 4000,
      maxOutputTokens: 500,
      price,
      maxCost: Infinity,
      concurrency: 1,
      journal,
      onOutcome: () => {},
    });
  try {
    const outcomes = await run(1);
    expect(outcomes.filter(({ undone }) => undone !== undefined)).toEqual([]);
    const figures = figuresOf(outcomes, names, price);
    const right = Object.fromEntries(figures.map(({ method, right: { mean } }) => [method, mean]));
    // Of two questions: where, and why, which nobody said.
    expect(right).toMatchObject({ 'drop-oldest': 0.5, 'rule-based': 1, middleware: 1 });
    const paid = calls;
    const lines = readFileSync(journal, 'utf8').split('\n').length;
    expect(await run(1)).toEqual(outcomes);
    expect(calls).toBe(paid);
    expect(readFileSync(journal, 'utf8').split('\n')).toHaveLength(lines);
    await run(2);
    expect(calls).toBe(2 * paid);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
