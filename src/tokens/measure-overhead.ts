import type { CallOptions } from '../prompt/prompt-types.ts';
import { measureJson, type PromptMeasure } from './measure-message.ts';
import type { MediaFamily } from './files/media-family-of.ts';
import { runAtOnce, type Steps } from '../util/async/run-steps.ts';

/** What a call carries besides its messages. */
export type OverheadParams = Pick<CallOptions, 'tools' | 'toolChoice' | 'responseFormat'>;

/** Tokens that open the answer: OpenAI states 3. */
const answerOpeningTokens = 3;
/** Tokens for the frame of a tool definition; OpenAI's own format is a little shorter than JSON. */
const toolTokens = 8;
/** Tokens for the definition of a tool that the provider keeps itself, such as a web search. */
const providerToolTokens = 500;
/** Tokens that tell the model how to call tools: Anthropic states 346, templates of Qwen take 130. */
const toolPreambleTokens: Readonly<Record<MediaFamily, number>> = {
  openai: 16,
  anthropic: 346,
  google: 16,
  other: 130,
};
/** Tools between two steps. */
const toolsAtOnce = 32;
/** Tokens for the frame of a response schema. */
const responseFormatTokens = 16;

/**
 * Adds up what a provider is sent for the tools and the response schema: their names, descriptions
 * and schemas as JSON, a frame for each, the preamble of tool use (the longest if no family is given),
 * and the opening of the answer.
 */
export function measureOverhead(
  params: OverheadParams,
  measure: Omit<PromptMeasure, 'file'>,
  family: MediaFamily | undefined,
): number {
  return runAtOnce(overheadSteps(params, measure, family));
}

/** The same in steps between which others may work. */
export function* overheadSteps(
  { tools = [], toolChoice, responseFormat }: OverheadParams,
  measure: Omit<PromptMeasure, 'file'>,
  family: MediaFamily | undefined,
): Steps<number> {
  const preamble = family === undefined ? toolPreambleTokens.anthropic : toolPreambleTokens[family];
  let total = answerOpeningTokens + (tools.length > 0 ? preamble : 0);
  for (const [index, tool] of tools.entries()) {
    if (index % toolsAtOnce === toolsAtOnce - 1) yield;
    if (tool.type === 'provider') {
      total += providerToolTokens + measure.text(tool.name) + measureJson(tool.args, measure);
    } else {
      const { name, description, inputSchema: parameters, inputExamples } = tool;
      const definition = { name, description, parameters, inputExamples };
      total += toolTokens + measureJson(definition, measure);
    }
  }
  if (toolChoice?.type === 'tool') total += measure.text(toolChoice.toolName);
  if (responseFormat?.type === 'json') {
    const { name, description, schema } = responseFormat;
    total += responseFormatTokens + measureJson({ name, description, schema }, measure);
  }
  return total;
}
