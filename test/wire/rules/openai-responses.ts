import { type JsonRecord, records, text } from '../json-view.ts';
import { proofOf } from '../proof.ts';
import {
  blankTurns,
  checkNotEmpty,
  checkPairing,
  isJsonObjectText,
  opensWithUser,
} from './common.ts';
import { familyOf, isModelItem, reasoningId, responsesTurns } from './responses-items.ts';
import { checkUpdates } from './responses-updates.ts';
import { type RuleViolation, broken, weak, when } from './rule-violation.ts';

/** Rules C* and OR* of OpenAI's Responses API. */
export function openaiResponsesRules(body: JsonRecord): RuleViolation[] {
  const turns = responsesTurns(body);
  return [
    ...checkNotEmpty(turns, 'C1', "One of 'input' or 'previous_response_id' must be provided."),
    ...when(!opensWithUser(turns), weak('C2', 'The input does not begin with a user message.')),
    ...blankTurns(turns).map((turn) =>
      broken('C6', `Invalid 'input[${turn}].content': empty text.`),
    ),
    ...checkPairing(turns, {
      orphan: (id) =>
        broken('OR1', `No tool call found for function call output with call_id ${id}.`),
      unanswered: (id) => broken('OR2', `No tool output found for function call ${id}.`),
      duplicate: (id) => broken('C5', `Duplicate item found with call_id ${id}.`),
    }),
    ...checkReasoning(body),
    ...checkReferences(body),
    ...checkServerState(body),
    ...checkUpdates(body),
    ...records(body.input)
      .filter((item) => item.type === 'function_call' && !isJsonObjectText(item.arguments))
      .map(() => broken('C10', "Invalid 'arguments': expected the JSON text of an object.")),
  ];
}

/** OR3 and OR5: reasoning stands before the item it produced, and is either stored or encrypted. */
function checkReasoning(body: JsonRecord): RuleViolation[] {
  const items = records(body.input);
  return items.flatMap((item, index) => {
    const id = reasoningId(item);
    if (id === undefined) return [];
    const message = `Item '${id}' of type 'reasoning' was provided without its required following item.`;
    const isBare = !follows(items[index + 1], id);
    return [when(isBare, broken('OR3', message)), checkEncryption(item, id)].flat();
  });
}

function follows(next: JsonRecord | undefined, id: string): boolean {
  if (next === undefined || !isModelItem(next) || reasoningId(next) !== undefined) return false;
  const nextId = text(next.id) || text(next.call_id);
  return nextId === '' || familyOf(nextId) === familyOf(id);
}

function checkEncryption(item: JsonRecord, id: string): RuleViolation[] {
  if (item.type !== 'reasoning') return [];
  const summary = records(item.summary)
    .map((part) => text(part.text))
    .join('\n');
  return item.encrypted_content === proofOf(summary)
    ? []
    : [broken('OR5', `The encrypted content for item ${id} could not be verified.`)];
}

/** OR4, OR5 and OR6: what references point to. */
function checkReferences(body: JsonRecord): RuleViolation[] {
  const items = records(body.input);
  const references = items.filter((item) => item.type === 'item_reference');
  const ids = items.map((item) => text(item.id)).filter((id) => id !== '');
  return [
    ...(body.store === false
      ? references.map((item) =>
          broken(
            'OR5',
            `Item with id '${text(item.id)}' not found. Items are not persisted when \`store\` is set to false.`,
          ),
        )
      : []),
    ...ids
      .filter((id, index) => ids.indexOf(id) !== index)
      .map((id) =>
        broken(
          'OR6',
          `Duplicate item found with id ${id}. Remove duplicate items from your input and try again.`,
        ),
      ),
    ...items.flatMap((item, index) => checkStoredMessage(items, item, index)),
  ];
}

function checkStoredMessage(
  items: readonly JsonRecord[],
  item: JsonRecord,
  index: number,
): RuleViolation[] {
  const id = text(item.id);
  if (item.type !== 'item_reference' || !id.startsWith('msg_')) return [];
  const reasoning = `rs_${familyOf(id)}`;
  return items.slice(0, index).some((earlier) => earlier.id === reasoning)
    ? []
    : [
        broken(
          'OR4',
          `Item '${id}' of type 'message' was provided without its required 'reasoning' item: '${reasoning}'.`,
        ),
      ];
}

/** OR7: no summary beside a history that the server holds or compacts. */
function checkServerState(body: JsonRecord): RuleViolation[] {
  const held = ['previous_response_id', 'conversation', 'context_management'].find(
    (key) => body[key] !== undefined && body[key] !== null,
  );
  return held !== undefined && JSON.stringify(body.input).includes('[summary-depth:')
    ? [broken('OR7', `A summary was sent although '${held}' is set.`)]
    : [];
}
