import { checkTexts } from '../../foundations/checks/check-object.ts';
import { redactFailure, makeRedactor, withheldText } from '../../prompt/cleaning/redactor.ts';
import { SummarizationError, withDetails } from '../../foundations/errors/summarization-error.ts';
import { fillTemplate } from '../templates/template.ts';
import { summaryLevelOf } from '../../foundations/record/build-record.ts';
import type { ChunkSummary, SummaryResult } from '../../foundations/record/summary-record.ts';
import { cutMiddle } from '../../sizes/tokens/cut-middle.ts';
import {
  availableTextCounter,
  countText,
  mostCharactersPerToken,
} from '../../sizes/tokens/text-counter.ts';
import { runSafely } from '../../foundations/util/async/callbacks.ts';
import { yieldToEventLoop } from '../../foundations/util/async/waiting.ts';
import { sha256Hex } from '../../foundations/util/digest.ts';
import { escapeJson } from '../../foundations/util/json.ts';
import { type BoundedMap, boundedMap } from '../../foundations/util/maps/bounded-map.ts';
import { compressionRatio } from '../../foundations/util/numbers.ts';
import { modelChain } from '../models/model-chain.ts';
import { readableTokens } from '../models/readable-tokens.ts';
import { nameOfModel, resolveModel } from '../models/resolve-model.ts';
import { charactersOfToken, sentencesOf } from '../strategies/texts.ts';
import {
  checkSummarizeOptions,
  levelPrompts,
  type LevelPrompts,
  type SummarizeOptions,
} from './summarize-options.ts';

/** Length that a summary of each level is asked for, as a share of its text. */
const levelShares = { BRIEF: 0.2, STANDARD: 0.12, DETAILED: 0.07, HIERARCHICAL: 0.04 } as const;

/** The same for a chunk, and for summaries that are merged in groups and at last. */
const partShares = { chunk: 0.15, group: 0.5, last: 0.6 } as const;

/** Tokens that many models write at most in one answer; a longer one would be cut off. */
const mostAsked = 8000;

/** Share of the tokens that a model can read: the most for the prior summary, the least for the text. */
const leastShare = 0.25;

/** Least tokens of a summary among others, and tokens of the JSON around it. */
const leastMerged = 256;
const frameTokens = 16;

/** A text of fewer tokens need not get shorter: a sentence about three words is longer than they are. */
const leastShrinkingTokens = 100;

/** A summary to be written. */
interface Task {
  readonly template: string;
  /** Value of `{content}` or `{summaries}`, inserted as JSON. */
  readonly content: string | readonly string[];
  /** Tokens of the text that is summarized. */
  readonly sourceTokens: number;
  /** Length that the summary is asked for, as a share of the source tokens. */
  readonly share: number;
  /** Most tokens of the summary, so that others can be read with it. */
  readonly mostTokens?: number;
  /** Index of a part of the text. */
  readonly chunkIndex?: number;
  /** Number of parts of the text, or of summaries to merge. */
  readonly total?: number;
}

/** A summary in a tree whose group may not be known yet. */
type Node = { -readonly [Name in keyof ChunkSummary]: ChunkSummary[Name] };
type Written = Pick<Node, 'content' | 'tokenCount'>;

