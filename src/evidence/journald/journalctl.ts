import { setImmediate as turn } from 'node:timers/promises';
import type { Window } from '../../core/time.ts';
import { second } from '../../core/time.ts';
import { decodeJournaldJson } from '../../lines/formats/journald.ts';
import { nameOf, type RunCommand } from '../command/run-command.ts';
import { type Told, type Trouble, trouble } from '../log-store/log-store.ts';
import type { GatheredStream } from '../log-store/stream-lines.ts';
import type { Journal, JournaldSettings } from './settings.ts';

/** Entries of one journal by the host that wrote them. */
export interface JournalRead {
  readonly byHost: ReadonlyMap<string, GatheredStream>;
  /** Entries that name no host. */
  readonly unnamed: number;
  /** Lines that are no entry. */
  readonly broken: number;
  readonly bytes: number;
  readonly trouble: Trouble | null;
}

const fields = 'MESSAGE,_HOSTNAME,_TRANSPORT,SYSLOG_IDENTIFIER,_COMM,_PID,SYSLOG_PID';
/** Decoding so many entries takes some milliseconds; then others have their turn. */
const entriesInTurn = 1000;

/** Hosts that a journal holds entries of, from whatever time. */
export async function hostsOf(
  settings: JournaldSettings,
  journal: Journal,
  run: RunCommand,
  signal: AbortSignal,
): Promise<Told<readonly string[]>> {
  const told = await run([...settings.command, ...placeOf(journal), '--quiet', '-F', '_HOSTNAME'], signal);
  const read = judged(settings, told);
  return read.ok ? { ok: true, value: read.value.text.split('\n').filter(host => host !== '') } : read;
}

/**
 * Entries of kernel and units inside a window, of every boot: `journalctl -k` would leave out what a node wrote before
 * it was started again.
 */
export async function readJournal(
  settings: JournaldSettings,
  journal: Journal,
  window: Window,
  run: RunCommand,
  signal: AbortSignal,
): Promise<Told<JournalRead>> {
  const told = await run([...questionOf(settings, journal), ...spanOf(window), ...matchesOf(settings)], signal);
  const read = judged(settings, told);
  if (!read.ok) return read;
  const { text, bytes, complete } = read.value;
  const byHost = new Map<string, GatheredStream>();
  const counts = { entries: 0, unnamed: 0, broken: 0 };
  const end = complete ? text.length : text.lastIndexOf('\n') + 1;
  let at = 0;
  for (let decoded = 1; at < end && counts.entries < settings.mostLines; decoded += 1) {
    const feed = text.indexOf('\n', at);
    const line = text.slice(at, feed < 0 ? end : feed);
    at = feed < 0 ? end : feed + 1;
    if (line !== '') addEntry(line, journal, window, byHost, counts);
    if (decoded % entriesInTurn === 0) await turn();
  }
  const over = at < end ? 'mostLines' : complete ? null : 'mostBytes';
  const reason = `the journal holds more than may be read (${over})`;
  return {
    ok: true,
    value: {
      byHost,
      unnamed: counts.unnamed,
      broken: counts.broken,
      bytes,
      trouble: over === null ? null : { status: 'truncated', reason, tooMuch: null },
    },
  };
}

function addEntry(
  line: string,
  journal: Journal,
  window: Window,
  byHost: Map<string, GatheredStream>,
  counts: { entries: number; unnamed: number; broken: number },
): void {
  const entry = decodeJournaldJson(line);
  if (entry === null || entry.nanos === null) {
    counts.broken += 1;
    return;
  }
  // Whole seconds are asked for.
  if (entry.nanos < window.from || entry.nanos >= window.to) return;
  counts.entries += 1;
  if (entry.host === null) counts.unnamed += 1;
  const host = entry.host ?? '';
  const known = byHost.get(host) ?? {
    stream: queryOf(journal, entry.host),
    node: entry.host,
    stamps: [],
    lines: [],
  };
  byHost.set(host, known);
  known.stamps.push(entry.nanos);
  known.lines.push(entry.text);
}

function judged(
  { command }: JournaldSettings,
  told: Awaited<ReturnType<RunCommand>>,
): Awaited<ReturnType<RunCommand>> {
  if (!told.ok || !told.value.complete || told.value.exitCode === 0) return told;
  const { exitCode, complaint } = told.value;
  const hint = /permission|not permitted|No access/i.test(complaint)
    ? ', and may not read the journal: add the user to the group systemd-journal'
    : /No such file|Failed to open/i.test(complaint)
      ? ', and found no such journal'
      : '';
  return trouble(
    'failed',
    `${nameOf(command[0] ?? '')} ended with exit code ${exitCode ?? 'none (a signal)'}${hint}`,
  );
}

function questionOf({ command }: JournaldSettings, journal: Journal): readonly string[] {
  return [
    ...command,
    ...placeOf(journal),
    '--quiet',
    '--no-pager',
    '--all',
    '-o',
    'json',
    `--output-fields=${fields}`,
  ];
}

function placeOf(journal: Journal): readonly string[] {
  if (journal.kind === 'local') return [];
  return journal.kind === 'file' ? [`--file=${journal.path}`] : [`--directory=${journal.path}`];
}

function spanOf({ from, to }: Window): readonly string[] {
  return [`--since=@${from / second}`, `--until=@${to / second + 1n}`];
}

/** Fields that begin with an underscore are set by the journal, not by who writes. */
function matchesOf({ units }: JournaldSettings): readonly string[] {
  return ['_TRANSPORT=kernel', ...units.flatMap(unit => ['+', `_SYSTEMD_UNIT=${unit}`])];
}

/** What a person types to see a host's entries again, around the stamp of one. */
function queryOf(journal: Journal, host: string | null): string {
  const place = placeOf(journal).join(' ');
  const only = host === null ? '' : ` _HOSTNAME=${host}`;
  return `journalctl${place === '' ? '' : ` ${place}`} -o json${only}`;
}
