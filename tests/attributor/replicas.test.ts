import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { type AttributorService, openAttributorService } from '../support/attributor-service.ts';
import { type DialectClient, dialectClient } from '../support/dialect-client.ts';
import { type PostgresCluster, postgresPrograms, startPostgres } from '../support/postgres-cluster.ts';

const programs = postgresPrograms();
const fallen = 'NVRM: Xid (PCI:0000:b3:00): 79, pid=1234, name=python3, GPU has fallen off the bus.';

suite('replicas on PostgreSQL', { skip: programs === null && 'PostgreSQL cannot be installed here' }, () => {
  let cluster: PostgresCluster;
  const services: AttributorService[] = [];
  let clients: readonly DialectClient[] = [];
  before(async () => {
    cluster = await startPostgres(programs ?? '');
    const settings = cluster.database();
    const flags = Object.fromEntries(
      Object.entries(settings).map(([name, value]) => [`postgres.${name}`, value]),
    );
    for (let replica = 0; replica < 2; replica += 1) {
      services.push(await openAttributorService({ flags: { 'sessions.store': 'postgres', ...flags } }));
    }
    clients = services.map(({ url }) => dialectClient(url));
  });
  after(async () => {
    await Promise.all(services.map(service => service.close()));
    await cluster.close();
  });

  test('one attributor is pushed to and read by both at once: nothing is lost, and each line counts once', async () => {
    const [one, two] = clients;
    assert.ok(one && two);
    const nodes = Array.from({ length: 60 }, (_, at) => `node-${at}`);
    const id = await one.create('1', 0, nodes);
    const end = new Date();
    const push = async (client: DialectClient, at: number): Promise<void> => {
      const line = at === 17 ? fallen : `usb 1-${at}: new high-speed USB device`;
      const response = await client.observe(id, nodes[at] ?? '', [`[ 4711.${at + 100_000}] ${line}`], { end });
      assert.equal(response.status, 200, await response.text());
    };
    const at = nodes.map((_, index) => index);
    await Promise.all([
      ...at.map(index => push(index % 2 === 0 ? one : two, index)),
      ...at.slice(0, 20).map(index => push(index % 2 === 0 ? two : one, index)),
      ...[one, two, one, two].map(client => client.read(id)),
    ]);
    for (const client of [two, one]) {
      const { coverage, error } = await client.read(id);
      assert.equal(coverage.find(source => source.source === 'pushed')?.lines, nodes.length);
      assert.equal(error, null);
      assert.deepEqual(await client.faulty(id), ['node-17']);
    }
  });
});
