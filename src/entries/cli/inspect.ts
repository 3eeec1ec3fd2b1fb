import { readFile } from 'node:fs/promises';
import { text as textOf } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import { countPromptTokens, type PromptTokenCount } from '../api/count-prompt-tokens.ts';
import { ContextOverflowError } from '../../foundations/errors/context-overflow-error.ts';
import { summarizationMiddleware } from '../../middleware.ts';
import type { Message, ModelIdentity } from '../../prompt/messages/prompt-types.ts';
import type { SummarizationEvent } from '../../call/report/events.ts';
import { memoryStore } from '../../state/stores/memory-store.ts';
import { lengthInTable } from '../../sizes/tokens/context-lengths.ts';
import { messageOf } from '../../foundations/util/errors.ts';
import { sumOf, sumsBefore } from '../../foundations/util/numbers.ts';
import { CommandError, readConversations } from './read-conversations.ts';

const usage = `Usage: ai-sdk-summarization inspect <file> [options]

Shows what the middleware would do with your conversations, with rule-based summaries. Nothing leaves this machine.

  <file>               a list of messages, an object with messages, or either as JSON lines; - for standard input. Messages
                       of the AI SDK (UI or model), OpenAI (Chat Completions, items of Responses) or Anthropic, sessions
                       of Claude Code
  --context <tokens>   context length to try; several with commas (default: of --model, else 16000,64000,200000)
  --model <name>       names the context length, such as openai/gpt-5-mini
  --json               prints everything as JSON
  --help               prints this
`;

const flags = {
  context: { type: 'string' },
  model: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean' },
} as const;

const help = 'ai-sdk-summarization --help says how it is used.';

/**
 * Runs the command that arguments begin with: plays the conversations of a file again, and reports what the middleware
 * would do.
 *
 * @returns The text to write.
 * @throws {CommandError} for what the user can mend, in one line.
 */
export async function runCommandLine(
  given: readonly string[],
  stdin: NodeJS.ReadableStream,
): Promise<string> {
  const [command, ...others] = given;
  if (command === undefined || given.includes('--help')) return usage;
  if (command !== 'inspect')
    throw new CommandError(`There is no command ${JSON.stringify(command)}, only inspect; ${help}`);
  const { file, contexts, model, json } = readArguments(others);
  const content = file === '-' ? textOf(stdin) : readFile(file, 'utf8');
  const text = await content.catch((error: unknown) => {
    throw new CommandError(`${file} cannot be read: ${messageOf(error)}`);
  });
  const conversations: Inspected[] = [];
  for (const { name, prompt } of await readConversations(text, file)) {
    const counted = await countPromptTokens({ messages: prompt });
    const limits: Played[] = [];
    for (const contextLength of contexts)
      limits.push(await play(prompt, counted, silentModel(model), contextLength));
    conversations.push({ name, messages: prompt.length, tokens: counted.total, limits });
  }
  return json
    ? `${JSON.stringify({ conversations }, undefined, 2)}\n`
    : conversations.map(reportOf).join('\n');
}

/** @throws {CommandError} naming what is wrong and what is allowed. */
function readArguments(args: readonly string[]) {
  const { values, positionals } = parsed(args);
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0)
    throw new CommandError(`Name one file, not ${positionals.length}; ${help}`);
  const { model, context } = values;
  const contexts = context?.split(',').map(Number) ?? contextsOf(model);
  if (!contexts.every((length) => Number.isSafeInteger(length) && length >= 1000)) {
    const allowed = 'integers of at least 1000, with commas between them';
    throw new CommandError(`--context is ${JSON.stringify(context)}; allowed: ${allowed}.`);
  }
  return { ...values, file, contexts } as const;
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: flags, allowPositionals: true });
  } catch (error) {
    // The rest of it says how to escape a file that is called like an option.
    const reason = messageOf(error).replace(/(?:\. |\n)[^]*/, '');
    const names = Object.keys(flags).map((name) => `--${name}`);
    throw new CommandError(`${reason}; there are ${names.join(', ')}; ${help}`);
  }
}

/** That of the model, else some usual ones. */
function contextsOf(model: string | undefined): readonly number[] {
  if (model === undefined) return [16_000, 64_000, 200_000];
  const { known, contextLength, inputLimit } = lengthInTable(identityOf(model));
  if (known) return [inputLimit ?? contextLength];
  throw new CommandError(`The context length of ${model} is not known: name it with --context.`);
}

/** A model by its name: `provider/model`, or the model alone; one that counts as o200k does where none is named. */
function identityOf(name = 'openai/gpt-5'): ModelIdentity {
  const slash = name.indexOf('/');
  const provider = slash === -1 ? 'unknown' : name.slice(0, slash);
  return { provider, modelId: name.slice(slash + 1) };
}

/** Findings about a conversation. */
interface Inspected {
  readonly name: string;
  readonly messages: number;
  readonly tokens: number;
  readonly limits: readonly Played[];
}