/** The part of `summarize` that loads when it is called. */
export async function writeSummary(raw: string, options: SummarizeOptions): Promise<SummaryResult> {
  checkTexts({ content: raw });
  checkSummarizeOptions(options);
  const set = Object.entries(options.prompts ?? {}).filter(([, text]) => text !== 'default');
  const prompts: LevelPrompts = { ...levelPrompts, ...Object.fromEntries(set) };
  const { contentType = 'general', priorSummary: past = '', abortSignal, contextLength } = options;
  abortSignal?.throwIfAborted();
  const clean = makeRedactor(options.redact);
  const text = clean(raw).trim();
  const prior = clean(past).trim();
  // There is nothing to summarize where the whole of a text was withheld.
  if (text === withheldText || prior === withheldText) throw redactFailure();
  const { count } = await availableTextCounter();
  const sizeOf = (each: string): Promise<number> => {
    abortSignal?.throwIfAborted();
    return countText(each);
  };
  const inputTokens = await sizeOf(text);
  const resultOf = ({ content: summary, tokenCount: outputTokens }: Written): SummaryResult => {
    const ratio = compressionRatio(inputTokens, outputTokens);
    return { level, summary, inputTokens, outputTokens, compressionRatio: ratio };
  };
  let level = summaryLevelOf(inputTokens);
  if (level === 'NONE') return resultOf({ content: text, tokenCount: inputTokens });

  const model = await resolveModel(options.model).catch((cause: unknown) => {
    const message = 'The summarizing model is not known.';
    throw new SummarizationError({ reason: 'transport', message, cause });
  });
  const readable = readableTokens(model, contextLength);
  const mostPrior = leastShare * readable * charactersOfToken(escapeJson(prior), count);
  // JSON has a word for nothing, and so have the prompts.
  const priorSummary = escapeJson(prior === '' ? null : cutMiddle(prior, mostPrior).text);
  const around = await Promise.all(Object.values(prompts).map(sizeOf));
  const beside = readable - Math.max(...around) - (await sizeOf(priorSummary));
  // A long prompt must not leave the text unread.
  const room = Math.max(1, beside, Math.floor(readable * leastShare));
  if (level !== 'HIERARCHICAL' && (await sizeOf(escapeJson(text))) > room) level = 'DETAILED';

  const cache = cacheOf(typeof options.model === 'string' ? modelsOfIds : model);
  const chain = modelChain({
    ...options,
    timeoutMs: options.timeoutMs ?? 60_000,
    models: [model],
    // No breaker is needed: the model is asked for this one summary, which three failures end.
    enter: () => () => {},
    contextLengthOf: () => contextLength,
    clean,
    keepsCauses: true,
  });

  /**
   * Returns the cached summary of a task, or asks the model for one. Text, template, prior summary and model identify a
   * task, but not the index among other chunks, which changes as a text grows.
   */
  const summaryOf = async (task: Task): Promise<string> => {
    const { template, sourceTokens, share, mostTokens = Infinity, total = 1 } = task;
    const content = escapeJson(task.content);
    const tokens = Math.min(Math.ceil(sourceTokens * share), mostAsked, mostTokens);
    // As characters of this text's script, in round numbers.
    const hundreds = Math.round((tokens * charactersOfToken(content, count)) / 100);
    const most = `${Math.max(1, hundreds)}00`;
    const question = [nameOfModel(model), template, priorSummary, contentType, content, most];
    const limit = Math.max(sourceTokens, leastShrinkingTokens);
    const key = await sha256Hex(JSON.stringify(question));
    // The cached text may be from another `redact`.
    const kept = clean(cache.get(key) ?? '');
    if (kept !== '' && kept !== withheldText) return kept;
    const part = task.chunkIndex === undefined ? undefined : task.chunkIndex + 1;
    const prompt = fillTemplate(template, {
      content,
      summaries: content,
      context: escapeJson({ type: contentType, part, parts: part && total }),
      prior_summary: priorSummary,
      max_chars: most,
      chunk_index: String(part ?? 1),
      total_chunks: String(total),
    });
    const summary = await chain.write(() => prompt);
    // The caller's signal does not stop this: the answer is paid for, and is cached.
    const written = await countText(summary);
    const message = `The summary is not smaller than what it stands for: ${written} of ${limit} tokens.`;
    if (written >= limit) throw new SummarizationError({ reason: 'not-smaller', message });
    cache.set(key, summary);
    return summary;
  };

  const write = async (task: Task): Promise<Written> => {
    const { chunkIndex, total = 1 } = task;
    const content = await summaryOf(task).catch((error: unknown) => {
      if (!SummarizationError.isInstance(error)) throw error;
      const where = chunkIndex === undefined ? '' : ` (chunk ${chunkIndex + 1} of ${total})`;
      throw withDetails(error, { message: error.message + where });
    });
    return { content, tokenCount: await sizeOf(content) };
  };

  const ofType = contentType === 'general' ? undefined : prompts[contentType];
  if (level === 'BRIEF' || level === 'STANDARD') {
    // One sentence reads the same for every content type.
    const template = level === 'BRIEF' ? prompts.brief : (ofType ?? prompts.standard);
    const task = { template, content: text, sourceTokens: inputTokens };
    return resultOf(await write({ ...task, share: levelShares[level] }));
  }

  const chunkSize = Math.min(options.chunkSize ?? 3000, room);
  const chunkOverlap = Math.min(options.chunkOverlap ?? 200, Math.floor(chunkSize / 2));
  const groupSize = Math.max(2, Math.min(options.groupSize ?? 5, Math.floor(room / leastMerged)));
  const mostTokens = Math.max(1, Math.floor(room / groupSize) - frameTokens);
  /** Writes further summaries of a layer, after the first `done` ones. */
  const writeLayer = async (
    layer: 1 | 2,
    done: number,
    tasks: Task[],
  ): Promise<readonly Node[]> => {
    let completed = done;
    const writeNode = async (task: Task, index: number): Promise<Node> => {
      const written = await write({ total: tasks.length, ...task, mostTokens });
      completed += 1;
      runSafely(() => options.onProgress?.({ layer, completed, total: done + tasks.length }));
      const place = { chunkIndex: done + index, parentGroup: undefined };
      return { ...place, ...written, sourceTokens: task.sourceTokens };
    };
    // The first call is made alone: an unreachable model is not asked four times at once.
    const first = await runLimited(tasks.slice(0, 1), 1, writeNode);
    const limit = options.concurrency ?? 4;
    const others = tasks.slice(1);
    return [...first, ...(await runLimited(others, limit, (task, at) => writeNode(task, at + 1)))];
  };
  // A summary that is longer than asked for loses its middle.
  const short = ({ content, tokenCount }: Written): string =>
    cutMiddle(content, (content.length * mostTokens) / tokenCount).text;
  const merging = (summaries: readonly Written[], share: number): Task => ({
    template: prompts.meta,
    content: summaries.map(short),
    sourceTokens: summaries.reduce((sum, { tokenCount }) => sum + tokenCount, 0),
    share,
    total: summaries.length,
  });

  const chunks: Task[] = [];
  // Counts the text as the model reads it, escaped: a chunk with many escapes would not fit otherwise.
  const measure = (part: string): number => count(escapeJson(part).slice(1, -1));
  for (const content of chunkText(text, { chunkSize, chunkOverlap, measure })) {
    const task = { template: ofType ?? prompts.chunk, content, share: partShares.chunk };
    chunks.push({ ...task, sourceTokens: count(content), chunkIndex: chunks.length });
    // Megabytes take seconds: others get their turn, and an abort is heard.
    await yieldToEventLoop();
    abortSignal?.throwIfAborted();
  }
  const l1Summaries = await writeLayer(1, 0, chunks);
  const l2Summaries: Node[] = [];
  let top = l1Summaries;
  const isTooLarge = async (): Promise<boolean> =>
    top.length > 1 && (await sizeOf(escapeJson(top.map(short)))) > room;
  for (let isDue = level === 'HIERARCHICAL'; isDue || (await isTooLarge()); isDue = false) {
    const done = l2Summaries.length;
    // Groups are filled from the front, so that another chunk changes only the last one.
    for (const [index, node] of top.entries())
      node.parentGroup = done + Math.floor(index / groupSize);
    const groups = Map.groupBy(top, ({ parentGroup }) => parentGroup);
    const tasks = Array.from(groups.values(), (group) => merging(group, partShares.group));
    top = await writeLayer(2, done, tasks);
    l2Summaries.push(...top);
  }
  const last = merging(top, partShares.last);
  const share = Math.min(last.share, (inputTokens * levelShares[level]) / last.sourceTokens);
  const written = await write({ ...last, share });
  runSafely(() => options.onProgress?.({ layer: 3, completed: 1, total: 1 }));
  const l3Summary = written.content;
  const hierarchical = { l1Summaries, l2Summaries, l3Summary, chunkSize, chunkOverlap };
  return { ...resultOf(written), hierarchical };
}

