import { type JsonRecord, isRecord, list, record, records, text } from '../json-view.ts';
import { chatTurns, checkChatMessages } from './chat-messages.ts';
import { blankTurns, checkNotEmpty, checkPairing, joinToolTurns, opensWithUser } from './common.ts';
import { type RuleViolation, broken, strict, weak, when } from './rule-violation.ts';

const knownKeys = ['role', 'content', 'name', 'tool_calls', 'tool_call_id', 'prefix'];

/** MI1: roles that may follow a role. */
const followers: Readonly<Record<string, readonly string[]>> = {
  system: ['user', 'assistant', 'system'],
  user: ['assistant', 'system', 'user'],
  assistant: ['assistant', 'user', 'tool'],
  tool: ['assistant', 'tool', 'user'],
};

/** Rules C* and MI* of Mistral's chat completions. */
export function mistralRules(body: JsonRecord): RuleViolation[] {
  const turns = joinToolTurns(chatTurns(body));
  return [
    ...checkNotEmpty(turns, 'C1', 'Conversation must have at least one message'),
    ...when(
      !opensWithUser(turns),
      strict('C2', "Expected the first message after the system messages to be of role 'user'"),
    ),
    ...blankTurns(turns).map((turn) =>
      broken('C6', `Message ${turn} must have non-empty content or tool_calls.`),
    ),
    ...checkPairing(turns, {
      orphan: (id) => broken('MI3', `Unexpected tool call id ${id} in tool results`),
      unanswered: () => broken('MI3', 'Not the same number of function calls and responses'),
      duplicate: (id) => broken('MI3', `Duplicate tool call id ${id} in assistant message`),
    }),
    ...checkChatMessages(body, knownKeys),
    ...checkOrder(body),
    ...checkCalls(body),
    ...checkEnd(body),
  ];
}

function checkOrder(body: JsonRecord): RuleViolation[] {
  const roles = records(body.messages).map((message) => text(message.role));
  return roles.slice(1).flatMap((role, index) => {
    const previous = roles[index] ?? '';
    const message = `Unexpected role '${role}' after role '${previous}'`;
    if (!(followers[previous] ?? []).includes(role)) return [broken('MI1', message)];
    if (role === 'user' && previous === 'tool') return [strict('MI2', message)];
    return [];
  });
}

function checkCalls(body: JsonRecord): RuleViolation[] {
  return records(body.messages).flatMap((message) => {
    const calls = records(message.tool_calls);
    const answered = message.role === 'tool' ? [message.tool_call_id] : [];
    const ids = [calls.map((call) => call.id), answered].flat();
    const names = calls.map((call) => text(record(call.function).name));
    const hasContent = list(message.content).length > 0 || text(message.content) !== '';
    return [
      ids
        .map((id) => text(id))
        .filter((id) => !/^[a-zA-Z0-9]{9}$/.test(id))
        .map((id) =>
          broken('MI4', `Tool call id was ${id} but must be a-z, A-Z, 0-9, with a length of 9.`),
        ),
      names
        .filter((name) => !/^[a-zA-Z0-9_-]{1,64}$/.test(name))
        .map((name) =>
          broken(
            'MI7',
            `Function name was ${name} but must be a-z, A-Z, 0-9, or contain underscores and dashes, with a maximum length of 64.`,
          ),
        ),
      when(
        hasContent && calls.length > 0,
        weak('MI6', 'Assistant message must have either content or tool_calls, but not both.'),
      ),
    ].flat();
  });
}

function checkEnd(body: JsonRecord): RuleViolation[] {
  const last = list(body.messages).at(-1);
  if (!isRecord(last) || last.role === 'user' || last.role === 'tool') return [];
  if (last.role === 'assistant' && last.prefix === true) return [];
  return [
    broken(
      'MI5',
      `Expected last role User or Tool (or Assistant with prefix or continue_final_message set to True) for serving but got ${text(last.role)}`,
    ),
  ];
}
