import { isDeepStrictEqual } from 'node:util';
import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { Conversation } from './conversations/conversation.ts';
import { skippedSignature } from './rules/google-signatures.ts';
import type { RuleViolation } from './rules/rule-violation.ts';
import { sdkPromptRules } from './rules/sdk-prompt.ts';
import type { Sent } from './send.ts';
import type { CapturedRequest } from './servers/wire-server.ts';
import { stateInForce } from './state-in-force.ts';

/** Whether the request carries a summary of the given depth. */
export function hasSummary({ request }: Sent, depth = 0): boolean {
  return JSON.stringify(request?.body ?? {}).includes(`[summary-depth:${depth}]`);
}

/** What makes a call less legal than the same call without the middleware. */
export function legalFaults(
  { given, sent, request, error, warnings }: Sent,
  untouched: CapturedRequest,
  conversation: Conversation,
): string[] {
  const reason = error instanceof Error ? error.message : '';
  if (request === undefined) return [`not sent: ${reason}`];
  const body = JSON.stringify(request.body);
  const lost = (conversation.mustKeep ?? []).filter((kept) => !body.includes(kept));
  const hadSignatures = !JSON.stringify(untouched.body).includes(skippedSignature);
  const lostSignature = hadSignatures && (body + warnings).includes(skippedSignature);
  return [
    error === undefined ? [] : [`refused: ${reason}`],
    newRules('wire', request.violations, untouched.violations),
    newRules('prompt', sdkPromptRules(sent), sdkPromptRules(given)),
    lost.map((kept) => `lost ${kept}`),
    ignoredState.test(warnings) ? [`ignored: ${warnings}`] : [],
    isDeepStrictEqual(stateInForce(request.body), stateInForce(untouched.body))
      ? []
      : [`another state: ${JSON.stringify(stateInForce(request.body))}`],
    lostSignature ? ['lost a thought signature'] : [],
    given.at(-1)?.role === sent.at(-1)?.role ? [] : ['ends in another role'],
  ].flat();
}

/** What the SDK says of controls at a place where the provider has no use for them. */
const ignoredState = /on (this|the) initial system message/;

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
    .filter((message) => !carriesSummary([message]) && !isStateOnly(message))
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

function isStateOnly({ role, content }: LanguageModelV4Message): boolean {
  return role === 'system' && content === '';
}

function carriesSummary(prompt: LanguageModelV4Prompt): boolean {
  return JSON.stringify(prompt).includes('[summary-depth:');
}
