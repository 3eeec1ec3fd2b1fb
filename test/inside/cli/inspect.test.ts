import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { runCommandLine } from '../../../src/cli/inspect.ts';
import { readConversations } from '../../../src/cli/read-conversations.ts';
import type { SummarizationEvent } from '../../../src/index.ts';
import { textsIn } from '../../../src/strategies/models/summary-answer.ts';
import { words } from '../../support/messages.ts';

/** Runs the command line with a text as standard input, and gives what it wrote. */
const run = async (text: string, given = 'inspect - --context 2000'): Promise<string> =>
  runCommandLine(given.split(' ').filter(Boolean), Readable.from([text]));

/** As much as is read here of what `--json` prints. */
interface Inspected {
  readonly name: string;
  readonly messages: number;
  readonly limits: readonly {
    readonly calls: readonly object[];
    readonly summaries: readonly Extract<SummarizationEvent, { type: 'end' }>[];
    readonly overWithout: number;
    readonly overWith: number;
    readonly faults: readonly string[];
  }[];
}

async function inspected(file: unknown): Promise<readonly Inspected[]> {
  const text = typeof file === 'string' ? file : JSON.stringify(file);
  return JSON.parse(await run(text, 'inspect - --json --context 2000')).conversations;
}

const lines = (all: readonly unknown[]): string =>
  all.map((each) => JSON.stringify(each)).join('\n');

const rule = 'Never deploy on Fridays.';

/** Twenty turns with a tool each, in one of the forms that are understood. */
function turns(
  turn: (said: string, id: string, input: object, output: string) => readonly object[],
): readonly object[] {
  return Array.from({ length: 20 }, (_, index) => {
    const said = index === 0 ? `${rule} ${words(0, 60)}` : `${index}: ${words(index, 60)}`;
    return turn(said, `c${index}`, { path: `src/file-${index}.ts` }, words(index, 40));
  }).flat();
}

const user = (content: unknown): object => ({ role: 'user', content });
const assistant = (content: unknown, more = {}) => ({ role: 'assistant', content, ...more });
const text = (said: string): object => ({ type: 'text', text: said });

const ofTheSdk = turns((said, toolCallId, input, value) => {
  const call = { toolCallId, toolName: 'read' };
  const output = { type: 'text', value };
  return [
    user(said),
    assistant([{ type: 'tool-call', ...call, input }]),
    { role: 'tool', content: [{ type: 'tool-result', ...call, output }] },
    assistant('Done.'),
  ];
});

const forms: readonly [string, readonly object[]][] = [
  [
    'UI messages of the AI SDK',
    turns((said, toolCallId, input, output) => [
      { id: `u${toolCallId}`, role: 'user', parts: [text(said)] },
      {
        id: `a${toolCallId}`,
        role: 'assistant',
        parts: [
          { type: 'step-start' },
          { type: 'tool-read', toolCallId, state: 'output-available', input, output },
          { type: 'step-start' },
          { ...text('Done.'), state: 'done' },
        ],
      },
    ]),
  ],
  ['model messages of the AI SDK', ofTheSdk],
  [
    'OpenAI messages',
    turns((said, id, input, content) => {
      const call = { name: 'read', arguments: JSON.stringify(input) };
      return [
        user(said),
        assistant(null, { tool_calls: [{ id, type: 'function', function: call }] }),
        { role: 'tool', tool_call_id: id, content },
        assistant('Done.'),
      ];
    }),
  ],
  [
    'Anthropic messages',
    turns((said, id, input, content) => [
      user(said),
      assistant([{ type: 'tool_use', id, name: 'read', input }]),
      user([{ type: 'tool_result', tool_use_id: id, content }]),
      assistant([text('Done.')]),
    ]),
  ],
  [
    "items of OpenAI's Responses",
    turns((said, call_id, input, output) => [
      user([{ type: 'input_text', text: said }]),
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Read it.' }] },
      { type: 'function_call', call_id, name: 'read', arguments: JSON.stringify(input) },
      { type: 'function_call_output', call_id, output },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] },
    ]),
  ],
  // A line for each part of an answer, and lines that are no messages of its main agent.
  [
    'a session of Claude Code',
    turns((said, id, input, content) => {
      const line = { sessionId: 'session-1', isSidechain: false };
      const part = (each: object) => ({
        ...line,
        type: 'assistant',
        message: { id: `m${id}`, role: 'assistant', content: [each] },
      });
      return [
        { ...line, type: 'user', message: user(said) },
        part({ type: 'thinking', thinking: 'I read it.', signature: 'x' }),
        part({ type: 'tool_use', id, name: 'read', input }),
        { ...part(text('Of another agent.')), isSidechain: true },
        {
          ...line,
          type: 'user',
          message: user([{ type: 'tool_result', tool_use_id: id, content }]),
        },
        part(text('Done.')),
        { type: 'system', subtype: 'turn_duration' },
      ];
    }),
  ],
];

