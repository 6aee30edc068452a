import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after } from 'node:test';
import type { Batch, LineBatch, Origin } from '../../src/core/batch.ts';
import type { CoverageGroup, SourceCoverage } from '../../src/core/coverage.ts';
import type { CollectPlan } from '../../src/core/ports.ts';
import { bufferPool } from '../../src/evidence/buffers.ts';
import { createFilesSource } from '../../src/evidence/files/files-source.ts';
import { commandLineFilesSettings, type FilesSettings } from '../../src/evidence/files/settings.ts';
import { silentLog } from './silent-log.ts';

/** Removed after the tests. */
export const top = mkdtempSync(join(tmpdir(), 'files-source-'));
after(() => rmSync(top, { recursive: true, force: true }));

/** Nanoseconds of an ISO time. */
export const iso = (text: string) => BigInt(Date.parse(text)) * 1_000_000n;
/** What the source's clock says. */
export const now = iso('2026-11-30T13:00:00Z');
const tools = {
  clock: { now: () => now, elapsedMs: () => 0, after: () => () => {} },
  log: silentLog,
  buffers: bufferPool(),
};

/** Reads everything; `windowed` reads a quarter of an hour around noon. */
export const plan: CollectPlan = {
  request: {
    schemaVersion: '1',
    workloadId: '42',
    scope: { nodes: [], ranks: [], startTime: null, endTime: null },
    failureContext: { detectedAt: now, detectionSignal: 'crash' },
    timeoutMs: 1000,
    workloadContext: { workflowId: 'w', attemptIndex: 0, jobEndTime: null },
    phase: 'fast',
    continueSession: null,
    userId: 'user1',
  },
  windows: [],
  epilogWindow: null,
  nodes: [],
  cover: {},
  only: null,
  everything: true,
};
/** Nodes of a job, without other names. */
export const nodes = (...names: string[]) => names.map(name => ({ name, aliases: [] }));
export const windowed: CollectPlan = {
  ...plan,
  everything: false,
  windows: [{ from: iso('2026-11-30T11:45:00Z'), to: iso('2026-11-30T12:02:00Z') }],
};

let folders = 0;
/** A new folder below `top` that holds these files. */
export function folder(files: Readonly<Record<string, string | Uint8Array>>): string {
  const root = join(top, `f${folders++}`);
  mkdirSync(root);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  return root;
}

/** What one collection yielded and proved. */
export interface Run {
  readonly batches: readonly Batch[];
  readonly coverage: readonly SourceCoverage[];
  text(name: string): string;
  headers(name: string): readonly Batch['header'][];
  of(origin: Origin): SourceCoverage;
  groups(origin: Origin): readonly (readonly [CoverageGroup['status'], string])[];
}

/** Collects from roots as the command line would, unless `settings` say otherwise. */
export async function run(
  root: string | readonly string[],
  asked: CollectPlan = plan,
  settings: Partial<FilesSettings> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<Run> {
  const source = createFilesSource({ ...commandLineFilesSettings([root].flat(), null), ...settings }, tools);
  const batches: Batch[] = [];
  const collection = source.collect(asked, signal);
  for (;;) {
    const step = await collection.next();
    if (step.done) return describe(batches, step.value);
    batches.push(step.value);
  }
}

function describe(batches: readonly Batch[], coverage: readonly SourceCoverage[]): Run {
  const lines = (name: string) =>
    batches
      .filter((batch): batch is LineBatch => batch.kind === 'lines' && batch.header.stream.endsWith(name))
      .sort((a, b) => a.header.sequence - b.header.sequence);
  const of = (origin: Origin): SourceCoverage => {
    const found = coverage.find(entry => entry.origin === origin);
    assert.ok(found !== undefined, `coverage of ${origin}`);
    return found;
  };
  return {
    batches,
    coverage,
    text: name =>
      lines(name)
        .map(b => Buffer.from(b.bytes.subarray(b.ownFrom, b.ownTo)).toString())
        .join(''),
    headers: name => batches.filter(b => b.header.stream.endsWith(name)).map(b => b.header),
    of,
    groups: origin => of(origin).groups.map(group => [group.status, group.nodes] as const),
  };
}
