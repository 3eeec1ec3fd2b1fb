import { describe, expect, it } from 'vitest';
import { visibleText } from '../../../../src/cleaning/visible-text.ts';
import { answerJsonSchema, parseAnswer } from '../../../../src/strategies/models/summary-answer.ts';
import { answer, emptyContext } from '../../../strategies/llm/fixtures.ts';

interface ObjectSchema {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, ObjectSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly items?: ObjectSchema;
}

/** As it is read: its lists beside one another, without that which no model is asked for. */
const flat = ({ context, ...rest }: ReturnType<typeof answer>) => {
  const { participants: _participants, ...lists } = context;
  return { ...rest, ...lists };
};

function objectSchemas(schema: ObjectSchema): readonly ObjectSchema[] {
  const inner = [
    ...Object.values(schema.properties ?? {}),
    ...(schema.items ? [schema.items] : []),
  ];
  return [...(schema.properties === undefined ? [] : [schema]), ...inner.flatMap(objectSchemas)];
}

describe('answerJsonSchema', () => {
  it.each(['first', 'update'] as const)('is fit for strict modes (%s)', (kind) => {
    const schema: ObjectSchema = JSON.parse(JSON.stringify(answerJsonSchema(kind)));
    const objects = objectSchemas(schema);
    expect(objects.length).toBeGreaterThan(5);
    expect(JSON.stringify(schema)).not.toMatch(
      /"(?:minimum|maximum|minLength|maxLength|maxItems|pattern|format)"/,
    );
    for (const object of objects) {
      expect(object.required).toEqual(Object.keys(object.properties ?? {}));
      expect(object.additionalProperties).toBe(false);
    }
  });

  it('asks for what holds before what is told, and for ids only when there is a previous record', () => {
    const first = Object.keys(answerJsonSchema('first').properties ?? {});
    expect(first.slice(0, 4)).toEqual(['constraints', 'ended', 'decisions', 'actionItems']);
    expect(first.at(-1)).toBe('summary');
    const update = Object.keys(answerJsonSchema('update').properties ?? {});
    expect(update).toEqual([...first.slice(0, -1), 'resolved', 'superseded', 'summary']);
  });
});

