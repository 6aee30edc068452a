import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { diffOpenapi, openapiText } from '../../src/contract/index.ts';
import { checkout } from './service.ts';

/** The document of the last release, as it was published. */
export function releasedDocument(): unknown {
  return JSON.parse(readFileSync(join(checkout, 'api/released/openapi.json'), 'utf8'));
}

/** Texts of the decision records. */
export function decisionRecords(): readonly string[] {
  const folder = join(checkout, 'docs/decisions');
  return readdirSync(folder).map(file => readFileSync(join(folder, file), 'utf8'));
}

/**
 * What a caller built against a released document would stumble over, without what a decision record names by its path
 * in a line that begins with `**Breaks.**`. Each is a sentence.
 */
export function unrecordedBreaks(
  released: unknown,
  records: readonly string[],
  current: unknown = JSON.parse(openapiText()),
): readonly string[] {
  const recorded = records.flatMap(text => text.split('\n').filter(line => line.startsWith('**Breaks.**')));
  return diffOpenapi(current, released)
    .filter(({ breaking, path }) => breaking && !recorded.some(line => line.includes(`\`${path}\``)))
    .map(({ path, says }) => `${path}  ${says}`);
}
