import { type JsonRecord, record, records, text } from '../json-view.ts';
import { proofOf } from '../proof.ts';
import { type RuleViolation, broken, when } from './rule-violation.ts';

/** AN8, AN8b and AN12: thinking and compaction blocks stand where they must, with their bytes unchanged. */
export function checkAnthropicReasoning(body: JsonRecord): RuleViolation[] {
  return [...checkOpenToolLoop(body), ...checkPlaces(body), ...checkBytes(body)];
}

const isThinking = (block: JsonRecord): boolean =>
  block.type === 'thinking' || block.type === 'redacted_thinking';

/** AN8: with thinking on, the assistant message that called the tools begins with its thinking. */
function checkOpenToolLoop(body: JsonRecord): RuleViolation[] {
  const messages = records(body.messages);
  const last = record(messages.at(-1));
  const enabled = ['enabled', 'adaptive'].includes(text(record(body.thinking).type));
  const endsWithResult = records(last.content).some((block) => block.type === 'tool_result');
  const index = messages.findLastIndex((message) => message.role === 'assistant');
  const first = records(messages[index]?.content)[0];
  if (!enabled || !endsWithResult || first === undefined || isThinking(first)) return [];
  return [
    broken(
      'AN8',
      `messages.${index}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${text(first.type)}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks).`,
    ),
  ];
}

function checkPlaces(body: JsonRecord): RuleViolation[] {
  const messages = records(body.messages);
  const enabled = ['enabled', 'adaptive'].includes(text(record(body.thinking).type));
  return messages.flatMap((message, index) => {
    const content = records(message.content);
    const last = content.at(-1);
    const isFinal = index === messages.length - 1;
    if (message.role !== 'assistant' || last === undefined) return [];
    if (isThinking(last)) {
      return [
        broken(
          'AN8b',
          `messages.${index}: The final block in an assistant message cannot be \`thinking\`.`,
        ),
      ];
    }
    return isFinal && !enabled && content.some((block) => isThinking(block))
      ? [
          broken(
            'AN8b',
            'messages: a final assistant message cannot contain thinking when thinking is disabled',
          ),
        ]
      : [];
  });
}

function checkBytes(body: JsonRecord): RuleViolation[] {
  const blocks = records(body.messages).flatMap((message) => records(message.content));
  const compactions = blocks.filter((block) => block.type === 'compaction');
  return [
    ...blocks
      .filter(
        (block) => block.type === 'thinking' && block.signature !== proofOf(text(block.thinking)),
      )
      .map(() => broken('AN8', 'messages: Invalid `signature` in `thinking` block')),
    ...compactions
      .filter(
        (block) =>
          block.signature !== undefined && block.signature !== proofOf(text(block.content)),
      )
      .map(() => broken('AN12', 'messages: Invalid `signature` in `compaction` block')),
    ...when(
      compactions.length > 1,
      broken('AN12', 'messages: at most one `compaction` block may be provided'),
    ),
  ];
}