/** Characters of summaries that are kept for a model: those of some 20 million tokens of text. */
const cacheCharacters = 4_000_000;

/** By model object, so that what one model wrote is never taken for another's with the same name. */
const caches = new WeakMap<object, BoundedMap<string>>();

/** Key of all models given by their ids, which resolve to a new object each time. */
const modelsOfIds = {};

function cacheOf(model: object): BoundedMap<string> {
  const cache =
    caches.get(model) ??
    boundedMap<string>(cacheCharacters, (key, text) => key.length + text.length);
  caches.set(model, cache);
  return cache;
}

type Measure = (text: string) => number;

/** How {@link chunkText} splits. */
export interface ChunkTextOptions {
  /** Size of a chunk, its overlap included. */
  readonly chunkSize: number;
  /** Size at most of the end of a chunk that the next one begins with; at most half of `chunkSize`. */
  readonly chunkOverlap: number;
  /** Size of a text, usually its tokens; at most eight a UTF-16 character. */
  readonly measure: Measure;
}

/** More than a UTF-16 character takes: 3 bytes of UTF-8, or an escape in JSON. */
const maxSizePerCharacter = 8;

/**
 * Share of a chunk from which a landmark paragraph may begin the next one; expected landmarks in the rest of the chunk;
 * their largest share of paragraphs.
 */
