import { type JsonRecord, list, records } from '../json-view.ts';
import { chatTurns, checkChatMessages } from './chat-messages.ts';
import { blankTurns, checkNotEmpty, checkPairing, joinToolTurns, opensWithUser } from './common.ts';
import { type RuleViolation, broken, weak, when } from './rule-violation.ts';

const knownKeys = ['role', 'content', 'name', 'tool_calls', 'tool_call_id'];

/**
 * Rules C* and OC* of OpenAI's chat completions.
 *
 * @param alsoKnown - Keys of messages that a service knows beside OpenAI's.
 */
export function openaiChatRules(
  body: JsonRecord,
  alsoKnown: readonly string[] = [],
): RuleViolation[] {
  const turns = joinToolTurns(chatTurns(body));
  return [
    ...checkNotEmpty(
      turns,
      'C1',
      "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
    ),
    ...when(
      !opensWithUser(turns),
      weak('C2', 'The conversation does not begin with a user message.'),
    ),
    ...blankTurns(turns).map((turn) =>
      broken('C6', `Invalid 'messages[${turn}].content': empty text.`),
    ),
    ...checkPairing(turns, {
      orphan: (_id, turn) =>
        broken(
          'OC1',
          `Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls' (turn ${turn}).`,
        ),
      unanswered: (id) =>
        broken(
          'OC2',
          `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${id}`,
        ),
      duplicate: (id) => broken('C5', `Duplicate value for 'tool_call_id' of ${id}`),
    }),
    ...checkChatMessages(body, [...knownKeys, ...alsoKnown]),
    ...checkNullContent(body),
  ];
}

function checkNullContent(body: JsonRecord): RuleViolation[] {
  return records(body.messages).flatMap((message, index) =>
    message.content === null && list(message.tool_calls).length === 0
      ? [
          broken(
            'OC4',
            `Invalid value for 'content': expected a string, got null. (messages[${index}])`,
          ),
        ]
      : [],
  );
}
