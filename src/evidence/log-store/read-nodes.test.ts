import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startFakeLoki } from '../../../tests/support/fakes/loki.ts';
import { lokiSource, pushToLoki } from '../../../tests/support/fakes/loki-under-test.ts';
import { collectLines, planFor, statusesOf } from '../../../tests/support/log-lines.ts';
import { assertOrdered, type LoggedLine } from '../../../tests/support/log-store-suite.ts';
import { minute, second } from '../../core/time.ts';

const from = 1_796_126_400n * second;
const window = { from, to: from + 17n * minute };
const nodes = ['node-01', 'node-02', 'node-03'];

function kernel(node: string, index: number, line: string): LoggedLine {
  return { origin: 'kernel', node, nanos: from + BigInt(index) * second, line };
}

/** Of fifty lines on each node one passes the filter on the first, three on the second, none on the third. */
const lines = nodes.flatMap((node, hits) =>
  Array.from({ length: 50 }, (_, index) => {
    const passes = (hits === 0 && index === 7) || (hits === 1 && index % 20 === 5);
    return kernel(node, index, passes ? `xid ${index}` : `usb ${index}`);
  }),
);

async function read(settings: Readonly<Record<string, unknown>>) {
  const server = await startFakeLoki();
  await pushToLoki(server.url, 'a', lines);
  const source = lokiSource(server.url, { matchers: '{cluster="a"}', job: false, epilog: false, ...settings });
  try {
    const plan = planFor(nodes, window, { cover: { kernel: ['xid'] } });
    const { lines: got, coverage } = await collectLines(source, plan);
    assertOrdered(got);
    assert.deepEqual(statusesOf(coverage, 'kernel'), Object.fromEntries(nodes.map(node => [node, 'complete'])));
    return nodes.map(node => got.filter(({ header }) => header.node === node).length);
  } finally {
    await source.close?.();
    await server.close();
  }
}

test('nodes with lines that pass the filter are read whole, those with most of them first', async () => {
  assert.deepEqual(await read({ unfilteredLines: 120 }), [50, 50, 0]);
  assert.deepEqual(await read({ unfilteredLines: 60 }), [1, 50, 0]);
  assert.deepEqual(await read({ unfilteredLines: 120, closerNodes: 1 }), [1, 50, 0]);
  assert.deepEqual(await read({ unfilteredLines: 120, closerNodes: 0 }), [1, 3, 0]);
});

test('the same where queries name no nodes', async () => {
  assert.deepEqual(
    await read({ unfilteredLines: 120, nodeShare: 0, queryBytes: 500, mostQueries: 1 }),
    [50, 50, 0],
  );
});

test('few lines are read whole anyway', async () => {
  assert.deepEqual(await read({ unfilteredLines: 150 }), [50, 50, 50]);
});
