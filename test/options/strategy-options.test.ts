import { describe, expect, it } from 'vitest';
import {
  llmStrategy,
  ruleBasedStrategy,
  summarizationMiddleware,
  SummarizationOptionError,
  type SummarizationOptions,
} from '../../src/index.ts';
import { conversation, summaryInput } from '../strategies/llm/fixtures.ts';
import { user as userMessage } from '../support/prompt-messages.ts';
import { extractiveModel } from '../strategies/levels/extractive-model.ts';

const given = {
  prompts: { maxSummaryChars: 100 },
  summarizerModelPreference: 'openai/gpt-5-nano',
  messageFilter: { toolResults: 'omit' },
  minUserTurns: 1,
  preserveErrorDetails: false,
} satisfies SummarizationOptions;
const names = Object.keys(given);

/** Which of the options are refused beside a choice of strategies. */
function refusedBeside(options: SummarizationOptions): readonly string[] {
  return names.filter((name) => {
    try {
      summarizationMiddleware({ ...options, [name]: Reflect.get(given, name) });
      return false;
    } catch (error) {
      if (!SummarizationOptionError.isInstance(error)) throw error;
      const isSaid = /nothing beside a strategy object.*Strategy\(\{ /.test(error.allowed);
      if (error.option !== name || !isSaid) throw error;
      return true;
    }
  });
}

const rules = ruleBasedStrategy();
const llm = llmStrategy();
const ofRules = ['minUserTurns', 'preserveErrorDetails'];
const ofModels = ['prompts', 'summarizerModelPreference', 'messageFilter'];

describe('options that only named strategies read', () => {
  it.each<[string, SummarizationOptions, readonly string[]]>([
    ['nothing', {}, []],
    ['rules by name', { strategy: 'rule-based' }, []],
    ['nobody', { strategy: 'none', fallbackStrategy: rules }, []],
    ['rules', { strategy: rules }, names],
    ['a model', { strategy: llm }, names],
    ['a model and no fallback', { strategy: llm, fallbackStrategy: false }, names],
    ['a model, then rules by name', { strategy: llm, fallbackStrategy: 'heuristic' }, ofModels],
    ['a model by name, then rules', { fallbackStrategy: rules }, ofRules],
    ['rules by name, then a model', { strategy: 'heuristic', fallbackStrategy: llm }, ofModels],
  ])('are refused beside an object that does not: %s', (_name, options, refused) => {
    expect(refusedBeside(options)).toEqual(refused);
  });
});

describe('a strategy object', () => {
  it('reads as much at once as its own option says', async () => {
    const messages = [userMessage('one two three four '.repeat(400)), ...conversation];
    const model = extractiveModel();
    const strategy = llmStrategy({ maxTranscriptTokens: 500 });
    await strategy.summarize(summaryInput(model, { messages }));
    expect(model.doGenerateCalls.length).toBeGreaterThan(1);
  });
});