type Played = Awaited<ReturnType<typeof play>>;

/** Plays a conversation call by call: each answer of the assistant was one. No model is asked for answers. */
async function play(
  prompt: readonly Message[],
  counted: PromptTokenCount,
  model: LanguageModelV4,
  contextLength: number,
) {
  const calls: { messages: number; tokensWithout: number; tokensWith: number }[] = [];
  const summaries: (Extract<SummarizationEvent, { type: 'end' }> & { readonly call: number })[] =
    [];
  const faults: string[] = [];
  const onEvent = (event: SummarizationEvent): void => {
    const call = calls.length + 1;
    if (event.type === 'end') summaries.push({ ...event, call });
    else if (event.type === 'failed')
      faults.push(`call ${call}: ${event.stage}: ${event.reason} (${messageOf(event.error)})`);
  };
  const { transformParams } = summarizationMiddleware({
    store: memoryStore(),
    strategy: 'rule-based',
    contextLength,
    onEvent,
  });
  const sums = sumsBefore(counted.perMessage);
  for (const end of callsOf(prompt)) {
    const tokensWithout = counted.overhead + (sums[end] ?? 0);
    const params = { prompt: prompt.slice(0, end) };
    let tokensWith = tokensWithout;
    try {
      const sent = await transformParams?.({ params, type: 'generate', model });
      if (sent && sent !== params)
        tokensWith = (await countPromptTokens({ ...sent, messages: sent.prompt })).total;
    } catch (error) {
      if (!ContextOverflowError.isInstance(error)) throw error;
      faults.push(`call ${calls.length + 1}: ${error.message}`);
    }
    calls.push({ messages: end, tokensWithout, tokensWith });
  }
  return {
    contextLength,
    calls,
    summaries,
    // Input tokens of all calls, and calls longer than the context, without and with.
    tokensWithout: sumOf(calls, (each) => each.tokensWithout),
    tokensWith: sumOf(calls, (each) => each.tokensWith),
    overWithout: calls.filter((each) => each.tokensWithout > contextLength).length,
    overWith: calls.filter((each) => each.tokensWith > contextLength).length,
    faults,
  };
}

/** Indexes of messages after which a model was called: an answer follows, or is awaited. */
function callsOf(prompt: readonly Message[]): readonly number[] {
  return prompt.flatMap(({ role }, index) => {
    const next = prompt[index + 1]?.role;
    const isAsked = role === 'user' || role === 'tool';
    return isAsked && (next === undefined || next === 'assistant') ? [index + 1] : [];
  });
}

/** A model that nobody asks for an answer. */
function silentModel(name: string | undefined): LanguageModelV4 {
  const methods = { doGenerate: refuse, doStream: refuse };
  return { specificationVersion: 'v4', ...identityOf(name), supportedUrls: {}, ...methods };
}

async function refuse(): Promise<never> {
  throw new Error('No model answers in an inspection.');
}

/** Prints the findings about a conversation. */
function reportOf({ name, messages, tokens, limits }: Inspected): string {
  const lines = [
    `${name}: messages ${count(messages)}, tokens ${count(tokens)}`,
    ...limits.flatMap((limit) => ['', ...linesOf(limit).map((line) => `  ${line}`)]),
  ];
  // Without controls, which a terminal would obey.
  return lines.map((line) => `${line.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ')}\n`).join('');
}

function linesOf(limit: Played): readonly string[] {
  const { contextLength, calls, summaries, overWithout, overWith, faults } = limit;
  const { tokensWithout, tokensWith } = limit;
  const share = Math.round((1 - tokensWith / Math.max(1, tokensWithout)) * 100);
  const largest = Math.max(0, ...calls.map((call) => call.tokensWithout));
  return [
    `context of ${count(contextLength)} tokens: calls ${calls.length}, the largest of ${count(largest)}; summaries ${summaries.length}`,
    `  calls over the limit: ${overWithout} without, ${overWith} with`,
    `  input tokens: ${count(tokensWithout)} without, ${count(tokensWith)} with, ${share} % fewer`,
    ...summaries.flatMap((summary, index) => {
      const { call, reason, tokensBefore, tokensAfter, coveredMessages, record } = summary;
      const { userQuotes = [], decisions, domainEntities } = record.context;
      return [
        `  summary ${index + 1} at call ${call} (${reason}): ${count(tokensBefore)} to ${count(tokensAfter)} tokens; messages 1 to ${coveredMessages} go`,
        `    kept: the user's words ${userQuotes.length}, decisions ${decisions.length}, identifiers ${domainEntities.length}`,
        ...userQuotes.slice(0, 5).map((text) => `      - ${text.slice(0, 90)}`),
      ];
    }),
    ...faults.map((fault) => `  ! ${fault}`),
  ];
}

/** A number with separators of thousands. */
function count(value: number): string {
  return value.toLocaleString('en-US');
}
