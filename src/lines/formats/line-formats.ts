import type { LineDating, LineFormat, ParsedLine } from '../line.ts';
import { bareLine } from '../line-prefixes.ts';
import { beginsColoured, withoutColours } from '../terminal-colours.ts';
import { dmesg } from './dmesg.ts';
import { dmesgIso } from './dmesg-iso.ts';
import { dmesgLocal } from './dmesg-local.ts';
import { fabricManager } from './fabric-manager.ts';
import { job } from './job.ts';
import { journalShort } from './journal-short.ts';
import { journald } from './journald.ts';
import { shippedJson } from './shipped-json.ts';
import { slurmDaemon } from './slurm-daemon.ts';
import { syslog } from './syslog.ts';
import { syslog5424 } from './syslog-5424.ts';
import { syslogIso } from './syslog-iso.ts';

/** Every format, in the order in which `auto` tries them: `job` takes whatever is left. */
export const lineFormats: readonly LineFormat[] = [
  journald,
  shippedJson,
  dmesg,
  dmesgLocal,
  dmesgIso,
  syslog5424,
  syslogIso,
  journalShort,
  fabricManager,
  slurmDaemon,
  syslog,
  job,
];

const byName = new Map(lineFormats.map(format => [format.name, format]));

/** The format of a name; null for `auto` and for names nobody gave. */
export function lineFormat(name: string): LineFormat | null {
  return byName.get(name) ?? null;
}

/**
 * What the prefixes of a line say. `auto` (or an unknown name) takes the first format the line fits; a line that does
 * not fit its named format says nothing before its message. Colours that a line begins with are looked through.
 */
export function parseLine(format: string, line: string, dating: LineDating): ParsedLine {
  if (!beginsColoured(line)) return parsePlain(format, line, dating);
  const { text, placeOf } = withoutColours(line);
  const parsed = parsePlain(format, text, dating);
  return { ...parsed, messageAt: placeOf(parsed.messageAt) };
}

function parsePlain(format: string, line: string, dating: LineDating): ParsedLine {
  const named = byName.get(format);
  if (named !== undefined) return named.parse(line, dating) ?? bareLine;
  for (const candidate of lineFormats) {
    const parsed = candidate.fits(line) || candidate === job ? candidate.parse(line, dating) : null;
    if (parsed !== null) return parsed;
  }
  return bareLine;
}
