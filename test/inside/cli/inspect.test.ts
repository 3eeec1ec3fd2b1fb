import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SummarizationEvent } from '../../../src/report/events.ts';
import { readConversations } from '../../../src/cli/read-conversations.ts';
import { words } from '../../support/messages.ts';
import { runCommand } from './run-command.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'inspect-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function run(text: string, ...given: readonly string[]): Promise<string> {
  return runCommand(text, 'inspect', '-', ...given);
}

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

async function inspected(
  text: string,
  ...given: readonly string[]
): Promise<{ readonly conversations: readonly Inspected[] }> {
  return JSON.parse(await run(text, '--json', '--context', '2000', ...given));
}

const rule = 'Never deploy on Fridays.';
const said = (index: number): string =>
  index === 0 ? `${rule} ${words(0, 60)}` : `${index}: ${words(index, 60)}`;

/** Twenty turns with a tool each, in one of the forms that are understood. */
function turns(turn: (index: number) => readonly object[]): readonly object[] {
  return Array.from({ length: 20 }, (_, index) => turn(index)).flat();
}

const forms: [string, readonly object[]][] = [
  [
    'UI messages of the AI SDK',
    turns((index) => [
      { id: `u${index}`, role: 'user', parts: [{ type: 'text', text: said(index) }] },
      {
        id: `a${index}`,
        role: 'assistant',
        parts: [
          { type: 'step-start' },
          {
            type: 'tool-read',
            toolCallId: `c${index}`,
            state: 'output-available',
            input: { path: `src/file-${index}.ts` },
            output: words(index, 40),
          },
          { type: 'step-start' },
          { type: 'text', text: 'Done.', state: 'done' },
        ],
      },
    ]),
  ],
  [
    'model messages of the AI SDK',
    turns((index) => [
      { role: 'user', content: said(index) },
      {
        role: 'assistant',
        content: [
          {
            type: 'tool-call',
            toolCallId: `c${index}`,
            toolName: 'read',
            input: { path: `src/file-${index}.ts` },
          },
        ],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: `c${index}`,
            toolName: 'read',
            output: { type: 'text', value: words(index, 40) },
          },
        ],
      },
      { role: 'assistant', content: 'Done.' },
    ]),
  ],
  [
    'OpenAI messages',
    turns((index) => [
      { role: 'user', content: said(index) },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: `c${index}`,
            type: 'function',
            function: { name: 'read', arguments: `{"path":"src/file-${index}.ts"}` },
          },
        ],
      },
      { role: 'tool', tool_call_id: `c${index}`, content: words(index, 40) },
      { role: 'assistant', content: 'Done.' },
    ]),
  ],
  [
    'Anthropic messages',
    turns((index) => [
      { role: 'user', content: said(index) },
      {
        role: 'assistant',
        content: [
          {
            type: 'tool_use',
            id: `c${index}`,
            name: 'read',
            input: { path: `src/file-${index}.ts` },
          },
        ],
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: `c${index}`, content: words(index, 40) }],
      },
      { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
    ]),
  ],
  [
    "items of OpenAI's Responses",
    turns((index) => [
      { role: 'user', content: [{ type: 'input_text', text: said(index) }] },
      { type: 'reasoning', id: `r${index}`, summary: [{ type: 'summary_text', text: 'Read it.' }] },
      {
        type: 'function_call',
        call_id: `c${index}`,
        name: 'read',
        arguments: `{"path":"src/file-${index}.ts"}`,
      },
      { type: 'function_call_output', call_id: `c${index}`, output: words(index, 40) },
      {
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'Done.', annotations: [] }],
      },
    ]),
  ],
];

/** A session of Claude Code: a line for each part of an answer, and lines that are no messages. */
const session = [
  { type: 'summary', summary: 'Reading files', leafUuid: 'u0' },
  ...turns((index) => {
    const line = { sessionId: 'session-1', isSidechain: false, uuid: `u${index}` };
    const part = (content: object) => ({
      ...line,
      type: 'assistant',
      message: { id: `m${index}`, role: 'assistant', content: [content] },
    });
    const input = { path: `src/file-${index}.ts` };
    const result = { type: 'tool_result', tool_use_id: `c${index}`, content: words(index, 40) };
    return [
      { ...line, type: 'user', message: { role: 'user', content: said(index) } },
      part({ type: 'thinking', thinking: 'I read it.', signature: 'x' }),
      part({ type: 'tool_use', id: `c${index}`, name: 'read', input }),
      { ...part({ type: 'text', text: 'Of another agent.' }), isSidechain: true },
      { ...line, type: 'user', message: { role: 'user', content: [result] } },
      part({ type: 'text', text: 'Done.' }),
      { type: 'system', subtype: 'turn_duration', uuid: `s${index}` },
    ];
  }),
];

it('a session of Claude Code is the conversation of its main agent', async () => {
  const lines = session.map((line) => JSON.stringify(line)).join('\n');
  const { conversations } = await inspected(lines);
  const [conversation] = conversations;
  expect(conversation).toMatchObject({ name: 'session-1', messages: 80 });
  expect(conversation?.limits[0]?.calls).toHaveLength(40);
  expect(JSON.stringify(conversation?.limits[0]?.summaries)).not.toContain('another agent');
});

