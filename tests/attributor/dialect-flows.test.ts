import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { type AttributorService, openAttributorService } from '../support/attributor-service.ts';
import { type DialectClient, dialectClient } from '../support/dialect-client.ts';

let service: AttributorService;
let client: DialectClient;

before(async () => {
  service = await openAttributorService();
  client = dialectClient(service.url);
});
after(() => service.close());

const fallen =
  '[ 4711.250113] NVRM: Xid (PCI:0000:b3:00): 79, pid=1234, name=python3, GPU has fallen off the bus.';
const cleanUp = '[ 4712.100000] NVRM: Xid (PCI:0000:1b:00): 45, pid=77, name=python3, Ch 00000001';
const nodes = ['node-a', 'node-b', 'node-c'];

async function accepted(response: Promise<Response>): Promise<string> {
  const answer = await response;
  assert.equal(answer.status, 200, await answer.clone().text());
  const { observation_id: id } = (await answer.json()) as { observation_id: unknown };
  assert.ok(id);
  return String(id);
}

test('the node whose lines show a fault is faulty, the others are not', async () => {
  const id = await client.create('1001', 0, nodes);
  await accepted(client.observe(id, 'node-a', [cleanUp]));
  await accepted(client.observe(id, 'node-b', [fallen]));
  assert.deepEqual(await client.faulty(id), ['node-b']);
  const { attributions, coverage } = await client.read(id);
  assert.equal(attributions[0]?.attributions?.[0]?.error_category, 'accelerator_gpu');
  const evidence = attributions[0]?.attributions?.[0]?.evidence ?? [];
  assert.ok(evidence.some(item => item.kind === 'kernel_log' && item.message.includes('fallen off the bus')));
  const groups = coverage
    .find(source => source.source === 'pushed')
    ?.groups.map(({ status, nodes }) => [status, nodes]);
  assert.deepEqual(groups, [
    ['truncated', 'node-a,node-b'],
    ['unknown', 'node-c'],
  ]);
});

test('an acknowledged observation is visible to the very next read, and later ones make it richer', async () => {
  const id = await client.create('1002', 0, nodes);
  assert.deepEqual(await client.faulty(id), []);
  await accepted(client.observe(id, 'node-a', [cleanUp]));
  assert.deepEqual(await client.faulty(id), []);
  await accepted(client.observe(id, 'node-c', [fallen]));
  assert.deepEqual(await client.faulty(id), ['node-c']);
  assert.deepEqual(await client.faulty(id), ['node-c']);
});

test('silence is no health: without any observation the answer says that too little is known', async () => {
  const id = await client.create('1003', 0, nodes);
  const { attributions, error } = await client.read(id);
  assert.deepEqual(attributions, []);
  assert.equal(error?.type, 'insufficient_telemetry');
});

