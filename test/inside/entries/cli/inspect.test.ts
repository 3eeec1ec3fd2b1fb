import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { runCommandLine } from '../../../../src/entries/cli/inspect.ts';
import { readConversations } from '../../../../src/entries/cli/read-conversations.ts';
import { toolStep, words } from '../../../support/messages.ts';

/** Runs the command line with a text as standard input, and gives what it wrote. */
const run = async (text: string, given = 'inspect - --context 2000'): Promise<string> =>
  runCommandLine(given.split(' ').filter(Boolean), Readable.from([text]));

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

const ofTheSdk = turns((said, id, input, output) => [
  user(said),
  ...toolStep(id, output, 'read', input),
  assistant('Done.'),
]);

const forms: readonly [string, readonly object[], thought?: string, name?: string][] = [
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
    'Read it.',
  ],
  // A line for each part of an answer, and lines that are no messages of its main agent.
  [
    'a session of Claude Code',
    turns((said, id, input, content) => {
      const line = { sessionId: 'session-1', isSidechain: false };
      const answer = user([{ type: 'tool_result', tool_use_id: id, content }]);
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
        { ...line, type: 'user', message: answer },
        part(text('Done.')),
        { type: 'system', subtype: 'turn_duration' },
        { ...line, type: 'user', message: 'Interrupted.' },
        { ...line, type: 'progress', message: user('Of a tool.') },
      ];
    }),
    'I read it.',
    'session-1',
  ],
];

async function promptsOf(file: unknown) {
  const written = typeof file === 'string' ? file : JSON.stringify(file);
  return (await readConversations(written, '-')).map(({ prompt }) => prompt);
}

it.each(forms)('a file of %s is a conversation', async (_form, messages, thought, id) => {
  const [conversation] = await readConversations(lines(messages), '-');
  const thoughts = thought === undefined ? [] : [{ type: 'reasoning', text: thought }];
  const [asked, output] = toolStep('c0', words(0, 40), 'read', { path: 'src/file-0.ts' });
  expect(conversation?.name).toBe(id ?? 'conversation 1');
  expect(conversation?.prompt.slice(0, 4)).toEqual([
    user([text(`${rule} ${words(0, 60)}`)]),
    assistant([thoughts, asked?.content].flat()),
    output,
    assistant([text('Done.')]),
  ]);
  expect(conversation?.prompt).toHaveLength(80);
});

const codex = [
  user([{ type: 'input_text', text: 'List.' }]),
  { type: 'function_call', call_id: 'c', name: 'shell', arguments: '{"command":["ls"]}' },
  { type: 'function_call_output', call_id: 'c', output: 'a.ts' },
  { type: 'ghost_snapshot' },
].map((payload) => ({ type: 'response_item', payload }));
const event = { type: 'event_msg', payload: { type: 'mcp_tool_call_end', call_id: 'c' } };
const files = [
  { type: 'image_url', image_url: { url: 'data:image/jpeg;base64,QUJD' } },
  { type: 'input_image', image_url: 'https://example.com/a.png' },
  { type: 'image', source: { type: 'base64', media_type: 'image/webp', data: 'QUJD' } },
  { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'A.' } },
  { type: 'input_file', file_id: 'file-1' },
  { type: 'input_audio', input_audio: { data: 'QUJD', format: 'wav' } },
  { type: 'hologram' },
];
const search = { type: 'server_tool_use', id: 's', name: 'web_search' };
const toClaude = { system: [text('Be terse.')], messages: [user('Hello')] };
const toResponses = { instructions: 'Be terse.', input: 'Hello', output: [assistant('Yes?')] };

const terse = { role: 'system', content: 'Be terse.' };
const hello = user([text('Hello')]);

it.each<[string, unknown, readonly object[]]>([
  [
    'a session of Codex',
    lines([{ type: 'session_meta', payload: {} }, event, ...codex]),
    [user([text('List.')]), ...toolStep('c', 'a.ts', 'shell', { command: ['ls'] })],
  ],
  ['a call of Responses', toResponses, [terse, hello, assistant([text('Yes?')])]],
  ['what was sent to Anthropic', toClaude, [terse, hello]],
])('%s is a conversation', async (_, file, prompt) => {
  expect(await promptsOf(file)).toEqual([prompt]);
});

it('what the SDK does not know or would refuse is read, whoever wrote it', async () => {
  const call = { type: 'tool-call', toolCallId: 'p', toolName: 'find', input: {} };
  const ofProvider = { ...call, providerExecuted: true };
  const own = { id: 'x', function: { name: 'f', arguments: '{"a":"b"}' } };
  const given = [
    { role: 'developer', content: 'Be terse.' },
    user(files),
    { type: 'reasoning', summary: [] },
    assistant([search, { type: 'refusal', refusal: 'No.' }]),
    { type: 'custom_tool_call', call_id: 'k', name: 'sh', input: 'ls' },
    { type: 'custom_tool_call_output', call_id: 'k', output: [text('a'), files[2], null] },
    assistant(null, { tool_calls: [own] }),
    { role: 'tool', tool_call_id: 'x', content: { b: 2 } },
    { type: 'web_search_call', id: 'w' },
    { role: 'tool', tool_call_id: 'gone', content: 'An answer to nothing.' },
    assistant('', { tool_calls: [{ id: 'c', function: { name: 'read', arguments: 'no JSON' } }] }),
    user('Stop.'),
    assistant([ofProvider]),
  ];
  const file = (mediaType: string, data: object): object => ({ type: 'file', mediaType, data });
  const picture = { type: 'data', data: 'QUJD' };
  const [called, output] = toolStep('k', 'a\n[image]', 'sh', { input: 'ls' });
  const [prompt] = await promptsOf(given);
  expect(prompt).toEqual([
    terse,
    user([
      file('image/jpeg', picture),
      file('image/png', { type: 'url', url: new URL('https://example.com/a.png') }),
      file('image/webp', picture),
      text('A.'),
      text('[input_file]'),
      file('application/octet-stream', picture),
      text('[hologram]'),
    ]),
    assistant([
      { type: 'reasoning', text: '' },
      text('[server_tool_use]'),
      text('No.'),
      ...[called?.content].flat(),
    ]),
    output,
    ...toolStep('x', '{"b":2}', 'f', { a: 'b' }),
    assistant([text('[web_search_call]')]),
    ...toolStep('c', '', 'read', { input: 'no JSON' }),
    user([text('Stop.')]),
    assistant([ofProvider]),
  ]);
});

