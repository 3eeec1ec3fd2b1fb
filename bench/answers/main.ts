import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, wrapLanguageModel } from 'ai';
import type { SummarizationEvent, SummarizationOptions } from '../../src/index.ts';
import { builtRoot } from '../built-package.ts';
import { writeResults } from '../write-results.ts';
import {
  beginningOf,
  type Conversation,
  countTokens,
  loadConversations,
  textOf,
} from './conversation.ts';
import { isFalselyStated, isStated } from './grade.ts';
import { type StoredAnswers, storedAnswers } from './stored-answers.ts';

// What can be answered from the prompt behind a summary. Definitions: README.md of the folder above.

const openFolder = process.env['OPEN_REQUESTS'] ?? path.join(tmpdir(), 'answers-open');
const names = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const shows = process.argv.includes('--show');

type Writer = (request: string) => string | undefined;

/** What a server is asked: `prompt` is all texts of a request. */
interface Asked {
  readonly prompt: string;
  readonly isForRecord: boolean;
}

/** A request of the kind that a summary waits for had no answer. */
const noAnswer = new Error('There is no stored answer.');

/** A server of OpenAI's chat API on this machine that answers requests for a record, and says that it understood. */
async function serve(write: Writer) {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    const texts = body.messages.map(
      ({ role, content }: { role: string; content: unknown }) => `${role}\n${textIn(content)}`,
    );
    const prompt = texts.join('\n\n');
    const isForRecord = body.response_format !== undefined;
    asked.push({ prompt, isForRecord });
    const said = isForRecord ? write(`record\n\n${prompt}`) : 'Understood.';
    if (said === undefined) {
      response.writeHead(418).end(JSON.stringify({ error: { message: noAnswer.message } }));
      return;
    }
    const usage = { prompt_tokens: countTokens(prompt), completion_tokens: countTokens(said) };
    const message = { role: 'assistant', content: said };
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    const chunk = { index: 0, delta: message, finish_reason: 'stop' };
    if (body.stream === true) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(
        `data: ${JSON.stringify({ id: 'a', choices: [chunk], usage })}\n\ndata: [DONE]\n\n`,
      );
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ id: 'a', created: 0, model: 'm', choices, usage }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo;
  return { asked, url: `http://127.0.0.1:${port}/v1`, close: () => server.close() };
}

function textIn(content: unknown): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.map((part) => String(part?.text ?? '')).join('\n') : '';
}

interface Replayed {
  /** The record in the last prompt, with its envelope. */
  readonly record: string;
  /** Messages that it stands for. */
  readonly covered: number;
  readonly requests: readonly string[];
  readonly ends: readonly Extract<SummarizationEvent, { type: 'end' }>[];
}

/** Sends a conversation with a summary before each of its cuts. */
async function replay(
  { name, system, messages, contextLength, cuts }: Conversation,
  write: Writer,
  options: SummarizationOptions = {},
): Promise<Replayed> {
  const server = await serve(write);
  const ends: Extract<SummarizationEvent, { type: 'end' }>[] = [];
  const openai = createOpenAI({ baseURL: server.url, apiKey: 'none' });
  const model = wrapLanguageModel({
    model: openai.chat('gpt-4o'),
    middleware: builtRoot.summarizationMiddleware({
      contextLength,
      fallbackStrategy: false,
      abortOnFailure: true,
      telemetry: { isEnabled: false },
      ...options,
      onEvent: (event) => {
        if (event.type === 'end') ends.push(event);
      },
    }),
  });
  try {
    for (const cut of cuts)
      await generateText({
        model,
        instructions: system,
        messages: messages.slice(0, cut),
        maxRetries: 0,
        providerOptions: { summarization: { force: true, conversationId: name } },
      });
  } finally {
    server.close();
  }
  const last = server.asked.findLast(({ isForRecord }) => !isForRecord)?.prompt ?? '';
  const [record = ''] = /\[summary-depth:\d+\][^]*\[\/summary-depth:\d+\]/.exec(last) ?? [];
  const requests = server.asked
    .filter(({ isForRecord }) => isForRecord)
    .map(({ prompt }) => prompt);
  return { record, covered: ends.at(-1)?.coveredMessages ?? 0, requests, ends };
}

