import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Batch, Origin } from '../core/batch.ts';
import type { SourceCoverage } from '../core/coverage.ts';
import type { CollectPlan, Log, Source } from '../core/ports.ts';
import type { Tracer } from '../core/tracing.ts';
import { collect } from './collect.ts';
import { nothingProved } from './coverage.ts';

const request: CollectPlan['request'] = {
  schemaVersion: '1',
  workloadId: '42',
  scope: { nodes: ['node-01', 'node-02'], ranks: [], startTime: null, endTime: null },
  failureContext: { detectedAt: 0n, detectionSignal: 'crash' },
  timeoutMs: 1000,
  workloadContext: { workflowId: 'w', attemptIndex: 0, jobEndTime: null },
  phase: 'fast',
  continueSession: null,
  userId: 'user1',
};
const plan: CollectPlan = {
  request,
  windows: [{ from: 10n, to: 20n }],
  epilogWindow: null,
  nodes: [
    { name: 'node-01', aliases: [] },
    { name: 'node-02', aliases: [] },
  ],
  cover: {},
  only: null,
  everything: false,
};

function recordingLog(): { log: Log; lines: string[] } {
  const lines: string[] = [];
  const write = (fields: object, message: string): void => {
    lines.push(JSON.stringify({ ...fields, message }));
  };
  const log: Log = { debug: write, info: write, warn: write, error: write, child: () => log };
  return { log, lines };
}

function batch(source: string, sequence: number): Batch {
  const header = {
    source,
    origin: 'kernel' as const,
    format: 'auto',
    node: 'node-01',
    stream: 's',
    sequence,
    firstLine: 1,
    dating: { zone: 'UTC', zoneAssumed: true, year: null, bootNanos: null },
  };
  return { kind: 'states', header, rows: [] };
}

function source(name: string, collectIt: Source['collect'], origins: readonly Origin[] = ['kernel']): Source {
  return { name, origins, collect: collectIt };
}

const good = (name: string, origins?: readonly Origin[]): Source => {
  const self: Source = source(
    name,
    async function* () {
      yield batch(name, 0);
      return nothingProved(self, plan, 'complete', '');
    },
    origins,
  );
  return self;
};

async function run(
  sources: readonly Source[],
  options: { signal?: AbortSignal; log?: Log; plan?: CollectPlan; graceMs?: number; tracer?: Tracer } = {},
): Promise<{ batches: Batch[]; coverage: readonly SourceCoverage[] }> {
  const batches: Batch[] = [];
  const log = options.log ?? recordingLog().log;
  const signal = options.signal ?? new AbortController().signal;
  const collection = collect(sources, options.plan ?? plan, signal, log, {
    graceMs: options.graceMs ?? 1,
    tracer: options.tracer,
  });
  for (;;) {
    const step = await collection.next();
    if (step.done) return { batches, coverage: step.value };
    batches.push(step.value);
  }
}

test('batches and coverage of all sources arrive, coverage in the order of the sources', async () => {
  const { batches, coverage } = await run([good('a'), good('b')]);
  assert.deepEqual(batches.map(item => item.header.source).sort(), ['a', 'b']);
  assert.deepEqual(
    coverage.map(entry => entry.source),
    ['a', 'b'],
  );
});

test('a source that throws is covered as failed and logged without its message', async () => {
  const broken = source('broken', async function* () {
    yield batch('broken', 0);
    throw new Error('quoting password=hunter2');
  });
  const { log, lines } = recordingLog();
  const { batches, coverage } = await run([broken, good('a')], { log });
  assert.equal(batches.length, 2);
  const [failed] = coverage;
  assert.equal(failed?.groups[0]?.status, 'failed');
  assert.equal(failed?.groups[0]?.nodes, 'node-[01-02]');
  assert.deepEqual(failed?.window, { from: 10n, to: 20n });
  assert.equal(lines.length, 1);
  assert.ok(!lines.join('').includes('hunter2'));
  assert.ok(lines.join('').includes('broken'));
});

test('a source that ignores the signal is covered as timed out, others keep their own coverage', async () => {
  const stuck = source('stuck', async function* () {
    yield batch('stuck', 0);
    await new Promise(() => {});
    return [];
  });
  const deadline = new AbortController();
  setImmediate(() => deadline.abort());
  const { coverage } = await run([stuck, good('a')], { signal: deadline.signal });
  assert.deepEqual(
    coverage.map(entry => [entry.source, entry.groups[0]?.status]),
    [
      ['stuck', 'timed_out'],
      ['a', 'complete'],
    ],
  );
});

test('only what a plan asks for is read, health sources whenever there is an epilog window', async () => {
  const sources = [good('a'), good('b'), good('nhc', ['health'])];
  const only = [{ source: 'b', nodes: [] }];
  const again = await run(sources, { plan: { ...plan, only } });
  assert.deepEqual(
    again.coverage.map(entry => entry.source),
    ['b'],
  );
  const slow = await run(sources, { plan: { ...plan, only, epilogWindow: { from: 30n, to: 40n } } });
  assert.deepEqual(
    slow.coverage.map(entry => entry.source),
    ['b', 'nhc'],
  );
});

test('the span of a source is below that of the collection, and ends also where the source never does', async () => {
  const told: string[] = [];
  const tracer: Tracer = {
    begin(name) {
      let says = name;
      let isOpen = true;
      return {
        isRecorded: true,
        set(attributes) {
          says += ` ${JSON.stringify(attributes)}`;
        },
        fail(type) {
          says += ` failed: ${type}`;
        },
        headers: () => ({}),
        run: work => work(),
        end() {
          if (isOpen) told.push(says);
          isOpen = false;
        },
      };
    },
  };
  const stuck = source('stuck', async function* () {
    yield batch('stuck', 0);
    await new Promise(() => {});
    return [];
  });
  const broken = source('broken', async function* () {
    yield* [];
    throw new TypeError('quoting password=hunter2');
  });
  const deadline = new AbortController();
  setImmediate(() => deadline.abort());
  await run([good('a'), stuck, broken], { signal: deadline.signal, tracer });
  assert.deepEqual(told.sort(), [
    'collect',
    'collect source failed: TypeError',
    'collect source failed: abandoned',
    'collect source {"attribution.batches":1,"attribution.coverage":"complete"}',
  ]);
});
