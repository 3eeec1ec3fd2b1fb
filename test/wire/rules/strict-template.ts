import { type JsonRecord, records, text } from '../json-view.ts';
import { chatTurns, checkChatMessages } from './chat-messages.ts';
import { blankTurns, checkNotEmpty, checkPairing, joinToolTurns, opensWithUser } from './common.ts';
import { type RuleViolation, broken, strict, when } from './rule-violation.ts';

const knownKeys = ['role', 'content', 'name', 'tool_calls', 'tool_call_id', 'reasoning_content'];

/** Rules C* and ST* of an OpenAI-compatible server in front of a strict chat template. */
export function strictTemplateRules(body: JsonRecord): RuleViolation[] {
  const turns = joinToolTurns(chatTurns(body));
  return [
    ...checkNotEmpty(turns, 'C1', 'list index out of range'),
    ...when(
      !opensWithUser(turns),
      strict('C2', 'No user query found in messages: the first message must be a user message.'),
    ),
    ...blankTurns(turns).map((turn) =>
      broken('C6', `messages[${turn}]: content must not be empty.`),
    ),
    ...checkPairing(turns, {
      orphan: (id) =>
        broken(
          'C3',
          `Message has tool role, but there was no previous assistant message with a tool call ${id}!`,
        ),
      unanswered: (id) => broken('C4', `Tool call ${id} has no response.`),
      duplicate: (id) => broken('C5', `Tool call ${id} appears twice.`),
    }),
    ...checkChatMessages(body, knownKeys),
    ...checkSystem(body),
    ...checkAlternation(body),
  ];
}

/** ST1 and ST3: one system message at most, in front, and no `developer` role. */
function checkSystem(body: JsonRecord): RuleViolation[] {
  const messages = records(body.messages);
  const late = messages.slice(1).some((message) => message.role === 'system');
  const developer = messages.some((message) => message.role === 'developer');
  return [
    ...when(late, strict('ST1', 'System message must be at the beginning.')),
    ...when(developer, strict('ST3', 'Unexpected message role: developer')),
  ];
}

/**
 * ST2, as the Mistral template words it: leaving tool traffic aside, user and assistant take turns.
 */
function checkAlternation(body: JsonRecord): RuleViolation[] {
  const speakers = records(body.messages)
    .filter(
      (message) =>
        message.role === 'user' ||
        (message.role === 'assistant' && records(message.tool_calls).length === 0),
    )
    .map((message) => text(message.role));
  const alternates = speakers.every(
    (role, index) => role === (index % 2 === 0 ? 'user' : 'assistant'),
  );
  return alternates
    ? []
    : [strict('ST2', 'Conversation roles must alternate user/assistant/user/assistant/...')];
}
