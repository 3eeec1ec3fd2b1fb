import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadPromptTemplates, loadSettings } from '../../src/entries/node/index.ts';
import type { SummarizationOptions } from '../../src/index.ts';
import { assistant, user, words } from '../support/messages.ts';
import { textOf } from '../support/prompts.ts';
import { eventsOf, force, setUp as setUpModel } from '../support/set-up.ts';
import { setUp, write } from './folders.ts';

/** Sends conversations of their own, each summarized once. */
function conversations(prompts: SummarizationOptions['prompts']) {
  const setup = setUpModel({ prompts, contextLength: 20_000 });
  let count = 0;
  /** Returns the instructions of the next summary, and the templates that an event named. */
  const next = async () => {
    const { length } = setup.events;
    const [talk, turns] = [count++, Array.from({ length: 14 }, (_, index) => index)];
    await force(
      setup,
      turns.map((index) =>
        (index % 2 === 0 ? user : assistant)(`Talk ${talk}, ${index}: ${words(index, 40)}`),
      ),
    );
    const events = setup.events.slice(length);
    const [system = '', request = ''] =
      setup.summarizer.doGenerateCalls.at(-1)?.prompt.map(textOf) ?? [];
    const changes = eventsOf({ events }, 'prompts-reloaded').map(({ templates }) => templates);
    return { system, template: request.slice(0, request.indexOf('[')), changes, events };
  };
  return { ...setup, next };
}

it('an edited template takes effect with the next summary, and one event names it', async () => {
  const { project, warnings, options } = setUp();
  const first = write(join(project, 'summarize-first.md'), 'ONE {content}');
  const { next } = conversations(loadPromptTemplates(options));
  expect(await next()).toMatchObject({ template: 'ONE ', changes: [] });
  write(first, 'ONE {content}');
  expect(await next()).toMatchObject({ template: 'ONE ', changes: [] });
  write(first, 'TWO {content}');
  write(join(project, 'summarize-system.md'), 'SYSTEM');
  write(join(project, 'tool_results.md'), 'TOOL {content}');
  expect(await next()).toMatchObject({
    system: 'SYSTEM',
    template: 'TWO ',
    changes: [['summary.system', 'summary.first', 'toolResults']],
  });
  expect(await next()).toMatchObject({ system: 'SYSTEM', template: 'TWO ', changes: [] });
  // As a new process would have it.
  rmSync(join(project, 'summarize-system.md'));
  const { system, changes } = await next();
  expect(system).not.toBe('SYSTEM');
  expect(changes).toEqual([['summary.system']]);
  expect(warnings).toEqual([]);
});

it('a middleware that is made anew for each request reports no change twice', async () => {
  const { project, options } = setUp();
  const first = write(join(project, 'summarize-first.md'), 'ONE {content}');
  const prompts = loadPromptTemplates(options);
  write(first, 'TWO {content}');
  const changes = [['summary.first']];
  expect(await conversations(prompts).next()).toMatchObject({ template: 'TWO ', changes });
  expect(await conversations(prompts).next()).toMatchObject({ template: 'TWO ', changes: [] });
});

it('a file that can no longer be used keeps its last text, with one warning each time it breaks', async () => {
  const { project, warnings, options } = setUp();
  const own = write(join(project, 'mine.md'), 'MINE {content}');
  const tool = write(join(project, 'tool_results.md'), 'TOOL {content}');
  const { next } = conversations(
    loadPromptTemplates({ ...options, prompts: { summary: 'mine.md' } }),
  );
  for (const round of [1, 2]) {
    rmSync(own);
    write(tool, 'no variable');
    for (const _ of ['once', 'twice'])
      expect(await next()).toMatchObject({ template: 'MINE ', changes: [] });
    expect(warnings.splice(0)).toEqual([
      expect.stringMatching(
        /^The template prompts\.summary keeps its text: "mine\.md" was not used, there is no/,
      ),
      expect.stringMatching(
        /^The template prompts\.toolResults keeps its text: tool_results\.md in .* exactly once\.$/,
      ),
    ]);
    write(own, 'MINE {content}');
    write(tool, `TOOL ${round} {content}`);
    expect(await next()).toMatchObject({ template: 'MINE ', changes: [['toolResults']] });
  }
  expect(warnings).toEqual([]);
});

it('a file that an editor has emptied keeps its last text', async () => {
  const { project, warnings, options } = setUp();
  const file = write(join(project, 'summarize-system.md'), 'MINE');
  const { next } = conversations(loadPromptTemplates(options));
  expect(await next()).toMatchObject({ system: 'MINE' });
  write(file, '');
  expect(await next()).toMatchObject({ system: 'MINE', changes: [] });
  expect(warnings).toEqual([expect.stringContaining('it is empty')]);
});

it('a function that promises the prompts fails, and ends nothing', async () => {
  const texts = loadPromptTemplates(setUp().options);
  const reload = async () => Promise.reject(new Error('no database'));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as without types
  const { next } = conversations({ ...texts, reload: reload as unknown as () => typeof texts });
  const { events } = await next();
  expect(eventsOf({ events }, 'failed')).toMatchObject([{ stage: 'prompts' }]);
});

it('templates of a settings file are read again too', async () => {
  const { project, projectDirectory, options } = setUp();
  const settings = write(join(projectDirectory, 'settings.json'), '{}');
  write(join(project, 'summarize-first.md'), 'ONE {content}');
  const { next } = conversations(loadSettings(settings, options).prompts);
  expect(await next()).toMatchObject({ template: 'ONE ', changes: [] });
  write(join(project, 'summarize-first.md'), 'TWO {content}');
  expect(await next()).toMatchObject({ template: 'TWO ', changes: [['summary.first']] });
});

it('a copy of the templates is plain texts', async () => {
  const { project, options } = setUp();
  write(join(project, 'summarize-first.md'), 'ONE {content}');
  const { next } = conversations({ ...loadPromptTemplates(options), maxSummaryChars: 99 });
  write(join(project, 'summarize-first.md'), 'TWO {content}');
  expect(await next()).toMatchObject({ template: 'ONE ', changes: [] });
});

it.each([
  ['throws', new Error('The database is away.'), 'The database is away.'],
  ['returns a wrong template', { summary: 'no variable' }, 'Invalid option prompts.summary: '],
])('prompts stay if reload %s, and an event says why', async (_, answer, message) => {
  const answers: (object | Error)[] = [answer, { summary: 'THREE {content}' }];
  const reload = () => {
    const now = answers.shift();
    if (now instanceof Error) throw now;
    return now ?? {};
  };
  const { next } = conversations({ summary: 'ONE {content}', reload });
  const { template, events } = await next();
  expect(template).toBe('ONE ');
  expect(eventsOf({ events }, 'failed')).toMatchObject([
    { stage: 'prompts', error: { message: expect.stringContaining(message) } },
  ]);
  expect(await next()).toMatchObject({ template: 'THREE ' });
});
