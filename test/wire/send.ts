import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import {
  type ModelMessage,
  generateText,
  streamText,
  wrapLanguageModel,
  type LanguageModelMiddleware,
} from 'ai';
import type { Conversation } from './conversations/conversation.ts';
import type { WireProvider } from './providers.ts';
import { type CapturedRequest, type WireServer, caseHeader } from './servers/wire-server.ts';
import { wireTools } from './tools.ts';

/** How a conversation is sent. */
export interface SendOptions {
  /** Names the request on the server; unique for each call. */
  readonly caseId: string;
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
  /** What the server saw; `undefined` when the call failed before. */
  readonly request: CapturedRequest | undefined;
  /** Why the call failed; `undefined` when it did not. */
  readonly error: unknown;
  /** The SDK's warnings as JSON. */
  readonly warnings: string;
}

/** Sends a conversation through the SDK and the real provider package to the provider's server. */
export async function send(
  provider: WireProvider,
  server: WireServer,
  conversation: Conversation,
  {
    caseId,
    messages = conversation.messages,
    middleware,
    force = false,
    pin = [],
    mode,
  }: SendOptions,
): Promise<Sent> {
  const prompts: LanguageModelV4Prompt[] = [];
  const recorder: LanguageModelMiddleware = {
    specificationVersion: 'v4',
    transformParams: ({ params }) => {
      prompts.push(params.prompt);
      return Promise.resolve(params);
    },
  };
  const model = provider.createModel(server.baseURL);
  const between = middleware === undefined ? [] : [middleware];
  const call = {
    model: wrapLanguageModel({ model, middleware: [recorder, ...between, recorder] }),
    messages: [...messages],
    allowSystemInMessages: true,
    tools: conversation.tools ?? wireTools,
    maxRetries: 0,
    headers: { [caseHeader]: caseId },
    providerOptions: {
      ...conversation.providerOptions,
      ...(force || pin.length > 0 ? { summarization: { force, pin: [...pin] } } : {}),
    },
  };
  const outcome = mode === 'stream' ? await streamed(call) : await generated(call);
  // Summaries are asked for under the headers of their call, and before it.
  const request = server.requestsOf(caseId).at(-1);
  return { given: prompts[0] ?? [], sent: prompts[1] ?? [], request, ...outcome };
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
  const { text, warnings } = streamText({
    ...call,
    onError: ({ error }) => {
      failure = error;
    },
  });
  await text.then(undefined, () => undefined);
  if (failure !== undefined) return { error: failure, warnings: '' };
  return { error: undefined, warnings: JSON.stringify((await warnings) ?? []) };
}

/** Sends a conversation without any middleware: what every other request is measured by. */
export async function sendUntouched(
  provider: WireProvider,
  server: WireServer,
  conversation: Conversation,
  messages: readonly ModelMessage[] = conversation.messages,
): Promise<CapturedRequest> {
  const caseId = `untouched ${conversation.name} of ${messages.length}`;
  const { request, error } = await send(provider, server, conversation, { caseId, messages });
  if (request === undefined || error !== undefined) {
    throw new Error(`${conversation.name} is not legal to begin with.`, { cause: error });
  }
  return request;
}
