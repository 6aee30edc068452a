import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises';
import { sep } from 'node:path';
import type { Nanos } from '../../core/time.ts';

/** What a path leads to, once links are followed and it is known to stay inside its root. */
export interface Found {
  readonly kind: 'file' | 'folder';
  /** The path without links. */
  readonly real: string;
  readonly bytes: number;
  readonly modified: Nanos;
  readonly identity: string;
}

/** A reason why something is not read, fit for coverage. */
export interface Refused {
  readonly kind: 'refused';
  readonly reason: string;
  readonly missing: boolean;
}

/**
 * Follows `path` and accepts a regular file or a folder inside `rootReal` (itself without links). Pipes, sockets and
 * devices are refused before anything opens them, since opening one can hang or act.
 */
export async function findInside(rootReal: string, path: string): Promise<Found | Refused> {
  try {
    const real = await realpath(path);
    if (!isInside(rootReal, real)) return refused('a link leads out of its root');
    const stats = await lstat(real, { bigint: true });
    if (!stats.isFile() && !stats.isDirectory()) return refused('it is neither a file nor a folder');
    return {
      kind: stats.isFile() ? 'file' : 'folder',
      real,
      bytes: Number(stats.size),
      modified: stats.mtimeNs,
      identity: identityOf(stats),
    };
  } catch (error) {
    const code = errorCode(error);
    return refused(`it could not be read (${code})`, code === 'ENOENT' || code === 'ENOTDIR');
  }
}

/** Opens a file that was found, if the path still leads to the same regular file. */
export async function openFound(found: Found): Promise<FileHandle | Refused> {
  let handle: FileHandle | undefined;
  try {
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    handle = await open(found.real, flags);
    const stats = await handle.stat({ bigint: true });
    if (stats.isFile() && identityOf(stats) === found.identity) return handle;
    await handle.close();
    return refused('it was replaced while it was opened');
  } catch (error) {
    await handle?.close().catch(() => {});
    return refused(`it could not be opened (${errorCode(error)})`);
  }
}

export function isInside(rootReal: string, real: string): boolean {
  return real === rootReal || real.startsWith(rootReal.endsWith(sep) ? rootReal : rootReal + sep);
}

/** `EACCES` and its like; the message would repeat paths. */
export function errorCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'unknown error';
}

function identityOf(stats: BigIntStats): string {
  return `${stats.dev}:${stats.ino}`;
}

function refused(reason: string, missing = false): Refused {
  return { kind: 'refused', reason, missing };
}
