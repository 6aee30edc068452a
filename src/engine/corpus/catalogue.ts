import { decodeNvlink, type NvlinkRow } from './nvlink.ts';
import type { CatalogueRow, Rule } from './rule.ts';

export type CatalogueName = 'xid' | 'sxid' | 'nvlink';
export const catalogueNames: readonly CatalogueName[] = ['xid', 'sxid', 'nvlink'];

/** What codes mean. Rows are sorted by code and their codes carry the catalogue's name (`xid-79`). */
export interface Catalogues {
  readonly xid: readonly CatalogueRow[];
  readonly sxid: readonly CatalogueRow[];
  readonly nvlink: readonly NvlinkRow[];
}

export const noCatalogues: Catalogues = { xid: [], sxid: [], nvlink: [] };

/** What a captured code means. `row` is null where the catalogue does not list it: the rule then speaks for itself. */
export interface CodeMeaning {
  readonly code: string;
  readonly row: CatalogueRow | null;
  /** Set where the line's own severity word contradicts the table: both are shown. */
  readonly conflict: string | null;
}

export type CodeLookup = (
  catalogue: Rule['catalogue'],
  captures: Readonly<Record<string, string>>,
) => CodeMeaning | null;

/** Looks up the code that a rule captured; null where the rule has no catalogue or captured no code. */
export function codeLookup(catalogues: Catalogues): CodeLookup {
  const numbered = {
    xid: new Map(catalogues.xid.map(row => [row.code, row])),
    sxid: new Map(catalogues.sxid.map(row => [row.code, row])),
  };
  const lookupNumber = (name: 'xid' | 'sxid', captured: string | undefined): CodeMeaning | null => {
    if (captured === undefined || !/^[0-9]{1,9}$/.test(captured)) return null;
    const code = `${name}-${Number(captured)}`;
    return { code, row: numbered[name].get(code) ?? null, conflict: null };
  };
  return (catalogue, captures) => {
    if (catalogue === null) return null;
    if (catalogue === 'sxid') return lookupNumber('sxid', captures['sxid']);
    if (catalogue === 'nvlink') {
      const decoded = decodeNvlink(catalogues.nvlink, captures);
      if (decoded !== null) {
        return { code: decoded.row.code, row: decoded.row, conflict: decoded.conflict };
      }
    }
    return lookupNumber('xid', captures['xid']);
  };
}