const settledShare = 0.75;
const landmarks = 1.5;
const mostLandmarks = 0.25;

/**
 * Whether a paragraph begins a chunk whatever comes before it, so that chunks begin at the same paragraphs after a
 * change.
 *
 * @param share - Share of such paragraphs.
 */
function isLandmark(paragraph: string, share: number): boolean {
  let hash = 0;
  for (const character of paragraph.slice(0, 200))
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619);
  return paragraph.startsWith('\n\n') && (hash >>> 16) / 2 ** 16 < share;
}

/**
 * Splits a text into chunks at paragraphs, else at sentences and lines, else between words. Chunks are filled from the
 * front: a paragraph that is added at the end changes the last chunk or begins a new one, and leaves all others as they
 * are; a paragraph that is added or removed before changes a few chunks. No chunk is blank. Takes linear time.
 */
export function* chunkText(text: string, options: ChunkTextOptions): Generator<string> {
  const { chunkSize, chunkOverlap, measure } = options;
  let [overlap, chunk, size] = ['', '', 0];
  for (const [unit, unitSize] of unitsOf(text, chunkSize - chunkOverlap, measure)) {
    const inRest = unitSize / (chunkSize * (1 - settledShare));
    const share = Math.min(mostLandmarks, landmarks * inRest);
    const isSettled = size > settledShare * chunkSize && isLandmark(unit, share);
    if (chunk !== '' && (isSettled || size + unitSize > chunkSize)) {
      if (chunk.trim() !== '') yield (overlap + chunk).trim();
      overlap = endOf(chunk, chunkOverlap, measure);
      [chunk, size] = ['', measure(overlap)];
    }
    chunk += unit;
    size += unitSize;
  }
  if (chunk.trim() !== '') yield (overlap + chunk).trim();
}

/** The last sentences of a text that fit. */
function endOf(text: string, limit: number, measure: Measure): string {
  const near = text.slice(Math.max(0, text.length - limit * mostCharactersPerToken));
  let end = '';
  for (const sentence of sentencesOf(near, limit).toReversed()) {
    if (measure(sentence + end) > limit) break;
    end = sentence + end;
  }
  return end.trimStart();
}

/** Ways to split a text whose parts are too large, the coarsest first. */
const splits: readonly ((text: string, limit: number) => readonly string[])[] = [
  // Every match begins at a line feed, so no character is read twice.
  (text) =>
    text.split(/\n[^\S\n]*\n\s*/).map((part, index) => (index === 0 ? part : `\n\n${part}`)),
  (text) => sentencesOf(text),
  (text, limit) => sentencesOf(text, Math.floor(limit / maxSizePerCharacter)),
];

/**
 * Splits a text into stretches that a chunk takes whole or not at all, with their sizes: paragraphs, sentences of
 * paragraphs larger than `limit`, and pieces of such sentences.
 */
function* unitsOf(
  text: string,
  limit: number,
  measure: Measure,
  [split, ...finer] = splits,
): Generator<readonly [text: string, size: number]> {
  for (const part of split?.(text, limit) ?? []) {
    // A tokenizer joins one space to the word after it.
    const body = part.endsWith(' ') ? part.slice(0, -1) : part;
    const size = part.length > limit * mostCharactersPerToken ? Infinity : measure(body);
    if (size <= limit || finer.length === 0) yield [part, size];
    else yield* unitsOf(part, limit, measure, finer);
  }
}

/**
 * Runs work on every item, at most `limit` at once, and returns the results in order. After a failure
 * nothing new begins, but what has begun is awaited: it is paid for, and may be kept.
 *
 * @throws A failure.
 */
async function runLimited<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  // A worker that fails ends the generator, and with it the others before their next item.
  const entries = (function* () {
    yield* items.entries();
  })();
  const worker = async (): Promise<void> => {
    for (const [index, item] of entries) results[index] = await work(item, index);
  };
  const workers = Array.from({ length: Math.min(limit, items.length) }, worker);
  for (const end of await Promise.allSettled(workers))
    if (end.status === 'rejected') throw end.reason;
  return results;
}