/** A summary has more tokens for a word than a conversation: what is told of a budget, for it to be kept. */
const toldShare = 0.8;

/** Tokens that prose is asked for at most, as a record is. */
const mostProseTokens = 2500;

/** Words that are told for a summary of so many tokens. */
function wordsOf(text: string, tokens: number): number {
  const sample = text.slice(0, 20_000);
  return Math.floor(
    (toldShare * tokens * (sample.match(/\S+/g)?.length ?? 0)) / countTokens(sample),
  );
}

/**
 * Plain prose of the same budget, written as hand-off summaries of other packages are: on top of the prose so far. What
 * is over the budget is cut, as it is of a record.
 */
function proseOf(
  conversation: Conversation,
  { ends }: Replayed,
  answers: StoredAnswers,
): string | undefined {
  const { messages } = conversation;
  let prose = '';
  let from = 0;
  const maxSummaryTokens = Math.floor(conversation.contextLength / 10);
  for (const { coveredMessages } of ends) {
    const news = messages.slice(from, coveredMessages).map(textOf).join('\n');
    const said = messages
      .slice(from, coveredMessages)
      .filter(({ content }) => typeof content === 'string');
    const words = wordsOf(said.map(textOf).join('\n'), Math.min(maxSummaryTokens, mostProseTokens));
    const request = `prose

Summarize the conversation below so that another assistant can carry on from the summary alone. Write one plain text of at most ${words} words that takes the place of the summary so far: goal, constraints of the user as they hold now, what was done and decided and why, exact figures, names and dates, what is open, next steps.

Summary so far:
${prose === '' ? '(none)' : prose}

New messages:
${news}`;
    const answer = answers.answerTo(request);
    if (answer === undefined) return undefined;
    prose = answer;
    from = coveredMessages;
  }
  return beginningOf(prose, maxSummaryTokens);
}

/** The last messages of those that a record stands for, worth as many tokens. */
function lastMessages({ messages }: Conversation, covered: number, tokens: number): string {
  const text = messages.slice(0, covered).map(textOf).join('\n');
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (countTokens(text.slice(middle)) > tokens) low = middle + 1;
    else high = middle;
  }
  return text.slice(low);
}

/** A text of a record without escapes and breaks. */
function plain(text: string): string {
  return text
    .replaceAll(/\\u([0-9a-f]{4})/gi, (_, code: string) =>
      String.fromCodePoint(Number.parseInt(code, 16)),
    )
    .replaceAll(/\s+/g, ' ');
}

/** Statements of a model's last answer, and how many stand in the record as they were written. */
function keptStatements(
  answer: string,
  record: string,
): { readonly kept: number; readonly of: number } {
  const {
    decisions = [],
    keyPoints = [],
    unresolved = [],
    actionItems = [],
    summary = '',
  } = JSON.parse(answer);
  const said = [
    ...decisions,
    ...keyPoints,
    ...unresolved,
    ...actionItems.map((each: { task: string }) => each.task),
  ];
  const sentences: string[] = [...said, summary].map((each) =>
    typeof each === 'string' ? each : each.text,
  );
  const shown = plain(record);
  return {
    kept: sentences.filter((each) => shown.includes(plain(each).trim())).length,
    of: sentences.length,
  };
}

interface Row {
  readonly name: string;
  readonly of: number;
  readonly tokens: readonly number[];
  readonly right: readonly number[];
  readonly wrong: readonly number[];
  readonly cut: number;
  readonly kept: { readonly kept: number; readonly of: number };
  readonly marks: readonly string[];
  readonly markup: number;
}

const columns = ['record', 'prose', 'quotes only', 'last messages', 'without a model'];
const silent = JSON.stringify({ summary: 'They talked.' });

