import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StartupError } from '../core/errors.ts';

const othersMask = 0o077;

/**
 * Makes the folder (0700) and the file (0600) ready before SQLite sees them: its -wal and -shm take over the file's
 * mode. A folder that others may enter is closed where nothing but our state lies in it, else refused: closing, say,
 * a shared folder named by mistake would lock its users out. Throws StartupError.
 */
export function prepareStateFile(file: string): void {
  const folder = dirname(file);
  try {
    makeFolder(folder);
    if ((statSync(folder).mode & othersMask) !== 0) closeFolder(folder, file);
    closeSync(openSync(file, 'a', 0o600));
    if ((statSync(file).mode & othersMask) !== 0) chmodSync(file, 0o600);
  } catch (error) {
    if (error instanceof StartupError) throw error;
    throw new StartupError(
      `state folder ${folder}: ${reasonOf(error)}; name a folder this user can write with the setting state`,
      1,
      { cause: error },
    );
  }
}

/** Folder by folder: the recursive form never ends where the system answers ENOENT below an existing folder (/proc). */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  mkdirSync(folder, { mode: 0o700 });
}

function closeFolder(folder: string, file: string): void {
  const foreign = readdirSync(folder).some(name => !`${folder}/${name}`.startsWith(file));
  if (foreign) {
    throw new StartupError(
      `state folder ${folder} can be entered by other users and holds other files: chmod 700 it, or name another folder`,
      1,
    );
  }
  chmodSync(folder, 0o700);
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'EACCES' || code === 'EPERM') return 'this user may not create or write it';
  if (code === 'EROFS') return 'its file system is read-only';
  if (code === 'ENOSPC') return 'no space is left on its file system';
  if (code === 'ENOTDIR' || code === 'EEXIST') return 'a part of its path is a file, not a folder';
  if (code === 'ENOENT') return 'it cannot be made there';
  if (code === 'EISDIR') return 'the state file is a folder';
  return error instanceof Error ? error.message : 'it cannot be used';
}
