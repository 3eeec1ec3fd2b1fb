import { WORKFLOW_DESERIALIZE, WORKFLOW_SERIALIZE } from '@workflow/serde';
import { customProvider, generateText, streamText, type LanguageModel } from 'ai';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { durableModel, registerMiddleware } from '../../src/entries/durable/index.ts';
import { summarizationMiddleware, type SummarizationMiddleware } from '../../src/index.ts';
import { chat } from '../support/messages.ts';
import { chatModel, summarizerModel } from '../support/models.ts';
import { lastPrompt, textOf } from '../support/prompts.ts';
import { sharedStore } from '../support/shared-store.ts';

/** What the serializer of workflows does with an instance: the real one runs in `test/hosts`. */
function crossed(model: object): Exclude<LanguageModel, string> {
  const { constructor } = model;
  const data: unknown = Reflect.get(constructor, WORKFLOW_SERIALIZE).call(constructor, model);
  const written: unknown = JSON.parse(JSON.stringify(data));
  return Reflect.get(constructor, WORKFLOW_DESERIALIZE).call(constructor, written);
}

afterEach(() => {
  globalThis.AI_SDK_DEFAULT_PROVIDER = undefined;
});

describe('a model that crosses the steps of a workflow', () => {
  it('comes back as the model of its id, under the middleware of its name', async () => {
    const inner = chatModel();
    globalThis.AI_SDK_DEFAULT_PROVIDER = customProvider({ languageModels: { 'a/model': inner } });
    const summarizer = summarizerModel();
    const store = sharedStore();
    const make = vi.fn<() => SummarizationMiddleware>(() =>
      summarizationMiddleware({
        store: store.open(),
        secret: 'the secret of this test',
        contextLength: 1500,
        summarizerModelPreference: summarizer,
      }),
    );
    registerMiddleware('in every process', make);
    const model = durableModel({ model: 'a/model', middleware: 'in every process' });
    await generateText({ model: crossed(model), messages: chat(31) });
    const sent = lastPrompt(inner).map(textOf);
    expect(sent[0]).toContain('[summary-depth:0]');
    // Another process: nothing is left of the first one but the store.
    registerMiddleware('in every process', make);
    const { text } = streamText({ model: crossed(crossed(model)), messages: chat(31) });
    expect(await text).toBe('Understood.');
    expect(lastPrompt(inner).map(textOf)).toEqual(sent);
    expect(make).toHaveBeenCalledTimes(2);
    expect(summarizer.doGenerateCalls).toHaveLength(1);
  });

  it('says which model it is, and makes it of a step with the first call', async () => {
    const inner = chatModel({ provider: 'a-provider', modelId: 'a-model' });
    const step = vi.fn<() => Promise<typeof inner>>(async () => inner);
    registerMiddleware('none', () => ({}));
    const made = durableModel({ model: step, middleware: 'none' });
    expect([made.provider, made.modelId]).toEqual(['durable', 'none']);
    expect(step).not.toHaveBeenCalled();
    const { response } = await generateText({ model: made, prompt: 'Hello' });
    expect(response.modelId).toBe('none');
    expect(await made.supportedUrls).toEqual(await inner.supportedUrls);
    const given = durableModel({ model: inner, middleware: 'none' });
    expect([given.provider, given.modelId]).toEqual(['a-provider', 'a-model']);
  });

  it('rejects where no middleware of its name is registered, and asks again for one that failed', async () => {
    const model = durableModel({ model: chatModel(), middleware: 'registered later' });
    const send = async (): Promise<string> =>
      (await generateText({ model, prompt: 'Hello', maxRetries: 0 })).text;
    await expect(send()).rejects.toThrow(
      'Invalid option middleware: got "registered later", allowed is a name that registerMiddleware',
    );
    const make = vi.fn<() => Promise<object>>(async () => ({}));
    make.mockRejectedValueOnce(new Error('no store'));
    registerMiddleware('registered later', make);
    await expect(send()).rejects.toThrow('no store');
    expect(await send()).toBe('Understood.');
  });

  it('refuses what it cannot be made of', () => {
    expect(() => durableModel({ model: '', middleware: 'a name' })).toThrow('option model');
    expect(() => durableModel({ model: 'a/model', middleware: '' })).toThrow('option middleware');
    expect(() => registerMiddleware('', () => ({}))).toThrow('option name');
    // @ts-expect-error -- what callers without types may write
    expect(() => registerMiddleware('a name', {})).toThrow('option make');
  });
});
