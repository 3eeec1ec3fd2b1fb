import { cutMiddle } from '../../tokens/text/cut-middle.ts';
import { escapeJson } from '../../json/escape-json.ts';

/** Shares of what a model can read: the prior summary at most, and the text at least. */
const priorShare = 0.25;
const textShare = 0.25;

/** Share of what a model can read that one summary may have, so that others can be read with it. */
const summaryShare = 0.3;

/** What one model can read of one kind of request. */
export interface ReadLimits {
  /** What came before, as JSON; shortened where it would leave no room. */
  readonly priorSummary: string;
  /** Tokens of JSON beside the prompt and the prior summary. */
  readonly room: number;
  /** Tokens a summary may have. */
  readonly maxSummaryTokens: number;
}

/** Shares out what a model can read, in tokens, between what has to stand in every request. */
export async function readLimits({
  readable,
  templates,
  prior,
  count,
}: {
  readonly readable: number;
  /** Texts that are asked with. */
  readonly templates: readonly string[];
  /** What came before, as JSON. */
  readonly prior: string;
  readonly count: (text: string) => Promise<number>;
}): Promise<ReadLimits> {
  const priorTokens = await count(prior);
  const maxTokens = Math.floor(readable * priorShare);
  const most = Math.floor((prior.length * maxTokens) / priorTokens);
  const priorSummary = priorTokens <= maxTokens ? prior : escapeJson(cutMiddle(prior, most).text);
  const sizes = await Promise.all(templates.map(count));
  const around = Math.max(...sizes) + (await count(priorSummary));
  return {
    priorSummary,
    // A long prompt must not leave the text unread.
    room: Math.max(1, readable - around, Math.floor(readable * textShare)),
    maxSummaryTokens: Math.max(1, Math.floor(readable * summaryShare)),
  };
}