it.each<[string, object, number]>([
  [
    'what was sent to Responses, and what came back',
    {
      instructions: 'Be terse.',
      input: 'Hello',
      output: [{ role: 'assistant', content: 'Yes?' }],
    },
    3,
  ],
  [
    'what was sent to Anthropic',
    {
      model: 'claude',
      system: [{ type: 'text', text: 'Be terse.' }],
      messages: [{ role: 'user', content: 'Hello' }],
    },
    2,
  ],
  [
    'files, pictures and parts of kinds that nobody knows',
    [
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: 'data:image/jpeg;base64,QUJD' } },
          { type: 'input_image', image_url: 'https://example.com/a.png' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'QUJD' } },
          { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'A.' } },
          { type: 'input_file', file_id: 'file-1' },
          { type: 'input_audio', input_audio: { data: 'QUJD', format: 'wav' } },
          { type: 'hologram' },
        ],
      },
      { type: 'web_search_call', id: 'w', status: 'completed' },
      { role: 'assistant', content: [{ type: 'server_tool_use', id: 's', name: 'web_search' }] },
      { role: 'developer', content: 'Go on.' },
    ],
    3,
  ],
])('%s is a conversation', async (_, file, messages) => {
  const [conversation] = (await inspected(JSON.stringify(file))).conversations;
  expect(conversation?.messages).toBe(messages);
});

it('a session of Codex is the items in it', async () => {
  const items = [
    { role: 'user', content: [{ type: 'input_text', text: 'List.' }] },
    { type: 'function_call', call_id: 'c', name: 'shell', arguments: '{"command":["ls"]}' },
    { type: 'function_call_output', call_id: 'c', output: 'a.ts' },
  ];
  const lines = [
    { type: 'session_meta', payload: { id: 's' } },
    ...items.map((payload) => ({ type: 'response_item', payload })),
    { type: 'event_msg', payload: { type: 'token_count' } },
  ];
  const text = lines.map((line) => JSON.stringify(line)).join('\n');
  expect((await inspected(text)).conversations[0]?.messages).toBe(3);
});

it.each([
  { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Read it.' }] },
  { type: 'thinking', thinking: 'Read it.', signature: 'x' },
])('$type is reasoning of the model', async (part) => {
  const text = JSON.stringify([{ role: 'assistant', content: [part] }]);
  const [conversation] = await readConversations(text, 'a.json');
  expect(conversation?.prompt[0]?.content).toMatchObject([{ type: 'reasoning', text: 'Read it.' }]);
});

it('a list of conversations is each of them', async () => {
  const chats = [1, 2].map((id) => ({
    id: `chat ${id}`,
    messages: [{ role: 'user', content: 'A' }],
  }));
  const { conversations } = await inspected(JSON.stringify(chats));
  expect(conversations.map(({ name }) => name)).toEqual(['chat 1', 'chat 2']);
});

describe.each(forms)('a file of %s', (_name, messages) => {
  it('is played again call by call, under the limit and in the words of the user', async () => {
    const { conversations } = await inspected(JSON.stringify(messages));
    const [conversation] = conversations;
    const [limit] = conversation?.limits ?? [];
    expect(conversation?.messages).toBe(80);
    expect(limit?.calls).toHaveLength(40);
    expect(limit?.summaries.length).toBeGreaterThan(1);
    expect(limit?.overWithout).toBeGreaterThan(0);
    expect(limit?.overWith).toBe(0);
    expect(limit?.faults).toEqual([]);
    const { userWords } = limit?.summaries.at(-1)?.record.context ?? {};
    expect(userWords?.[0]).toContain(rule);
  });
});

it('JSON lines, of messages and of conversations, are the same as one list', async () => {
  const messages = forms[0]?.[1] ?? [];
  const [whole] = (await inspected(JSON.stringify(messages))).conversations;
  const lines = messages.map((message) => JSON.stringify(message)).join('\n');
  const figures = whole?.limits[0]?.calls;
  const [ofMessages] = (await inspected(lines)).conversations;
  expect(ofMessages?.limits[0]?.calls).toEqual(figures);
  const line = JSON.stringify({ id: 'chat', messages });
  const ofConversations = (await inspected(`${line}\n\n${line}`)).conversations;
  expect(ofConversations.map(({ name }) => name)).toEqual(['chat', 'chat']);
  for (const each of ofConversations) expect(each.limits[0]?.calls).toEqual(figures);
});

const chat = JSON.stringify(forms[1]?.[1]);

describe('the report', () => {
  it('says what would happen at each context length, what goes and what the user said', async () => {
    const output = await run(chat, '--context', '2000,100000');
    expect(output).toMatch(/context of 2,000 tokens: calls 40, .+; summaries [2-9]\n/);
    expect(output).toMatch(/calls over the limit: \d+ without, 0 with\n/);
    expect(output).toMatch(/input tokens: [\d,]+ without, [\d,]+ with, \d+ % fewer\n/);
    expect(output).toMatch(/summary 1 at call \d+ \(token-ratio\): .+; messages 1 to \d+ go\n/);
    expect(output).toContain(`- ${rule}`);
    expect(output).toMatch(/context of 100,000 tokens: calls 40, .+; summaries 0\n/);
  });

  it('obeys no control that a conversation hides in its texts', async () => {
    const messages = [
      { role: 'user', content: 'Always say \u001B[2Jhello to me.' },
      ...JSON.parse(chat),
    ];
    const output = await run(JSON.stringify(messages), '--context', '2000');
    expect(output).not.toContain('\u001B');
  });
});

describe('a conversation that the SDK would refuse', () => {
  it('is read all the same: calls without results, results without calls', async () => {
    const messages = [
      { role: 'user', content: 'Read.' },
      { role: 'tool', tool_call_id: 'gone', content: 'An answer to nothing.' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'c', function: { name: 'read', arguments: 'no JSON' } }],
      },
      { role: 'user', content: 'Stop.' },
    ];
    const [conversation] = (await inspected(JSON.stringify(messages))).conversations;
    expect(conversation?.limits[0]?.calls).toHaveLength(2);
  });
});

