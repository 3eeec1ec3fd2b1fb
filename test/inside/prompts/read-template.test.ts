import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { builtInTemplates } from '../../../src/node/templates.ts';
import { readTemplate } from '../../../src/prompts/template.ts';

describe('readTemplate', () => {
  it.each([
    ['no front matter', 'Text {content}', { text: 'Text {content}' }],
    ['a version', '---\nversion: 2\n---\n\nText', { text: 'Text', version: '2' }],
    [
      'everything, quoted, with notes and line ends of Windows',
      '---\r\n# note\r\nversion: "2.1"\r\n\r\ndescription: \'a: b\'\r\ncontent_types: [ "journal", document ]\r\n---\r\nText',
      {
        text: 'Text',
        version: '2.1',
      },
    ],
    ['an empty version', '---\nversion:\n---\nText', { text: 'Text' }],
    ['a rule of Markdown', '---\nText\n---\n', { text: '---\nText\n---\n' }],
    ['other fields', '---\ntitle: {content}\n---\n', { text: '---\ntitle: {content}\n---\n' }],
    ['no end', '---\nversion: 2\n', { text: '---\nversion: 2\n' }],
    ['nothing else', '---\nversion: 2\n---', { text: '', version: '2' }],
    ['a long version', `---\nversion: ${'9'.repeat(99)}\n---\nText`, { text: 'Text', version: '9'.repeat(40) }],
  ])('reads %s', (_, source, expected) => {
    expect(readTemplate(source)).toEqual(expected);
  });

  it('takes linear time', () => {
    const source = `---\n${'a:\n'.repeat(300_000)}`;
    expect(readTemplate(source).text).toBe(source);
  });
});

describe('the built-in templates', () => {
  // Who changes a text gives it a new version, so that records tell of the change.
  it('have a version for each text', () => {
    const found = Object.entries(builtInTemplates).map(([name, source]) => {
      const { text, version } = readTemplate(source);
      return `${name}@${version} ${createHash('sha256').update(text).digest('hex').slice(0, 12)}`;
    });
    expect(found.toSorted()).toMatchInlineSnapshot(`
      [
        "agent_messages.md@1 7d70a7d1f2cd",
        "brief.md@1 3eb042b99e08",
        "chunk.md@1 aa1dd7451693",
        "conversation.md@1 e57ad6491032",
        "document.md@1 be8945448133",
        "journal.md@1 6e793cd38205",
        "meta.md@1 aa717aedb086",
        "standard.md@1 1270e5d5e4d8",
        "summarize-first.md@1 0fc8e65cbfe5",
        "summarize-rebase.md@2 c6af79e72b3a",
        "summarize-system.md@2 688931ae7ae4",
        "summarize-update.md@2 09bd798e42d3",
        "tool_results.md@1 fccb4112fc7e",
        "user_messages.md@1 5ad740513f18",
      ]
    `);
  });
});
