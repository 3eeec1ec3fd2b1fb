import { basename } from 'node:path';
import { readFile, writeFile } from 'node:fs/promises';
import { text as textOf } from 'node:stream/consumers';
import type { SummarizationOptions } from '../options/summarization-options.ts';
import { lengthInTable } from '../tokens/context-lengths/length-in-table.ts';
import { countPromptTokens } from '../api/count-prompt-tokens.ts';
import { parseFile, type RawConversation } from './formats/parse-file.ts';
import { readConversation } from './formats/read-conversation.ts';
import type { InspectArguments } from './inspect-arguments.ts';
import { InspectError } from './formats/inspect-error.ts';
import type { InspectedConversation, InspectedLimit, Inspection } from './report/inspection.ts';
import { replayConversation } from './replay-conversation.ts';
import { htmlReport } from './report/html-report.ts';
import { terminalReport } from './report/terminal-report.ts';

/** Where a command reads and writes. */
export interface Terminal {
  readonly stdin: NodeJS.ReadableStream;
  readonly write: (text: string) => void;
  /** Shows how far the work has come; nothing where nobody looks on. */
  readonly progress: (text: string) => void;
  readonly columns: number;
}

/** Context lengths that are tried where none is named. */
const usualContexts = [16_000, 64_000, 200_000];

/**
 * Inspects the conversations of a file.
 *
 * @throws {InspectError} for what the user can mend.
 */
export async function inspect(given: InspectArguments, terminal: Terminal): Promise<void> {
  const raw = parseFile(await contentOf(given.file, terminal.stdin));
  const conversations: InspectedConversation[] = [];
  for (const [index, conversation] of raw.entries())
    conversations.push(
      await inspected(conversation, given, (done) =>
        terminal.progress(`conversation ${index + 1} of ${raw.length}, ${done}`),
      ),
    );
  terminal.progress('');
  const { strategy, model, price } = given;
  const file = given.file === '-' ? 'standard input' : basename(given.file);
  const inspection: Inspection = { file, strategy, model, price, conversations };
  if (given.html !== undefined) await written(given.html, htmlReport(inspection));
  if (given.json) terminal.write(`${JSON.stringify(inspection, undefined, 2)}\n`);
  else if (given.html === undefined)
    terminal.write(`${terminalReport(inspection, terminal.columns)}\n`);
  else terminal.write(`${given.html}\n`);
}

async function inspected(
  raw: RawConversation,
  given: InspectArguments,
  progress: (done: string) => void,
): Promise<InspectedConversation> {
  const prompt = await readConversation(raw);
  const model = identityOf(given.model);
  const limits: InspectedLimit[] = [];
  for (const contextLength of contextsOf(given, model))
    limits.push(
      await replayConversation({
        prompt,
        contextLength,
        model,
        options: optionsOf(given),
        onProgress: (done, total) =>
          progress(`context of ${contextLength}: call ${done} of ${total}`),
      }),
    );
  const { total } = await countPromptTokens({ prompt });
  return { name: raw.name, messages: prompt.length, tokens: total, limits };
}

function optionsOf({ strategy, model }: InspectArguments): SummarizationOptions {
  return strategy === 'llm'
    ? { strategy, summarizerModelPreference: model, summaryTimeoutMs: 120_000, maxWaitMs: 120_000 }
    : { strategy };
}

function contextsOf(
  { contexts, model }: InspectArguments,
  identity: ReturnType<typeof identityOf>,
): readonly number[] {
  if (contexts.length > 0) return contexts;
  if (model === undefined) return usualContexts;
  const { known, contextLength, inputLimit } = lengthInTable(identity);
  if (!known)
    throw new InspectError(`The context length of ${model} is not known: name it with --context.`);
  return [inputLimit ?? contextLength];
}

/** A model by its name: `provider/model`, or the model alone; one that counts as o200k does where none is named. */
function identityOf(name = 'openai/gpt-5'): { provider: string; modelId: string } {
  const slash = name.indexOf('/');
  return slash === -1
    ? { provider: 'unknown', modelId: name }
    : { provider: name.slice(0, slash), modelId: name.slice(slash + 1) };
}

async function contentOf(file: string, stdin: NodeJS.ReadableStream): Promise<string> {
  try {
    return file === '-' ? await textOf(stdin) : await readFile(file, 'utf8');
  } catch (error) {
    throw new InspectError(`${file} cannot be read: ${reasonOf(error)}`);
  }
}

async function written(file: string, content: string): Promise<void> {
  try {
    await writeFile(file, content);
  } catch (error) {
    throw new InspectError(`${file} cannot be written: ${reasonOf(error)}`);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
