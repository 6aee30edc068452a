import type { Json, JsonObject } from '../json/value.ts';
import { writeJson } from '../json/write.ts';
import type { Problem } from './problem.ts';

/** One entry of a 422 body: where, what, and the offending value. */
export interface ShapeError {
  readonly loc: readonly (string | number)[];
  readonly problem: Problem;
  readonly input: Json;
}

/** Each missing member repeats the object it is missing from; beyond this much text entries go without `input`. */
const maxEchoedCharacters = 1_048_576;

/** The body of a 422 in FastAPI's form. Without `echoInput` no entry carries the value it is about. */
export function renderShapeErrors(errors: readonly ShapeError[], echoInput: boolean): string {
  const texts = new Map<Json, string>();
  let left = echoInput ? maxEchoedCharacters : 0;
  const entries = errors.map(({ loc, problem, input }) => {
    const echo = left > 0 ? (texts.get(input) ?? writeJson(input)) : null;
    if (echo !== null) {
      texts.set(input, echo);
      left -= echo.length;
    }
    return renderEntry(loc, problem, left >= 0 ? echo : null);
  });
  return `{"detail":[${entries.join(',')}]}`;
}

function renderEntry(
  loc: readonly (string | number)[],
  { type, msg, ctx }: Problem,
  echo: string | null,
): string {
  const members = [
    `"type":${JSON.stringify(type)}`,
    `"loc":${JSON.stringify(loc)}`,
    `"msg":${JSON.stringify(msg)}`,
  ];
  if (echo !== null) members.push(`"input":${echo}`);
  if (ctx !== null) members.push(`"ctx":${writeJson(ctx)}`);
  return `{${members.join(',')}}`;
}

/** The entry FastAPI makes of a text that is no JSON. */
export function jsonError(message: string, at: number): ShapeError {
  const ctx: JsonObject = new Map([['error', message]]);
  return {
    loc: ['body', at],
    problem: { type: 'json_invalid', msg: 'JSON decode error', ctx },
    input: new Map(),
  };
}
