import { createHash } from 'node:crypto';
import { closeSync, openSync, readdirSync, readFileSync, statSync, writeSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { CorpusFile } from './corpus-file.ts';

const roots = [
  '/usr/share',
  '/usr/include',
  '/usr/lib/python3',
  '/usr/lib/python3.11',
  '/usr/lib/python3.13',
  '/etc',
];
const largestFile = 2_000_000;
/** Longer lines are split by the engine, so that its lines would not be those of others. */
const longestLine = 64 * 1024;

/**
 * Writes `files` files of `bytes` together from text that Debian's packages and `node_modules` hold, in an order that
 * mixes its kinds. Where the machine has less text than that, all of it.
 */
export function gatherVariedText(folder: string, bytes: number, files: number): readonly CorpusFile[] {
  const found = [...roots, resolve(import.meta.dirname, '../../node_modules')].flatMap(filesBelow);
  const order = found.map(path => ({ path, key: createHash('sha1').update(path).digest('hex') }));
  order.sort((a, b) => (a.key < b.key ? -1 : 1));
  const targets = Array.from({ length: files }, (_, index) => {
    const path = join(folder, `text-${index}.txt`);
    return { path, file: openSync(path, 'w'), written: 0 };
  });
  for (const { path } of order) {
    const target = targets.reduce((least, each) => (each.written < least.written ? each : least));
    if (target.written >= bytes / files) break;
    const text = readText(path);
    if (text === null) continue;
    target.written += writeSync(target.file, text);
    if (text.at(-1) !== 10) target.written += writeSync(target.file, '\n');
  }
  for (const { file } of targets) closeSync(file);
  return targets.map(({ path }) => ({ path, origin: 'job' }));
}

function filesBelow(root: string): readonly string[] {
  try {
    return readdirSync(root, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name));
  } catch {
    return [];
  }
}

/** The content of a file that is text, with lines of a usual length; else null. */
function readText(path: string): Buffer | null {
  try {
    if (statSync(path).size > largestFile) return null;
    const stored = readFileSync(path);
    const text = path.endsWith('.gz') ? gunzipSync(stored, { maxOutputLength: largestFile }) : stored;
    if (text.length === 0 || text.includes(0)) return null;
    for (let at = 0; at < text.length; ) {
      const end = text.indexOf(10, at);
      if ((end < 0 ? text.length : end) - at > longestLine) return null;
      at = end < 0 ? text.length : end + 1;
    }
    return text;
  } catch {
    return null;
  }
}
