import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { embeddedModel } from '../../../examples/next-app/embedded-model/embedded-model.ts';
import {
  demoOptions,
  runAgentLoop,
  type LoopResult,
  type Observer,
} from '../../../examples/agent-loop/loop.ts';
import type { QuizQuestion } from '../../../examples/agent-loop/conversation.ts';
import { recallDemo } from '../../../examples/agent-loop/recall.ts';
import { createShortView } from '../../../examples/agent-loop/short-view.ts';
import { createTerminal } from '../../../examples/agent-loop/terminal.ts';
import { recallTool } from '../../../src/entries/recall/index.ts';
import {
  memoryStore,
  summarizationMiddleware,
  type SummarizationEvent,
} from '../../../src/index.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const { contextLength } = demoOptions;

const silent = (): undefined => undefined;
const observer = { onRequest: silent, onCall: silent, onAnswer: silent, onQuizAnswer: silent };

describe('runAgentLoop', () => {
  const events: SummarizationEvent[] = [];
  let screen = '';
  let shortScreen = '';
  let result: LoopResult;

  beforeAll(async () => {
    const view = { width: 80, colors: false, limit: contextLength };
    const terminal = createTerminal({ ...view, write: (text) => (screen += text) });
    const short = createShortView({ ...view, write: (text) => (shortScreen += text) });
    const middleware = summarizationMiddleware({
      ...demoOptions,
      onEvent: (event) => {
        events.push(event);
        terminal.onEvent(event);
        short.onEvent(event);
      },
    });
    const model = embeddedModel(contextLength);
    short.title(['The demo']);
    const both: Observer = {
      onRequest: (request) => [terminal, short].forEach((each) => each.onRequest(request)),
      onCall: (...call) => [terminal, short].forEach((each) => each.onCall(...call)),
      onAnswer: (answer) => [terminal, short].forEach((each) => each.onAnswer(answer)),
      onQuizAnswer: (...quiz) => [terminal, short].forEach((each) => each.onQuizAnswer(...quiz)),
    };
    result = await runAgentLoop({ model, middleware, root, observer: both });
    terminal.result(result);
    short.result(result);
  });

  const records = () => events.flatMap((event) => (event.type === 'end' ? [event.record] : []));

  it('drives at least 40 model calls', () => {
    expect(result.reading.calls).toBeGreaterThanOrEqual(40);
  });

  it('sends no prompt over the limit although the history grows far beyond it', () => {
    expect(result.reading.mostSent).toBeLessThanOrEqual(contextLength);
    expect(result.reading.full).toBeGreaterThan(2 * contextLength);
  });

  it('summarizes several times, once over the depth cap with a rebase', () => {
    const depths = records().map(({ depth }) => depth);
    expect(depths.length).toBeGreaterThanOrEqual(3);
    expect(depths.slice(0, 4)).toEqual([0, 1, 2, 0]);
    expect(result.reading.summarizerCalls).toBe(depths.length);
  });

  it('meets no failure and shortens nothing', () => {
    const types = new Set<string>(events.map(({ type }) => type));
    for (const type of ['failed', 'fallback', 'recovered', 'warning']) {
      expect(types).not.toContain(type);
    }
  });

  it('answers every quiz question although the first request is summarized away', () => {
    expect(records()[0]?.coveredMessages).toBeGreaterThan(8);
    expect(result.rightAnswers).toBe(result.quizLength);
  });

  it('answers from the archive what no summary holds', async () => {
    const summaries: string[] = [];
    const recall = recallDemo(memoryStore(), recallTool);
    const middleware = summarizationMiddleware({
      ...demoOptions,
      ...recall.options,
      onEvent: (event) => event.type === 'end' && summaries.push(JSON.stringify(event.record)),
    });
    const model = embeddedModel(contextLength);
    const right = new Set<string>();
    const quizObserver = {
      ...observer,
      onQuizAnswer: (quiz: QuizQuestion, _answer: string, isRight: boolean) =>
        void (isRight && right.add(quiz.question)),
    };
    const recalled = await runAgentLoop({
      model,
      middleware,
      root,
      observer: quizObserver,
      recall,
    });
    expect(summaries.length).toBeGreaterThanOrEqual(3);
    expect(summaries.filter((text) => text.includes(recall.quiz.expected))).toEqual([]);
    expect(right).toContain(recall.quiz.question);
    // The tool and what it answered take room that one answer from memory had.
    expect(recalled.rightAnswers).toBeGreaterThanOrEqual(result.quizLength);
    expect(recalled.quizLength).toBe(result.quizLength + 1);
    expect(recalled.reading.mostSent).toBeLessThanOrEqual(contextLength);
  });

  it('answers at least five questions from minutes, and no fewer than without summaries', async () => {
    const run = async (strategy: 'rule-based' | 'none'): Promise<LoopResult> => {
      const middleware = summarizationMiddleware({ ...demoOptions, strategy });
      return runAgentLoop({ model: embeddedModel(contextLength), middleware, root, observer });
    };
    const [minutes, nothing] = [await run('rule-based'), await run('none')];
    expect(minutes.rightAnswers).toBeGreaterThanOrEqual(5);
    expect(minutes.rightAnswers).toBeGreaterThanOrEqual(nothing.rightAnswers);
    for (const { reading } of [minutes, nothing])
      expect(reading.mostSent).toBeLessThanOrEqual(contextLength);
  });

  it('shows the result first, in at most 60 lines that fit 80 columns', () => {
    const lines = shortScreen.split('\n');
    expect(lines.length).toBeLessThanOrEqual(60);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    const places = ['Quiz  ', '✓ Which', 'summary-depth:0'].map((text) =>
      shortScreen.indexOf(text),
    );
    expect(places[0]).toBeGreaterThan(0);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it('shows lines that fit 80 columns, without escape codes when colours are off', () => {
    expect(Math.max(...screen.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(screen).not.toContain('\u001B');
  });
});
