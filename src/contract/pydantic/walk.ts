import type { TSchema } from 'typebox';
import type { Json, JsonObject } from '../json/value.ts';
import { isJsonArray, isJsonObject } from '../json/value.ts';
import { referredName } from '../schema.ts';
import type { NaiveDatetimes } from './datetime.ts';
import { checkDatetime } from './datetime.ts';
import { checkInteger } from './integer.ts';
import type { Checked, Problem } from './problem.ts';
import { problems } from './problem.ts';
import type { ShapeError } from './shape-error.ts';
import { checkCanonical, checkEnum, checkLiteral, checkString } from './string.ts';
import type { Validated } from './validated.ts';

/** What the walk needs to know besides the schema. */
export interface WalkRules {
  /** Models and enumerations that references lead to. */
  readonly models: Readonly<Record<string, TSchema>>;
  /** String schemas whose values must be canonical as well. */
  readonly canonical: ReadonlySet<object>;
  readonly naiveDatetimes: NaiveDatetimes;
}

/** A body can hold millions of wrong items; what lies beyond this many errors is not listed. */
const maxErrors = 1000;

export type Walked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: readonly ShapeError[] };

/**
 * Checks and coerces a value as a pydantic model of that schema does in lax mode. Errors come in the order
 * of the schema's members, depth first, then unknown members where the schema refuses them.
 */
export function walk<S extends TSchema>(schema: S, value: Json, rules: WalkRules): Walked<Validated<S>> {
  const errors: ShapeError[] = [];
  const read = visit(schema, value, null, 'body', { rules, errors });
  return errors.length === 0 ? { ok: true, value: read as Validated<S> } : { ok: false, errors };
}

interface Run {
  readonly rules: WalkRules;
  readonly errors: ShapeError[];
}

/** A list or object the walk is inside of; the steps to it are only listed for an error. */
interface Place {
  readonly parent: Place | null;
  readonly step: Step;
}

type Step = string | number;

/** The keywords of JSON Schema that the models use. */
export interface Keywords {
  readonly $ref?: string;
  readonly anyOf?: readonly [Keywords, ...Keywords[]];
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly items?: Keywords;
  readonly properties?: Readonly<Record<string, Keywords>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
}

function visit(schema: Keywords, value: Json, parent: Place | null, step: Step, run: Run): unknown {
  if (schema.$ref !== undefined) return visit(resolve(schema.$ref, run.rules), value, parent, step, run);
  if (schema.anyOf !== undefined) {
    return value === null ? null : visit(schema.anyOf[0], value, parent, step, run);
  }
  if (schema.type === 'object') return visitObject(schema, value, { parent, step }, run);
  if (schema.type === 'array') return visitArray(schema, value, { parent, step }, run);
  const checked = checkScalar(schema, value, run.rules);
  return checked.ok ? checked.value : report(run, { parent, step }, checked.problem, value);
}

/** The model behind a reference. */
export function resolve($ref: string, rules: WalkRules): Keywords {
  const model = rules.models[referredName({ $ref })];
  if (model === undefined) throw new Error(`no model stands behind the reference ${$ref}`);
  return model;
}

function checkScalar(schema: Keywords, value: Json, rules: WalkRules): Checked<unknown> {
  if (schema.type === 'integer') return checkInteger(value, schema);
  if (schema.format === 'date-time') return checkDatetime(value, rules.naiveDatetimes);
  if (schema.enum !== undefined) return checkEnum(value, schema.enum);
  if (schema.const !== undefined) return checkLiteral(value, schema.const);
  const checked = checkString(value, schema);
  return checked.ok && rules.canonical.has(schema) ? checkCanonical(checked.value) : checked;
}

/** Whether a string is canonical, or need not be. */
export function isCanonical(schema: Keywords, value: string, rules: WalkRules): boolean {
  return !rules.canonical.has(schema) || checkCanonical(value).ok;
}

function visitArray(schema: Keywords, value: Json, place: Place, run: Run): unknown {
  if (!isJsonArray(value)) return report(run, place, problems.notAList, value);
  const items = schema.items ?? {};
  return value.map((item, index) => visit(items, item, place, index, run));
}

function visitObject(schema: Keywords, value: Json, place: Place, run: Run): unknown {
  if (!isJsonObject(value)) return report(run, place, problems.notAnObject, value);
  const { properties = {}, required = [] } = schema;
  const read: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(properties)) {
    const given = value.get(name);
    if (given !== undefined) read[name] = visit(member, given, place, name, run);
    else if (required.includes(name)) report(run, { parent: place, step: name }, problems.missing, value);
    else read[name] = absentValue(member);
  }
  if (schema.additionalProperties === false) reportUnknown(value, properties, place, run);
  return read;
}

function reportUnknown(
  value: JsonObject,
  known: Readonly<Record<string, Keywords>>,
  parent: Place,
  run: Run,
): void {
  for (const [step, member] of value) {
    if (!Object.hasOwn(known, step)) report(run, { parent, step }, problems.extraForbidden, member);
  }
}

/** What an optional member reads as when it is left out: its default, else an empty list, else null. */
export function absentValue(schema: Keywords): unknown {
  if (schema.default !== undefined) return schema.default;
  return schema.type === 'array' ? [] : null;
}

function report({ errors }: Run, place: Place, problem: Problem, input: Json): undefined {
  if (errors.length < maxErrors) errors.push({ loc: stepsTo(place), problem, input });
}

function stepsTo({ parent, step }: Place): readonly Step[] {
  return parent === null ? [step] : [...stepsTo(parent), step];
}