describe('parseAnswer', () => {
  it.each([
    ['no lists at all', { summary: 's' }, answer({ summary: 's' })],
    [
      'lists that are null',
      { summary: 's', keyPoints: null, context: null, resolved: null, superseded: null },
      answer({ summary: 's' }),
    ],
    [
      'null owner and due date',
      {
        summary: 's',
        context: {
          actionItems: [
            { owner: null, task: 't', due: null },
            { task: 'u', due: 'May' },
          ],
        },
      },
      answer({
        summary: 's',
        context: { actionItems: [{ task: 't' }, { task: 'u', due: 'May' }] },
      }),
    ],
    [
      'texts where lists belong',
      { summary: 's', keyPoints: 'a', context: { decisions: '- b\n- c', actionItems: 'd' } },
      answer({
        summary: 's',
        keyPoints: ['a'],
        context: { decisions: ['b', 'c'], actionItems: [{ task: 'd' }] },
      }),
    ],
    [
      'what it is asked for',
      {
        constraints: [{ text: 'r', message: 2 }],
        ended: [{ rule: 'c0', by: 'No longer.' }],
        decisions: [{ text: 'd', message: null }],
        actionItems: [{ owner: 'o', task: 't', due: null, message: 5 }],
        unresolved: [{ text: 'u', message: 6 }],
        keyPoints: [{ text: 'k', message: 7 }],
        domainEntities: ['e'],
        resolved: ['a1'],
        superseded: ['d1'],
        summary: 's',
      },
      answer({
        summary: 's',
        keyPoints: [{ text: 'k', message: 7 }],
        context: {
          constraints: [{ text: 'r', message: 2 }],
          decisions: ['d'],
          actionItems: [{ owner: 'o', task: 't', message: 5 }],
          unresolved: [{ text: 'u', message: 6 }],
          domainEntities: ['e'],
        },
        ended: [{ rule: 'c0', by: 'No longer.' }],
        resolved: ['a1'],
        superseded: ['d1'],
      }),
    ],
    [
      'ended rules that say what was ended and by what',
      {
        summary: 's',
        ended: [{ rule: 'a', by: 'b' }, { rule: 'a' }, { by: 'b' }, 'a', null],
      },
      answer({
        summary: 's',
        ended: [{ rule: 'a', by: 'b' }],
      }),
    ],
    [
      'lists beside the context',
      { summary: 's', decisions: ['a'], constraints: [{ text: 'b', message: 3 }] },
      answer({
        summary: 's',
        context: { decisions: ['a'], constraints: [{ text: 'b', message: 3 }] },
      }),
    ],
    [
      'what is right among what is not',
      {
        summary: 's',
        keyPoints: [1, 'a', null, { text: 7 }, ['b']],
        context: { actionItems: [{ owner: 'x' }, { task: 't' }], unresolved: 5 },
      },
      answer({ summary: 's', keyPoints: ['a'], context: { actionItems: [{ task: 't' }] } }),
    ],
    [
      'keys nobody asked for',
      {
        summary: 's',
        id: 'x',
        depth: 9,
        context: { ...emptyContext, more: ['x'] },
        originalMessageIds: ['x'],
      },
      answer({ summary: 's' }),
    ],
    [
      'empty items and line breaks in items',
      {
        summary: ' s \n',
        keyPoints: ['', '  ', 'a\n\n b'],
        context: { actionItems: [{ task: ' ' }] },
      },
      answer({ summary: 's', keyPoints: ['a b'] }),
    ],
    [
      'control, bidirectional and tag characters, lone surrogates',
      { summary: 'a\u0000\u001b[31m\u202eb\u{e0041}c\ud800', keyPoints: ['x\u0085\u200by'] },
      answer({ summary: 'a[31mbc\ufffd', keyPoints: ['x y'] }),
    ],
  ])('reads %s', (_, value, expected) => {
    expect(parseAnswer(value, visibleText)).toMatchObject(flat(expected));
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a string', 'summary'],
    ['objects and lists that hold none', [{ text: 'x' }, [{ keyPoints: ['a'] }]]],
    ['an array', []],
    ['no summary', { keyPoints: ['a'] }],
    ['an empty summary', { summary: '' }],
    ['a summary of white space', { summary: ' \n\t\u200b\u0000 ' }],
    ['a summary that is a number', { summary: 5 }],
  ])('refuses %s', (_, value) => {
    expect(parseAnswer(value, visibleText)).toBeUndefined();
  });

  it.each([
    ['a text', 'a', undefined],
    ['a text without a position', { text: 'a' }, undefined],
    ['null', { text: 'a', message: null }, undefined],
    ['a position', { text: 'a', message: 0 }, 0],
    ['a position written as a text', { text: 'a', message: '12' }, 12],
    ['a negative number', { text: 'a', message: -1 }, undefined],
    ['a fraction', { text: 'a', message: 1.5 }, undefined],
    ['more than any integer', { text: 'a', message: 1e300 }, undefined],
    ['an object', { text: 'a', message: { valueOf: 1 } }, undefined],
    ['words', { text: 'a', message: 'the first one' }, undefined],
    ['a very long number', { text: 'a', message: '9'.repeat(10_000_000) }, undefined],
  ])('reads the position of a statement that cites %s', (_, statement, message) => {
    const parsed = parseAnswer({ summary: 's', keyPoints: [statement] }, visibleText);
    expect(parsed?.keyPoints).toEqual([
      message === undefined ? { text: 'a' } : { text: 'a', message },
    ]);
  });

  it('bounds the number and length of items', () => {
    const value = {
      summary: 's',
      keyPoints: Array.from({ length: 100_000 }, (_, index) => `point ${index}`),
      context: { decisions: ['🙂'.repeat(500_000)] },
    };
    const parsed = parseAnswer(value, visibleText);
    expect(parsed?.keyPoints).toHaveLength(200);
    expect(parsed?.decisions[0]?.text.length).toBeLessThanOrEqual(2000);
    expect(parsed?.decisions[0]?.text.isWellFormed()).toBe(true);
  });

  it('leaves Object.prototype alone', () => {
    const value: unknown = JSON.parse(
      '{"summary":"s","__proto__":{"polluted":1},"context":{"__proto__":{"polluted":1},"decisions":["d"]},"constructor":{"prototype":{"polluted":1}}}',
    );
    expect(parseAnswer(value, visibleText)).toMatchObject(
      flat(answer({ summary: 's', context: { decisions: ['d'] } })),
    );
    expect('polluted' in {}).toBe(false);
  });
});