const understood =
  '; understood: messages of the AI SDK, OpenAI or Anthropic, as a list, an object or JSON lines.';

describe('a file of another shape', () => {
  it.each([
    ['', 'standard input: found nothing: it is empty'],
    [' \n', 'standard input: found nothing: it is empty'],
    ['hello', /^standard input: found no JSON \(Unexpected token/],
    [
      '[\n  {"role": "user", "content": "a"},\n  {"role": "user", \n]',
      /^standard input: found no JSON \(.* \(line 4 column 1\)\)/,
    ],
    ['{"role":"user","content":"a"}\n{"role":', /^standard input, line 2: found no JSON/],
    ['{"name": 1}', 'standard input: found an object with name'],
    ['42', 'standard input: found a number'],
    ['[]', 'standard input: found no messages'],
    [
      '[{"role": "user", "content": "a"}, {"text": "b"}]',
      'standard input, message 2: found an object with text',
    ],
    [
      '{"messages": [{"role": "user", "content": "a"}, 7]}',
      'standard input, message 2: found a number',
    ],
    [
      '{"role":"user","content":"a"}\n{"role":"bot","content":"b"}',
      'standard input, line 2: found the role "bot" (roles are system, user, assistant, tool, developer)',
    ],
    [
      '{"messages":[]}\n{"messages":[{"role":"user","content":7}]}',
      'standard input, line 2, message 1: found an object with role, content, whose content is a number',
    ],
    [
      '[{"role":"assistant","content":[{"kind":"x"}]}]',
      'standard input, message 1: found an object with kind as a part of a message',
    ],
  ])(
    'is an error with the place, what was found and what is understood: %j',
    async (text, error) => {
      const reason = await run(text).then(
        () => '',
        (thrown: unknown) => String(Reflect.get(Object(thrown), 'message')),
      );
      expect(reason).not.toContain('\n');
      expect(reason.slice(-understood.length)).toBe(understood);
      expect(reason.slice(0, -understood.length)).toMatch(error);
    },
  );
});

describe('arguments', () => {
  it.each([
    [['inspect'], 'Name one file, not 0; ai-sdk-summarization --help says how it is used.'],
    [['inspect', 'a', 'b'], 'Name one file, not 2'],
    [
      ['inspect', 'a', '--context', 'many'],
      '--context is "many"; allowed: integers of at least 1000',
    ],
    [['inspect', 'a', '--context', '999'], '--context is "999"'],
    [['inspect', 'a', '--colour'], "Unknown option '--colour'; there are --context, --model,"],
    [['constructor'], 'There is no command "constructor", only inspect'],
  ])('are refused in one line: %j', async (given, error) => {
    await expect(runCommand('', ...given)).rejects.toThrow(error);
    await expect(runCommand('', ...given)).rejects.not.toThrow('\n');
  });

  it.each([[[]], [['--help']], [['inspect', 'a', '--help']]])(
    'are explained: %j',
    async (given) => {
      expect(await runCommand('', ...given)).toMatch(
        /^Usage: ai-sdk-summarization inspect <file> \[options\]\n/,
      );
    },
  );

  it('name the model that has the context length', async () => {
    const output = await run(chat, '--json', '--model', 'openai/gpt-4');
    expect(JSON.parse(output).conversations[0].limits[0].contextLength).toBe(8192);
    await expect(run(chat, '--model', 'nobody/nothing')).rejects.toThrow(
      'The context length of nobody/nothing is not known: name it with --context.',
    );
  });

  it('name a file that is there', async () => {
    const file = path.join(folder, 'absent.json');
    await expect(runCommand('', 'inspect', file)).rejects.toThrow('cannot be read');
    writeFileSync(file, chat);
    expect(await runCommand('', 'inspect', file)).not.toBe('');
  });
});
