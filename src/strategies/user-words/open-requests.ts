import type { Message } from '../../prompt/prompt-types.ts';
import type { ContentItem } from '../../record/content-items.ts';
import { messagesAtOnce, type TimeSlices } from '../../util/async/time-slices.ts';
import { estimateTokens, estimateTokensUpTo } from '../rule-based/texts/estimate-tokens.ts';
import type { SourceText } from '../rule-based/texts/source-texts.ts';
import type { UserSentence } from './user-sentences.ts';

/**
 * Share of a summary's budget for the user's open requests. The newest has some room in a small one too, but none
 * takes more than a quarter of what is summarised.
 */
const requestShare = 0.1;
const requestCharactersPerToken = 4;
const newestRequestsShare = 0.15;
const newestTokens = 100;

/** Tokens below which a request says nothing. */
const leastRequestTokens = 30;

/** Tokens of a request beside the newest. */
const olderTokens = 100;

/** Words, and characters of a script without spaces, with which a user lets things go on: `Yes, go on.` */
const fewWords = 3;
const fewCharacters = 4;
const longWord = 20;

/** What is read for open requests. */
export interface RequestSources {
  readonly messages: readonly Message[];
  /** Of the user's messages at least, cleaned. */
  readonly texts: readonly SourceText[];
  readonly sentences: readonly UserSentence[];
  readonly positionOf: (index: number) => number;
  readonly maxSummaryTokens: number;
  /** Of all that is summarised. */
  readonly characters: number;
}

/**
 * Lists what the user asked for and was not answered yet, word for word, oldest first: a turn is answered when the
 * assistant ends it with a text that is no question back. What is too long is cut to whole sentences.
 *
 * @param earlier - The open requests of the record that is continued.
 */
export async function openRequests(
  earlier: readonly ContentItem[],
  sources: RequestSources,
  slices: TimeSlices,
): Promise<readonly ContentItem[]> {
  const { sentences, maxSummaryTokens, characters } = sources;
  const share = requestShare * maxSummaryTokens;
  const most = Math.max(share, Math.min(newestTokens, newestRequestsShare * maxSummaryTokens));
  // Beside what it is asked in, a request must not be much of what is left of a conversation.
  const room = Math.min(most, newestRequestsShare * (characters / requestCharactersPerToken));
  if (room < leastRequestTokens) return [];
  let left = Math.min(share, room);
  const open: ContentItem[] = [];
  for (const { request, isOpen } of (await requestsIn(earlier, sources, slices)).toReversed()) {
    if (!isOpen) continue;
    const maxTokens = open.length === 0 ? room : Math.min(left, olderTokens);
    const item = shortened(request, sentences, maxTokens);
    left -= estimateTokens(item);
    if (item === '' || (left < 0 && open.length > 0)) break;
    open.unshift({ item, origin: request.origin });
  }
  return open;
}

interface FoundRequest {
  readonly request: ContentItem;
  isOpen: boolean;
}

/** All requests, oldest first, and which of them are open. */
async function requestsIn(
  earlier: readonly ContentItem[],
  { messages, texts, positionOf }: RequestSources,
  slices: TimeSlices,
): Promise<readonly FoundRequest[]> {
  const spoken = Map.groupBy(
    texts.filter(({ role }) => role === 'user'),
    ({ index }) => index,
  );
  const requests: FoundRequest[] = earlier.map((request) => ({ request, isOpen: true }));
  for (const [index, message] of messages.entries()) {
    if (index % messagesAtOnce === 0) await slices.pause();
    const text = (spoken.get(index) ?? []).map((each) => each.text.trim()).join('\n');
    const newest = requests.at(-1);
    if (message.role === 'user' && text !== '') {
      if (newest !== undefined && isGoAhead(text)) newest.isOpen = true;
      else {
        const origin = { role: 'user', message: positionOf(index) } as const;
        requests.push({ request: { item: text, origin }, isOpen: true });
      }
    } else if (newest !== undefined && message.role === 'assistant')
      newest.isOpen = !isAnswer(message) || messages[index + 1]?.role === 'assistant';
  }
  return requests;
}

function isGoAhead(text: string): boolean {
  if (text.length > fewWords * longWord || /[?？؟]/.test(text)) return false;
  const words = text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const isUnspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u.test(text);
  return isUnspaced ? words.join('').length <= fewCharacters : words.length <= fewWords;
}

function isAnswer({ content }: Extract<Message, { role: 'assistant' }>): boolean {
  let last = '';
  for (const part of content) {
    if (part.type === 'tool-call') return false;
    if (part.type === 'text') last = part.text.trimEnd();
  }
  return last !== '' && !/[?？؟]$/.test(last);
}

/** The whole request, or sentences from its beginning and from its end. */
function shortened(
  { item, origin }: ContentItem,
  sentences: readonly UserSentence[],
  maxTokens: number,
): string {
  if (estimateTokensUpTo(item, maxTokens) <= maxTokens) return item;
  const said = sentences.filter(({ message }) => message === origin.message);
  const texts = said.length > 0 ? said.map(({ text }) => text) : [item];
  const head = within(texts, maxTokens / 2);
  const tail = within(texts.slice(head.length).toReversed(), maxTokens / 2).toReversed();
  if (head.length + tail.length === 0) return '';
  return head.length + tail.length < texts.length
    ? [...head, '…', ...tail].join(' ')
    : texts.join(' ');
}

function within(texts: readonly string[], maxTokens: number): readonly string[] {
  let left = maxTokens;
  const end = texts.findIndex((text) => {
    left -= estimateTokensUpTo(text, left);
    return left < 0;
  });
  return end < 0 ? texts : texts.slice(0, end);
}
