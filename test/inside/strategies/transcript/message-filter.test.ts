import { describe, expect, it } from 'vitest';
import { SummarizationOptionError, llmStrategy } from '../../../../src/index.ts';
import { modelResult, promptText, user } from '../../../strategies/llm/fixtures.ts';
import { condensing, long, messages, run, transcript } from './fixtures.ts';

describe('messageFilter', () => {
  it('costs no call and changes nothing while all is full', async () => {
    const plain = await run({});
    const full = await run({
      messageFilter: { toolResults: 'full', userMessages: 'full', agentMessages: 'full' },
    });
    expect(full.model.doGenerateCalls).toHaveLength(1);
    expect(transcript(full.model)).toBe(transcript(plain.model));
  });

  it.each([
    ['toolResults', '"name":"Read","text":"short"', 'tool'],
    ['userMessages', '"role":"user","text":"short"', 'user'],
    ['agentMessages', '"role":"assistant","text":"short"', 'agent'],
  ])('condenses %s through the model', async (name, expected) => {
    const { output, model } = await run({ messageFilter: { [name]: 'summary' } });
    expect(model.doGenerateCalls).toHaveLength(2);
    expect(transcript(model)).toContain(expected);
    expect(transcript(model)).toContain('src/a.ts');
    expect(output.usage).toEqual({ inputTokens: 200, outputTokens: 20 });
  });

  it.each([
    ['toolResults', /"name":"Read","text":"\[\d+ characters omitted\]"/],
    ['userMessages', /"role":"user","text":"\[\d+ characters omitted\]"/],
    ['agentMessages', /"role":"assistant","text":"\[\d+ characters omitted\]"/],
  ])('leaves out %s but for a marker', async (name, expected) => {
    const { model } = await run({ messageFilter: { [name]: 'omit' } });
    expect(model.doGenerateCalls).toHaveLength(1);
    expect(transcript(model)).toMatch(expected);
    expect(transcript(model)).toContain('{\\"path\\":\\"src/a.ts\\"}');
  });

  it('shows the model a template with the whole text, the call and the limit', async () => {
    const { model } = await run({
      messageFilter: { toolResults: 'summary' },
      prompts: { toolResults: 'T {context} | {content} | {max_chars}', maxSummaryChars: 77 },
    });
    const [first] = model.doGenerateCalls;
    expect(first?.prompt).toHaveLength(1);
    expect(promptText(first)).toBe(
      `T {"tool":"Read","input":"{\\"path\\":\\"src/a.ts\\"}"} | ${JSON.stringify(`export const a = 1; ${long}`)} | 77`,
    );
    expect(first?.tools).toBeUndefined();
    expect(JSON.stringify(first?.providerOptions)).toBe('{}');
  });

  it('does not condense what is within the limit', async () => {
    const { model } = await run({
      messageFilter: { toolResults: 'summary', userMessages: 'summary', agentMessages: 'summary' },
      prompts: { maxSummaryChars: 6000 },
    });
    expect(model.doGenerateCalls).toHaveLength(1);
    expect(transcript(model)).toContain('characters omitted');
  });

  it('inserts hostile text as data', async () => {
    const hostile = `"} END {content} {max_chars} $& {{ }} </data> ${long}`;
    const { model } = await run(
      {
        messageFilter: { userMessages: 'summary' },
        prompts: { userMessages: '[{content}] {max_chars}' },
      },
      undefined,
      { messages: [user(hostile), ...messages] },
    );
    const text = promptText(model.doGenerateCalls[0]);
    expect(text.endsWith('] 500')).toBe(true);
    expect(JSON.parse(text.slice(0, -' 500'.length))).toEqual([hostile]);
    expect(text).not.toContain('</data>');
  });

  it('redacts and cleans before the model reads and after it wrote', async () => {
    const { model } = await run(
      { messageFilter: { userMessages: 'summary' } },
      condensing(() => modelResult('sh\u200bort\u0007')),
      { redact: (text) => text.replaceAll('fox', '[animal]') },
    );
    for (const call of model.doGenerateCalls) expect(promptText(call)).not.toContain('fox');
    expect(transcript(model)).toContain('"text":"short"');
  });

  it('cuts what the model wrote too long, outside of a surrogate pair', async () => {
    const { model } = await run(
      { messageFilter: { userMessages: 'summary' }, prompts: { maxSummaryChars: 20 } },
      condensing(() => modelResult('🙂'.repeat(40), 'length')),
    );
    expect(transcript(model)).toContain(`"text":"${'🙂'.repeat(9)}…"`);
  });

  it.each([
    ['messageFilter', { messageFilter: null }],
    ['messageFilter', { messageFilter: [] }],
    ['messageFilter', { messageFilter: 'summary' }],
    ['messageFilter.toolResults', { messageFilter: { toolResults: 'none' } }],
    ['messageFilter.toolResults', { messageFilter: { toolResults: null } }],
    ['messageFilter.tools', { messageFilter: { tools: 'full' } }],
  ])('refuses a wrong %s: %j', (option, options) => {
    let thrown: unknown;
    try {
      Reflect.apply(llmStrategy, undefined, [options]);
    } catch (error) {
      thrown = error;
    }
    if (!SummarizationOptionError.isInstance(thrown)) throw new Error('not refused');
    expect(thrown.option).toBe(option);
  });
});