it.each(forms)(
  'a file of %s is played again call by call, under the limit and in the words of the user',
  async (_name, messages) => {
    const [conversation] = await inspected(lines(messages));
    const [limit] = conversation?.limits ?? [];
    expect(conversation?.messages).toBe(80);
    expect(JSON.stringify(limit?.summaries)).not.toContain('another agent');
    expect(limit).toMatchObject({ overWith: 0, faults: [] });
    expect(limit?.calls).toHaveLength(40);
    expect(limit?.summaries.length).toBeGreaterThan(1);
    expect(limit?.overWithout).toBeGreaterThan(0);
    expect(limit?.summaries.at(-1)?.record.context.userWords?.[0]).toContain(rule);
  },
);

const codex = [
  user([{ type: 'input_text', text: 'List.' }]),
  { type: 'function_call', call_id: 'c', name: 'shell', arguments: '{"command":["ls"]}' },
  { type: 'function_call_output', call_id: 'c', output: 'a.ts' },
].map((payload) => ({ type: 'response_item', payload }));
const files = [
  { type: 'image_url', image_url: { url: 'data:image/jpeg;base64,QUJD' } },
  { type: 'input_image', image_url: 'https://example.com/a.png' },
  { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'QUJD' } },
  { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'A.' } },
  { type: 'input_file', file_id: 'file-1' },
  { type: 'input_audio', input_audio: { data: 'QUJD', format: 'wav' } },
  { type: 'hologram' },
];
const search = { type: 'server_tool_use', id: 's', name: 'web_search' };
const toClaude = { system: [text('Be terse.')], messages: [user('Hello')] };
const toResponses = { instructions: 'Be terse.', input: 'Hello', output: [assistant('Yes?')] };

const unanswered = { id: 'c', function: { name: 'read', arguments: 'no JSON' } };
const refused = [
  user('Read.'),
  { role: 'tool', tool_call_id: 'gone', content: 'An answer to nothing.' },
  assistant('', { tool_calls: [unanswered] }),
  user('Stop.'),
];

it.each<[string, unknown, number, number?]>([
  ['a session of Codex', lines([{ type: 'session_meta', payload: {} }, ...codex]), 3, 2],
  ['what was sent to Responses, and what came back', toResponses, 3],
  ['what was sent to Anthropic', toClaude, 2],
  ['what the SDK would refuse', refused, 4, 2],
])('%s is a conversation', async (_, file, messages, calls = 1) => {
  const [conversation] = await inspected(file);
  expect(conversation?.messages).toBe(messages);
  expect(conversation?.limits[0]?.calls).toHaveLength(calls);
});

it('files, calls and parts of kinds that nobody knows are read, whoever wrote them', async () => {
  const called = { id: 'x', function: { name: 'f', arguments: '{"a":"b"}' } };
  const given = [
    { role: 'developer', content: 'Be terse.' },
    user(files),
    assistant([search, { type: 'refusal', refusal: 'No.' }]),
    { type: 'custom_tool_call', call_id: 'k', name: 'sh', input: 'ls' },
    { type: 'custom_tool_call_output', call_id: 'k', output: [text('a'), files[2]] },
    assistant(null, { tool_calls: [called] }),
    { role: 'tool', tool_call_id: 'x', content: { b: 2 } },
  ];
  const [conversation] = await readConversations(JSON.stringify(given), '-');
  const prompt: readonly unknown[] = JSON.parse(JSON.stringify(conversation?.prompt));
  expect(prompt.map((message) => textsIn(message).join(' '))).toEqual([
    'system Be terse.',
    'user file image/jpeg data QUJD file image/png url https://example.com/a.png file image/png data QUJD text A. text [input_file] file application/octet-stream data QUJD text [hologram]',
    'assistant text [server_tool_use] text No. tool-call k sh ls',
    'tool tool-result k sh text a\n[image]',
    'assistant tool-call x f b',
    'tool tool-result x f text {"b":2}',
  ]);
});

it('JSON lines, of messages and of conversations, are the same as one list', async () => {
  const callsIn = async (file: unknown) =>
    (await inspected(file)).map(({ limits }) => limits[0]?.calls);
  const [whole] = await callsIn(ofTheSdk);
  expect(await callsIn(lines(ofTheSdk))).toEqual([whole]);
  const named = { id: 'chat', messages: ofTheSdk };
  expect((await inspected(named))[0]?.name).toBe('chat');
  for (const file of [[named, named], lines([named, '', named]).replace('""', '')])
    expect(await callsIn(file)).toEqual([whole, whole]);
});

it('calls that no summary makes short enough are counted, and named', async () => {
  const system = { role: 'system', content: words(0, 4000) };
  const [conversation] = await inspected([system, ...ofTheSdk]);
  const [limit] = conversation?.limits ?? [];
  expect(limit).toMatchObject({ overWithout: 40, overWith: 40 });
  expect(limit?.faults[0]).toMatch(/^call 1: /);
});

