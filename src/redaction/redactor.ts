import { compilePattern, type LinearPattern } from '../lines/linear-regex.ts';
import { findKeywords } from './find-keywords.ts';
import { neutralise } from './neutralise.ts';
import { type SecretPattern, secretPatterns } from './secret-patterns.ts';

export interface RedactionSettings {
  /** Off leaves secrets in; control characters are made harmless all the same. */
  readonly enabled: boolean;
}

/** Text as it may leave the process. The same text always gives the same result. */
export type Redactor = (text: string) => string;

/** What stands where a secret stood. */
const redacted = '[redacted]';

/** Removes secrets and e-mail addresses; node names, PCI addresses, codes, hashes and GPU UUIDs stay. */
export function createRedactor(settings: RedactionSettings): Redactor {
  if (!settings.enabled) return neutralise;
  const patterns = secretPatterns.map(compileSecret);
  const find = findKeywords(secretPatterns.map(({ keywords }) => keywords));
  return text => {
    let clean = neutralise(text);
    for (const at of find(clean.toLowerCase())) {
      const pattern = patterns[at];
      if (pattern !== undefined) clean = replaceAll(clean, pattern);
    }
    return clean;
  };
}

function compileSecret({ pattern, ignoreCase, name }: SecretPattern): LinearPattern {
  const compiled = compilePattern(pattern, { ignoreCase, maxInstructions: 1_000 });
  if (!compiled.ok) throw new Error(`pattern of ${name}: ${compiled.message}`);
  return compiled.pattern;
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
