import { describe, expect, it } from 'vitest';
import { checkGrounding } from '../../../../../src/strategies/llm/checks/check-grounding.ts';
import type { SummaryContent, SummaryContext } from '../../../../../src/index.ts';
import {
  assistant,
  content,
  record,
  toolCall,
  toolResult,
  user,
} from '../../../../strategies/llm/fixtures.ts';
import { noPauses } from '../../../support/no-pauses.ts';

const messages = [
  user(
    'Deploy the invoice service to eu-west-1. Never restart the ledger database during office hours!',
  ),
  assistant('I chose blue-green deployment for the invoice service; the ticket is OPS-4711.'),
  toolCall('edit_file', { path: 'deploy/invoice.yaml', old_str: 'a', new_str: 'b' }),
  toolResult('edit_file', 'done'),
  user('Fine. '.repeat(200)),
];

function count(text: string): number {
  return Math.ceil(text.length / 4);
}

async function corrected(
  context: Partial<SummaryContext>,
  maxSummaryTokens = 2000,
): Promise<SummaryContext & Pick<SummaryContent, 'changedFiles'>> {
  const checked = await checkGrounding(
    content({ context }),
    { messages, maxSummaryTokens },
    { count, slices: noPauses },
  );
  return { ...checked.context, changedFiles: checked.changedFiles };
}

describe('checkGrounding', () => {
  it('adds identifiers and changed files that the model dropped, and no rules', async () => {
    const { constraints, domainEntities, changedFiles } = await corrected({});
    expect(constraints).toEqual([]);
    expect(changedFiles).toEqual(['deploy/invoice.yaml']);
    expect(domainEntities).toContain('OPS-4711');
  });

  it('names a changed file once, however the model spelled it', async () => {
    const { domainEntities, changedFiles } = await corrected({
      domainEntities: ['Deploy / invoice.yaml'],
    });
    expect(changedFiles).toEqual(['deploy/invoice.yaml']);
    expect(domainEntities).not.toContain('Deploy / invoice.yaml');
    expect(domainEntities).not.toContain('deploy/invoice.yaml');
  });

  it('adds nothing that the model said in other spelling', async () => {
    const { domainEntities } = await corrected({ domainEntities: ['Ops 4711'] });
    expect(domainEntities).not.toContain('OPS-4711');
  });

  it.each<[string, 'constraints' | 'decisions' | 'domainEntities', string, boolean]>([
    ['a constraint, which is not the model’s', 'constraints', 'Never deploy on Fridays', true],
    ['an entity in other case and punctuation', 'domainEntities', 'EU WEST 1', true],
    ['an identifier that no message holds', 'domainEntities', 'us-east-2', false],
    [
      'a decision in other words of one message',
      'decisions',
      'Blue-green deployment was chosen for the invoice service',
      true,
    ],
    ['an invented decision', 'decisions', 'Postgres replaces the old queue', false],
    [
      'a decision pieced together from several messages',
      'decisions',
      'Ticket OPS-4711 restarts the ledger during office hours on Postgres',
      false,
    ],
  ])('judges %s', async (_, field, text, isKept) => {
    expect((await corrected({ [field]: [text] }))[field].includes(text)).toBe(isKept);
  });

  it('keeps what the previous record says', async () => {
    const previous = record(
      content({ context: { decisions: ['Ship in May'], domainEntities: ['acme.example'] } }),
    );
    const given = content({
      context: { decisions: ['Ship in May'], domainEntities: ['acme.example'] },
    });
    const { context } = await checkGrounding(
      given,
      { messages: [user('ok')], previous, maxSummaryTokens: 1000 },
      { count, slices: noPauses },
    );
    expect(context).toEqual(given.context);
  });

  it('adds no more than its shares of the budget', async () => {
    const many = Array.from({ length: 400 }, (_, index) =>
      user(`Always check the file src/part_${index}.ts before you merge number ${index}.`),
    );
    const { context } = await checkGrounding(
      content(),
      { messages: many, maxSummaryTokens: 500 },
      { count, slices: noPauses },
    );
    const tokens = (texts: readonly string[]): number =>
      texts.reduce((sum, text) => sum + count(text), 0);
    expect(context.domainEntities.length).toBeGreaterThan(0);
    expect(tokens(context.domainEntities)).toBeLessThanOrEqual(50);
  });

  it('names a file by its path and not by its name again', async () => {
    const paths = ['src/parser.ts', 'src/lexer.ts', 'src/printer.ts'];
    const read = paths.map((path) => toolCall('read_file', { path }));
    const asked = user(`Compare parser.ts, lexer.ts and printer.ts. ${'Really. '.repeat(400)}`);
    const input = { messages: [asked, ...read], maxSummaryTokens: 2000 };
    const { domainEntities } = (
      await checkGrounding(content({}), input, { count, slices: noPauses })
    ).context;
    expect(domainEntities).toEqual(expect.arrayContaining(paths));
    expect(domainEntities.filter((text) => !text.includes('/'))).toEqual([]);
  });

  it('gives no more than a quarter of a full summary to names, the mentioned ones first', async () => {
    const old = Array.from({ length: 60 }, (_, index) => `module-${index}/index.ts`);
    const keyPoints = Array.from({ length: 20 }, (_, index) => `Fact ${index} about the invoices.`);
    const previous = record(content({ keyPoints, context: { domainEntities: old } }));
    const full = content({ keyPoints, context: { domainEntities: ['eu-west-1', ...old] } });
    const { context } = await checkGrounding(
      full,
      { messages, previous, maxSummaryTokens: 500 },
      { count, slices: noPauses },
    );
    expect(count(context.domainEntities.join(', '))).toBeLessThanOrEqual(500 / 4);
    expect(context.domainEntities[0]).toBe('eu-west-1');
    expect(context.domainEntities).toContain('module-59/index.ts');
    expect(context.domainEntities).not.toContain('module-0/index.ts');
  });

  it('knows a file that was changed before', async () => {
    const previous = { ...record(content({})), changedFiles: ['deploy/ledger-7.yaml'] };
    const told = content({ summary: 'Work goes on in deploy/ledger-7.yaml, not ledger-9.yaml.' });
    const { summary, changedFiles } = await checkGrounding(
      told,
      { messages, previous, maxSummaryTokens: 2000 },
      { count, slices: noPauses },
    );
    expect(changedFiles).toEqual(['deploy/ledger-7.yaml', 'deploy/invoice.yaml']);
    expect(summary).not.toContain('ledger-7.yaml (?)');
    expect(summary).toContain('(?)');
  });

  it('says the same when there is nothing to correct', async () => {
    const given = content();
    const input = { messages: [user('thank you')], maxSummaryTokens: 1000 };
    const { summary, keyPoints, context } = await checkGrounding(given, input, {
      count,
      slices: noPauses,
    });
    expect({ summary, keyPoints, context }).toMatchObject(given);
  });

  it('looks things up in what redaction left of the messages', async () => {
    const { context } = await checkGrounding(
      content({ context: { domainEntities: ['secret_77', '[gone]'] } }),
      {
        messages: [user(`The key is secret_77. ${'More words follow here. '.repeat(50)}`)],
        maxSummaryTokens: 1000,
        redact: (text) => text.replaceAll('secret_77', '[gone]'),
      },
      { count, slices: noPauses },
    );
    expect(context.domainEntities).toEqual(['secret_77 (?)', '[gone]']);
  });
});