test('nodes are named as in the workload, whatever a client made of the name', async () => {
  const id = await client.create('1004', 0, ['rack_a_node_1', 'rack_b_node_2', '10.0.0.1']);
  await accepted(client.observe(id, 'rack_a_node', [fallen]));
  assert.deepEqual(await client.faulty(id), ['rack_a_node_1']);
  const ambiguous = await client.create('1004', 1, ['rack_a_1', 'rack_a_2']);
  await accepted(client.observe(ambiguous, 'rack_a', [fallen]));
  assert.deepEqual(await client.faulty(ambiguous), []);
  const { coverage } = await client.read(ambiguous);
  assert.match(JSON.stringify(coverage), /belong to no node of the job, or could be several's/);
});

test('the same observation again counts once', async () => {
  const id = await client.create('1005', 0, nodes);
  const end = new Date();
  const first = await accepted(client.observe(id, 'node-b', [fallen, cleanUp], { end }));
  const second = await accepted(client.observe(id, 'node-b', [fallen, cleanUp], { end }));
  assert.equal(first, second);
  const { coverage } = await client.read(id);
  assert.equal(coverage.find(source => source.source === 'pushed')?.lines, 2);
});

test('times that only number the lines are said to be approximate, and order comes from the kernel', async () => {
  const id = await client.create('1006', 0, nodes);
  await accepted(client.observe(id, 'node-b', [fallen]));
  const { attributions } = await client.read(id);
  const messages = attributions.flatMap(item => item.attributions ?? []).flatMap(item => item.evidence);
  assert.ok(messages.some(item => item.kind === 'note' && /approximate/.test(item.message)));
});

test('bad entries are left out and counted, and the good ones beside them count', async () => {
  const id = await client.create('1007', 0, nodes);
  const values = [['x', fallen], 7, ['1'], [`${Date.now()}000000`, fallen]];
  await accepted(client.observe(id, 'node-b', [], { values }));
  const { coverage } = await client.read(id);
  assert.match(JSON.stringify(coverage), /3 entries could not be read and were left out/);
  assert.deepEqual(await client.faulty(id), ['node-b']);
});

test('what is no observation is refused, what only looks like one is acknowledged and left out', async () => {
  const id = await client.create('1008', 0, nodes);
  const send = (body: string) => fetch(`${service.url}/attributor/${id}/observation`, { method: 'POST', body });
  assert.equal((await send('hello')).status, 422);
  assert.equal((await send('')).status, 422);
  assert.equal((await send('{"context": }')).status, 200);
  assert.match(JSON.stringify((await client.read(id)).coverage), /1 entries could not be read/);
});

test('compressed bodies, and those with a byte order mark, are read like others', async () => {
  const id = await client.create('1014', 0, nodes);
  const body = (at: number) =>
    JSON.stringify({
      body: [{ stream: { hostname: 'node-b' }, values: [[`${Date.now()}00000${at}`, fallen]] }],
    });
  const send = (bytes: Uint8Array<ArrayBuffer>, encoding: string) =>
    fetch(`${service.url}/attributor/${id}/observation`, {
      method: 'POST',
      headers: { 'content-encoding': encoding },
      body: bytes,
    });
  await accepted(send(Uint8Array.from(gzipSync(body(1))), 'gzip'));
  await accepted(send(Uint8Array.from(zstdCompressSync(body(2))), 'zstd'));
  await accepted(send(Uint8Array.from(Buffer.from(`\ufeff${body(3)}`)), 'identity'));
  assert.equal((await send(Uint8Array.from(Buffer.from(body(4))), 'br')).status, 415);
  const { coverage } = await client.read(id);
  assert.equal(coverage.find(source => source.source === 'pushed')?.lines, 3);
  assert.deepEqual(await client.faulty(id), ['node-b']);
});

test('unfiltered bodies without a kernel prefix are read, with what the usual filter drops', async () => {
  const id = await client.create('1009', 0, nodes);
  const lines = [
    'usb 1-1: new high-speed USB device number 4 using xhci_hcd',
    "mlx5_core 0000:03:00.0: poll_health:174: device's health compromised - reached miss count",
    'eth0: link becomes ready',
  ];
  await accepted(client.observe(id, 'node-b', lines));
  assert.deepEqual(await client.faulty(id), ['node-b']);
});

test('a log that says it is of another program convicts nobody', async () => {
  const id = await client.create('1010', 0, nodes);
  await accepted(client.observe(id, 'node-b', [fallen], { app: 'train.py' }));
  assert.deepEqual(await client.faulty(id), []);
});

test('an unknown attributor is a 404, for both calls', async () => {
  const observed = await client.observe('never-made', 'node-a', [fallen]);
  assert.equal(observed.status, 404);
  const read = await fetch(`${service.url}/attributor/never-made/attribution`);
  assert.equal(read.status, 404);
});

test('nothing redirects: a slash at the end is as good as none, other paths are not found', async () => {
  const get = (path: string, method = 'GET') => fetch(`${service.url}${path}`, { method, redirect: 'manual' });
  assert.equal((await get('/attributor/x/attribution/')).status, 404);
  assert.equal((await get('/attributor/', 'POST')).status, 422);
  assert.equal((await get('/attributor')).status, 405);
  assert.equal((await get('/attributor/x/observation')).status, 405);
  assert.equal((await get('')).status, 404);
  assert.equal((await fetch(new URL('/attributor', service.url), { method: 'POST' })).status, 404);
});

test('an adapter that asks itself under another name is recognised by its own id', async () => {
  const headers = { 'x-attribution-instance': 'the remote one' };
  const response = await fetch(`${service.url}/attributor`, {
    method: 'POST',
    headers,
    body: '{"workload":{}}',
  });
  assert.equal(response.status, 508);
  assert.match(await response.text(), /provider\.fact\.url/);
});

test('a workload of the wrong shape is refused', async () => {
  const response = await fetch(`${service.url}/attributor`, { method: 'POST', body: '{"workload":[]}' });
  assert.equal(response.status, 422);
  assert.deepEqual(await response.json(), { detail: 'workload: must be an object' });
});

test('of many nodes at once none is lost, and the read right after the last one sees all', async () => {
  const many = Array.from({ length: 400 }, (_, at) => `node-${String(at).padStart(3, '0')}`);
  const id = await client.create('1011', 0, many);
  const sent = many.map((node, at) =>
    accepted(client.observe(id, node, [at === 250 ? fallen : cleanUp.replace('4712', String(4000 + at))])),
  );
  await Promise.all(sent);
  assert.deepEqual(await client.faulty(id), ['node-250']);
  const { coverage } = await client.read(id);
  assert.equal(coverage.find(source => source.source === 'pushed')?.lines, 400);
});

test('two cycles with the same node make it a repeat offender in the history', async () => {
  const search = async (cluster: string, before: Date) => {
    const response = await fetch(new URL('/nodes/_search', service.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        size: 10_000,
        _source: ['cluster', 'node', 'episode_id', 'event_time'],
        query: {
          bool: {
            filter: [
              { term: { cluster } },
              { terms: { node: nodes } },
              {
                range: {
                  event_time: {
                    gte: new Date(before.getTime() - 14 * 86_400_000).toISOString(),
                    lt: before.toISOString(),
                  },
                },
              },
            ],
          },
        },
      }),
    });
    assert.equal(response.status, 200);
    const { hits } = (await response.json()) as { hits: { hits: { _source: Record<string, string> }[] } };
    return hits.hits.map(hit => hit._source).filter(source => source['episode_id']?.startsWith('2001_'));
  };
  const start = Date.now() - 3_600_000;
  for (const cycle of [3, 4]) {
    const end = new Date(start + cycle * 60_000);
    const id = await client.create('2001', cycle, nodes, end);
    await accepted(client.observe(id, 'node-b', [fallen], { end }));
    assert.deepEqual(await client.faulty(id), ['node-b']);
    await client.read(id);
  }
  const found = await search('unknown', new Date(start + 5 * 60_000));
  assert.deepEqual(
    found.map(({ node, episode_id: episode }) => [node, episode]),
    [
      ['node-b', '2001_4'],
      ['node-b', '2001_3'],
    ],
  );
  assert.ok(found.every(({ event_time: at }) => !Number.isNaN(Date.parse(at ?? ''))));
  assert.deepEqual(await search('another', new Date()), []);
  const earlier = await search('unknown', new Date(start + 4 * 60_000));
  assert.deepEqual(
    earlier.map(({ episode_id: episode }) => episode),
    ['2001_3'],
  );
});

