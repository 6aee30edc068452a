import type { CoverageStatus, SourceCoverage } from './coverage.ts';
import { datetimeToWire } from './datetime-wire.ts';
import type { EpochNanos } from './vocabulary.ts';

/** A half-open span of time, `from` included; datetimes as the contract writes them. */
export interface WireWindow {
  readonly from: string;
  readonly to: string;
}

/** What one source proved, as command line and operations API print it; no part of the OpenAPI document. */
export interface WireCoverage {
  readonly source: string;
  readonly origin: SourceCoverage['origin'];
  readonly window: WireWindow | null;
  readonly query: string | null;
  readonly filter: string | null;
  readonly streams: number;
  readonly lines: number;
  readonly bytes: number;
  readonly groups: readonly {
    readonly status: CoverageStatus;
    readonly nodes: string;
    readonly count: number;
    readonly reason: string | null;
  }[];
  readonly not_yet: WireWindow | null;
  readonly remarks: readonly string[];
}

export function coverageToWire(coverage: SourceCoverage): WireCoverage {
  return {
    source: coverage.source,
    origin: coverage.origin,
    window: windowToWire(coverage.window),
    query: coverage.query,
    filter: coverage.filter,
    streams: coverage.streams,
    lines: coverage.lines,
    bytes: coverage.bytes,
    groups: coverage.groups.map(({ status, nodes, count, reason }) => ({ status, nodes, count, reason })),
    not_yet: windowToWire(coverage.notYet),
    remarks: coverage.remarks,
  };
}

function windowToWire(
  window: { readonly from: EpochNanos; readonly to: EpochNanos } | null,
): WireWindow | null {
  return window === null ? null : { from: datetimeToWire(window.from), to: datetimeToWire(window.to) };
}
