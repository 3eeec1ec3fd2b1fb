import { type JsonRecord, isRecord, record, records, text } from '../json-view.ts';
import { checkAnthropicReasoning } from './anthropic-reasoning.ts';
import { checkServerTools } from './anthropic-server-tools.ts';
import {
  checkSystemMessages,
  checkToolChanges,
  isEffortOnly,
} from './anthropic-system-messages.ts';
import { type Turn, checkNotEmpty, checkPairing } from './common.ts';
import { type RuleViolation, broken, when } from './rule-violation.ts';

/** Rules C* and AN* of Anthropic's Messages API. */
export function anthropicRules(body: JsonRecord): RuleViolation[] {
  const turns = anthropicTurns(body);
  const compacted = blocks(body)[0]?.type === 'compaction';
  return [
    ...checkNotEmpty(turns, 'AN1', 'messages: at least one message is required'),
    ...when(
      turns[0]?.role === 'assistant' && !compacted,
      broken('AN2', 'messages: first message must use the "user" role'),
    ),
    ...checkPairing(turns, {
      orphan: (id, turn) =>
        broken(
          'AN4',
          `messages.${turn}.content.0: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
        ),
      unanswered: (id, turn) =>
        broken(
          'AN3',
          `messages.${turn - 1}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${id}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
        ),
      duplicate: (id, turn) =>
        broken(
          'AN5',
          `messages.${turn}: each tool_use must have a single result. Found multiple: ${id}`,
        ),
    }),
    ...checkMessages(body),
    ...checkSystemMessages(body),
    ...checkToolChanges(body),
    ...checkTexts(body),
    ...checkCaching(body),
    ...checkAnthropicReasoning(body),
    ...checkServerTools(body),
  ];
}

/** Every content block of the messages, in order. */
function blocks(body: JsonRecord): JsonRecord[] {
  return records(body.messages).flatMap((message) => records(message.content));
}

function anthropicTurns(body: JsonRecord): Turn[] {
  return records(body.messages).map((message) => {
    const content = records(message.content);
    return {
      role: message.role === 'assistant' ? 'assistant' : 'user',
      texts: [],
      calls: content.filter((block) => block.type === 'tool_use').map((block) => text(block.id)),
      results: content
        .filter((block) => block.type === 'tool_result')
        .map((block) => text(block.tool_use_id)),
    };
  });
}

/** AN3 (order of blocks), AN9, AN13 and AN14. */
function checkMessages(body: JsonRecord): RuleViolation[] {
  const messages = records(body.messages);
  return messages.flatMap((message, index) => {
    const content = records(message.content);
    const types = content.map((block) => text(block.type));
    const firstOther = types.findIndex((type) => type !== 'tool_result');
    const calls = content.filter((block) => block.type === 'tool_use');
    const lastBlock = record(content.at(-1));
    const isPrefill = index === messages.length - 1 && message.role === 'assistant';
    return [
      when(
        firstOther !== -1 && types.lastIndexOf('tool_result') > firstOther,
        broken(
          'AN3',
          `messages.${index}: \`tool_result\` blocks must come first in the content of a user message.`,
        ),
      ),
      calls
        .filter((call) => !isRecord(call.input))
        .map(() => broken('AN13', `messages.${index}.content: Input should be a valid dictionary`)),
      calls
        .filter((call) => !/^[a-zA-Z0-9_-]+$/.test(text(call.id)))
        .map(() =>
          broken(
            'AN14',
            `messages.${index}.content: String should match pattern '^[a-zA-Z0-9_-]+$'`,
          ),
        ),
      when(
        isPrefill && /\s$/.test(text(lastBlock.text)),
        broken('AN9', 'messages: final assistant content cannot end with trailing whitespace'),
      ),
    ].flat();
  });
}

/** AN6: no blank text, in system blocks neither, and no message without content. */
function checkTexts(body: JsonRecord): RuleViolation[] {
  const blank = [...records(body.system), ...blocks(body)].some(
    (block) => block.type === 'text' && text(block.text).trim() === '',
  );
  const empty = records(body.messages).some(
    (message) => records(message.content).length === 0 && !isEffortOnly(message),
  );
  return [
    ...when(blank, broken('AN6', 'messages: text content blocks must contain non-whitespace text')),
    ...when(
      empty,
      broken(
        'AN6',
        'messages: all messages must have non-empty content except for the optional final assistant message',
      ),
    ),
  ];
}

/** AN7: four cache breakpoints at most, none on thinking. */
function checkCaching(body: JsonRecord): RuleViolation[] {
  const marked = [...records(body.tools), ...records(body.system), ...blocks(body)].filter(
    (block) => isRecord(block.cache_control),
  );
  const misplaced = marked.filter((block) => text(block.type).endsWith('thinking'));
  return [
    ...when(
      marked.length > 4,
      broken(
        'AN7',
        `A maximum of 4 blocks with cache_control may be provided. Found ${marked.length}.`,
      ),
    ),
    ...misplaced.map(() =>
      broken('AN7', 'messages: cache_control is not allowed on thinking blocks'),
    ),
  ];
}
