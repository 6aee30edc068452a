import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Whether programs can be run here. Where they cannot, Debian's packages are installed once, if we may. */
export function isInstalled(programs: readonly string[], packages: readonly string[]): boolean {
  if (programs.every(isFound)) return true;
  if (process.getuid?.() !== 0 || !isFound('apt-get')) return false;
  try {
    const options = {
      stdio: 'ignore',
      timeout: 300_000,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    } as const;
    execFileSync(pathOf('apt-get'), ['update', '-q'], options);
    execFileSync(pathOf('apt-get'), ['install', '-y', '--no-install-recommends', ...packages], options);
  } catch {
    return false;
  }
  return programs.every(isFound);
}

/** Daemons lie in folders that the path of a user may lack. */
const folders = [
  ...(process.env['PATH'] ?? '').split(delimiter),
  '/usr/sbin',
  '/usr/local/sbin',
  '/lib/systemd',
];

function isFound(program: string): boolean {
  return folders.some(folder => folder !== '' && existsSync(join(folder, program)));
}

/** Where a program lies. Throws where it is not installed. */
export function pathOf(program: string): string {
  const folder = folders.find(each => each !== '' && existsSync(join(each, program)));
  if (folder === undefined) throw new Error(`${program} is not installed`);
  return join(folder, program);
}
