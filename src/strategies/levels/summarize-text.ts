import { checkTexts } from '../../checks/check-object.ts';
import { redactFailure, redactionDoor, withheldText } from '../../cleaning/redaction-door.ts';
import { SummarizationError, withDetails } from '../../errors/summarization-error.ts';
import { fillTemplate } from '../../prompts/template.ts';
import { summaryLevelOf } from '../../record/build-record.ts';
import type { ChunkSummary, SummaryResult } from '../../record/summary-record.ts';
import { cutMiddle } from '../../tokens/cut-middle.ts';
import {
  availableTextCounter,
  countText,
  mostCharactersPerToken,
} from '../../tokens/text-counter.ts';
import { harmlessly } from '../../util/async/callbacks.ts';
import { pause } from '../../util/async/waiting.ts';
import { sha256Hex } from '../../util/digest.ts';
import { escapeJson } from '../../util/json.ts';
import { type BoundedMap, boundedMap } from '../../util/maps/bounded-map.ts';
import { compressionRatio } from '../../util/numbers.ts';
import { askModels } from '../models/ask-models.ts';
import { readableTokens } from '../models/readable-tokens.ts';
import { nameOfModel, resolveModel } from '../models/resolve-model.ts';
import { charactersOfToken, sentencesOf } from '../texts.ts';
import {
  checkSummarizeOptions,
  levelPrompts,
  type LevelPrompts,
  type SummarizeOptions,
} from './summarize-options.ts';

/** Share of its text that the summary of each level is asked for in. */
const levelShares = { BRIEF: 0.2, STANDARD: 0.12, DETAILED: 0.07, HIERARCHICAL: 0.04 } as const;

/** The same of a chunk, and of summaries that are merged in groups and at last. */
const partShares = { chunk: 0.15, group: 0.5, last: 0.6 } as const;

/** What many models write at most in one answer; what is longer would be cut off. */
const mostAsked = 8000;

/** Share of what a model can read: of the prior summary at most, of the text at least. */
const leastShare = 0.25;

/** Tokens that a summary among others is given at least, and those of JSON around it. */
const leastMerged = 256;
const frameTokens = 16;

/** A text of fewer tokens need not get shorter: a sentence about three words is longer than they are. */
const leastShrinkingTokens = 100;

/** A summary to be written. */
interface Task {
  readonly template: string;
  /** What is put, as JSON, in the place of `{content}` or `{summaries}`. */
  readonly content: string | readonly string[];
  /** Tokens of what is summarized. */
  readonly sourceTokens: number;
  /** Share of them that the summary is asked for in. */
  readonly share: number;
  /** Tokens that it is asked for in at most, so that others can be read with it. */
  readonly mostTokens?: number;
  /** A part of the text, and its place. */
  readonly chunkIndex?: number;
  /** Parts the text, or the summary to merge, has. */
  readonly total?: number;
}

/** A summary in a tree whose group may not be known yet. */
type Node = { -readonly [Name in keyof ChunkSummary]: ChunkSummary[Name] };
type Written = Pick<Node, 'content' | 'tokenCount'>;

