import { expect, it } from 'vitest';
import { composePrompt } from '../../../../src/planning/composing/compose-prompt.ts';
import type { Placement } from '../../../../src/planning/composing/place-summary.ts';
import type { Message } from '../../../../src/index.ts';
import { assistant, call, result, system, user } from '../../../support/prompt-messages.ts';
import { untyped } from '../../../support/untyped.ts';
import type { ViewedCall } from '../../../../src/planning/selection/conversation-view.ts';
import { testRecord, testView } from './test-record.ts';

const models = {
  openai: { provider: 'openai.responses', modelId: 'gpt-test' },
  azure: { provider: 'azure.responses', modelId: 'gpt-test' },
  anthropic: { provider: 'anthropic.messages', modelId: 'claude-test' },
};
type Key = keyof typeof models;

const low = { reasoningEffortUpdate: 'low' };
const high = { reasoningEffortUpdate: 'high', textFormatUpdate: { type: 'text' } };
const both = { ...high, ...low };
const named = (name: string, more = {}) => ({ type: 'function', name, ...more });
const crm = (...names: readonly string[]) =>
  named('crm', { type: 'namespace', tools: names.map((name) => named(name)) });
const loading = (...additionalTools: readonly object[]) => ({ additionalTools });
const add = (toolName: string) => ({ type: 'tool_addition', toolName });
const remove = (toolName: string) => ({ type: 'tool_removal', toolName });
const define = (version: number) => ({ type: 'tool_addition', tool: named('new', { version }) });
const changing = (...toolChanges: readonly object[]) => ({ toolChanges });
const changed = [add('deferred'), remove('loaded'), remove('search')];
const [effort, cached] = [{ effort: 'low' }, { cacheControl: { type: 'ephemeral' } }];

/** What system messages without a text set. */
const settings: Readonly<Record<string, object>> = {
  low: { ...low, textFormatUpdate: null },
  lowest: low,
  high,
  both,
  effort,
  more: { ...low, ...loading(named('a')) },
  all: { ...both, ...loading(named('a')) },
  a1: loading(named('a', { version: 1 }), crm('find')),
  a2: loading(crm('rename'), named('a')),
  a3: loading(crm('find', 'rename'), named('a')),
  add: changing(add('deferred')),
  remove: changing(remove('loaded'), remove('search')),
  max: { effort: 'max' },
  left: { ...effort, ...changing(...changed) },
  new1: changing(define(1), ...changed),
  new2: changing(define(2)),
  news: changing(...changed, define(2)),
  undo: changing(remove('deferred'), add('loaded'), add('search'), remove('new')),
};
const long = { cacheControl: { type: 'ephemeral', ttl: '1h' } };
const point = { bedrock: { cachePoint: { type: 'default' } } };
const part = { type: 'text', text: 'u', providerOptions: { anthropic: cached } } as const;
const content = [...user('SUMMARY').content, ...user('u').content];

/** The messages that words name: of user, assistant and summary, and system messages that set something or say it too. */
function messagesOf(words: string, key: Key): Message[] {
  const setting = (text: string, options: object, other = {}): Message =>
    untyped({ ...system(text), providerOptions: { [key]: options, ...other } });
  const messages: Readonly<Record<string, Message>> = {
    u: user('u'),
    v: user('v'),
    a: assistant('a'),
    call: assistant('', call('1')),
    load: {
      role: 'tool',
      content: [{ ...result('1'), providerOptions: { openai: untyped(settings['a2']) } }],
    },
    S: system('SUMMARY'),
    Sc: setting('SUMMARY', cached),
    X: system('x'),
    XS: system('x\n\nSUMMARY'),
    bS: setting('b\n\nSUMMARY', cached),
    Sl: setting('SUMMARY', long),
    Sb: { ...system('SUMMARY'), providerOptions: point },
    uc: { ...user('u'), providerOptions: { [key]: cached } },
    ul: { ...user('u'), providerOptions: { [key]: long } },
    us: { ...user('u'), providerOptions: { [key]: { cache_control: cached.cacheControl } } },
    ub: { ...user('u'), providerOptions: { ...point, openai: { user: 'u' } } },
    up: { role: 'user', content: [part, part] },
    SU: user('SUMMARY'),
    Su: { role: 'user', content },
    B: setting('b', { ...effort, ...cached }),
    b: setting('b', cached),
    C: setting('c', changing(add('deferred'))),
    c: { ...system('c'), providerOptions: {} },
    own: setting('', low, { openai: high }),
  };
  return words.split(' ').flatMap((word) => messages[word] ?? setting('', settings[word] ?? {}));
}

