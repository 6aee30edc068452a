import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative, resolve } from 'node:path';
import type { EventData } from 'node:test';
import { run } from 'node:test';

/**
 * Runs every `*.test.ts` below src, tests and client, or those whose path contains an argument, prints what failed and
 * what was skipped by name, and ends with `N passed, N failed`.
 */
const root = resolve(import.meta.dirname, '..');
const wanted = process.argv.slice(2);
const files = ['src', 'tests', 'client']
  .flatMap(folder => testFilesBelow(join(root, folder)))
  .filter(path => wanted.length === 0 || wanted.some(part => relative(root, path).includes(part)))
  .sort();

let passed = 0;
let failed = 0;
const skipped: string[] = [];

const stream = run({ files, concurrency: availableParallelism(), cwd: root });
stream.on('test:pass', data => {
  if (data.details.type === 'suite' || isFileEntry(data)) return;
  if (data.skip !== undefined && data.skip !== false) {
    skipped.push(`${data.name}${typeof data.skip === 'string' ? `: ${data.skip}` : ''}`);
  } else passed += 1;
});
stream.on('test:fail', data => {
  if (data.details.type === 'suite' && data.details.error.cause !== undefined) return;
  failed += 1;
  const place = data.file === undefined ? '' : ` (${relative(root, data.file)}:${data.line ?? 1})`;
  console.log(`FAILED ${data.name}${place}`);
  console.log(indent(describeError(data.details.error)));
});
stream.on('test:stderr', data => {
  process.stderr.write(data.message);
});
stream.on('close', () => {
  for (const name of skipped) console.log(`skipped ${name}`);
  if (passed + failed === 0) {
    console.log('no test matched');
    failed = 1;
  }
  console.log(`${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`);
  process.exitCode = failed === 0 ? 0 : 1;
});
stream.resume();

function testFilesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(
      entry => entry.isFile() && entry.name.endsWith('.test.ts') && !entry.parentPath.includes('node_modules'),
    )
    .map(entry => join(entry.parentPath, entry.name));
}

function isFileEntry(data: EventData.TestPass): boolean {
  return data.nesting === 0 && files.includes(resolve(root, data.name));
}

function describeError(error: Error): string {
  const cause = error.cause instanceof Error ? error.cause : error;
  return cause.stack ?? String(cause);
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '    ');
}
