import { isDeepStrictEqual } from 'node:util';
import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import {
  type ModelMessage,
  generateText,
  streamText,
  wrapLanguageModel,
  type LanguageModelMiddleware,
} from 'ai';
import { type SummarizationOptions, summarizationMiddleware } from '../../src/index.ts';
import { emptyContent } from '../support/empty-content.ts';
import { skippedSignature } from './apis/google.ts';
import type { RuleViolation } from './apis/rule.ts';
import { sdkPromptRules } from './apis/sdk-prompt.ts';
import { type CapturedRequest, served } from './apis/served.ts';
import { type Conversation, wireTools } from './conversations/conversations.ts';
import { type JsonRecord, isRecord, record, records, text } from './json-view.ts';
import type { WireProvider } from './providers.ts';

/** How a conversation is sent. */
export interface SendOptions {
  /** @default the messages of the conversation */
  readonly messages?: readonly ModelMessage[] | undefined;
  /** What stands between the caller and the provider. @default nothing */
  readonly middleware?: LanguageModelMiddleware | undefined;
  /** Whether a summary is asked for. @default false */
  readonly force?: boolean | undefined;
  /** Indexes of pinned messages. @default none */
  readonly pin?: readonly number[] | undefined;
  /** @default 'generate' */
  readonly mode?: 'generate' | 'stream' | undefined;
}

/** What became of a call. */
export interface Sent {
  /** The prompt as it came to the middleware. */
  readonly given: LanguageModelV4Prompt;
  /** The prompt as it left the middleware. */
  readonly sent: LanguageModelV4Prompt;
  /** What the API saw last; `undefined` when the call failed before. */
  readonly request: CapturedRequest | undefined;
  /** What it saw before that: requests for summaries. */
  readonly earlier: readonly CapturedRequest[];
  /** Why the call failed; `undefined` when it did not. */
  readonly error: unknown;
  /** The SDK's warnings as JSON. */
  readonly warnings: string;
}

/** Sends a conversation through the SDK and the real provider package to the provider's API. */
export async function send(
  provider: WireProvider,
  conversation: Conversation,
  how: SendOptions,
): Promise<Sent> {
  const { messages = conversation.messages, middleware, force = false, pin = [] } = how;
  const prompts: LanguageModelV4Prompt[] = [];
  const recorder: LanguageModelMiddleware = {
    specificationVersion: 'v4',
    transformParams: async ({ params }) => {
      prompts.push(params.prompt);
      return params;
    },
  };
  const { settings, requests } = served(provider.api);
  const model = provider.create(settings);
  const between = middleware === undefined ? [] : [middleware];
  const call = {
    model: wrapLanguageModel({ model, middleware: [recorder, ...between, recorder] }),
    messages: [...messages],
    allowSystemInMessages: true,
    tools: conversation.tools ?? wireTools,
    maxRetries: 0,
    providerOptions: {
      ...conversation.providerOptions,
      ...(force || pin.length > 0 ? { summarization: { force, pin: [...pin] } } : {}),
    },
  };
  const outcome = await (how.mode === 'stream' ? streamed(call) : generated(call));
  const [given = [], sent = []] = prompts;
  return { given, sent, request: requests.at(-1), earlier: requests.slice(0, -1), ...outcome };
}

type Outcome = Pick<Sent, 'error' | 'warnings'>;

async function generated(call: Parameters<typeof generateText>[0]): Promise<Outcome> {
  try {
    const { warnings } = await generateText(call);
    return { error: undefined, warnings: JSON.stringify(warnings ?? []) };
  } catch (error) {
    return { error, warnings: '' };
  }
}

async function streamed(call: Parameters<typeof streamText>[0]): Promise<Outcome> {
  let failure: unknown;
  const { text: said, warnings } = streamText({
    ...call,
    onError: ({ error }) => {
      failure = error;
    },
  });
  await said.then(undefined, () => undefined);
  if (failure !== undefined) return { error: failure, warnings: '' };
  return { error: undefined, warnings: JSON.stringify((await warnings) ?? []) };
}

/** Sends a conversation without any middleware: what every other request is measured by. */
export async function sendUntouched(
  provider: WireProvider,
  conversation: Conversation,
  messages: readonly ModelMessage[] = conversation.messages,
  mode?: SendOptions['mode'],
): Promise<CapturedRequest> {
  const { request, error } = await send(provider, conversation, { messages, mode });
  if (request === undefined || error !== undefined)
    throw new Error(`${conversation.name} is not legal to begin with.`, { cause: error });
  return request;
}

/** The middleware with summaries that cost no call and are small; `force` cuts exactly where `preserveRecent` says. */
export function shortSummaries(
  options: SummarizationOptions & { readonly preserveRecent: number },
): LanguageModelMiddleware {
  const content = emptyContent('The user had the parser looked at.');
  const usage = { inputTokens: 0, outputTokens: 0 };
  return summarizationMiddleware({
    strategy: { name: 'short', summarize: async () => ({ content, usage }) },
    contextLength: 200_000,
    minMessages: 1,
    cooldownMessages: 0,
    preserveRecentTokenRatio: 0,
    ...options,
  });
}