test('the failure that is asked about is no earlier one, even for a client that asks up to the present', async () => {
  const id = await client.create('2002', 0, nodes);
  await accepted(client.observe(id, 'node-c', [fallen]));
  assert.deepEqual(await client.faulty(id), ['node-c']);
  const response = await fetch(new URL('/_search', service.url), { method: 'POST', body: '{"size":1000}' });
  assert.equal(response.status, 200);
  assert.doesNotMatch(await response.text(), /2002_0/);
});

test('a search that is not served as it stands is refused rather than answered too widely', async () => {
  const search = (body: string, path = '/_search') =>
    fetch(new URL(path, service.url), { method: 'POST', body });
  const unserved = await search('{"query":{"bool":{"filter":[{"term":{"tenant":"x"}}]}}}');
  assert.equal(unserved.status, 400);
  const { error, status } = (await unserved.json()) as { error: { reason: string }; status: number };
  assert.equal(status, 400);
  assert.match(error.reason, /query\.bool\.filter\[0\]\.term\.tenant/);
  assert.equal((await search('{"query":')).status, 400);
  assert.equal((await search('{}', '/nodes/_search?q=node:a')).status, 400);
  assert.equal((await search('')).status, 200);
});

test('a search may ask for any time, and page by page', async () => {
  const search = async (body: object): Promise<readonly string[]> => {
    const response = await fetch(new URL('/_search', service.url), {
      method: 'POST',
      body: JSON.stringify(body),
    });
    assert.equal(response.status, 200, await response.clone().text());
    const { hits } = (await response.json()) as { hits: { hits: { _source: { episode_id: string } }[] } };
    return hits.hits.map(hit => hit._source.episode_id);
  };
  const start = Date.now() - 3_600_000;
  for (const cycle of [1, 2, 3]) {
    const end = new Date(start + cycle * 60_000);
    const id = await client.create('2003', cycle, ['node-p'], end);
    await accepted(client.observe(id, 'node-p', [fallen], { end }));
    await client.read(id);
  }
  const node = { term: { node: 'node-p' } };
  const range = (bounds: object) => ({
    query: { bool: { filter: [node, { range: { event_time: bounds } }] } },
  });
  const far = Number.MAX_SAFE_INTEGER;
  assert.equal((await search(range({ gte: -far, lt: far }))).length, 3);
  assert.equal((await search(range({ gte: '0001-01-01T00:00:00Z', lte: '9999-12-31T23:59:59Z' }))).length, 3);
  assert.deepEqual(await search(range({ gte: far })), []);
  assert.deepEqual(await search(range({ lt: -far })), []);
  assert.deepEqual(await search({ query: node, from: 1, size: 1 }), ['2003_2']);
  assert.deepEqual(await search({ query: node, from: 3 }), []);
});
