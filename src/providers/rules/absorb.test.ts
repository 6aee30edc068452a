import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sampleRequest } from '../../../tests/support/sample-request.ts';
import { sampleSession } from '../../../tests/support/sample-session.ts';
import { silentLog } from '../../../tests/support/silent-log.ts';
import { openCorpus } from '../../app/engine.ts';
import { type ObservedStream, renderObservation } from '../../contract/dialect/index.ts';
import type { Source } from '../../core/ports.ts';
import type { Session, SessionPart } from '../../core/session.ts';
import { minute, second } from '../../core/time.ts';
import { createRecognitionPool } from '../../engine/pool.ts';
import { bufferPool } from '../../evidence/buffers.ts';
import { absorbPushed, type PushedSettings } from './absorb.ts';
import { observationOpener } from './observation-opener.ts';

const pool = createRecognitionPool(await openCorpus(), { workers: 0 });
const opener = observationOpener();
after(() => Promise.all([pool.close(), opener.close()]));

const end = sampleRequest().failureContext.detectedAt;
const fallen = 'NVRM: Xid (PCI:0000:b3:00): 79, pid=1234, name=python3, GPU has fallen off the bus.';
const fresh = sampleSession('s', { windows: [], symptoms: [], coverage: [] });
const source: Source = {
  name: 'scheduler',
  origins: ['scheduler'],
  async *collect() {
    yield* [];
    return [];
  },
};
const trusting: PushedSettings = { trust: 'kernel', filtered: true };

function stream(change: Partial<ObservedStream> = {}): ObservedStream {
  const lines = [`[ 4711.250113] ${fallen}`];
  return {
    labels: { job: 'nvrx', app: 'dmesg', hostname: 'node-01' },
    stamps: [end - second],
    lines,
    ...change,
  };
}

async function absorb(
  streams: readonly (readonly ObservedStream[] | string)[],
  session: Session = fresh,
  settings: PushedSettings = trusting,
  sources: readonly Source[] = [],
): Promise<SessionPart> {
  async function* bytes() {
    for (const [at, each] of streams.entries()) {
      const body =
        typeof each === 'string'
          ? each
          : JSON.stringify(renderObservation({ from: end - 12n * minute, to: end }, each));
      yield { id: `piece-${at}`, bytes: new TextEncoder().encode(body) };
    }
  }
  const scope = { nodes: ['node-01', 'node-02'], ranks: [], startTime: null, endTime: null };
  const parts = { pool, buffers: bufferPool(), opener, settings, log: silentLog, sources };
  return absorbPushed(parts, sampleRequest({ scope }), session, bytes());
}

const statuses = ({ coverage }: SessionPart) =>
  coverage.map(({ origin, groups }) => [origin, groups.map(({ status, nodes }) => `${status} ${nodes}`)]);

test('stamps that only number the lines are synthetic, and order is the kernel clock', async () => {
  const { symptoms } = await absorb([[stream()]]);
  const [first] = symptoms.map(symptom => symptom.first);
  assert.equal(first?.basis, 'synthetic');
  assert.equal(first?.nanos, end - second);
  assert.equal(first?.plusMinus, 12n * minute);
  assert.equal(first?.tick, 4_711_250_113_000n);
});

test('stamps that a store keeps are believed', async () => {
  const stamps = [end - 30n * second, end - 20n * second];
  const labels = { app: 'kernel', hostname: 'node-01' };
  const { symptoms } = await absorb([[stream({ labels, stamps, lines: ['eth0: link is up', fallen] })]]);
  assert.deepEqual(
    symptoms.map(({ first }) => [first.basis, first.nanos]),
    [['stamped', end - 20n * second]],
  );
});

test("a line's own time counts before a number for a time", async () => {
  const lines = [`2026-09-09T11:58:00.250000+00:00 node-01 kernel: ${fallen}`];
  const { symptoms } = await absorb([[stream({ lines })]]);
  assert.deepEqual(
    symptoms.map(({ first }) => [first.basis, first.nanos]),
    [['stamped', end - 120n * second + 250_000_000n]],
  );
});

test('labels and the setting only lower trust', async () => {
  const origin = async (labels: Record<string, string>, settings = trusting) =>
    (await absorb([[stream({ labels })]], fresh, settings)).coverage.map(source => source.origin);
  assert.deepEqual(await origin({ hostname: 'node-01' }), ['kernel']);
  assert.deepEqual(await origin({ app: 'kernel', hostname: 'node-01' }), ['kernel']);
  assert.deepEqual(await origin({ app: 'train.py', hostname: 'node-01' }), ['job']);
  assert.deepEqual(await origin({ app: 'dmesg', hostname: 'node-01' }, { trust: 'job', filtered: false }), [
    'job',
  ]);
});

test('coverage tells whole logs from filtered ones, and both from silence', async () => {
  const whole = { app: 'dmesg', hostname: 'node-01', filter: 'none' };
  assert.deepEqual(statuses(await absorb([[stream({ labels: whole })]])), [
    ['kernel', ['complete node-01', 'unknown node-02']],
  ]);
  assert.deepEqual(statuses(await absorb([[stream()]])), [
    ['kernel', ['truncated node-01', 'unknown node-02']],
  ]);
});

test('rounds add up, and the same round again adds no symptom', async () => {
  const first = await absorb([[stream()], 'no JSON']);
  const session = { ...fresh, ...first };
  const other = stream({ labels: { app: 'dmesg', hostname: 'node-02' } });
  const second = await absorb([[other], '{}'], session);
  assert.deepEqual(statuses(second), [['kernel', ['truncated node-[01-02]']]]);
  assert.equal(second.coverage[0]?.lines, 2);
  assert.ok(second.coverage[0]?.remarks.includes('2 entries could not be read and were left out'));
  const again = await absorb([[stream()]], { ...fresh, ...second });
  assert.deepEqual(again.symptoms, second.symptoms);
});

test('what hosts outside the job show is left out and counted, unless sources may know other names', async () => {
  const labels = { app: 'dmesg', hostname: 'node-77' };
  const alone = await absorb([[stream(), stream({ labels })]]);
  assert.deepEqual(
    alone.symptoms.map(({ node }) => node),
    ['node-01'],
  );
  assert.match(alone.coverage[0]?.remarks.join() ?? '', /1 symptoms of hosts outside the job were left out/);
  const withSources = await absorb([[stream({ labels })]], fresh, trusting, [source]);
  assert.deepEqual(
    withSources.symptoms.map(({ node }) => node),
    ['node-77'],
  );
});

test('names that fit no node of the job are told, and an empty job takes every name', async () => {
  const labels = { app: 'dmesg', hostname: 'node-77' };
  const { coverage } = await absorb([[stream({ labels })]]);
  assert.match(coverage[0]?.remarks.join() ?? '', /"node-77" belong to no node/);
});