/** Whether the request carries a summary. */
export function hasSummary({ request }: Sent): boolean {
  return JSON.stringify(request?.body ?? {}).includes('[summary-depth:0]');
}

/** What makes a call less legal than the same call without the middleware. */
export function legalFaults(
  { given, sent, request, error, warnings }: Sent,
  untouched: CapturedRequest,
  { mustKeep = '' }: Conversation,
): string[] {
  const reason = error instanceof Error ? error.message : '';
  if (request === undefined) return [`not sent: ${reason}`];
  const body = JSON.stringify(request.body);
  const hadSignatures = !JSON.stringify(untouched.body).includes(skippedSignature);
  const state = stateInForce(request.body);
  const faults: readonly (readonly [string, boolean])[] = [
    [`refused: ${reason}`, error !== undefined],
    [`lost ${mustKeep}`, !body.includes(mustKeep)],
    // What the SDK says of controls at a place where the provider has no use for them.
    [`ignored: ${warnings}`, /on (this|the) initial system message/.test(warnings)],
    [
      `another state: ${JSON.stringify(state)}`,
      !isDeepStrictEqual(state, stateInForce(untouched.body)),
    ],
    ['lost a thought signature', hadSignatures && (body + warnings).includes(skippedSignature)],
    ['ends in another role', given.at(-1)?.role !== sent.at(-1)?.role],
  ];
  return [
    ...faults.flatMap(([fault, isThere]) => (isThere ? [fault] : [])),
    ...newRules('wire', request.violations, untouched.violations),
    ...newRules('prompt', sdkPromptRules(sent), sdkPromptRules(given)),
  ];
}

function newRules(
  where: string,
  after: readonly RuleViolation[],
  before: readonly RuleViolation[],
): string[] {
  const known = new Set(before.map(({ rule }) => rule));
  return after
    .filter(({ rule }) => !known.has(rule))
    .map(({ rule, message }) => `${where} ${rule}: ${message}`);
}

/**
 * Messages that are not verbatim: all but the one with the summary are the given ones, in their order,
 * the last of them last. Of system messages only the text is asked for: their state is sent apart from it,
 * and they may go to the head.
 */
export function verbatimFaults({ given, sent }: Pick<Sent, 'given' | 'sent'>): string[] {
  let position = 0;
  const changed = sent
    .filter(({ role, content }) => role !== 'system' || content !== '')
    .filter((message) => !JSON.stringify(message).includes('[summary-depth:'))
    .flatMap((message) => {
      if (message.role === 'system')
        return given.some(({ content }) => content === message.content)
          ? []
          : ['a changed system message'];
      const index = given.indexOf(message, position);
      if (index === -1) return [`a changed or misplaced ${message.role} message`];
      position = index + 1;
      return [];
    });
  return sent.at(-1) === given.at(-1) ? changed : [...changed, 'the last message is another one'];
}

/** What the positioned controls of a request come to at its end, beyond the request's own settings. */
function stateInForce(body: JsonRecord): JsonRecord {
  return body.input === undefined ? anthropicState(body) : responsesState(body);
}

function responsesState(body: JsonRecord): JsonRecord {
  let effort: unknown;
  let format: unknown;
  const tools: Record<string, unknown> = {};
  for (const item of records(body.input)) {
    if (item.type === 'configuration_update') {
      effort = record(item.reasoning).effort ?? effort;
      format = record(item.text).format ?? format;
    }
    if (item.type !== 'additional_tools') continue;
    for (const tool of records(item.tools))
      for (const member of tool.type === 'namespace' ? records(tool.tools) : [tool])
        tools[`${text(tool.type)} ${text(tool.name)} ${text(member.name)}`] = member;
  }
  return { effort, format, tools };
}

function anthropicState(body: JsonRecord): JsonRecord {
  const tools: Record<string, unknown> = {};
  for (const tool of records(body.tools))
    if (tool.defer_loading !== true) tools[text(tool.name)] = 'declared';
  let [effort, untilUser, untilTurn]: unknown[] = [];
  let reminders: string[] = [];
  for (const message of records(body.messages)) {
    const content = records(message.content);
    if (message.role === 'user') {
      // An effort waits for the next user turn; whether results of tools are one is not said.
      untilTurn = effort;
      if (content.some(({ type }) => type !== 'tool_result')) {
        untilUser = effort;
        reminders = [];
      }
    }
    if (message.role !== 'system') continue;
    effort = record(message.output_config).effort ?? effort;
    for (const block of content) {
      const { definition, name } = record(block.tool);
      if (block.type === 'tool_removal') delete tools[text(name)];
      if (block.type === 'tool_addition')
        tools[text(record(definition).name) || text(name)] = isRecord(definition)
          ? definition
          : 'declared';
      if (message.clear_at !== undefined && block.type === 'text') reminders.push(text(block.text));
    }
  }
  return { effort, untilUser, untilTurn, tools, reminders };
}
