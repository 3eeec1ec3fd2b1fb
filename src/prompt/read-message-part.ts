import type { Message } from './prompt-types.ts';

type OwnPart = Exclude<Message['content'], string>[number];

/** What a tool answered. */
export type ToolOutput = Extract<OwnPart, { type: 'tool-result' }>['output'];

/** A part of a message, or of what a tool answered: both have texts, files and what only a provider reads. */
export type MessagePart = OwnPart | Extract<ToolOutput, { type: 'content' }>['value'][number];

type PartOf<Type extends MessagePart['type']> = Extract<MessagePart, { type: Type }>;
type OutputOf<Type extends ToolOutput['type']> = Extract<ToolOutput, { type: Type }>;

/** A part, or an output, of a type that only a newer SDK knows. */
export type UnknownPart = Readonly<Record<string, unknown>>;

/** What is done with a part of each kind. It is made once: what it needs of a call is handed on. */
export interface PartReader<Given, Result> {
  readonly text: (part: PartOf<'text'>, given: Given) => Result;
  readonly file: (part: PartOf<'file'>, given: Given) => Result;
  readonly reasoning: (part: PartOf<'reasoning'>, given: Given) => Result;
  readonly reasoningFile: (part: PartOf<'reasoning-file'>, given: Given) => Result;
  readonly call: (part: PartOf<'tool-call'>, given: Given) => Result;
  readonly result: (part: PartOf<'tool-result'>, given: Given) => Result;
  readonly approval: (part: PartOf<'tool-approval-response'>, given: Given) => Result;
  readonly custom: (part: PartOf<'custom'>, given: Given) => Result;
  readonly unknown: (part: UnknownPart, given: Given) => Result;
}

/** Reads a part by its kind: the one place that knows which types of parts there are. */
export function readMessagePart<Given, Result>(
  part: MessagePart,
  reader: PartReader<Given, Result>,
  given: Given,
): Result {
  switch (part.type) {
    case 'text':
      return reader.text(part, given);
    case 'file':
      return reader.file(part, given);
    case 'reasoning':
      return reader.reasoning(part, given);
    case 'reasoning-file':
      return reader.reasoningFile(part, given);
    case 'tool-call':
      return reader.call(part, given);
    case 'tool-result':
      return reader.result(part, given);
    case 'tool-approval-response':
      return reader.approval(part, given);
    case 'custom':
      return reader.custom(part, given);
    default:
      return reader.unknown(part satisfies never, given);
  }
}

/** What is done with what a tool answered, by its kind; of an error or not. */
export interface OutputReader<Given, Result> {
  readonly text: (output: OutputOf<'text' | 'error-text'>, given: Given) => Result;
  readonly json: (output: OutputOf<'json' | 'error-json'>, given: Given) => Result;
  readonly denied: (output: OutputOf<'execution-denied'>, given: Given) => Result;
  /** Its parts are read as those of messages are. */
  readonly content: (output: OutputOf<'content'>, given: Given) => Result;
  readonly unknown: (output: UnknownPart, given: Given) => Result;
}

/** Reads an output by its kind: the one place that knows which types of outputs there are. */
export function readToolOutput<Given, Result>(
  output: ToolOutput,
  reader: OutputReader<Given, Result>,
  given: Given,
): Result {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return reader.text(output, given);
    case 'json':
    case 'error-json':
      return reader.json(output, given);
    case 'execution-denied':
      return reader.denied(output, given);
    case 'content':
      return reader.content(output, given);
    default:
      return reader.unknown(output satisfies never, given);
  }
}

/** What an unknown part says, as JSON; the options of providers change from call to call. */
export function unknownContent(part: UnknownPart): object {
  return part['providerOptions'] === undefined ? part : { ...part, providerOptions: undefined };
}
