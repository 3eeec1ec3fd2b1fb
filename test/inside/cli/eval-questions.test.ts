import { describe, expect, it } from 'vitest';
import { evalArguments } from '../../../src/cli/eval/eval-arguments.ts';
import { differenceInterval, shareInterval } from '../../../src/cli/eval/intervals.ts';
import { readEvaluation } from '../../../src/cli/eval/questions/read-evaluation.ts';

const longMemEval = {
  question_id: 'q1_abs',
  question_type: 'temporal-reasoning',
  question: 'How many days?',
  answer: 7,
  question_date: '2023/05/30 (Tue) 23:40',
  haystack_session_ids: ['a', 'b'],
  haystack_dates: ['2023/05/20 (Sat) 02:21', '2023/05/21 (Sun) 03:00'],
  haystack_sessions: [
    [
      { role: 'user', content: 'I left.', has_answer: true },
      { role: 'assistant', content: 'Good.' },
    ],
    [
      { role: 'user', content: ' ' },
      { role: 'assistant', content: 'Welcome back.' },
    ],
  ],
};

const locomo = {
  sample_id: 'conv-1',
  conversation: {
    speaker_a: 'Caroline',
    speaker_b: 'Melanie',
    session_10_date_time: '2 pm on 9 May, 2023',
    session_10: [{ speaker: 'Melanie', dia_id: 'D10:1', text: 'Bye!' }],
    session_2_date_time: '1 pm on 8 May, 2023',
    session_2: [
      { speaker: 'Caroline', dia_id: 'D2:1', text: 'Look!', blip_caption: 'a photo of a dog' },
      { speaker: 'Melanie', dia_id: 'D2:2', text: 'Cute.' },
    ],
    session_11_date_time: '3 pm on 10 May, 2023',
  },
  qa: [
    { question: 'When?', answer: 2022, evidence: ['D2:1'], category: 2 },
    { question: 'Who?', adversarial_answer: 'Melanie', category: 5 },
  ],
};

const own = {
  id: 'trip',
  messages: [{ role: 'user', content: 'Hello.' }],
  questions: [{ question: 'Who?', answer: 'me', type: 'names' }],
};

function texts(prompt: readonly { readonly role: string; readonly content: unknown }[]): unknown {
  return prompt.map(({ role, content }) => [role, content]);
}

function text(value: string): unknown {
  return [{ type: 'text', text: value }];
}

describe('questions', () => {
  it('of LongMemEval have a history of dated sessions, and the date on which they are asked', async () => {
    const [conversation] = await readEvaluation(JSON.stringify([longMemEval]));
    expect(texts(conversation?.prompt ?? [])).toEqual([
      ['user', text('[2023/05/20 (Sat) 02:21]\nI left.')],
      ['assistant', text('Good.')],
      ['assistant', text('[2023/05/21 (Sun) 03:00]\nWelcome back.')],
    ]);
    expect(conversation?.questions).toEqual([
      {
        id: 'q1_abs',
        question: 'Today is 2023/05/30 (Tue) 23:40. How many days?',
        reference: '7',
        type: 'temporal-reasoning',
        isUnanswerable: true,
      },
    ]);
  });

  it('of LoCoMo have sessions in their order, with names and pictures', async () => {
    const [conversation] = await readEvaluation(JSON.stringify([locomo]));
    expect(texts(conversation?.prompt ?? [])).toEqual([
      ['user', text('[1 pm on 8 May, 2023]\nCaroline: Look! [shares a picture: a photo of a dog]')],
      ['assistant', text('Melanie: Cute.')],
      ['assistant', text('[2 pm on 9 May, 2023]\nMelanie: Bye!')],
    ]);
    expect(conversation?.questions).toEqual([
      {
        id: 'conv-1/1',
        question: 'When?',
        reference: '2022',
        type: 'temporal',
        isUnanswerable: false,
      },
      {
        id: 'conv-1/2',
        question: 'Who?',
        reference: 'The conversation does not say.',
        type: 'adversarial',
        isUnanswerable: true,
      },
    ]);
  });

  it.each([
    ['one object', JSON.stringify(own, undefined, 2)],
    ['a list', JSON.stringify([own])],
    ['JSON lines', `${JSON.stringify(own)}\n`],
  ])('of one’s own are read from %s', async (_name, file) => {
    const [conversation] = await readEvaluation(file);
    expect(conversation?.name).toBe('trip');
    expect(conversation?.prompt).toMatchObject([{ role: 'user' }]);
    expect(conversation?.questions).toEqual([
      { id: 'trip/1', question: 'Who?', reference: 'me', type: 'names', isUnanswerable: false },
    ]);
  });

  it.each([
    ['', 'line 1: found an empty file; understood: LongMemEval'],
    ['[]', 'line 1: found no question; understood: LongMemEval'],
    ['[\n7]', 'line 2: found a number; understood: LongMemEval'],
    ['{"messages":[]}', 'line 1: found an object with messages; understood: LongMemEval'],
    [JSON.stringify({ ...own, questions: [] }), 'line 1: found no question'],
    [
      `[${JSON.stringify(own)},\n${JSON.stringify({ ...longMemEval, answer: null })}]`,
      'line 2: found an object with question_id, question_type, question, answer, question_date, haystack_session_ids; understood: LongMemEval with',
    ],
    [
      JSON.stringify({ ...longMemEval, haystack_sessions: [[{ role: 'user' }]] }),
      'LongMemEval with',
    ],
    [
      JSON.stringify({ ...longMemEval, haystack_sessions: [[{ role: 'tool', content: '' }]] }),
      'line 1',
    ],
    [JSON.stringify({ ...locomo, qa: [{ question: 'Who?', category: 1 }] }), 'LoCoMo with'],
    [JSON.stringify({ qa: [], conversation: { session_1: [{ text: 'a' }] } }), 'LoCoMo with'],
    [
      `${JSON.stringify(own)}\n${JSON.stringify({ ...own, questions: [own.questions[0], { question: 'Who?' }] })}`,
      'line 2: found question 2, an object with question; understood: questions that are objects',
    ],
    [
      JSON.stringify({ ...own, messages: [{ role: 'nobody' }] }),
      'line 1: found an object with role',
    ],
    [
      JSON.stringify({ ...own, messages: 7 }),
      'line 1: found an object with id, messages, questions',
    ],
  ])('of another shape are an error in words: %j', async (file, error) => {
    await expect(readEvaluation(file)).rejects.toThrow(error);
  });
});

