import { expect, it } from 'vitest';
import { composePrompt } from '../../../src/composing/compose-prompt.ts';
import type { Placement } from '../../../src/composing/place-summary.ts';
import type { Message } from '../../../src/index.ts';
import { assistant, system, user } from '../../support/prompt-messages.ts';
import { testRecord, testView } from './test-record.ts';

const models = {
  openai: { provider: 'openai.responses', modelId: 'gpt-test' },
  azure: { provider: 'azure.responses', modelId: 'gpt-test' },
  anthropic: { provider: 'anthropic.messages', modelId: 'claude-test' },
};
type Key = keyof typeof models;

const high = { reasoningEffortUpdate: 'high', textFormatUpdate: { type: 'text' } };
const tool = { additionalTools: [{ type: 'function', name: 'a' }] };
const adding = { toolChanges: [{ type: 'tool_addition', toolName: 'a' }] };
const effort = { effort: 'low' };
const cached = { cacheControl: { type: 'ephemeral' } };
const low = { reasoningEffortUpdate: 'low', textFormatUpdate: null };
const both = { ...high, reasoningEffortUpdate: 'low' };
const [more, all] = [
  { ...low, ...tool },
  { ...both, ...tool },
];
const settings = { high, low, both, more, all, tool, adding, effort };
const [u, a] = [user('u'), assistant('a')];
const content = [...user('SUMMARY').content, ...u.content];

/** The messages that words name: of user, assistant and summary, system messages that set something or say it too. */
function named(words: string, key: Key): Message[] {
  const messages: Readonly<Record<string, Message>> = {
    u,
    a,
    S: system('SUMMARY'),
    Su: { role: 'user', content },
    B: { ...system('b'), providerOptions: { [key]: { ...effort, ...cached } } },
    b: { ...system('b'), providerOptions: { [key]: cached } },
    C: { ...system('c'), providerOptions: { [key]: adding } },
    c: { ...system('c'), providerOptions: {} },
  };
  const set = new Map<string, object>(Object.entries(settings));
  return words.split(' ').flatMap((word) => {
    const options = set.get(word);
    const message = options && { ...system(''), providerOptions: { [key]: { ...options } } };
    return message ?? messages[word] ?? [];
  });
}

// What summarised messages have set stands where providers take it, and holds as long as it did.
it.each<[string, Key, Placement, string, string, string]>([
  ['ahead', 'openai', 'system', 'u high a', 'u a', 'S high u a'],
  ['not first', 'openai', 'user', 'u high a', 'u a', 'Su high a'],
  ['beside no other', 'azure', 'user', 'low u high a', 'u a', 'low Su high a'],
  ['merged with one that it meets', 'azure', 'user', 'u high a', 'u more a', 'Su all a'],
  ['or that follows it', 'openai', 'system', 'a high a', 'low u a', 'S both u a'],
  ['tools behind what is kept', 'openai', 'system', 'u tool a a', 'a u', 'S u tool a u'],
  ['changes of tools in a turn', 'anthropic', 'system', 'u adding a', 'a u', 'S u adding a u'],
  ['or ahead of an earlier answer', 'anthropic', 'system', 'u adding a', 'u', 'S u adding a u'],
  ['what texts set', 'anthropic', 'system', 'u B C a', 'u a', 'S effort b c u adding a u a'],
])('composePrompt sets %s', (_what, key, placement, before, after, expected) => {
  const [covered, recent] = [named(before, key), named(after, key)];
  const view = testView([...covered, ...recent], models[key]);
  const cut = view.conversation.length - recent.length;
  const style = { placement, userTextCharacters: 0 };
  const { prompt, text } = composePrompt(view, style, { record: testRecord(cut), cut });
  const inJson = JSON.stringify(text).slice(1, -1);
  const shown: unknown = JSON.parse(JSON.stringify(prompt).replaceAll(inJson, 'SUMMARY'));
  expect(shown).toEqual(named(expected, key));
});

it.each([
  [4, ['bbb', 'c']],
  [3, ['c']],
  [0, undefined],
])(
  'composePrompt repeats what the user said last in %i characters',
  (userTextCharacters, expected) => {
    const said = ['b', 'bb'].flatMap((text) => user(text).content);
    const covered: Message[] = [
      user('aa'),
      { role: 'user', content: said },
      user(''),
      assistant('dd'),
    ];
    const view = testView([...covered, user('c'), u]);
    const style = { placement: 'system', userTextCharacters } as const;
    const { text } = composePrompt(view, style, { record: testRecord(5), cut: 5 });
    expect(JSON.parse(text.split('\n')[2] ?? '').userMessages).toEqual(expected);
  },
);
