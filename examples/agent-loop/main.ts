import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import { memoryStore, summarizationMiddleware } from 'ai-sdk-summarization';
import { recallTool } from 'ai-sdk-summarization/recall';
import { embeddedModel } from '../next-app/embedded-model/embedded-model.ts';
import { demoOptions, runAgentLoop } from './loop.ts';
import { recallDemo } from './recall.ts';
import { slowModel } from './slow-model.ts';
import { createTerminal } from './terminal.ts';

const strategies = ['llm', 'rule-based', 'none'] as const;

/**
 * Of the embedded model, where summaries are prepared in the background: it has to be slow to be waited for. A step
 * may take a fifth of so small a context, so that a summary has to be there within two.
 */
const slowness = { answerMs: 400, summaryMs: 300 };

const help = `A tool-calling agent over this repository that never overflows its context.

  npm run demo -- [--strategy <name>] [--recall] [--background]

  --strategy <name>  how summaries are written: llm (default), rule-based, or none,
                     which only shortens what does not fit
  --recall           gives the agent a tool that reads what was summarised away, and asks
                     it for a detail that no summary keeps
  --background       prepares summaries beside the answers, so that no call waits for one, of
                     a model that takes ${slowness.answerMs} ms to answer and ${slowness.summaryMs} ms to summarise
  --help             this text

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
  const terminal = createTerminal({
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
