import { type JsonRecord, list, record, records, text } from '../json-view.ts';
import { type Turn, isJsonObjectText, unknownKeys } from './common.ts';
import { type RuleViolation, broken } from './rule-violation.ts';

/** The messages of a chat-completions body as turns; `developer` is a system turn. */
export function chatTurns(body: JsonRecord): Turn[] {
  return records(body.messages).map((message) => ({
    role: chatRole(message.role),
    texts: chatTexts(message),
    calls: records(message.tool_calls).map((call) => text(call.id)),
    results: message.role === 'tool' ? [text(message.tool_call_id)] : [],
  }));
}

function chatRole(role: unknown): Turn['role'] {
  if (role === 'user' || role === 'assistant' || role === 'tool') return role;
  return 'system';
}

/** Texts that must not be blank: a tool's output and the empty text beside tool calls are exempt. */
function chatTexts(message: JsonRecord): string[] {
  if (message.role === 'tool') return [];
  const { content } = message;
  if (typeof content === 'string') {
    return content === '' && list(message.tool_calls).length > 0 ? [] : [content];
  }
  return records(content)
    .filter((part) => part.type === 'text')
    .map((part) => text(part.text));
}

/** C9 and C10 for every message of a chat-completions body. */
export function checkChatMessages(body: JsonRecord, known: readonly string[]): RuleViolation[] {
  return records(body.messages).flatMap((message, index) => {
    const unknown = unknownKeys(message, known).map((key) =>
      broken(
        'C9',
        `'messages.${index}' : for 'role:${text(message.role)}' the following must be satisfied[('messages.${index}' : property '${key}' is unsupported)]`,
      ),
    );
    const unreadable = records(message.tool_calls)
      .filter((call) => !isJsonObjectText(record(call.function).arguments))
      .map(() =>
        broken(
          'C10',
          `Invalid 'messages[${index}].tool_calls': function arguments must be valid JSON.`,
        ),
      );
    return [unknown, unreadable].flat();
  });
}
