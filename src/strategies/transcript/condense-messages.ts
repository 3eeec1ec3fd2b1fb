import { lookedUp } from '../../util/maps/cache-figures.ts';
import type { BoundedMap } from '../../util/maps/bounded-map.ts';
import { sha256Hex } from '../../hash/sha256-hex.ts';
import type { ModelIdentity } from '../../prompt/prompt-types.ts';
import { fillTemplate } from '../../prompts/fill-template.ts';
import type { ResolvedPrompts } from '../../prompts/summarization-prompts.ts';
import { cutMiddle } from '../../tokens/text/cut-middle.ts';
import { redactionDoor, withheldText } from '../../cleaning/redaction-door.ts';
import type { ModelPanel } from '../models/ask-models.ts';
import { readableForSummary } from '../models/readable-tokens.ts';
import { escapeJson } from '../../json/escape-json.ts';
import { hardCut, type MessageToCondense } from '../messages/shorten-message.ts';
import type { SummaryInput } from '../summary-strategy.ts';

/**
 * Failures after which no more messages are condensed. The budget of a summary is three: the last is
 * left for the summary itself. Calls under way may all fail, so this bounds how many are.
 */
const maxCondenseFailures = 2;

/** Characters of a tool's input that its template is shown. */
const inputCharacters = 2000;

/** What messages are condensed with. */
export interface CondenseMessagesOptions {
  readonly panel: ModelPanel;
  readonly prompts: ResolvedPrompts;
  readonly cache: Pick<BoundedMap<string>, 'get' | 'set'>;
}

/**
 * Says messages in fewer words: asks a model once for each, two at a time. What a model wrote is kept by
 * namespace, message, template and limit; the same message is never paid for twice.
 *
 * @returns One text for each message; `undefined` where there is none.
 * @throws The reason of an abort.
 */
export async function condenseMessages(
  messages: readonly MessageToCondense[],
  input: SummaryInput,
  { panel, prompts, cache }: CondenseMessagesOptions,
): Promise<readonly (string | undefined)[]> {
  const { namespace = '', redact } = input;
  const { maxSummaryChars } = prompts;
  // What comes out of the cache may have been put there with another `redact`.
  const clean = redactionDoor(redact);
  const keys = await Promise.all(
    messages.map((message) =>
      sha256Hex(
        JSON.stringify([namespace, message, templateOf(message, prompts), maxSummaryChars]),
      ),
    ),
  );
  const known = new Map<string, string>();
  const open = new Map<string, MessageToCondense>();
  for (const [position, message] of messages.entries()) {
    const key = keys[position] ?? '';
    const kept = lookedUp('condensed', cache.get(key));
    const cached = kept === undefined ? withheldText : clean(kept);
    if (cached === withheldText) open.set(key, message);
    else known.set(key, cached);
  }
  const waiting = [...open];
  while (waiting.length > 0 && panel.failures() < maxCondenseFailures) {
    const batch = waiting.splice(0, maxCondenseFailures - panel.failures());
    // One after another: how many may run depends on how many failed
    await Promise.all(
      batch.map(async ([key, message]) => {
        const text = await panel.askText((model) => requestText(message, model, input, prompts));
        if (text === undefined) return;
        const short = hardCut(text, maxSummaryChars);
        known.set(key, short);
        cache.set(key, short);
      }),
    );
  }
  return keys.map((key) => known.get(key));
}

function requestText(
  message: MessageToCondense,
  model: ModelIdentity,
  summaryInput: SummaryInput,
  prompts: ResolvedPrompts,
): string {
  const { type, name, input } = message;
  // A token has at least one character in nearly every text, so this never needs to be counted.
  const { text } = cutMiddle(message.text, readableForSummary(summaryInput, model));
  const shownInput = input === undefined ? undefined : cutMiddle(input, inputCharacters).text;
  return fillTemplate(templateOf(message, prompts), {
    content: escapeJson(text),
    context: escapeJson(type === 'tool' ? { tool: name, input: shownInput } : { role: type }),
    max_chars: String(prompts.maxSummaryChars),
  });
}

function templateOf({ type }: MessageToCondense, prompts: ResolvedPrompts): string {
  if (type === 'tool') return prompts.toolResults;
  return type === 'user' ? prompts.userMessages : prompts.agentMessages;
}
