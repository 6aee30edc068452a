import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAttributorService } from '../support/attributor-service.ts';
import { dialectClient } from '../support/dialect-client.ts';

const end = new Date();
const endNanos = BigInt(end.getTime()) * 1_000_000n;
const fallen = 'NVRM: Xid (PCI:0000:1a:00): 79, pid=1234, GPU has fallen off the bus.';
const linkDown = 'mlx5_core 0000:b1:00.0 eth1: Link down';

/** What is said on every node after the fault of the first: page faults of all its GPUs. */
const pageFaults = Array.from(
  { length: 8 },
  (_, gpu) => `NVRM: Xid (PCI:0000:${gpu}c:00): 31, pid=2, MMU Fault`,
);

/** What the three reads name: after the fault, after what came of it on all nodes, after one late line more. */
async function threeReads(nodeCount: number, flags: Readonly<Record<string, unknown>>) {
  const service = await openAttributorService({ flags: { ...flags, 'attributor.filtered': false } });
  try {
    const nodes = Array.from({ length: nodeCount }, (_, at) => `gpu${at}`);
    const client = dialectClient(service.url);
    const id = await client.create('job', 0, nodes, end);
    const push = async (hostnames: readonly string[], lines: readonly string[], secondsBefore: bigint) => {
      const body = hostnames.map(hostname => ({
        stream: { hostname },
        values: lines.map(line => [String(endNanos - secondsBefore * 1_000_000_000n), line]),
      }));
      const answer = await fetch(`${service.url}/attributor/${id}/observation`, {
        method: 'POST',
        body: JSON.stringify({ body }),
      });
      assert.ok(answer.ok);
    };
    const read = async () => {
      const { attributions, error, coverage } = await client.read(id);
      const pushed = coverage.filter(({ source }) => source === 'pushed');
      return {
        named: attributions.map(({ node }) => node),
        error: error?.type ?? null,
        remarks: pushed.flatMap(each => each.remarks),
        statuses: pushed.flatMap(each => each.groups.map(({ status }) => status)),
      };
    };
    await push(['gpu0'], [fallen], 50n);
    const first = await read();
    await push(nodes, pageFaults, 10n);
    const second = await read();
    await push(['gpu7'], [linkDown], 1n);
    return [first, second, await read()] as const;
  } finally {
    await service.close();
  }
}

test('what came of a fault on hundreds of nodes hides it from no read', async () => {
  for (const { named, error } of await threeReads(600, {})) {
    assert.deepEqual([named, error], [['gpu0'], null]);
  }
});

test('where what was pushed does not fit, no read names anybody by what is left, and each says so', async () => {
  const [first, ...later] = await threeReads(300, { 'sessions.bytes': 16_384 });
  assert.deepEqual(first.named, ['gpu0']);
  for (const { named, error, remarks, statuses } of later) {
    assert.deepEqual([named, error], [[], 'insufficient_telemetry']);
    assert.deepEqual(statuses, ['failed']);
    assert.match(remarks.join(), /did not fit into its session/);
  }
});