it('JSON lines, of messages and of conversations, are the same as one list', async () => {
  const [whole] = await promptsOf(ofTheSdk);
  expect(await promptsOf(lines(ofTheSdk))).toEqual([whole]);
  const named = { id: 'chat', messages: ofTheSdk };
  for (const file of [[named, named], lines([named, '', named]).replace('""', ' ')])
    expect(await promptsOf(file)).toEqual([whole, whole]);
});

const chat = JSON.stringify(ofTheSdk);

it('the report says what would happen at each context length, what goes and what the user said', async () => {
  const messages = [
    user(`${rule} ${words(0, 300)}`),
    assistant(words(1, 400)),
    user(`Always test first. ${words(2, 400)}`),
    assistant('Yes.'),
    user('Which port?'),
    assistant('8080.'),
    user(words(3, 1500)),
  ];
  // No control that a conversation hides is obeyed.
  const hiding = JSON.stringify({ id: 'chat\u001B[2J', messages });
  // A summary has a mark of its own, some tokens more or less.
  const report = `chat [2J: messages 7, tokens 2,648

  context of 1,000 tokens: calls 4, the largest of 2,648; summaries 1
    calls over the limit: 3 without, 1 with
    input tokens: 5,221 without, # with, # % fewer
    summary 1 at call 3 (context-overflow): 1,157 to # tokens; messages 1 to 2 go
      kept: the user's words 1, decisions 0, identifiers 0
        - Never deploy on Fridays. … candle pocket window copper cloud paper signal forest silver ye
    ! call 4: The smallest prompt that can be sent takes # tokens, the model accepts 1000 (context length 1000, less the room for the answer). System messages, tools and response schema take 3. The latest message of the user takes #: it is too long for the model. Show the user an error text with onError of the response.

  context of 100,000 tokens: calls 4, the largest of 2,648; summaries 0
    calls over the limit: 0 without, 0 with
    input tokens: 5,221 without, 5,221 with, 0 % fewer
`;
  const said = await run(hiding, 'inspect - --context 1000,100000');
  expect(said.replaceAll(/4,3\d\d(?= with)|1[67](?= % fewer)|(?<=to )\d{3}|15\d\d/g, '#')).toBe(
    report,
  );
});

const understood =
  '; understood: messages of the AI SDK, OpenAI or Anthropic, as a list, an object or JSON lines.';
const a = '{"role":"user","content":"a"}';

it.each<[string, string | RegExp]>([
  [' \n', /^standard input: found nothing: it is empty$/],
  [`[\n  ${a},\n  {"role": "user", \n]`, /: found no JSON \(.* \(line 4 column 1\)\)/],
  [`${a}\n{"role":`, /^standard input, line 2: found no JSON/],
  ['42', /^standard input: found a number$/],
  ['[]', /^standard input: found no messages$/],
  [`[${a}, [${a}]]`, /^standard input, message 2: found a list of 1$/],
  ['[{"role":"user","content":[7]}]', /, message 1: found a number as a part of a message$/],
  ['[{"role":"user","content":[null]}]', /, message 1: found nothing as a part of a message$/],
  ['[{"role":"user","content":[{}]}]', /: found an object with no members as a part of a message$/],
  [
    `[${a}, {"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1}]`,
    /: found an object with a, b, c, d, e, f$/,
  ],
  ['[{"role":"user"}]', /: found an object with role, whose content is nothing$/],
  [
    `${a}\n{"role":"bot","content":"b"}`,
    /^standard input, line 2: found the role "bot" \(roles are system, user, assistant, tool, developer\)$/,
  ],
  [
    '{"messages":[]}\n{"messages":[{"role":"user","content":7}]}',
    /, line 2, message 1: found an object with role, content, whose content is a number$/,
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
    await import('../../../../src/entries/cli/main.ts').finally(() => vi.unstubAllGlobals());
    expect(command.exitCode).toBe(1);
    expect(said.join('')).toMatch(/^There is no command "constructor".+\n$/);
  });

  it('name a file that is there, and the model that has the context length', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'inspect-'));
    const file = path.join(folder, 'chat.json');
    writeFileSync(file, chat);
    const output = await run('', `inspect ${file} --json --model openai/gpt-4`);
    rmSync(folder, { recursive: true });
    const lengthsIn = (printed: string): unknown =>
      JSON.parse(printed).conversations[0].limits.map((limit: object) =>
        Reflect.get(limit, 'contextLength'),
      );
    expect(lengthsIn(output)).toEqual([8192]);
    expect(lengthsIn(await run(chat, 'inspect - --json --model gpt-4'))).toEqual([8192]);
    expect(lengthsIn(await run(chat, 'inspect - --json'))).toEqual([16_000, 64_000, 200_000]);
  });
});
