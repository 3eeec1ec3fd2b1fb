import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import { memoryStore, summarizationMiddleware } from 'ai-sdk-summarization';
import { recallTool } from 'ai-sdk-summarization/recall';
import { embeddedModel } from '../next-app/embedded-model/embedded-model.ts';
import { demoOptions, runAgentLoop } from './loop.ts';
import { recallDemo } from './recall.ts';
import { createShortView } from './short-view.ts';
import { slowModel } from './slow-model.ts';
import { createTerminal } from './terminal.ts';

const strategies = ['llm', 'rule-based', 'none'] as const;

/**
 * Delays of the embedded model if summaries are prepared in the background: a quick model would never make a call wait. A
 * step may take a fifth of so small a context, so a summary has to be there within two steps.
 */
const slowness = { answerMs: 400, summaryMs: 300 };

const help = `A tool-calling agent over this repository that never overflows its context.

  npm run demo -- [--verbose] [--strategy <name>] [--recall] [--background]

  --verbose          shows each call, answer and record, not only the result
  --strategy <name>  the summarizer: llm (default), rule-based, or none, which only
                     shortens prompts that do not fit
  --recall           gives the agent a tool that reads summarized messages, and asks
                     it for a detail that no summary keeps
  --background       prepares summaries beside the answers, so that no call waits, with
                     a model that takes ${slowness.answerMs} ms to answer and ${slowness.summaryMs} ms to summarize
  --help             shows this text

Runs offline on an embedded model. With OPENAI_API_KEY set it runs on OpenAI,
with the model of OPENAI_MODEL (gpt-5-mini).`;

/** The provider's model when there is a key, else the embedded one. */
async function chooseModel(
  isSlow: boolean,
): Promise<{ readonly model: LanguageModelV4; readonly name: string }> {
  if (!process.env['OPENAI_API_KEY']) {
    const model = embeddedModel(demoOptions.contextLength);
    const name = 'embedded model, offline';
    return { model: isSlow ? slowModel(model, slowness) : model, name };
  }
  const { openai } = await import('@ai-sdk/openai');
  const name = process.env['OPENAI_MODEL'] ?? 'gpt-5-mini';
  return { model: openai(name), name };
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      strategy: { type: 'string', default: 'llm' },
      recall: { type: 'boolean' },
      background: { type: 'boolean' },
      verbose: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    process.stdout.write(`${help}\n`);
    return;
  }
  const strategy = strategies.find((allowed) => allowed === values.strategy);
  if (!strategy) {
    throw new Error(`--strategy ${values.strategy}: allowed is ${strategies.join(', ')}.`);
  }
  const background = values.background === true;
  const { contextLength } = demoOptions;
  const { model, name } = await chooseModel(background);
  const { stdout } = process;
  const terminal = (values.verbose === true ? createTerminal : createShortView)({
    write: (text) => stdout.write(text),
    width: stdout.isTTY ? stdout.columns : 80,
    // Respects NO_COLOR.
    colors: stdout.isTTY && stdout.hasColors(),
    limit: contextLength,
  });

  const recall = values.recall === true ? recallDemo(memoryStore(), recallTool) : undefined;
  const middleware = summarizationMiddleware({
    ...demoOptions,
    ...recall?.options,
    strategy,
    background,
    onEvent: terminal.onEvent,
  });

  terminal.title([
    'ai-sdk-summarization: an agent loop over this repository',
    `${name} · limit ${contextLength.toLocaleString('en-US')} tokens · strategy ${strategy}`,
  ]);
  const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
  terminal.result(await runAgentLoop({ model, middleware, root, observer: terminal, recall }));
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
