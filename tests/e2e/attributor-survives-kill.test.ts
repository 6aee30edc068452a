import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dialectClient } from '../support/dialect-client.ts';
import { freePort } from '../support/free-port.ts';
import { type RunningService, startService, temporaryFolder } from '../support/service.ts';

const nodes = Array.from({ length: 300 }, (_, at) => `node-${String(at).padStart(3, '0')}`);
const line = (at: number) =>
  `[ ${4000 + at}.250113] NVRM: Xid (PCI:0000:b3:00): ${at === 7 ? 79 : 45}, pid=${at}, name=python3, at ${at}`;

test('every acknowledged observation is there after kill -9 in the middle of a surge', async context => {
  const state = temporaryFolder(context);
  const port = await freePort();
  const client = dialectClient(`http://127.0.0.1:${port}/latest`);
  const start = (): Promise<RunningService> =>
    startService(['--state', state], {
      ATTRIBUTION_ATTRIBUTOR_ENABLED: 'true',
      ATTRIBUTION_LISTEN_ATTRIBUTOR: `127.0.0.1:${port}`,
      ATTRIBUTION_RULES_WORKERS: '1',
    });
  const first = await start();
  const id = await client.create('3001', 1, nodes);
  const acknowledged = new Set<string>();
  const enough = Promise.withResolvers<void>();
  const surge = nodes.map(async (node, at) => {
    const response = await client.observe(id, node, [line(at)]).catch(() => null);
    if (response?.status !== 200) return;
    acknowledged.add(node);
    if (acknowledged.size === 100) enough.resolve();
  });
  await enough.promise;
  await first.kill();
  await Promise.all(surge);
  assert.ok(acknowledged.size >= 100);

  const second = await start();
  context.after(() => second.kill());
  const { coverage } = await client.read(id);
  const pushed = coverage.find(source => source.source === 'pushed');
  assert.ok((pushed?.lines ?? 0) >= acknowledged.size);
  const seen = new Set(expand(pushed?.groups.find(({ status }) => status === 'truncated')?.nodes ?? ''));
  assert.deepEqual(
    [...acknowledged].filter(node => !seen.has(node)),
    [],
  );
  assert.deepEqual(
    await client.faulty(id),
    acknowledged.has('node-007') || seen.has('node-007') ? ['node-007'] : [],
  );
  assert.equal(await second.stop(), 0);
});

/** `node-[000-007,009]`, as the service writes names that differ in one number. */
function expand(hosts: string): readonly string[] {
  const inner = /^node-\[([0-9,-]*)\]$/.exec(hosts)?.[1];
  if (inner === undefined) return [hosts];
  return inner.split(',').flatMap(part => {
    const [from = '', to = from] = part.split('-');
    const count = Number(to) - Number(from) + 1;
    return Array.from({ length: count }, (_, at) => `node-${String(Number(from) + at).padStart(3, '0')}`);
  });
}
