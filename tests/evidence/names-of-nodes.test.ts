import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Engine, openCorpus, openEngine, reasoningOver } from '../../src/app/engine.ts';
import { readSettings } from '../../src/config/read-settings.ts';
import { minute, second } from '../../src/core/time.ts';
import { attributeFailure } from '../../src/providers/rules/attribute.ts';
import { startFakeLoki } from '../support/fakes/loki.ts';
import { lokiSource, pushToLoki } from '../support/fakes/loki-under-test.ts';
import { type FakeSlurm, startFakeSlurmrestd } from '../support/fakes/slurmrestd.ts';
import { statusesOf } from '../support/log-lines.ts';
import type { LoggedLine } from '../support/log-store-suite.ts';
import { sampleRequest } from '../support/sample-request.ts';
import { silentLog } from '../support/silent-log.ts';
import { failingJob, slurmSource } from '../support/slurm-job.ts';

const noon = 1_796_126_400;
const moment = BigInt(noon) * second;
const window = { from: moment - 15n * minute, to: moment + 2n * minute };
const { settings } = readSettings({ file: null, environment: {}, flags: { 'rules.workers': 0 } });

let engine: Engine;
before(async () => {
  engine = openEngine(settings, await openCorpus());
});
after(() => engine.pool.close());

const failed = failingJob(noon);
/** A job that failed by itself, on nodes that Slurm finds well. */
const slurm: FakeSlurm = {
  ...failed,
  jobs: failed.jobs.map(job => ({
    ...job,
    state: 'FAILED',
    reason: 'NonZeroExitCode',
    failedNode: '',
    code: 1,
  })),
  nodes: failed.nodes.map(node => ({ ...node, state: ['IDLE'], reason: '', reasonAt: 0 })),
};

interface Spelling {
  readonly what: string;
  readonly scope: (number: number) => string;
  /** The label of the store. */
  readonly label: (number: number) => string;
  /** What the machine calls itself in its lines. */
  readonly host: (number: number) => string;
}

const short = (number: number) => `node-0${number}`;
const full = (number: number) => `node-0${number}.train.example`;
const address = (number: number) => `10.1.0.${number}`;
const own = (number: number) => `gpu-a${number}`;

const spellings: readonly Spelling[] = [
  { what: 'labels are addresses', scope: short, label: address, host: short },
  { what: 'labels are addresses with a port', scope: short, label: n => `${address(n)}:9100`, host: short },
  { what: 'labels are full names', scope: short, label: full, host: full },
  { what: 'the request has full names', scope: full, label: short, host: short },
  { what: 'machines call themselves otherwise', scope: short, label: short, host: own },
  { what: 'labels are addresses of machines with another name', scope: short, label: address, host: own },
];

for (const { what, scope, label, host } of spellings) {
  test(`${what}: the node is named as the request spells it`, async () => {
    const loki = await startFakeLoki();
    const restd = await startFakeSlurmrestd({ slurm });
    const line = (number: number, offset: bigint, text: string): LoggedLine => {
      const nanos = moment + offset;
      const stamp = new Date(Number(nanos / 1_000_000n)).toISOString().replace('Z', '+00:00');
      const written = `${stamp} ${host(number)} kernel: ${text}`;
      return { origin: 'kernel', node: label(number), nanos, line: written };
    };
    await pushToLoki(loki.url, 'a', [
      ...[1, 2, 3].map(number => line(number, -2n * minute, 'usb 1-1: new device')),
      line(2, -minute, 'NVRM: Xid (PCI:0000:b3:00): 79, pid=1, GPU has fallen off the bus.'),
    ]);
    const sources = [slurmSource(restd.url), lokiSource(loki.url, { matchers: '{cluster="a"}' })];
    const parts = reasoningOver(settings, engine, sources, { log: silentLog });
    const nodes = [1, 2, 3].map(scope);
    const request = sampleRequest({
      workloadId: '42',
      scope: { nodes, ranks: [], startTime: null, endTime: null },
      failureContext: { detectedAt: moment, detectionSignal: 'crash' },
    });
    const reading = {
      windows: [window],
      epilogWindow: null,
      notYet: null,
      only: null,
      everything: false,
      moment,
    };
    const context = { soft: new AbortController().signal, report: () => {}, now: window.to };
    const nothing = { symptoms: [], coverage: [] };
    const { outcome } = await attributeFailure(parts, request, reading, nothing, context);
    for (const source of sources) await source.close?.();
    await loki.close();
    await restd.close();
    assert.deepEqual(
      outcome.findings.map(({ target }) => target),
      [{ type: 'Node', node: scope(2) }],
    );
    const kernel = statusesOf(outcome.coverage, 'kernel');
    assert.deepEqual(kernel, Object.fromEntries(nodes.map(node => [node, 'complete'])));
  });
}
