import { statSync } from 'node:fs';
import { StartupError } from '../core/errors.ts';

/**
 * Stops where a path that was given cannot be evidence: it does not exist, or is a pipe or device, which cannot be read
 * again. `setting` stands before it. Throws StartupError with every such path, a line each.
 */
export function checkPaths(paths: readonly string[], setting = ''): void {
  const says = paths.flatMap(path => {
    const mistake = mistakeOf(path);
    return mistake === null ? [] : [`${setting}${path} ${mistake}`];
  });
  if (says.length > 0) throw new StartupError(says.join('\n'));
}

const notRead = 'and evidence has to be opened again: save it to a file, and give that';

function mistakeOf(path: string): string | null {
  try {
    const found = statSync(path);
    if (found.isFile() || found.isDirectory()) return null;
    if (found.isFIFO() || found.isSocket()) return `is a pipe, ${notRead}`;
    return `is a device, ${notRead}`;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (path === '-') return `would be standard input, ${notRead}`;
    if (code === 'EACCES') return 'may not be looked at (EACCES): give this user the right to read it';
    return 'does not exist: give a folder or file of logs';
  }
}
