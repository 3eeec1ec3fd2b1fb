/**
 * Context lengths by the beginning of a model's name, in tokens: the context length alone, or with an
 * input limit that is smaller. `llama-3.1` covers `Meta-Llama-3.1-8B-Instruct`, `llama3-1-70b` and
 * `llama-v3p1-405b`; the longest entry wins.
 */
export type ContextLengthTable = Readonly<
  Record<string, number | readonly [contextLength: number, inputLimit: number]>
>;
