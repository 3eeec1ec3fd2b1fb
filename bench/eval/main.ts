import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import { gateway } from 'ai';
import { builtRoot } from '../built-package.ts';
import { evaluate, type Price } from './evaluate.ts';
import { figuresOf, type Interval } from './figures.ts';
import { methods } from './methods.ts';
import { readQuestions } from './questions.ts';

// Asks questions about long conversations, with the whole history, through the middleware and otherwise, and has the
// answers judged. Definitions: README.md of the folder above.

const text = { type: 'string' } as const;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    model: text,
    judge: text,
    provider: text,
    methods: { ...text, default: Object.keys(methods).join() },
    runs: { ...text, default: '1' },
    questions: text,
    context: text,
    'max-output': text,
    price: { ...text, default: '0,0' },
    'max-cost': text,
    concurrency: { ...text, default: '4' },
    journal: text,
    json: { type: 'boolean', default: false },
  },
});
const [file] = positionals;
if (file === undefined || values.model === undefined || values.judge === undefined)
  throw new Error(
    'Usage: npm run bench -- eval <file> --model <name> --judge <name>; see bench/README.md.',
  );

const [input = 0, output = 0] = values.price.split(',').map(Number);
const price: Price = { input, output };
const names = values.methods.split(',');
const unknown = names.filter((name) => !Object.hasOwn(methods, name));
if (unknown.length > 0)
  throw new Error(
    `There is no method ${unknown.join()}; there are ${Object.keys(methods).join()}.`,
  );

const model = await modelOf(values.model);
const contextLength = Number(values.context ?? builtRoot.contextLengthOf(model).contextLength);
const all = readQuestions(readFileSync(file, 'utf8'));
const total = all.reduce((sum, { questions }) => sum + questions.length, 0);
// Always the same ones, spread over the file.
const step = Math.max(1, total / Number(values.questions ?? total));
let seen = 0;
const isChosen = (): boolean => {
  seen += 1;
  return Math.floor(seen / step) > Math.floor((seen - 1) / step);
};
const conversations = all
  .map((conversation) => ({ ...conversation, questions: conversation.questions.filter(isChosen) }))
  .filter(({ questions }) => questions.length > 0);

const outcomes = await evaluate(conversations, {
  library: builtRoot,
  model,
  judge: await modelOf(values.judge),
  methods: names,
  runs: Number(values.runs),
  contextLength,
  maxOutputTokens: Number(values['max-output'] ?? Math.min(8000, contextLength / 4)),
  price,
  maxCost: Number(values['max-cost'] ?? Infinity),
  concurrency: Number(values.concurrency),
  journal: values.journal ?? `${file}.eval.jsonl`,
  onOutcome: ({ method, question: { id }, isRight, undone }) =>
    process.stderr.write(`${method} ${id}: ${undone ?? (isRight === true ? 'right' : 'wrong')}\n`),
});
const figures = figuresOf(outcomes, names, price);
if (values.json) console.log(JSON.stringify({ figures, outcomes }, undefined, 2));
else
  console.table(
    Object.fromEntries(
      figures.map(({ method, right, against, undone, inputTokens, dollars, ms }) => [
        method,
        {
          'right, % (95 %)': shown(right),
          [`against ${names[0]}`]: shown(against),
          'input tokens': Math.round(inputTokens),
          dollars: dollars.toFixed(2),
          'median s': (ms / 1000).toFixed(1),
          undone,
        },
      ]),
    ),
  );
if (outcomes.some(({ undone }) => undone !== undefined)) process.exitCode = 1;

function shown(interval: Interval): string {
  const [mean, low, high] = [interval.mean, interval.low, interval.high].map((share) =>
    Math.round(share * 100),
  );
  return `${mean} (${low} to ${high})`;
}

/** A model of the AI Gateway, or of the provider that a package or file exports. */
async function modelOf(name: string): Promise<LanguageModelV4> {
  if (values.provider === undefined) return gateway(name);
  const { resolve } = createRequire(path.resolve('package.json'));
  const exported: object = await import(resolve(values.provider));
  const provider = Object.values(exported).find(
    (each) => typeof Reflect.get(Object(each), 'languageModel') === 'function',
  );
  return provider.languageModel(name);
}
