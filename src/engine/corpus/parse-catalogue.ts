import type { CatalogueName } from './catalogue.ts';
import type { CorpusDocument } from './document.ts';
import type { NvlinkRow } from './nvlink.ts';
import { parseInhibits } from './parse-rule.ts';
import { type CorpusProblem, compareText, problemAt } from './problem.ts';
import type { CatalogueRow } from './rule.ts';
import type { CatalogueFile, CatalogueFileRow } from './schema.ts';

export interface ParsedCatalogue {
  readonly rows: readonly NvlinkRow[] | readonly CatalogueRow[];
  readonly problems: readonly CorpusProblem[];
}

/** The rows of a catalogue file that fits its schema, sorted by code, and what is wrong among them. */
export function parseCatalogue(name: CatalogueName, document: CorpusDocument): ParsedCatalogue {
  const file = document.value as CatalogueFile;
  const problems: CorpusProblem[] = [];
  const seen = new Set<string>();
  const rows = file.rows.map((row, index): CatalogueRow => {
    const report = (message: string, key = 'code'): void => {
      problems.push(
        problemAt(document.place(['rows', index, key]), `rows[${index}] (${row.code}): ${message}`),
      );
    };
    if (seen.has(row.code)) report('this code has a row already');
    seen.add(row.code);
    if (row.blames === 'node' && (row.strength === 'S5' || row.strength === 'S6')) {
      report(`blames a node with strength ${row.strength}: only S1 to S4 may`, 'strength');
    }
    checkKeys(name, row, report);
    return name === 'nvlink' ? nvlinkRow(row) : catalogueRow(name, row);
  });
  return { rows: rows.sort((a, b) => compareText(a.code, b.code)), problems };
}

const decodeKeys = ['xid', 'unit', 'intr_info_v1', 'intr_info_v2', 'error_status', 'severity'] as const;

function checkKeys(
  name: CatalogueName,
  row: CatalogueFileRow,
  report: (message: string, key?: string) => void,
): void {
  if (name !== 'nvlink') {
    const alien = decodeKeys.find(key => row[key] !== undefined);
    if (alien !== undefined) report(`key \`${alien}\` belongs into the nvlink catalogue only`, alien);
    if (!/^[0-9]+$/.test(row.code)) report('a code of this catalogue is a number, in quotes');
    return;
  }
  for (const key of ['xid', 'unit', 'error_status'] as const) {
    if (row[key] === undefined) report(`key \`${key}\` is missing`);
  }
  if (row.intr_info_v1 === undefined && row.intr_info_v2 === undefined) {
    report('needs intr_info_v1 or intr_info_v2');
  }
}

function catalogueRow(name: CatalogueName, row: CatalogueFileRow): CatalogueRow {
  const code = `${name}-${row.code}`;
  return {
    code,
    title: row.title,
    symptom: row.symptom ?? code,
    category: row.category,
    blames: row.blames,
    role: row.role,
    strength: row.strength,
    status: row.status,
    inhibits: parseInhibits(row.inhibits),
    caution: row.caution ?? null,
  };
}

function nvlinkRow(row: CatalogueFileRow): NvlinkRow {
  return {
    ...catalogueRow('nvlink', row),
    xid: row.xid ?? '',
    units: (row.unit ?? '').split('/').map(unit => unit.trim().toUpperCase()),
    intrInfoV1: row.intr_info_v1 ?? null,
    intrInfoV2: row.intr_info_v2 ?? null,
    errorStatus: Number.parseInt(row.error_status ?? '0', 16),
    severity: row.severity ?? null,
  };
}
