import { basename } from 'node:path';
import type { SummarizationOptions } from '../options/summarization-options.ts';
import { countPromptTokens } from '../api/count-prompt-tokens.ts';
import { parseFile, type RawConversation } from './formats/parse-file.ts';
import { readConversation } from './formats/read-conversation.ts';
import type { InspectArguments } from './inspect-arguments.ts';
import { knownContext } from './command/known-context.ts';
import { loadModel } from './command/load-model.ts';
import { contentOf, written, type Terminal } from './command/terminal.ts';
import type { InspectedConversation, InspectedLimit, Inspection } from './report/inspection.ts';
import { replayConversation } from './replay-conversation.ts';
import { htmlReport } from './report/html-report.ts';
import { terminalReport } from './report/terminal-report.ts';

/** Context lengths that are tried where none is named. */
const usualContexts = [16_000, 64_000, 200_000];

/**
 * Inspects the conversations of a file.
 *
 * @throws CommandError for what the user can mend.
 */
export async function inspect(given: InspectArguments, terminal: Terminal): Promise<void> {
  const raw = parseFile(await contentOf(given.file, terminal.stdin));
  const options = await optionsOf(given);
  const conversations: InspectedConversation[] = [];
  for (const [index, conversation] of raw.entries())
    conversations.push(
      await inspected(conversation, { ...given, options }, (done) =>
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
  given: InspectArguments & { readonly options: SummarizationOptions },
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
        options: given.options,
        onProgress: (done, total) =>
          progress(`context of ${contextLength}: call ${done} of ${total}`),
      }),
    );
  const { total } = await countPromptTokens({ prompt });
  return { name: raw.name, messages: prompt.length, tokens: total, limits };
}

/** Milliseconds that a model may take for a summary: nobody waits for an answer here. */
const patience = 120_000;

async function optionsOf({
  strategy,
  model,
  live,
  provider,
}: InspectArguments): Promise<SummarizationOptions> {
  if (!live || model === undefined) return { strategy };
  const summarizerModelPreference = await loadModel(model, provider);
  return { strategy, summarizerModelPreference, summaryTimeoutMs: patience, maxWaitMs: patience };
}

function contextsOf(
  { contexts, model }: InspectArguments,
  identity: ReturnType<typeof identityOf>,
): readonly number[] {
  if (contexts.length > 0) return contexts;
  if (model === undefined) return usualContexts;
  return [knownContext(model, identity)];
}

/** A model by its name: `provider/model`, or the model alone; one that counts as o200k does where none is named. */
function identityOf(name = 'openai/gpt-5'): { provider: string; modelId: string } {
  const slash = name.indexOf('/');
  return slash === -1
    ? { provider: 'unknown', modelId: name }
    : { provider: name.slice(0, slash), modelId: name.slice(slash + 1) };
}
