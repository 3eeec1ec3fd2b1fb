import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LanguageModelV4FunctionTool, LanguageModelV4Message } from '@ai-sdk/provider';
import { agentPrompt } from '../speed/bodies.ts';

/** A conversation that is replayed call by call. */
export interface Session {
  readonly messages: readonly LanguageModelV4Message[];
  /** How many messages each prompt has: those before an answer. */
  readonly calls: readonly number[];
  readonly tools: readonly LanguageModelV4FunctionTool[];
}

/** Conversations of one kind. */
export interface Corpus {
  readonly name: string;
  readonly kind: Kind;
  /** Whether conversations were joined to long sessions. */
  readonly isJoined: boolean;
  readonly sessions: readonly Session[];
}

type Kind = 'agent' | 'meeting';
type Messages = readonly LanguageModelV4Message[];

/** `every`: of so many conversations one is taken; tau-bench repeats each task four times. */
const files: readonly {
  readonly name: string;
  readonly kind: Kind;
  readonly every: number;
}[] = [
  { name: 'tau-bench-airline-gpt-4o', kind: 'agent', every: 4 },
  { name: 'swe-agent-demos', kind: 'agent', every: 1 },
  { name: 'openhands', kind: 'agent', every: 1 },
  { name: 'qmsum-test', kind: 'meeting', every: 3 },
];

/** Characters of a joined session: about 100,000 tokens. */
const joinedCharacters = 400_000;

/**
 * Reads the corpora that a folder holds, each once as it is and once joined to long sessions, and says on
 * the console which are not there. When none is: conversations made of the project's own texts.
 */
export function loadSessions(folder: string | undefined): readonly Corpus[] {
  const found = files.flatMap(({ name, kind, every }) => {
    if (folder === undefined) return [];
    const path = join(folder, `${name}.jsonl`);
    if (!existsSync(path)) {
      console.warn(`SKIPPED ${name}: ${path} is not there`);
      return [];
    }
    const lines = readFileSync(path, 'utf8').split('\n');
    const conversations = lines
      .filter((line, index) => line.trim() !== '' && index % every === 0)
      .map((line): Messages => {
        const { messages }: { readonly messages: Messages } = JSON.parse(line);
        return kind === 'meeting' ? dialogue(messages) : messages;
      });
    return [{ name, kind, conversations }];
  });
  if (found.length === 0) {
    console.warn('No corpus: conversations made of the texts of this repository instead.');
    const conversations = [1, 2, 3].map((seed) => agentPrompt(30_000, seed * 1000));
    found.push({ name: 'made up', kind: 'agent', conversations });
  }
  return found.flatMap(({ name, kind, conversations }) => [
    { name, kind, isJoined: false, sessions: conversations.map(sessionOf) },
    {
      name: `${name}, joined`,
      kind,
      isJoined: true,
      sessions: joined(conversations).map(sessionOf),
    },
  ]);
}

/** A meeting as a chat of two: every second turn is an answer. */
function dialogue(messages: Messages): Messages {
  return messages.map((message, index) =>
    index % 2 === 1 && message.role === 'user'
      ? { role: 'assistant', content: message.content.filter(({ type }) => type === 'text') }
      : message,
  );
}

/** One conversation after the other in the same session, under the first one's system message. */
function joined(conversations: readonly Messages[]): readonly Messages[] {
  const sessions: LanguageModelV4Message[][] = [];
  let characters = Number.POSITIVE_INFINITY;
  for (const [index, conversation] of conversations.entries()) {
    const isNew = characters > joinedCharacters;
    if (isNew) sessions.push([]);
    const added = conversation.filter(({ role }) => isNew || role !== 'system');
    characters = (isNew ? 0 : characters) + JSON.stringify(added).length;
    sessions.at(-1)?.push(...added.map((message) => withOwnIds(message, index)));
  }
  return sessions;
}

/** Conversations number their tool calls alike. */
function withOwnIds(message: LanguageModelV4Message, index: number): LanguageModelV4Message {
  const renamed = <Part extends { readonly type: string }>(part: Part): Part =>
    'toolCallId' in part ? { ...part, toolCallId: `${index}-${String(part.toolCallId)}` } : part;
  switch (message.role) {
    case 'assistant':
      return { ...message, content: message.content.map(renamed) };
    case 'tool':
      return { ...message, content: message.content.map(renamed) };
    default:
      return message;
  }
}

/** The corpora define no tools: definitions are made from the calls. */
function sessionOf(messages: Messages): Session {
  const tools = new Map<string, Set<string>>();
  for (const { content } of messages) {
    if (typeof content === 'string') continue;
    for (const part of content) {
      if (part.type !== 'tool-call') continue;
      const names = tools.get(part.toolName) ?? new Set();
      if (typeof part.input === 'object' && part.input !== null)
        for (const name of Object.keys(part.input)) names.add(name);
      tools.set(part.toolName, names);
    }
  }
  const calls = messages.flatMap(({ role }, index) => {
    const before = messages[index - 1]?.role;
    return role === 'assistant' && (before === 'user' || before === 'tool') ? [index] : [];
  });
  return { messages, calls, tools: [...tools].map(([name, inputs]) => toolOf(name, [...inputs])) };
}

function toolOf(name: string, inputs: readonly string[]): LanguageModelV4FunctionTool {
  const properties = Object.fromEntries(
    inputs.map((input) => [input, { type: 'string' as const, description: `The ${input}.` }]),
  );
  const description = `Runs ${name.replaceAll('_', ' ')} and returns what it says.`;
  return {
    type: 'function',
    name,
    description,
    inputSchema: { type: 'object', properties, required: [...inputs] },
  };
}
