import { compilePattern, type LinearPattern } from '../lines/linear-regex.ts';
import { base64Runs, type EncodedRun, percentRuns } from './encoded-runs.ts';
import { findKeywords } from './find-keywords.ts';
import { neutralise } from './neutralise.ts';
import { type SecretPattern, secretPatterns } from './secret-patterns.ts';

export interface RedactionSettings {
  /** Off leaves secrets in; control characters are made harmless all the same. */
  readonly enabled: boolean;
  /** RE2 patterns of user names: what they match goes, or of it the group `name` alone. */
  readonly userNames: readonly string[];
}

/** Text as it may leave the process. The same text always gives the same result. */
export type Redactor = (text: string) => string;

/** What stands where a secret stood. */
const redacted = '[redacted]';

/** A text may be encoded in a text that is encoded; further down nobody looks. */
const mostLayers = 2;

/** Removes secrets and e-mail addresses; node names, PCI addresses, codes, hashes and GPU UUIDs stay. */
export function createRedactor(settings: RedactionSettings): Redactor {
  if (!settings.enabled) return neutralise;
  const patterns = secretPatterns.map(compileSecret);
  const find = findKeywords(secretPatterns.map(({ keywords }) => keywords));
  const names = settings.userNames.map(compileUserName);
  const clean = (text: string, layers: number): string => {
    let left = text;
    for (const at of find(text.toLowerCase())) {
      const pattern = patterns[at];
      if (pattern !== undefined) left = replaceAll(left, pattern);
    }
    for (const name of names) left = replaceNames(left, name);
    if (layers === 0) return left;
    // What a run of base64 holds is of no use to a reader: with a secret in it the whole of it goes.
    left = replaceRuns(left, base64Runs(left), inner =>
      inner === null || isCredentials(inner) || clean(inner, layers - 1) !== inner ? redacted : null,
    );
    if (!left.includes('%')) return left;
    return replaceRuns(left, percentRuns(left), inner => {
      const kept = inner === null ? redacted : clean(neutralise(inner), layers - 1);
      return kept.includes(redacted) ? kept : null;
    });
  };
  return text => clean(neutralise(text), mostLayers);
}

/** `reader:hunter2`, as headers and registries have it in base64. */
function isCredentials(inner: string): boolean {
  const colon = inner.indexOf(':');
  return colon > 0 && colon < inner.length - 1 && !/[\s{}"'/]/.test(inner);
}

/** `instead` gives what stands in the place of a run, or null where the run stays. */
function replaceRuns(
  text: string,
  runs: readonly EncodedRun[],
  instead: (inner: string | null) => string | null,
): string {
  let result = '';
  let keptFrom = 0;
  for (const { from, to, inner } of runs) {
    const replaced = instead(inner);
    if (replaced === null) continue;
    result += text.slice(keptFrom, from) + replaced;
    keptFrom = to;
  }
  return keptFrom === 0 ? text : result + text.slice(keptFrom);
}

function compileSecret({ pattern, ignoreCase, name }: SecretPattern): LinearPattern {
  const compiled = compilePattern(pattern, { ignoreCase, maxInstructions: mostInstructions });
  if (!compiled.ok) throw new Error(`pattern of ${name}: ${compiled.message}`);
  return compiled.pattern;
}

const mostInstructions = 1_000;

/** What is wrong with a pattern of user names, as words behind its place; null where it can be used. */
export function userNameMistake(pattern: string): string | null {
  const compiled = compilePattern(pattern, { maxInstructions: mostInstructions });
  if (!compiled.ok) return compiled.message;
  return compiled.pattern.test('') ? 'matches an empty text: it would match everywhere' : null;
}

function compileUserName(pattern: string): LinearPattern {
  const compiled = compilePattern(pattern, { maxInstructions: mostInstructions });
  if (!compiled.ok) throw new Error(`pattern of user names: ${compiled.message}`);
  return compiled.pattern;
}

function replaceNames(text: string, pattern: LinearPattern): string {
  let result = '';
  let rest = text;
  for (let match = pattern.exec(rest); match !== null && match.end > 0; match = pattern.exec(rest)) {
    const matched = rest.slice(match.index, match.end);
    const name = match.groups['name'] ?? matched;
    const at = match.index + matched.indexOf(name);
    result += rest.slice(0, at) + redacted + rest.slice(at + name.length, match.end);
    rest = rest.slice(match.end);
  }
  return result + rest;
}

function replaceAll(text: string, pattern: LinearPattern): string {
  let result = '';
  let rest = text;
  for (let match = pattern.exec(rest); match !== null && match.end > 0; match = pattern.exec(rest)) {
    const after = match.groups['after'] ?? '';
    const keep = match.groups['keep'] ?? '';
    const matched = rest.slice(match.index, match.end);
    result += rest.slice(0, match.index);
    result += isUnitName(after) ? matched : keep + redacted + after;
    rest = rest.slice(match.end);
  }
  return result + rest;
}

const unitEndings = [
  'service',
  'socket',
  'target',
  'slice',
  'scope',
  'mount',
  'timer',
  'device',
  'path',
  'swap',
];

/** `user@1000.service` is a unit of systemd, not somebody's address. */
function isUnitName(afterAt: string): boolean {
  return unitEndings.some(ending => afterAt.endsWith(`.${ending}`));
}
