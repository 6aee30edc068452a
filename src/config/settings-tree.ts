import type { TSchema } from 'typebox';
import { settingsSchema } from './settings.ts';

/** One scalar or list setting: where it stands, what it may be and what it is otherwise. */
export interface SettingLeaf {
  /** As in the file: `contract.naiveDatetimes`. */
  readonly path: string;
  /** As in the environment: `ATTRIBUTION_CONTRACT_NAIVE_DATETIMES`. */
  readonly variable: string;
  readonly schema: LeafSchema;
}

type LeafSchema = TSchema & {
  readonly type?: string;
  readonly default?: unknown;
  readonly description?: string;
};

/** All settings that hold a value, in the order of the schema. */
export const settingLeaves: readonly SettingLeaf[] = leavesOf(settingsSchema, []);

function leavesOf(schema: TSchema, path: readonly string[]): readonly SettingLeaf[] {
  const { properties } = schema as { properties?: Record<string, TSchema> };
  if (properties === undefined || 'default' in schema) {
    const joined = path.join('.');
    return [{ path: joined, variable: variableOf(path), schema: schema as LeafSchema }];
  }
  return Object.entries(properties).flatMap(([name, inner]) => leavesOf(inner, [...path, name]));
}

function variableOf(path: readonly string[]): string {
  const words = path.map(name => name.replaceAll(/[A-Z]/g, letter => `_${letter}`).toUpperCase());
  return `ATTRIBUTION_${words.join('_')}`;
}

export type Tree = { [name: string]: unknown };

/** The value at a dotted path, or undefined. */
export function valueAt(tree: unknown, path: string): unknown {
  let value: unknown = tree;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Tree)[name];
  }
  return value;
}

/** Sets the value at a dotted path, making the folders on the way. */
export function setAt(tree: Tree, path: string, value: unknown): void {
  const names = path.split('.');
  const last = names.pop();
  if (last === undefined) return;
  let folder = tree;
  for (const name of names) {
    const inner = Object.hasOwn(folder, name) ? folder[name] : undefined;
    const next: Tree = typeof inner === 'object' && inner !== null ? (inner as Tree) : {};
    folder[name] = next;
    folder = next;
  }
  folder[last] = value;
}
