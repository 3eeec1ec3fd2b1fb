import { type JsonRecord, isRecord, record, records, text } from '../json-view.ts';
import { type RuleViolation, broken, when } from './rule-violation.ts';

/**
 * AN10: system messages among the others. A run of them is looked at as a group: it follows a user message
 * and is the end or followed by an assistant message, unless all that it does is to set the effort.
 */
export function checkSystemMessages(body: JsonRecord): RuleViolation[] {
  const messages = records(body.messages);
  const isSystem = (message: JsonRecord | undefined): boolean => message?.role === 'system';
  return messages.flatMap((message, index) => {
    if (!isSystem(message)) return [];
    const before = messages.slice(0, index).findLast((other) => !isSystem(other));
    const after = messages.slice(index).find((other) => !isSystem(other));
    const start = before === undefined ? 0 : messages.indexOf(before) + 1;
    const end = after === undefined ? messages.length : messages.indexOf(after);
    const isPlaced = before?.role === 'user' && (after === undefined || after.role === 'assistant');
    const types = records(message.content).map((block) => text(block.type));
    return [
      when(
        !text(body.model).startsWith('claude-opus-4-8'),
        broken(
          'AN10',
          'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an input message role.',
        ),
      ),
      when(
        !isPlaced && !messages.slice(start, end).every(isEffortOnly),
        broken(
          'AN10',
          `messages.${index}: a system message must follow a user message and precede an assistant message.`,
        ),
      ),
      when(
        message.clear_at !== undefined && types.some((type) => type !== 'text'),
        broken('AN10', `messages.${index}: clear_at takes text only.`),
      ),
    ].flat();
  });
}

/** Whether a system message does nothing but set the effort. */
export function isEffortOnly(message: JsonRecord): boolean {
  return (
    message.role === 'system' &&
    records(message.content).length === 0 &&
    isRecord(message.output_config)
  );
}

/** AN10: what is added by reference is declared, what is removed is there. */
export function checkToolChanges(body: JsonRecord): RuleViolation[] {
  const declared = new Set(records(body.tools).map((tool) => text(tool.name)));
  const loaded = new Set(
    records(body.tools)
      .filter((tool) => tool.defer_loading !== true)
      .map((tool) => text(tool.name)),
  );
  const violations: RuleViolation[] = [];
  for (const block of records(body.messages).flatMap(({ content }) => records(content))) {
    const { definition, name } = record(block.tool);
    const tool = text(name);
    if (block.type === 'tool_addition' && isRecord(definition)) loaded.add(text(definition.name));
    else if (block.type === 'tool_addition') {
      if (!declared.has(tool)) violations.push(broken('AN10', `Unknown tool '${tool}'.`));
      if (loaded.has(tool)) violations.push(broken('AN10', `'${tool}' is there already.`));
      loaded.add(tool);
    } else if (block.type === 'tool_removal' && !loaded.delete(tool))
      violations.push(broken('AN10', `There is no tool '${tool}' to remove.`));
  }
  return violations;
}
