import { isAlias, isMap, isScalar, isSeq, type Node, type YAMLMap, type YAMLSeq } from 'yaml';
import { compilePattern, type LinearPattern } from '../../lines/linear-regex.ts';

/** The part of JSON Schema that the corpus' schemas use. */
export interface Shape {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Shape;
  readonly propertyNames?: Shape;
  /** Always equal to `maxProperties` here: exactly so many keys. */
  readonly minProperties?: number;
  readonly items?: Shape;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** A mistake at an offset of the text. */
export interface Misfit {
  readonly offset: number;
  readonly message: string;
}

/** Checks YAML nodes against a schema, so that every mistake is told with the place it stands at. */
export function checkShape(node: unknown, shape: Shape): readonly Misfit[] {
  const found: Misfit[] = [];
  visit(node, shape, '', 0, found);
  return found;
}

function visit(node: unknown, shape: Shape, name: string, parentAt: number, found: Misfit[]): void {
  const offset = offsetOf(node) ?? parentAt;
  const report = (message: string, at = offset): void => {
    found.push({ offset: at, message: name === '' ? message : `${name}: ${message}` });
  };
  if (isAlias(node)) {
    report(`\`*${node.source}\` stands for another part of the file, which is not supported: write it out`);
  } else if (shape.type === 'object') {
    if (isMap(node)) visitMap(node, shape, name, offset, found, report);
    else report(`${isEmpty(node) ? 'is empty, ' : ''}must be a mapping of keys to values`);
  } else if (shape.type === 'array') {
    if (isSeq(node)) visitSequence(node, shape, name, offset, found, report);
    else report('must be a list');
  } else if (isScalar(node)) {
    const message = checkScalar(node.value, shape);
    if (message !== null) report(message);
  } else {
    report(node === null || node === undefined ? 'is missing its value' : 'must be a single value');
  }
}

const isEmpty = (node: unknown): boolean =>
  node === null || node === undefined || (isScalar(node) && node.value === null);

type Report = (message: string, at?: number) => void;

function visitMap(
  node: YAMLMap,
  shape: Shape,
  name: string,
  offset: number,
  found: Misfit[],
  report: Report,
): void {
  const properties = shape.properties ?? {};
  const seen = new Set<string>();
  for (const pair of node.items) {
    const keyAt = offsetOf(pair.key) ?? offset;
    const key = isScalar(pair.key) ? String(pair.key.value) : '';
    seen.add(key);
    const value = shapeOfKey(key, shape, message => report(message, keyAt));
    if (value !== null) visit(pair.value, value, name === '' ? key : `${name}.${key}`, keyAt, found);
  }
  for (const key of shape.required ?? []) {
    if (!seen.has(key)) report(`key \`${key}\` is missing`);
  }
  if (shape.minProperties !== undefined && node.items.length !== shape.minProperties) {
    report(`must have exactly ${shape.minProperties} of ${Object.keys(properties).join(', ')}`);
  }
}

/** What the value under a key must fit; null where the key itself is wrong. */
function shapeOfKey(key: string, shape: Shape, report: (message: string) => void): Shape | null {
  const properties = shape.properties ?? {};
  const known = Object.hasOwn(properties, key) ? properties[key] : undefined;
  if (known !== undefined) return known;
  if (typeof shape.additionalProperties !== 'object') {
    report(`unknown key \`${key}\`: allowed are ${Object.keys(properties).join(', ')}`);
    return null;
  }
  const misnamed = shape.propertyNames === undefined ? null : checkScalar(key, shape.propertyNames);
  if (misnamed === null) return shape.additionalProperties;
  report(`a key ${misnamed}`);
  return null;
}

function visitSequence(
  node: YAMLSeq,
  shape: Shape,
  name: string,
  offset: number,
  found: Misfit[],
  report: Report,
): void {
  if (node.items.length < (shape.minItems ?? 0)) report(`must have at least ${shape.minItems} entries`);
  if (shape.maxItems !== undefined && node.items.length > shape.maxItems) {
    report(`must have at most ${shape.maxItems} entries, has ${node.items.length}`);
  }
  const values = new Set<unknown>();
  for (const [index, item] of node.items.entries()) {
    if (shape.items !== undefined) visit(item, shape.items, `${name}[${index}]`, offset, found);
    if (shape.uniqueItems === true && isScalar(item)) {
      if (values.has(item.value)) report(`\`${String(item.value)}\` is listed twice`, offsetOf(item));
      values.add(item.value);
    }
  }
}

/** What is wrong with one value, as the end of a sentence about it; null where it fits. */
function checkScalar(value: unknown, shape: Shape): string | null {
  if (shape.enum !== undefined) {
    if (shape.enum.includes(value)) return null;
    return `is \`${String(value)}\`, must be one of ${shape.enum.join(', ')}`;
  }
  if (shape.type === 'string') return checkText(value, shape);
  if (shape.type === 'boolean') return typeof value === 'boolean' ? null : 'must be true or false';
  if (typeof value !== 'number' || !Number.isFinite(value)) return `must be a number, is \`${String(value)}\``;
  if (shape.type === 'integer' && !Number.isSafeInteger(value)) return `must be a whole number, is ${value}`;
  if (shape.minimum !== undefined && value < shape.minimum) {
    return `must be at least ${shape.minimum}, is ${value}`;
  }
  if (shape.maximum !== undefined && value > shape.maximum)
    return `must be at most ${shape.maximum}, is ${value}`;
  return null;
}

function checkText(value: unknown, shape: Shape): string | null {
  if (typeof value !== 'string') {
    return value === null
      ? 'must be text, is empty'
      : `must be text, is \`${String(value)}\`: put it in quotes`;
  }
  if (value.length < (shape.minLength ?? 0)) return 'must not be empty';
  if (shape.pattern !== undefined && !patternOf(shape.pattern).test(value)) {
    return `is \`${value}\`, must fit ${shape.pattern}`;
  }
  return null;
}

const patterns = new Map<string, LinearPattern>();

function patternOf(source: string): LinearPattern {
  const known = patterns.get(source);
  if (known !== undefined) return known;
  const compiled = compilePattern(source);
  if (!compiled.ok) throw new Error(`the schema's own pattern ${source} does not compile: ${compiled.message}`);
  patterns.set(source, compiled.pattern);
  return compiled.pattern;
}

function offsetOf(node: unknown): number | undefined {
  return (node as Node | null)?.range?.[0];
}
