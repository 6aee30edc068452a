import type { StorageFault } from '../core/storage-error.ts';

/** Primary result codes of SQLite that have a remedy; https://www.sqlite.org/rescode.html numbers them. */
const faultsByCode: ReadonlyMap<number, StorageFault> = new Map([
  [3, 'not_permitted'],
  [5, 'locked'],
  [6, 'locked'],
  [8, 'read_only'],
  [10, 'io'],
  [11, 'corrupt'],
  [13, 'full'],
  [14, 'not_permitted'],
  [26, 'corrupt'],
]);

const remedies: Readonly<Partial<Record<StorageFault, string>>> = {
  full: 'no space is left for it: free space on that file system',
  read_only:
    'it cannot be written: check that its file system is mounted read-write and that it belongs to this user',
  corrupt: 'it is damaged or no SQLite file: move it away, and a new one is begun (sessions in it are lost)',
  locked: 'another process holds it: stop that process, or give this one a state folder of its own',
  not_permitted: 'it cannot be opened: check that its folder exists and belongs to this user',
  io: 'reading or writing it failed: check the disk, whether its file system became read-only, and the system log',
};

/** The fault behind an error thrown by node:sqlite, as a message naming the file and the remedy. */
export function describeFault(error: unknown, file: string): { fault: StorageFault; message: string } {
  const code = sqliteCode(error);
  const fault = (code === null ? undefined : faultsByCode.get(code)) ?? 'failed';
  const remedy =
    remedies[fault] ?? (error instanceof Error ? error.message : 'it failed for an unknown reason');
  return { fault, message: `state file ${file}: ${remedy}` };
}

function sqliteCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return null;
  return error.errcode & 0xff;
}
