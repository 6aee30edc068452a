import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statfsSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system of a few mebibytes of this test's own. */
export interface SmallDisk {
  /** Where it is mounted. */
  readonly folder: string;
  /** Takes every byte that is left. */
  fill(): void;
  /** Gives back what `fill` took. */
  free(): void;
  /** From now on every write to it fails, also by those that have files of it open. */
  breakDown(): void;
  /** Mounts it anew, writable; nobody may have files of it open. */
  repair(): void;
  close(): void;
}

/** A small ext4 in a file, or null where this user may not mount one: tests skip by name then. */
export function mountSmallDisk(mebibytes: number): SmallDisk | null {
  if (process.getuid?.() !== 0) return null;
  const home = mkdtempSync(join(tmpdir(), 'attribution-disk-'));
  const image = join(home, 'image');
  const folder = join(home, 'mounted');
  const filler = join(folder, 'filler');
  const run = (program: string, ...args: readonly string[]): void => {
    execFileSync(program, args, { stdio: 'ignore', timeout: 30_000 });
  };
  const mount = (): void => run('mount', '-o', 'loop', image, folder);
  // A server that runs as another user may have files on it.
  chmodSync(home, 0o711);
  mkdirSync(folder);
  writeFileSync(image, Buffer.alloc(mebibytes * 1024 * 1024));
  try {
    run('mkfs.ext4', '-q', '-m', '0', image);
    mount();
  } catch {
    rmSync(home, { recursive: true, force: true });
    return null;
  }
  return {
    folder,
    fill() {
      const file = openSync(filler, 'a');
      for (const size of [65_536, 4_096, 1]) {
        const piece = Buffer.alloc(size);
        try {
          while (writeSync(file, piece) > 0);
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        }
      }
      closeSync(file);
      if (statfsSync(folder).bavail > 0) throw new Error('the disk is not full');
    },
    free: () => rmSync(filler),
    breakDown: () => run('mount', '-o', 'remount,abort', folder),
    repair() {
      run('umount', folder);
      mount();
    },
    close() {
      run('umount', '-l', folder);
      rmSync(home, { recursive: true, force: true });
    },
  };
}