/** The part of `summarize` that loads when it is called. */
// oxlint-disable-next-line max-lines-per-function -- what its closures share is how the text is read and asked about
export async function writeSummary(raw: string, options: SummarizeOptions): Promise<SummaryResult> {
  checkTexts({ content: raw });
  checkSummarizeOptions(options);
  const set = Object.entries(options.prompts ?? {}).filter(([, text]) => text !== 'default');
  const prompts: LevelPrompts = { ...levelPrompts, ...Object.fromEntries(set) };
  const { contentType = 'general', priorSummary: past = '', abortSignal, contextLength } = options;
  abortSignal?.throwIfAborted();
  const clean = redactionDoor(options.redact);
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
  const panel = askModels({
    ...options,
    timeoutMs: options.timeoutMs ?? 60_000,
    models: [model],
    // It is asked for this one summary, and three failures end that.
    enter: () => () => {},
    contextLengthOf: () => contextLength,
    clean,
    keepsCauses: true,
  });

  /**
   * Gives what is kept for a task, or what the model writes now. What is asked is told apart by text, template, prior
   * summary and model, and not by the place among other chunks, which changes as a text grows.
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
    // It may have been kept with another `redact`.
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
    const summary = await panel.write(() => prompt);
    // Without the signal of the caller: what is paid for by now is kept.
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
    // One sentence is the same of everything.
    const template = level === 'BRIEF' ? prompts.brief : (ofType ?? prompts.standard);
    const task = { template, content: text, sourceTokens: inputTokens };
    return resultOf(await write({ ...task, share: levelShares[level] }));
  }

  const chunkSize = Math.min(options.chunkSize ?? 3000, room);
  const chunkOverlap = Math.min(options.chunkOverlap ?? 200, Math.floor(chunkSize / 2));
  const groupSize = Math.max(2, Math.min(options.groupSize ?? 5, Math.floor(room / leastMerged)));
  const mostTokens = Math.max(1, Math.floor(room / groupSize) - frameTokens);
  /** Writes the summaries of a layer behind those `done`, of which there are some already. */
  const writeLayer = async (
    layer: 1 | 2,
    done: number,
    tasks: Task[],
  ): Promise<readonly Node[]> => {
    let completed = done;
    const writeNode = async (task: Task, index: number): Promise<Node> => {
      const written = await write({ total: tasks.length, ...task, mostTokens });
      completed += 1;
      harmlessly(() => options.onProgress?.({ layer, completed, total: done + tasks.length }));
      const place = { chunkIndex: done + index, parentGroup: undefined };
      return { ...place, ...written, sourceTokens: task.sourceTokens };
    };
    const [first, ...others] = tasks;
    if (first === undefined) return [];
    // Alone: a model that is away is not asked four times at once.
    const node = await writeNode(first, 0);
    const limit = options.concurrency ?? 4;
    const nodes = await runLimited(others, limit, (task, index) => writeNode(task, index + 1));
    return [node, ...nodes];
  };
  // Of one that is longer than it was asked for the middle is left out.
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
  // As the model reads it: where much has to be escaped, a chunk of so many tokens would not fit.
  const measure = (part: string): number => count(escapeJson(part).slice(1, -1));
  for (const content of chunkText(text, { chunkSize, chunkOverlap, measure })) {
    const task = { template: ofType ?? prompts.chunk, content, share: partShares.chunk };
    chunks.push({ ...task, sourceTokens: count(content), chunkIndex: chunks.length });
    // Megabytes take seconds: others get their turn, and an abort is heard.
    await pause();
    abortSignal?.throwIfAborted();
  }
  const l1Summaries = await writeLayer(1, 0, chunks);
  const l2Summaries: Node[] = [];
  let top = l1Summaries;
  const isTooLarge = async (): Promise<boolean> =>
    top.length > 1 && (await sizeOf(escapeJson(top.map(short)))) > room;
  for (let isDue = level === 'HIERARCHICAL'; isDue || (await isTooLarge()); isDue = false) {
    const done = l2Summaries.length;
    // Filled from the front, so that a chunk more changes the last group only.
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
  harmlessly(() => options.onProgress?.({ layer: 3, completed: 1, total: 1 }));
  const l3Summary = written.content;
  const hierarchical = { l1Summaries, l2Summaries, l3Summary, chunkSize, chunkOverlap };
  return { ...resultOf(written), hierarchical };
}

/** Characters of summaries that are kept for a model: those of some 20 million tokens of text. */
const cacheCharacters = 4_000_000;

/** By model object, so that what one model wrote is never taken for another's with the same name. */
const caches = new WeakMap<object, BoundedMap<string>>();

/** Stands for all models given by their ids, which are objects of their own every time. */
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
 * Share of a chunk from which a paragraph may begin the next one by its own words; how many do in the rest of it, at most
 * one in four.
 */
const settledShare = 0.75;
const landmarks = 1.5;
const mostLandmarks = 0.25;

/**
 * Whether a paragraph begins a chunk whatever stands before it: after a change, chunks begin at the same ones again.
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
 * Splits a text into chunks at paragraphs, else at sentences and lines, else between words. Filled
 * from the front: a paragraph that is added at the end changes the last chunk or begins a new one, and
 * leaves all others as they are; one that is added or taken out before changes a few chunks. No chunk is blank. Takes
 * linear time.
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
 * The stretches of a text that a chunk takes as a whole or not at all, and their sizes: paragraphs; of those larger
 * than `limit` the sentences, and of these pieces that are not.
 */
function* unitsOf(
  text: string,
  limit: number,
  measure: Measure,
  [split, ...finer] = splits,
): Generator<readonly [text: string, size: number]> {
  for (const part of split?.(text, limit) ?? []) {
    // A tokenizer takes one space with the word behind it.
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
 * @throws What the first failure was.
 */
async function runLimited<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const failures: unknown[] = [];
  const entries = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of entries) {
      if (failures.length > 0) return;
      try {
        results[index] = await work(item, index);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  if (failures.length > 0) throw failures[0];
  return results;
}