async function measure(conversation: Conversation): Promise<Row | undefined> {
  const answers = storedAnswers(conversation.name, openFolder);
  const own = await replay(conversation, answers.answerTo).catch(() => undefined);
  const prose = own && proseOf(conversation, own, answers);
  if (answers.open() > 0 || own === undefined || prose === undefined) return undefined;
  answers.prune();
  const quotes = await replay(conversation, () => silent);
  const ruled = await replay(conversation, () => undefined, { strategy: 'rule-based' });
  const tokens = countTokens(own.record);
  const texts = [
    own.record,
    prose,
    quotes.record,
    lastMessages(conversation, own.covered, countTokens(ruled.record)),
    ruled.record,
  ];
  const { questions } = conversation;
  if (shows)
    for (const [column, text] of texts.entries())
      console.log(
        `\n== ${conversation.name}, ${columns[column]}\n${text}\nmissing: ${questions
          .filter((each) => !isStated(text, each))
          .map(({ question, answer }) => `${question} (${answer})`)
          .join('; ')}`,
      );
  const lastAnswer = answers.answerTo(`record\n\n${own.requests.at(-1)}`) ?? '{}';
  const lines = own.record.split('\n');
  const markup = lines.filter(
    (line, index) => index < 2 || index === lines.length - 1 || line.startsWith('# '),
  );
  return {
    name: conversation.name,
    of: questions.length,
    tokens: texts.map(countTokens),
    right: texts.map((text) => questions.filter((each) => isStated(text, each)).length),
    wrong: texts.map((text) => questions.filter((each) => isFalselyStated(text, each)).length),
    cut: own.ends.filter(({ itemsLeftOut }) => itemsLeftOut > 0).length / own.ends.length,
    kept: keptStatements(lastAnswer, own.record),
    marks: own.record.match(/\S+ \(unconfirmed\)/g) ?? [],
    markup: countTokens(markup.join('\n')) / tokens,
  };
}

const chosen = loadConversations().filter(({ name }) => names.length === 0 || names.includes(name));
const measured: Row[] = [];
for (const conversation of chosen) {
  const row = await measure(conversation);
  if (row !== undefined) measured.push(row);
}
const sum = (of: (row: Row) => number): number =>
  measured.reduce((total, row) => total + of(row), 0);
const cells = (row: Pick<Row, 'tokens' | 'right' | 'wrong' | 'of'>): string =>
  columns
    .map(
      (_, at) =>
        `${row.right[at]} (${row.tokens[at]}${row.wrong[at] === 0 ? '' : `, ${row.wrong[at]} false`})`,
    )
    .join(' | ');
const totals = columns.map((_, at) => sum(({ right }) => right[at] ?? 0));
const asked = sum(({ of }) => of);
writeResults('answers', 'npm run bench -- answers', [
  `| questions answered (tokens) | of | ${columns.join(' | ')} |`,
  `|---|---|${columns.map(() => '---|').join('')}`,
  ...measured.map((row) => `| ${row.name} | ${row.of} | ${cells(row)} |`),
  `| all | ${asked} | ${totals.map((right) => `${right} (${((100 * right) / asked).toFixed(0)} %)`).join(' | ')} |`,
  '',
  `Record over prose: ${((totals[0] ?? 0) / (totals[1] ?? 1)).toFixed(2)}. Statements of the last answers that stand as they were written: ${sum(({ kept }) => kept.kept)} of ${sum(({ kept }) => kept.of)}; answers of which items were left out: ${sum(({ cut }) => Math.round(cut * 3))}. Headings and envelope: ${((100 * sum(({ markup }) => markup)) / measured.length).toFixed(1)} % of a record. Marks: ${sum(({ marks }) => marks.length)}.`,
]);
for (const { name, marks } of measured)
  if (marks.length > 0) console.log(`marked in ${name}: ${marks.join(', ')}`);
const missing = chosen.length - measured.length;
if (missing > 0) {
  console.error(
    `${missing} conversations wait for answers: write DIGEST.answer.md beside each request in ${openFolder}, and run it again.`,
  );
  process.exitCode = 1;
}
