import * as fc from 'fast-check';

function circular(): object {
  const value: Record<string, unknown> = { a: 1 };
  value['self'] = value;
  value['again'] = value;
  return value;
}

/** A value of which every property holds every value: whoever walks it without looking back never ends. */
function tangled(): object {
  const values: Record<string, unknown>[] = Array.from({ length: 12 }, () => ({}));
  for (const value of values)
    for (const [index, other] of values.entries()) value[`k${index}`] = other;
  return values;
}

const throwing = {
  getter: {
    type: 'text',
    get text(): string {
      throw new Error('a getter of the caller');
    },
  },
  toJSON: {
    toJSON: () => {
      throw new Error('a toJSON of the caller');
    },
  },
  proxy: new Proxy(
    {},
    {
      get: () => {
        throw new Error('a proxy of the caller');
      },
      ownKeys: () => {
        throw new Error('a proxy of the caller');
      },
    },
  ),
};

/** Values no JSON has, or that cannot be read. */
const oddValues: Readonly<Record<string, unknown>> = {
  null: null,
  undefined,
  number: 7,
  NaN: Number.NaN,
  bigint: 10n,
  'bigint inside': { rows: [{ id: 10n }] },
  symbol: Symbol('odd'),
  'symbol inside': { a: Symbol('odd'), [Symbol('key')]: 1 },
  function: () => 1,
  date: new Date(0),
  'invalid date': new Date(Number.NaN),
  map: new Map([['a', 1]]),
  set: new Set([1]),
  bytes: new Uint8Array([1, 2, 3]),
  floats: new Float64Array(3),
  'no prototype': Object.create(null),
  'sparse array': Object.assign([], { length: 2 }),
  circular: circular(),
  tangled: tangled(),
  ...throwing,
};

const odd = fc.constantFrom(...Object.entries(oddValues));

/** Places in a message where an odd value may stand. */
const places: Readonly<Record<string, (value: unknown) => unknown>> = {
  message: (value) => value,
  role: (value) => ({ role: value, content: [{ type: 'text', text: 'x' }] }),
  content: (value) => ({ role: 'user', content: value }),
  part: (value) => ({ role: 'user', content: [value, { type: 'text', text: 'x' }] }),
  'part of an answer': (value) => ({ role: 'assistant', content: [value] }),
  type: (value) => ({ role: 'user', content: [{ type: value, text: 'x' }] }),
  text: (value) => ({ role: 'user', content: [{ type: 'text', text: value }] }),
  reasoning: (value) => ({ role: 'assistant', content: [{ type: 'reasoning', text: value }] }),
  system: (value) => ({ role: 'system', content: value }),
  'provider options': (value) => ({
    role: 'user',
    content: [{ type: 'text', text: 'x', providerOptions: value }],
    providerOptions: value,
  }),
  file: (value) => ({ role: 'user', content: [{ type: 'file', mediaType: value, data: value }] }),
  'file data': (value) => ({
    role: 'user',
    content: [{ type: 'file', mediaType: 'image/png', data: { type: 'data', data: value } }],
  }),
  'tool input': (value) => ({
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: 'odd', toolName: 'run', input: value }],
  }),
  'tool names': (value) => ({
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: value, toolName: value, input: {} }],
  }),
  'tool output': (value) => ({
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 'odd', toolName: 'run', output: value }],
  }),
  'tool json': (value) => ({
    role: 'tool',
    content: [
      { type: 'tool-result', toolCallId: 'odd', toolName: 'run', output: { type: 'json', value } },
    ],
  }),
  'tool text': (value) => ({
    role: 'tool',
    content: [
      { type: 'tool-result', toolCallId: 'odd', toolName: 'run', output: { type: 'text', value } },
    ],
  }),
  'tool content': (value) => ({
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: 'odd',
        toolName: 'run',
        output: { type: 'content', value: [value] },
      },
    ],
  }),
};

/** A message with an odd value somewhere in it, and how it is called. */
export const oddMessage: fc.Arbitrary<{ readonly name: string; readonly message: unknown }> = fc
  .tuple(fc.constantFrom(...Object.entries(places)), odd)
  .map(([[place, make], [value, given]]) => ({
    name: `${value} as ${place}`,
    message: make(given),
  }));

/** All of them, one after the other. */
export const oddMessages: readonly (readonly [string, unknown])[] = Object.entries(places).flatMap(
  ([place, make]) =>
    Object.entries(oddValues).map(
      ([value, given]) => [`${value} as ${place}`, make(given)] as const,
    ),
);
