import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { inspectArguments } from '../../../src/cli/inspect-arguments.ts';
import { inspect } from '../../../src/cli/inspect.ts';
import { htmlReport } from '../../../src/cli/report/html-report.ts';
import type { Inspection } from '../../../src/cli/report/inspection.ts';
import { words } from '../../support/messages.ts';
import { runCommand } from './run-command.ts';
import { asked, behaviour } from './eval-provider.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'inspect-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function run(text: string, ...given: readonly string[]) {
  return runCommand(text, async (terminal) => inspect(inspectArguments(['-', ...given]), terminal));
}

async function inspected(text: string, ...given: readonly string[]): Promise<Inspection> {
  const { output } = await run(text, '--json', '--context', '2000', ...given);
  return JSON.parse(output);
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
];

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

  it('is the same as JSON lines, of messages and of conversations', async () => {
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
});

const chat = JSON.stringify(forms[1]?.[1]);

describe('the report', () => {
  it('for a terminal has a chart, what goes and stays, and what the user said', async () => {
    const { output, progress } = await run(chat, '--context', '2000,100000', '--price', '2.5');
    expect(output).toContain('context of 2,000 tokens, 40 calls');
    expect(output).toMatch(
      /input tokens \(\$\d+\.\d\d\) without, [\d,]+ \(\$\d+\.\d\d\) with, \d+ % fewer/,
    );
    expect(output).toMatch(/goes: \d+ messages; stays: the last \d+/);
    expect(output).toContain(`- ${rule}`);
    expect(output).toMatch(/█+░+.*◆/);
    expect(output).toMatch(/context of 100,000 tokens, 40 calls: nothing to do/);
    expect(progress).toContain('conversation 1 of 1, context of 2000: call 40 of 40');
  });

  it('as a page has the chart and each record, and loads nothing', async () => {
    const file = path.join(folder, 'page.html');
    await run(chat, '--context', '2000', '--html', file);
    const page = readFileSync(file, 'utf8');
    expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
    expect(page).not.toMatch(/<script|https?:\/\/|@import|url\(/);
    expect(page.match(/<rect class="sent"/g)).toHaveLength(40);
    expect(page.match(/<details>/g)?.length).toBeGreaterThan(1);
    expect(page).toContain(`<li>${rule} `);
  });

  it('as a page lets no text of a conversation be markup', async () => {
    const attack = `<script>alert(1)</script><img src='x' onerror="alert(2)">&`;
    const text = JSON.stringify(await inspected(chat));
    const quoted = JSON.stringify(attack).slice(1, -1);
    const hostile = text.replaceAll(rule, quoted).replaceAll('conversation 1', quoted);
    const page = htmlReport(JSON.parse(hostile));
    expect(page).toContain(
      '<h2>&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=&#39;x&#39; onerror=&quot;alert(2)&quot;&gt;&amp;</h2>',
    );
    expect(page).not.toMatch(/<script|<img|onerror="/);
  });

  it('obeys no control that a conversation hides in its texts', async () => {
    const messages = [
      { role: 'user', content: 'Always say \u001B[2Jhello to me.' },
      ...JSON.parse(chat),
    ];
    const { output } = await run(JSON.stringify(messages), '--context', '2000');
    expect(output).not.toContain('\u001B');
  });
});

describe('a summary that a model is to write', () => {
  const provider = path.join(import.meta.dirname, 'eval-provider.ts');
  const live = ['--live', '--model', 'chat-8000', '--provider', provider];
  const conversation = JSON.stringify(
    turns((index) => [
      { role: 'user', content: said(index) },
      { role: 'assistant', content: `Noted: ${words(index, 40)}` },
    ]),
  );
  afterEach(() => {
    asked.length = 0;
    delete behaviour.fault;
  });

  it('is written by the model of a provider that a file exports', async () => {
    const [limit] = (await inspected(conversation, ...live)).conversations[0]?.limits ?? [];
    expect(limit?.summaries[0]).toMatchObject({ strategy: 'llm', record: { degraded: false } });
    expect(limit?.faults).toEqual([]);
    expect(asked.length).toBeGreaterThan(0);
    expect(new Set(asked.map(({ model }) => model))).toEqual(new Set(['chat-8000']));
  });

  it('says where rules wrote it instead', async () => {
    behaviour.fault = () => {
      throw new Error('The key is no good.');
    };
    const { output } = await run(conversation, '--context', '2000', ...live);
    // While the prompt fits, nothing is written, and the next call tries again.
    expect(output).toMatch(/! call 11: summarize: transport\n/);
    expect(output).toMatch(
      /! call 13: llm: breaker-open \(The summarising model \S+ failed repeatedly .+\); rule-based wrote instead/,
    );
  });

  it('is asked of nobody without --live', async () => {
    await inspected(conversation, '--model', 'openai/gpt-5');
    expect(asked).toEqual([]);
    const given = ['-', '--provider', provider];
    expect(() => inspectArguments(given)).toThrow('--provider is of the model that writes');
  });

  it('names a provider or a model that cannot be had', async () => {
    const nowhere = ['--live', '--model', 'chat-8000', '--provider', './nowhere.ts'];
    await expect(run(conversation, ...nowhere)).rejects.toThrow(
      'The model "chat-8000" cannot be made',
    );
    const none = ['--live', '--model', 'x', '--provider', import.meta.filename];
    await expect(run(conversation, ...none)).rejects.toThrow('exports no provider');
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

describe('a file of another shape', () => {
  it.each([
    ['', 'line 1: found an empty file'],
    ['hello', 'line 1: found no JSON'],
    ['[\n  {"role": "user", "content": "a"},\n  {"role": "user", \n]', 'line 4: found no JSON'],
    ['{"role":"user","content":"a"}\n{"role":', 'line 2: found no JSON'],
    ['{"name": 1}', 'line 1: found an object with name; understood: a list of messages'],
    ['42', 'line 1: found a number; understood: a list of messages'],
    [
      '[\n  {"role": "user", "content": "a"},\n  {"text": "b"}\n]',
      'line 3: found an object with text; understood: messages of the AI SDK',
    ],
    [
      '{\n "id": "[",\n "messages": [\n  {"role": "user", "content": "a, [b]"},\n\n  7]}',
      'line 6: found a number; understood: messages of the AI SDK',
    ],
    [
      '{"messages":[]}\n{"messages":[{"role":"user","content":7}]}',
      'line 2: found an object with role, content; understood: messages of the AI SDK',
    ],
    [
      '[{"role":"assistant","content":[{"kind":"x"}]}]',
      'line 1: found an object with role, content (',
    ],
  ])(
    'is an error with the line, what was found and what is understood: %j',
    async (text, error) => {
      await expect(run(text)).rejects.toThrow(error);
    },
  );
});

describe('arguments', () => {
  it.each([
    [[], 'Name one file.'],
    [['a', 'b'], 'Name one file.'],
    [['a', '--context', 'many'], '--context is "many"; allowed: integers of at least 1000'],
    [['a', '--context', '999'], '--context is "999"'],
    [['a', '--price=-1'], '--price is "-1"; allowed: a number of at least 0.'],
    [['a', '--strategy', 'best'], '--strategy is "best"; allowed: rule-based, none or llm.'],
    [['a', '--strategy', 'llm'], 'say --live'],
    [['a', '--live'], '--live needs a --model'],
    [['a', '--colour'], "Unknown option '--colour'"],
  ])('are refused in words: %j', (given, error) => {
    expect(() => inspectArguments(given)).toThrow(error);
  });

  it('name the model that has the context length', async () => {
    const { output } = await run(chat, '--json', '--model', 'openai/gpt-4');
    expect(JSON.parse(output).conversations[0].limits[0].contextLength).toBe(8192);
    await expect(run(chat, '--model', 'nobody/nothing')).rejects.toThrow(
      'The context length of nobody/nothing is not known: name it with --context.',
    );
  });

  it('name a file that is there', async () => {
    const file = path.join(folder, 'absent.json');
    const inspectFile = async () =>
      runCommand('', async (terminal) => inspect(inspectArguments([file]), terminal));
    await expect(inspectFile()).rejects.toThrow('cannot be read');
    writeFileSync(file, chat);
    expect((await inspectFile()).output).not.toBe('');
  });
});
