import { type JsonRecord, isRecord, record, records, text } from '../json-view.ts';
import { checkThoughtSignatures } from './google-signatures.ts';
import { type RuleViolation, broken, strict, when } from './rule-violation.ts';

/** Rules GE* of Gemini's generateContent; Gemini 3 demands thought signatures as well. */
export function googleRules(body: JsonRecord, isGemini3: boolean): RuleViolation[] {
  const contents = records(body.contents);
  return [
    ...when(contents.length === 0, broken('GE1', 'contents is not specified')),
    ...checkRoles(contents),
    ...contents.flatMap((content, index) => checkFunctionTurns(contents, content, index)),
    ...checkParts(body, contents),
    ...checkThoughtSignatures(body, isGemini3),
  ];
}

function functionNames(content: JsonRecord | undefined, key: string): string[] {
  return records(content?.parts)
    .filter((part) => isRecord(part[key]))
    .map((part) => text(record(part[key]).name));
}

/** GE5, GE8 and GE10. */
function checkRoles(contents: readonly JsonRecord[]): RuleViolation[] {
  const first = contents[0];
  const opens = first?.role === 'user' && functionNames(first, 'functionResponse').length === 0;
  return [
    ...when(
      !(first === undefined || opens),
      broken('GE5', 'Please ensure that multiturn requests begin with a user turn.'),
    ),
    ...when(
      contents.at(-1)?.role === 'model',
      broken(
        'GE8',
        'Please ensure that multiturn requests end with a user role or a function response.',
      ),
    ),
    ...when(
      contents.some((content, index) => index > 0 && content.role === contents[index - 1]?.role),
      strict('GE10', 'Please ensure that multiturn requests alternate between user and model.'),
    ),
  ];
}

/** GE3, GE4 and results without a call. */
function checkFunctionTurns(
  contents: readonly JsonRecord[],
  content: JsonRecord,
  index: number,
): RuleViolation[] {
  const calls = functionNames(content, 'functionCall');
  const responses = functionNames(content, 'functionResponse');
  const previous = contents[index - 1];
  const answered = functionNames(contents[index + 1], 'functionResponse');
  return [
    ...when(
      calls.length > 0 && previous?.role !== 'user',
      broken(
        'GE3',
        'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
      ),
    ),
    ...when(
      calls.length > 0 && calls.toSorted().join() !== answered.toSorted().join(),
      broken(
        'GE4',
        'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
      ),
    ),
    ...when(
      responses.length > 0 && functionNames(previous, 'functionCall').length === 0,
      broken(
        'C3',
        'Please ensure that function response turn comes immediately after a function call turn.',
      ),
    ),
  ];
}

/** GE9, C6 and C10. */
function checkParts(body: JsonRecord, contents: readonly JsonRecord[]): RuleViolation[] {
  const system = records(record(body.systemInstruction).parts);
  const parts = contents.flatMap((content) => records(content.parts));
  return [
    ...contents
      .filter((content) => records(content.parts).length === 0)
      .map(() =>
        broken('GE9', 'Unable to submit request because it must include at least one parts field.'),
      ),
    ...[...system, ...parts]
      .filter((part) => typeof part.text === 'string' && part.text.trim() === '')
      .map(() => broken('C6', 'Unable to submit request because it has an empty text parameter.')),
    ...parts
      .filter((part) => isRecord(part.functionCall) && !isRecord(part.functionCall.args))
      .map(() =>
        broken(
          'C10',
          'Invalid value at contents.parts.function_call.args (type.googleapis.com/google.protobuf.Struct)',
        ),
      ),
  ];
}
