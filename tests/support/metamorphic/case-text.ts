import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import xz from 'xz-decompress';
import { type CaseFolder, readCaseFolder } from '../../../src/cli/case-folder.ts';

/** A recorded failure as texts, each by its path below the case's folder. Packed evidence is unpacked. */
export type CaseText = ReadonlyMap<string, string>;

/** What kind of evidence a file is, and its name below the folder of that kind. */
export interface EvidencePlace {
  readonly kind: string;
  readonly name: string;
}

export async function readCaseText(folder: string): Promise<CaseText> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name));
  const texts = files.sort().map(async path => {
    const name = relative(folder, path).replace(/\.(gz|zst|xz)$/, '');
    return [name, (await unpacked(path)).toString('utf8')] as const;
  });
  return new Map(await Promise.all(texts));
}

async function unpacked(path: string): Promise<Buffer> {
  const bytes = await readFile(path);
  if (path.endsWith('.gz')) return gunzipSync(bytes);
  if (path.endsWith('.zst')) return zstdDecompressSync(bytes);
  if (!path.endsWith('.xz')) return bytes;
  const stream = new xz.XzReadableStream(new Blob([new Uint8Array(bytes)]).stream());
  return Buffer.from(await new Response(stream).arrayBuffer());
}

/** Lays the texts out as a case, hands it over, and removes it again. */
export async function withCase<T>(text: CaseText, use: (folder: CaseFolder) => Promise<T>): Promise<T> {
  const root = await mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'case-text-'));
  try {
    for (const [path, content] of text) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), content);
    }
    await mkdir(join(root, 'evidence'), { recursive: true });
    return await use(await readCaseFolder(root));
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** Null for what is not evidence. */
export function placeOf(path: string): EvidencePlace | null {
  const [, kind, name] = /^(?:slow\/)?evidence\/([^/]+)\/(.+)$/.exec(path) ?? [];
  return kind === undefined || name === undefined ? null : { kind, name };
}

/** The node whose own log or health check a file is, or null. */
export function nodeOfFile(path: string): string | null {
  const place = placeOf(path);
  if (place === null || !['kernel', 'epilog'].includes(place.kind)) return null;
  return place.name.replace(/\.[a-z]+$/, '');
}

/** Whether a file is a log, line by line, and neither a table nor a document. */
export function isLog(path: string, content: string): boolean {
  const place = placeOf(path);
  if (place === null || place.kind === 'metrics' || /^[[{]\s*\n/m.test(content)) return false;
  return place.kind !== 'scheduler' || /ctld|\.log$/.test(place.name);
}

/** The texts with every log rewritten. */
export function mapLogs(text: CaseText, change: (content: string, path: string) => string): CaseText {
  return new Map(
    [...text].map(([path, content]) => [path, isLog(path, content) ? change(content, path) : content]),
  );
}

/** Lines of a log, without the end of the last. */
export const linesOf = (content: string): string[] => content.replace(/\n$/, '').split('\n');
