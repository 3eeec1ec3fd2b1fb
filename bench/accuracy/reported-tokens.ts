import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '@ai-sdk/provider';
import type { Family } from './families.ts';

type Part = Exclude<LanguageModelV4Message['content'], string>[number];

/** What a provider of one family counts. */
export interface ReportedTokens {
  readonly input: (call: Pick<LanguageModelV4CallOptions, 'prompt' | 'tools'>) => number;
  /** Tokens of an answer: its parts, without the frame that it gets in the next prompt. */
  readonly output: (answer: LanguageModelV4Message) => number;
}

/** Counts as a provider of a family does, each text once. */
export function reportedTokens(family: Family): ReportedTokens {
  const known = new Map<string, number>();
  const count = (text: string): number => {
    let tokens = known.get(text);
    if (tokens === undefined) {
      tokens = family.count(text);
      known.set(text, tokens);
    }
    return tokens;
  };
  const parts = ({ content }: LanguageModelV4Message): number =>
    typeof content === 'string'
      ? count(content)
      : content.reduce((sum, part) => sum + partTokens(part, family, count), 0);
  return {
    input: ({ prompt, tools = [] }) => {
      let total = tools.length > 0 ? family.toolPreambleTokens : 0;
      for (const tool of tools) total += count(JSON.stringify(tool)) + family.toolPartTokens;
      for (const message of prompt) total += parts(message) + family.messageTokens;
      return total;
    },
    output: parts,
  };
}

function partTokens(part: Part, family: Family, count: (text: string) => number): number {
  switch (part.type) {
    case 'text':
      return count(part.text);
    case 'tool-call': {
      const { toolName: name, input: args } = part;
      return family.toolPartTokens + count(JSON.stringify({ name, arguments: args }));
    }
    case 'tool-result': {
      const { output } = part;
      const value =
        output.type === 'text' || output.type === 'error-text'
          ? output.value
          : JSON.stringify(output);
      const sent = family.escapesResults ? JSON.stringify({ content: value }) : value;
      return family.toolPartTokens + count(part.toolName) + count(sent);
    }
    default:
      throw new Error(`The corpora hold no ${part.type} parts.`);
  }
}
