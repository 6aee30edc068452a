import type { CatalogueRow } from './rule.ts';

/** A row of the NVLink decode table, told apart by unit and bits rather than by a number in the line. */
export interface NvlinkRow extends CatalogueRow {
  readonly xid: string;
  /** Names that the unit goes by. */
  readonly units: readonly string[];
  /** 32 characters, most significant bit first, `-` where a bit does not count; drivers before R575. */
  readonly intrInfoV1: string | null;
  /** The same for drivers from R575 on. */
  readonly intrInfoV2: string | null;
  readonly errorStatus: number;
  readonly severity: string | null;
}

export interface NvlinkDecoding {
  readonly row: NvlinkRow;
  /** How the line's severity word contradicts the row's, or null. */
  readonly conflict: string | null;
}

/**
 * The row that the registers of one Xid 144-150 line select. Which bits name the unit changed with the driver, and
 * a line does not say which driver wrote it: the unit's name and either bit pattern together decide.
 * Captures: `xid`, `unit`, `intr_info` and `error_status` (or both words at the start of `registers`), `severity`.
 */
export function decodeNvlink(
  rows: readonly NvlinkRow[],
  captures: Readonly<Record<string, string>>,
): NvlinkDecoding | null {
  const [first, second] = (captures['registers'] ?? '').match(/0x[0-9a-fA-F]{1,8}/g) ?? [];
  const intrInfo = parseHex(captures['intr_info'] ?? first);
  const errorStatus = parseHex(captures['error_status'] ?? second);
  const xid = captures['xid'];
  const unit = captures['unit'];
  if (intrInfo === null || errorStatus === null || xid === undefined || unit === undefined) return null;
  const fitting = rows.filter(
    row =>
      row.xid === xid &&
      row.units.includes(unit.toUpperCase()) &&
      (fits(row.intrInfoV1, intrInfo) || fits(row.intrInfoV2, intrInfo)),
  );
  const row = fitting.find(each => each.errorStatus === errorStatus) ?? strongest(fitting, errorStatus);
  if (row === undefined) return null;
  return { row, conflict: severityConflict(captures['severity'], row.severity) };
}

/**
 * Several errors may be raised at once: of the rows whose bits are all set, the one with the strongest evidence. Where
 * the table lists values of several bits the values are numbers, and an unlisted one means nothing known.
 */
function strongest(rows: readonly NvlinkRow[], errorStatus: number): NvlinkRow | undefined {
  if (rows.some(row => (row.errorStatus & (row.errorStatus - 1)) !== 0)) return undefined;
  const raised = rows.filter(
    row => row.errorStatus !== 0 && (errorStatus & row.errorStatus) >>> 0 === row.errorStatus,
  );
  return raised.sort((a, b) => (a.strength < b.strength ? -1 : a.strength > b.strength ? 1 : 0))[0];
}

function fits(pattern: string | null, value: number): boolean {
  if (pattern === null) return false;
  for (let at = 0; at < 32; at += 1) {
    const wanted = pattern[at];
    if (wanted !== '-' && wanted !== String((value >>> (31 - at)) & 1)) return false;
  }
  return true;
}

function severityConflict(said: string | undefined, listed: string | null): string | null {
  if (said === undefined || listed === null) return null;
  const saidFatal = isFatal(said);
  const listedFatal = isFatal(listed);
  return saidFatal === listedFatal ? null : `the line says ${said}, the table ${listed}`;
}

/** `Fatal` and `Link Fatal` against `Nonfatal` and `Non-fatal`. */
function isFatal(word: string): boolean {
  const lower = word.toLowerCase();
  return lower.includes('fatal') && !lower.includes('non');
}

function parseHex(text: string | undefined): number | null {
  if (text === undefined || !/^(?:0x)?[0-9a-fA-F]{1,8}$/.test(text)) return null;
  return Number.parseInt(text, 16);
}