const chat = JSON.stringify(ofTheSdk);

it('the report says what would happen at each context length, what goes and what the user said', async () => {
  const output = await run(chat, 'inspect - --context 2000,100000');
  for (const line of [
    /context of 2,000 tokens: calls 40, .+; summaries [2-9]\n/,
    /calls over the limit: \d+ without, 0 with\n/,
    /input tokens: [\d,]+ without, [\d,]+ with, \d+ % fewer\n/,
    /summary 1 at call \d+ \(token-ratio\): .+; messages 1 to \d+ go\n/,
    /- Never deploy on Fridays\./,
    /context of 100,000 tokens: calls 40, .+; summaries 0\n/,
  ])
    expect(output).toMatch(line);
  // No control that a conversation hides in its texts is obeyed.
  const hidden = JSON.stringify([user('Always say \u001B[2Jhello to me.'), ...ofTheSdk]);
  expect(await run(hidden)).not.toContain('\u001B');
});

const understood =
  '; understood: messages of the AI SDK, OpenAI or Anthropic, as a list, an object or JSON lines.';
const a = '{"role":"user","content":"a"}';

it.each<[string, string | RegExp]>([
  [' \n', 'standard input: found nothing: it is empty'],
  [`[\n  ${a},\n  {"role": "user", \n]`, /: found no JSON \(.* \(line 4 column 1\)\)/],
  [`${a}\n{"role":`, /^standard input, line 2: found no JSON/],
  ['42', 'standard input: found a number'],
  ['[]', 'standard input: found no messages'],
  [`[${a}, [${a}]]`, 'message 2: found a list of 1'],
  ['[{"role":"user","content":[7]}]', 'message 1: found a number as a part of a message'],
  [`[${a}, {"text": "b"}]`, 'standard input, message 2: found an object with text'],
  [`${a}\n{"role":"bot","content":"b"}`, 'input, line 2: found the role "bot" (roles are'],
  [
    '{"messages":[]}\n{"messages":[{"role":"user","content":7}]}',
    'line 2, message 1: found an object with role, content, whose content is a number',
  ],
])('a file of another shape is an error with the place: %j', async (file, error) => {
  const thrown: unknown = await run(file).catch((reason: unknown) => reason);
  const reason = String(Reflect.get(Object(thrown), 'message'));
  expect(reason).not.toContain('\n');
  expect(reason.slice(-understood.length)).toBe(understood);
  expect(reason.slice(0, -understood.length)).toMatch(error);
});

describe('arguments', () => {
  it.each([
    ['inspect', 'Name one file, not 0; ai-sdk-summarization --help says how it is used.'],
    ['inspect a b', 'Name one file, not 2'],
    ['inspect a --context 1000,999', '--context is "1000,999"; allowed: integers of at least 1000'],
    ['inspect a --colour', "Unknown option '--colour'; there are --context, --model,"],
    ['constructor', 'There is no command "constructor", only inspect'],
    ['inspect - --model nobody/one', 'The context length of nobody/one is not known'],
    ['inspect /absent.json', 'cannot be read'],
  ])('are refused in one line: %s', async (given, error) => {
    await expect(run(chat, given)).rejects.toThrow(error);
    await expect(run(chat, given)).rejects.not.toThrow('\n');
  });

  it.each(['', 'inspect a --help'])('are explained: %j', async (given) => {
    const usage = /^Usage: ai-sdk-summarization inspect <file> \[options\]\n/;
    expect(await run('', given)).toMatch(usage);
  });

  it('that are wrong end the command with what is wrong, and no trace', async () => {
    const said: string[] = [];
    const stderr = { write: (line: string) => said.push(line) };
    const own = { argv: ['node', 'main', 'constructor'], stderr, exitCode: 0 };
    const command = Object.create(process, Object.getOwnPropertyDescriptors(own));
    vi.stubGlobal('process', command);
    await import('../../../src/cli/main.ts').finally(() => vi.unstubAllGlobals());
    expect(command.exitCode).toBe(1);
    expect(said.join('')).toMatch(/^There is no command "constructor".+\n$/);
  });

  it('name a file that is there, and the model that has the context length', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'inspect-'));
    const file = path.join(folder, 'chat.json');
    writeFileSync(file, chat);
    const output = await run('', `inspect ${file} --json --model openai/gpt-4`);
    rmSync(folder, { recursive: true });
    expect(JSON.parse(output).conversations[0].limits[0].contextLength).toBe(8192);
    const { conversations } = JSON.parse(await run(chat, 'inspect - --json'));
    const lengths = conversations[0].limits.map((limit: object) =>
      Reflect.get(limit, 'contextLength'),
    );
    expect(lengths).toEqual([16_000, 64_000, 200_000]);
  });
});