const declared = (name: string, deferLoading: boolean) => ({
  ...named(name, { inputSchema: {} }),
  providerOptions: { anthropic: { deferLoading } },
});
const search = { type: 'provider', id: 'anthropic.search', name: 'search', args: {} } as const;
const tools = untyped<NonNullable<ViewedCall['params']['tools']>>([
  declared('loaded', false),
  declared('deferred', true),
  search,
]);

// The summary stands where a placement says. What summarized messages have set stands where providers take it, and holds as long as it did.
it.each<[string, Key, Placement, string, string, string]>([
  ['ahead', 'openai', 'system', 'u high a', 'u a', 'S high u a'],
  ['the last of each', 'openai', 'system', 'u high u low a', 'u a', 'S both u a'],
  ['not first', 'openai', 'user', 'u high a', 'u a', 'Su high a'],
  ['beside no other', 'azure', 'user', 'low u high a', 'u a', 'low Su high a'],
  ['merged with one that it meets', 'azure', 'user', 'u high a', 'u more a', 'Su all a'],
  ['or that follows it', 'openai', 'system', 'a high a', 'low u a', 'S both u a'],
  ['tools behind what is kept', 'openai', 'system', 'u a1 a a', 'a u', 'S u a1 a u'],
  ['tools by name, all of a namespace', 'openai', 'system', 'u a1 call load', 'u', 'S a3 u'],
  ["Azure's own options first", 'azure', 'system', 'u own call load', 'u', 'S lowest a2 u'],
  ['changes of tools in a turn', 'anthropic', 'system', 'u add a', 'a u', 'S u add a u'],
  ['or ahead of an earlier answer', 'anthropic', 'system', 'u add a v a', 'u', 'S v add a u'],
  ['those that are left', 'anthropic', 'system', 'u new1 a u new2 a', 'a u', 'S u news a u'],
  ['none that were undone', 'anthropic', 'system', 'u new1 a u undo a', 'u a', 'S u a'],
  [
    'an effort from the next turn',
    'anthropic',
    'system',
    'u max add u effort remove',
    'a u',
    'S max u left a u',
  ],
  ['what texts set', 'anthropic', 'system', 'u B C a', 'u a', 'S effort b c u add a u a'],
  [
    'a summary in the last system message',
    'anthropic',
    'system-merged',
    'X b u a',
    'u a',
    'X bS u a',
  ],
  ['or in one of its own', 'anthropic', 'system-merged', 'u a', 'u a', 'S u a'],
  ['or ahead of settings', 'openai', 'system-merged', 'X low u a', 'u a', 'XS low u a'],
  ['or where the user would speak', 'openai', 'user', 'X a a', 'a', 'X SU a'],
  ['and the last breakpoint with it', 'anthropic', 'system', 'X uc ul a', 'u a', 'X Sl u a'],
  ['one of a part', 'anthropic', 'system', 'up u a', 'u a', 'Sc u a'],
  ['one in one spelling', 'anthropic', 'system', 'us a', 'u a', 'Sc u a'],
  ['one of Bedrock', 'anthropic', 'system', 'ub a', 'u a', 'Sb u a'],
  ['none beside four', 'anthropic', 'system', 'uc a', 'uc uc uc uc a', 'S uc uc uc uc a'],
])('composePrompt sets %s', (_what, key, placement, before, after, expected) => {
  const recent = messagesOf(after, key);
  const prompt = [...messagesOf(before, key), ...recent];
  const view = testView(prompt, models[key], { params: { prompt, tools } });
  const cut = view.conversation.length - recent.length;
  const style = { placement, userTextCharacters: 0 };
  const composed = composePrompt(view, style, { record: testRecord(cut), cut });
  const inJson = JSON.stringify(composed.text).slice(1, -1);
  const shown: unknown = JSON.parse(JSON.stringify(composed.prompt).replaceAll(inJson, 'SUMMARY'));
  expect(shown).toEqual(messagesOf(expected, key));
});

it.each([
  [4, ['bbb', 'c']],
  [3, ['c']],
  [0, undefined],
])('composePrompt repeats the last %i characters of the user', (userTextCharacters, expected) => {
  const twice = ['b', 'bb'].flatMap((text) => user(text).content);
  const covered: Message[] = [user('aa'), { role: 'user', content: twice }, user('')];
  const view = testView([...covered, assistant('dd'), user('c'), user('e')]);
  const style = { placement: 'system', userTextCharacters } as const;
  const { text } = composePrompt(view, style, { record: testRecord(5), cut: 5 });
  const [, shown] = text.split('# User messages\n');
  expect(shown?.split('\n').slice(0, -1)).toEqual(expected?.map((said) => JSON.stringify(said)));
});