describe('arguments', () => {
  const named = ['a', '--model', 'm', '--judge', 'j'];
  it.each([
    [[], 'Name one file.'],
    [['a'], 'Name a --model that answers and a --judge.'],
    [['a', '--model', 'm'], 'Name a --model that answers and a --judge.'],
    [['-', ...named.slice(1)], 'Name a --journal where the file is standard input.'],
    [[...named, '--runs', '0'], '--runs is "0"; allowed: an integer of at least 1.'],
    [[...named, '--runs', '1.5'], '--runs is "1.5"'],
    [[...named, '--context', '999'], '--context is "999"; allowed: an integer of at least 1000.'],
    [[...named, '--concurrency', ''], '--concurrency is ""'],
    [[...named, '--methods', 'full,best'], '--methods is "full,best"; allowed: full, prune,'],
    [[...named, '--price', '1'], '--price is "1"; allowed: two numbers'],
    [[...named, '--price', '1,-2'], '--price is "-2"; allowed: two numbers'],
    [[...named, '--max-cost', 'much'], '--max-cost is "much"; allowed: a number of at least 0.'],
    [[...named, '--max-cost', '1'], '--max-cost needs --price'],
    [[...named, '--max-cost', '1', '--price', '1,2'], '--max-cost needs --judge-price'],
    [[...named, '--color'], "Unknown option '--color'"],
  ])('are refused in words: %j', (given, error) => {
    expect(() => evalArguments(given)).toThrow(error);
  });

  it('name a method once, whatever stands around it', () => {
    expect(evalArguments([...named, '--methods', 'full, drop-oldest, full']).methods).toEqual([
      'full',
      'drop-oldest',
    ]);
  });

  it('take the price of the model for a judge that is the same', () => {
    const given = ['a', '--model', 'm', '--judge', 'm', '--price', '1,2', '--max-cost', '1'];
    expect(evalArguments(given).judgePrice).toEqual({ input: 1, output: 2 });
  });
});

describe('an interval', () => {
  // Newcombe 1998, https://doi.org/10.1002/(SICI)1097-0258(19980430)17:8<857::AID-SIM777>3.0.CO;2-E, table I.
  it.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('of %i in %i is that of Wilson', (right, all, low, high) => {
    const values = Array.from({ length: all }, (_, index) => (index < right ? 1 : 0));
    const interval = shareInterval(values);
    expect(interval?.low).toBeCloseTo(low, 4);
    expect(interval?.high).toBeCloseTo(high, 4);
  });

  it('of differences is about as wide as the normal one, and always the same', () => {
    const differences = Array.from({ length: 400 }, (_, index) => (index % 4 === 0 ? 1 : 0));
    const interval = differenceInterval(differences);
    expect(interval?.mean).toBe(0.25);
    const half = 1.96 * Math.sqrt((0.25 * 0.75) / 400);
    expect(Math.abs((interval?.low ?? 0) - (0.25 - half))).toBeLessThan(0.01);
    expect(Math.abs((interval?.high ?? 0) - (0.25 + half))).toBeLessThan(0.01);
    expect(differenceInterval(differences)).toEqual(interval);
  });

  it('of nothing is none', () => {
    expect([shareInterval([]), differenceInterval([])]).toEqual([undefined, undefined]);
  });
});
