import { describe, expect, it } from 'vitest';
import { summarize, type SummarizeOptions } from '../../../src/text/index.ts';
import { promptText, summarizer, modelResult } from '../llm/fixtures.ts';
import { untyped } from '../../support/untyped.ts';

const subjects = ['harbour', 'orchard', 'railway', 'glacier', 'theatre', 'foundry'];

/** Paragraphs of some 60 tokens about one subject after the other, for each as many as it is given. */
function textAbout(...paragraphs: readonly number[]): string {
  return paragraphs
    .flatMap((count, subject) =>
      Array.from({ length: count }, (_, index) => {
        const name = subjects[subject] ?? '';
        return `The ${name} was seen on day ${index}. ${`Nobody at the ${name} knew what came next. `.repeat(4)}`;
      }),
    )
    .join('\n\n');
}

/** A vector says which subjects a text names. */
const embed = async (texts: string[]): Promise<number[][]> =>
  texts.map((text) => subjects.map((name) => text.split(name).length - 1));

/** The subjects of each chunk, in order. */
async function chunksOf(text: string, options: Partial<SummarizeOptions>): Promise<string[]> {
  const model = summarizer([modelResult('Words.')]);
  await summarize(text, {
    model,
    store: false,
    ...sizes,
    concurrency: 1,
    ...options,
  });
  const asked = model.doGenerateCalls
    .map(promptText)
    .filter((prompt) => /Part \d+ of/.test(prompt));
  return asked.map((prompt) => subjects.filter((name) => prompt.includes(name)).join(' '));
}

const sizes = { chunkSize: 600, chunkOverlap: 60, thresholds: { detailed: 1000 } } as const;
const semantic = { chunking: 'semantic', embed } as const;
const text = textAbout(8, 6, 7, 9, 6, 8);

describe('chunks that end where the subject changes', () => {
  it('hold one subject each, where chunks of paragraphs hold several', async () => {
    const mixed = (chunks: readonly string[]): number =>
      chunks.filter((names) => names.includes(' ')).length;
    const ofParagraphs = await chunksOf(text, {});
    const ofSubjects = await chunksOf(text, semantic);
    expect(mixed(ofParagraphs)).toBeGreaterThanOrEqual(3);
    expect(mixed(ofSubjects)).toBe(0);
    expect([...new Set(ofSubjects)]).toEqual(subjects);
    expect(ofSubjects.length).toBeLessThanOrEqual(2 * ofParagraphs.length);
  });

  it('are paid for where a text has grown, and nowhere else', async () => {
    const model = summarizer([modelResult('Words.')]);
    const options = { model, ...sizes, ...semantic };
    await summarize(text, options);
    const paid = model.doGenerateCalls.length;
    await summarize(`${text}\n\nThe foundry was sold.`, options);
    expect(model.doGenerateCalls.length - paid).toBeLessThanOrEqual(4);
  });

  it('are embedded as redact leaves them, at most a hundred texts at once', async () => {
    const given: string[][] = [];
    await chunksOf(textAbout(300), {
      ...semantic,
      redact: (each) => each.replaceAll('harbour', 'place'),
      embed: async (texts) => {
        given.push(texts);
        return embed(texts);
      },
    });
    expect(given.length).toBeGreaterThan(1);
    expect(given.every(({ length }) => length <= 100)).toBe(true);
    expect(given.flat().join('')).not.toContain('harbour');
  });

  it.each<[string, SummarizeOptions['embed']]>([
    ['rejects', () => Promise.reject(new Error('no embeddings today'))],
    ['throws', () => expect.fail()],
    ['returns too few vectors', async () => [[1]]],
    ['returns no numbers', async (texts) => texts.map(() => [Number.NaN])],
    ['never answers', async () => new Promise(() => {})],
  ])('are those of paragraphs where embed %s', async (_, failing) => {
    const options = { chunking: 'semantic', embed: failing, timeoutMs: 50 } as const;
    expect(await chunksOf(text, options)).toEqual(await chunksOf(text, {}));
  });

  it.each<[string, SummarizeOptions['embed']]>([
    ['are all alike', async (texts) => texts.map(() => [1, 0])],
    ['are all nothing', async (texts) => texts.map(() => [0, 0])],
    [
      'have lengths of their own',
      async (texts) => texts.map((_, index) => Array(index + 1).fill(1)),
    ],
  ])('hold the whole text where vectors %s', async (_, strange) => {
    const chunks = await chunksOf(text, { chunking: 'semantic', embed: strange });
    expect(new Set(chunks.flatMap((names) => names.split(' ')))).toEqual(new Set(subjects));
  });

  it('end with the signal', async () => {
    const controller = new AbortController();
    const run = chunksOf(text, {
      chunking: 'semantic',
      abortSignal: controller.signal,
      embed: () => {
        controller.abort(new Error('The user left.'));
        return new Promise(() => {});
      },
    });
    await expect(run).rejects.toThrow('The user left.');
  });

  it.each([
    [{ chunking: 'semantic' }, 'embed'],
    [{ embed }, 'embed'],
    [{ chunking: 'topics', embed }, 'chunking'],
    [{ chunking: 'semantic', embed: 'model' }, 'embed'],
  ])('refuses wrong options: %j', async (options, option) => {
    await expect(chunksOf('Text.', untyped(options))).rejects.toMatchObject({ option });
  });
});
