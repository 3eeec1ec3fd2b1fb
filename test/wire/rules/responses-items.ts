import { type JsonRecord, records, text } from '../json-view.ts';
import type { Turn } from './common.ts';

/** Whether an item is something the model produced. */
export function isModelItem(item: JsonRecord | undefined): boolean {
  if (item === undefined) return false;
  if (item.role === 'assistant') return true;
  const type = text(item.type);
  return ['item_reference', 'function_call', 'reasoning', 'web_search_call', 'compaction'].includes(
    type,
  );
}

/** The id of a reasoning item or of a reference to one. */
export function reasoningId(item: JsonRecord): string | undefined {
  if (item.type === 'reasoning') return text(item.id);
  const id = text(item.id);
  return item.type === 'item_reference' && id.startsWith('rs_') ? id : undefined;
}

/** The part of a stored id that an item shares with the reasoning it came from: `7` of `call_7b`. */
export function familyOf(id: string): string {
  return /_(\d+)[a-z]?$/.exec(id)?.[1] ?? '';
}

/** The input of a Responses body as turns: what the model produced in a row is one assistant turn. */
export function responsesTurns(body: JsonRecord): Turn[] {
  const turns: Turn[] = [];
  for (const item of records(body.input)) {
    const turn = turnOf(item);
    const last = turns.at(-1);
    if (last?.role === turn.role && turn.role !== 'user' && turn.role !== 'system') {
      turns[turns.length - 1] = {
        role: turn.role,
        texts: [...last.texts, ...turn.texts],
        calls: [...last.calls, ...turn.calls],
        results: [...last.results, ...turn.results],
      };
    } else {
      turns.push(turn);
    }
  }
  return turns;
}

function turnOf(item: JsonRecord): Turn {
  const callId = text(item.call_id);
  if (item.type === 'function_call_output') {
    return { role: 'tool', texts: [], calls: [], results: [callId] };
  }
  if (isModelItem(item)) {
    const calls = item.type === 'function_call' ? [callId] : [];
    return { role: 'assistant', texts: itemTexts(item), calls, results: [] };
  }
  const isSystem =
    item.role === 'system' || item.role === 'developer' || item.type === 'configuration_update';
  return { role: isSystem ? 'system' : 'user', texts: itemTexts(item), calls: [], results: [] };
}

function itemTexts(item: JsonRecord): string[] {
  if (typeof item.content === 'string') return [item.content];
  return records(item.content)
    .filter((part) => part.type === 'input_text' || part.type === 'output_text')
    .map((part) => text(part.text));
}
