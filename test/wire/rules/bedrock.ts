import { type JsonRecord, isRecord, record, records, text } from '../json-view.ts';
import { proofOf } from '../proof.ts';
import { type Turn, blankTurns, checkNotEmpty, checkPairing } from './common.ts';
import { type RuleViolation, broken, strict, when } from './rule-violation.ts';

/** Rules C* and BE* of Amazon Bedrock's Converse. */
export function bedrockRules(body: JsonRecord): RuleViolation[] {
  const turns = bedrockTurns(body);
  const messages = records(body.messages);
  return [
    ...checkNotEmpty(
      turns,
      'C1',
      'A conversation must start with a user message. Try again with a conversation that starts with a user message.',
    ),
    ...when(
      !(messages[0] === undefined || messages[0].role === 'user'),
      broken(
        'BE1',
        'A conversation must start with a user message. Try again with a conversation that starts with a user message.',
      ),
    ),
    ...checkPairing(turns, {
      orphan: (_id, turn) =>
        broken(
          'BE3',
          `The number of toolResult blocks at messages.${turn}.content exceeds the number of toolUse blocks of previous turn.`,
        ),
      unanswered: (id, turn) =>
        broken(
          'BE3',
          `Expected toolResult blocks at messages.${turn}.content for the following Ids: ${id}`,
        ),
      duplicate: (id, turn) =>
        broken('C5', `messages.${turn}.content contains duplicate Ids: ${id}`),
    }),
    ...blankTurns(turns).map((turn) =>
      broken(
        'BE4',
        `The text field in the ContentBlock object at messages.${turn}.content.0 is blank. Add text to the text field, and try again.`,
      ),
    ),
    ...checkTurns(messages),
    ...checkTools(body),
    ...checkBlocks(body),
  ];
}

function bedrockTurns(body: JsonRecord): Turn[] {
  const system: Turn = {
    role: 'system',
    texts: textsOf(records(body.system)),
    calls: [],
    results: [],
  };
  const messages = records(body.messages).map((message): Turn => {
    const content = records(message.content);
    return {
      role: message.role === 'assistant' ? 'assistant' : 'user',
      texts: textsOf(content),
      calls: uses(content).map((use) => text(use.toolUseId)),
      results: results(content).map((result) => text(result.toolUseId)),
    };
  });
  return system.texts.length === 0 ? messages : [system, ...messages];
}

const textsOf = (content: readonly JsonRecord[]): string[] =>
  content.filter((block) => typeof block.text === 'string').map((block) => text(block.text));

const uses = (content: readonly JsonRecord[]): JsonRecord[] =>
  content.filter((block) => isRecord(block.toolUse)).map((block) => record(block.toolUse));

const results = (content: readonly JsonRecord[]): JsonRecord[] =>
  content.filter((block) => isRecord(block.toolResult)).map((block) => record(block.toolResult));

/** Alternation of roles, and BE8. */
function checkTurns(messages: readonly JsonRecord[]): RuleViolation[] {
  return messages.flatMap((message, index) => {
    const content = records(message.content);
    const mixed = results(content).length > 0 && textsOf(content).length > 0;
    return [
      ...when(
        index > 0 && messages[index - 1]?.role === message.role,
        broken(
          'C2',
          'A conversation must alternate between user and assistant roles. Make sure the conversation alternates between user and assistant roles and try again.',
        ),
      ),
      ...when(
        mixed,
        strict(
          'BE8',
          `messages.${index}.content: Conversation blocks and tool result blocks cannot be provided in the same turn.`,
        ),
      ),
    ];
  });
}

/** BE2, C10 and BE9. */
function checkTools(body: JsonRecord): RuleViolation[] {
  const content = records(body.messages).flatMap((message) => records(message.content));
  const hasTools = records(record(body.toolConfig).tools).length > 0;
  return [
    ...when(
      !hasTools && uses(content).length + results(content).length > 0,
      broken(
        'BE2',
        'The toolConfig field must be defined when using toolUse and toolResult content blocks.',
      ),
    ),
    ...uses(content)
      .filter((use) => !isRecord(use.input))
      .map(() =>
        broken(
          'C10',
          'The format of the value at messages.content.toolUse.input is invalid. Provide a json object for the field and try again.',
        ),
      ),
    ...results(content)
      .filter((result) => result.status === 'error' && records(result.content).length === 0)
      .map(() =>
        broken(
          'BE9',
          'The content field at messages.content.toolResult cannot be empty when status value is error.',
        ),
      ),
  ];
}

/** BE6 and BE7: reasoning bytes, and no cache point that stands alone. */
function checkBlocks(body: JsonRecord): RuleViolation[] {
  const messages = records(body.messages);
  const content = messages.flatMap((message) => records(message.content));
  const reasoning = content.map((block) => record(record(block.reasoningContent).reasoningText));
  const points = [...records(body.system), ...content].filter((block) =>
    isRecord(block.cachePoint),
  );
  return [
    ...reasoning
      .filter((part) => typeof part.text === 'string' && part.signature !== proofOf(part.text))
      .map(() =>
        broken(
          'BE6',
          'The model returned the following errors: Invalid `signature` in `thinking` block',
        ),
      ),
    ...when(
      points.length > 4,
      broken('BE7', `The number of cachePoint blocks is ${points.length}, the maximum is 4.`),
    ),
    ...messages
      .filter((message) => isRecord(records(message.content)[0]?.cachePoint))
      .map(() => broken('BE7', 'A cachePoint cannot be the first block of a message.')),
  ];
}
