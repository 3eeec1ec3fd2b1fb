import { type JsonRecord, isRecord, record, records, text } from '../json-view.ts';
import { proofOf } from '../proof.ts';
import { type RuleViolation, broken, weak, when } from './rule-violation.ts';

/** What the SDK sends in place of a signature it has lost; accepted, with worse answers. */
export const skippedSignature = 'skip_thought_signature_validator';

/** GE6 and GE7: the calls of the current turn carry their own thought signatures. */
export function checkThoughtSignatures(body: JsonRecord, isGemini3: boolean): RuleViolation[] {
  const contents = records(body.contents);
  const turnStart = contents.findLastIndex(
    (content) =>
      content.role === 'user' &&
      records(content.parts).every((part) => !isRecord(part.functionResponse)),
  );
  return contents.flatMap((content, index) => {
    const calls = records(content.parts).filter((part) => isRecord(part.functionCall));
    const first = calls[0];
    const isUnsigned = first !== undefined && text(first.thoughtSignature) === '';
    const isMissing = isGemini3 && isUnsigned && index > turnStart;
    return [when(isMissing, missing(record(first), index)), calls.flatMap(checkSignature)].flat();
  });
}

function missing(part: JsonRecord, position: number): RuleViolation {
  const name = text(record(part.functionCall).name);
  return broken(
    'GE6',
    `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${name}\` , position ${position}. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.`,
  );
}

function checkSignature(part: JsonRecord): RuleViolation[] {
  const signature = text(part.thoughtSignature);
  const call = record(part.functionCall);
  if (signature === '') return [];
  if (signature === skippedSignature) return [weak('GE6', 'A thought signature was lost.')];
  return signature === proofOf(text(call.name) + JSON.stringify(call.args))
    ? []
    : [broken('GE7', 'Corrupted thought signature.')];
}
