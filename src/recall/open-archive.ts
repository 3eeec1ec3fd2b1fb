import MiniSearch from 'minisearch';
import type { GivenState } from '../api/given-state.ts';
import type { StateInput } from '../api/given-state.ts';
import { storedConversation } from '../api/given-state.ts';
import { visibleText } from '../cleaning/visible-text.ts';
import type { Message } from '../prompt/prompt-types.ts';
import { type MessagePart, type ToolOutput, isRecalled } from '../prompt/message-parts.ts';
import { readOriginals } from '../archive/stored-archive.ts';
import { readChain } from '../state/stored-conversation.ts';

/** A piece of a message. */
interface Passage {
  readonly position: number;
  /** Characters of the message before it. */
  readonly offset: number;
  readonly role: string;
  readonly text: string;
}

/** What was summarised away of a conversation, as far as it is archived. */
export interface OpenArchive {
  /** Names what it was read for: another one is another archive. */
  readonly newest: string | undefined;
  /** In their order; without a text where one is gone. */
  readonly messages: readonly Pick<Passage, 'role' | 'text'>[];
  /** What is found, the best first. */
  readonly search: (query: string) => Passage[];
}

const gone = { role: 'gone', text: '' };

/** Reads the archive of a conversation unless it is known already. */
export async function openArchive(
  options: StateInput & GivenState,
  known: OpenArchive | undefined,
): Promise<OpenArchive> {
  const { found, fault } = await storedConversation(options);
  if (found === undefined && fault() !== undefined) throw fault();
  if (found === undefined) return { newest: undefined, messages: [], search: () => [] };
  const { conversation, newest: kept } = found;
  const newest = kept.record.prefixDigest;
  if (newest === known?.newest) return known;
  const messages: OpenArchive['messages'][number][] = [];
  for (const { figures, from, archiveId } of (await readChain(conversation, kept)).toReversed()) {
    const archive = await readOriginals(conversation.place, archiveId);
    // What cannot be read now may be read later: it is not to count as lost.
    if (!archive.known) throw fault();
    const lost = Math.max(0, figures.coveredMessages - from - archive.messages.length);
    for (const each of [...archive.messages, ...Array.from({ length: lost }, () => undefined)])
      messages.push(each ? { role: each.message.role, text: messageText(each.message) } : gone);
  }
  return { newest, messages, search: searchIndex(messages) };
}

/** What a message says, in one text. What the tool itself has read before is left out. */
function messageText({ content }: Message): string {
  return visibleText(typeof content === 'string' ? content : content.map(partText).join('\n'));
}

function partText(part: MessagePart): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'file':
      return part.data.type === 'text' ? part.data.text : `[a file: ${part.mediaType}]`;
    case 'tool-call':
      return `${part.toolName} ${jsonOf(part.input)}`;
    case 'tool-result':
      return isRecalled(part.output) ? '' : outputText(part.output);
    default:
      return '';
  }
}

function outputText(output: ToolOutput): string {
  if (output.type === 'content') return output.value.map(partText).join('\n');
  return output.type === 'execution-denied' ? (output.reason ?? '') : jsonOf(output.value);
}

function jsonOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** Characters of a passage: a hit shows one of them. */
const passageCharacters = 1200;
/** Hits that are shown at most. */
const maxHits = 8;

/**
 * Makes a full-text index of messages: BM25+ over words as they stand, without stemming. Identifiers and paths
 * are found by their parts too, and by their beginnings from three letters on.
 */
function searchIndex(messages: OpenArchive['messages']): OpenArchive['search'] {
  const passages = messages.flatMap(({ role, text }, position) =>
    Array.from({ length: Math.ceil(text.length / passageCharacters) }, (_, piece): Passage => {
      const offset = piece * passageCharacters;
      return { position, offset, role, text: text.slice(offset, offset + passageCharacters) };
    }),
  );
  const index = new MiniSearch<Passage & { readonly id: number }>({
    fields: ['text'],
    processTerm: subwordsOf,
    searchOptions: {
      processTerm: (term) => term.toLowerCase(),
      prefix: (term) => term.length >= 3,
      // A word that is found whole says more than one that only begins like it.
      weights: { prefix: 0.3, fuzzy: 0 },
    },
  });
  index.addAll(passages.map((passage, id) => ({ id, ...passage })));
  return (query) => {
    const hits = index.search(query).slice(0, maxHits);
    return hits.flatMap(({ id }) => passages[Number(id)] ?? []);
  };
}

/** A word, and the words that are joined in it by capitals or digits: `readFile2` as read, file and 2. */
function subwordsOf(term: string): string[] {
  const parts = term.split(/(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{L})(?=\d)|(?<=\d)(?=\p{L})/u);
  return [...new Set([term, ...parts].map((part) => part.toLowerCase()))];
}
