import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { pathOf } from './installed.ts';

export const journalPrograms = ['journalctl', 'systemd-journal-remote'] as const;
export const journalPackages = ['systemd-journal-remote'] as const;

/** An entry as a journal holds it. */
export interface JournalEntry {
  readonly nanos: bigint;
  readonly host: string;
  readonly transport: 'kernel' | 'syslog' | 'journal';
  /** Bytes need not be text. */
  readonly message: string | Uint8Array;
  readonly unit?: string;
  readonly identifier?: string;
  readonly boot?: string;
}

/** Writes a journal file by way of the text form in which journals are exported. */
export function writeJournal(path: string, entries: readonly JournalEntry[]): void {
  const exported = `${path}.export`;
  writeFileSync(exported, Buffer.concat(entries.map(exportEntry)));
  execFileSync(pathOf('systemd-journal-remote'), ['-o', path, exported], { stdio: 'ignore' });
}

function exportEntry({ nanos, host, transport, message, unit, identifier, boot }: JournalEntry): Buffer {
  const micros = nanos / 1000n;
  const lines = [
    `__REALTIME_TIMESTAMP=${micros}`,
    `__MONOTONIC_TIMESTAMP=${micros % 1_000_000_000n}`,
    `_BOOT_ID=${boot ?? '0123456789abcdef0123456789abcdef'}`,
    `_HOSTNAME=${host}`,
    `_TRANSPORT=${transport}`,
    ...(unit === undefined ? [] : [`_SYSTEMD_UNIT=${unit}`]),
    ...(identifier === undefined ? [] : [`SYSLOG_IDENTIFIER=${identifier}`]),
  ];
  const bytes = Buffer.from(message);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(bytes.length));
  return Buffer.concat([Buffer.from(`${lines.join('\n')}\nMESSAGE\n`), length, bytes, Buffer.from('\n\n')]);
}
