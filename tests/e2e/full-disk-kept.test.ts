import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { caseFolder, post } from '../conformance/example.ts';
import { dialectClient } from '../support/dialect-client.ts';
import { freePort } from '../support/free-port.ts';
import { type RunningService, runCommand, startService } from '../support/service.ts';
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.ts';

const request = JSON.parse(readFileSync(join(caseFolder, 'request.json'), 'utf8')) as object;
const evidence = ['--evidence', join(caseFolder, 'evidence')];
const xid = '[ 4000.250113] NVRM: Xid (PCI:0000:b3:00): 79, pid=1, name=python3, GPU has fallen off the bus.';

function smallDisk(context: TestContext): SmallDisk | null {
  const disk = mountSmallDisk(16);
  if (disk === null) context.skip('no file system can be mounted here');
  else context.after(() => disk.close());
  return disk;
}

/** A line that no packing makes shorter. */
const noise = (at: number) => `[ ${5000 + at}.000000] worker: ${randomBytes(30_000).toString('base64')}`;

async function serving(context: TestContext, state: string): Promise<{ service: RunningService; url: string }> {
  const port = await freePort();
  const service = await startService([...evidence, '--state', state], {
    ATTRIBUTION_ATTRIBUTOR_ENABLED: 'true',
    ATTRIBUTION_LISTEN_ATTRIBUTOR: `127.0.0.1:${port}`,
    ATTRIBUTION_RULES_WORKERS: '1',
  });
  context.after(() => service.kill());
  return { service, url: `http://127.0.0.1:${port}/latest` };
}

const ways: readonly (readonly [string, (disk: SmallDisk) => void, (disk: SmallDisk) => void, RegExp])[] = [
  ['a full disk', disk => disk.fill(), disk => disk.free(), /no space is left for it: free space/],
  [
    'a disk that became read-only',
    disk => disk.breakDown(),
    disk => disk.repair(),
    /whether its file system became read-only/,
  ],
];
for (const [what, befalls, mends, says] of ways) {
  test(`on ${what} nothing pushed is acknowledged that is not kept, and nothing acknowledged is lost`, async context => {
    const disk = smallDisk(context);
    if (disk === null) return;
    const state = join(disk.folder, 'state');
    const { service, url } = await serving(context, state);
    const client = dialectClient(url);
    const nodes = Array.from({ length: 400 }, (_, at) => `node-${String(at).padStart(3, '0')}`);
    const id = await client.create('3001', 1, nodes);
    assert.equal((await client.observe(id, 'node-000', [xid])).status, 200);
    befalls(disk);
    let kept = 1;
    let refused = 200;
    for (let at = 1; at < nodes.length && refused === 200; at += 1) {
      const response = await client.observe(id, nodes[at] ?? '', [noise(at)]);
      refused = response.status;
      if (refused === 200) kept += 1;
      // The client tries again; what the answer says is for whoever reads its log.
      else assert.doesNotMatch(await response.text(), /sqlite|SQL|\/tmp/i);
    }
    assert.equal(refused, 503, 'everything was acknowledged');
    assert.match(service.stderr(), says);
    await service.kill();
    mends(disk);

    const after = await serving(context, state);
    const again = dialectClient(after.url);
    const { coverage } = await again.read(id);
    const pushed = coverage.find(({ source }) => source === 'pushed');
    assert.ok((pushed?.lines ?? 0) >= kept, `${pushed?.lines} lines of ${kept} acknowledged`);
    assert.deepEqual(await again.faulty(id), ['node-000']);
    assert.equal((await again.observe(id, nodes[kept] ?? '', [noise(0)])).status, 200);
    assert.equal(await after.service.stop(), 0);
  });

  test(`on ${what} answers go on, and those that were kept before are shown after`, async context => {
    const disk = smallDisk(context);
    if (disk === null) return;
    const state = join(disk.folder, 'state');
    const { service } = await serving(context, state);
    const before = await post(service.url, request);
    const requestId = String((before.body as unknown as Record<string, unknown>)['request_id']);
    assert.notEqual(before.body.attribution_session_id, null);
    befalls(disk);
    let last = await post(service.url, request);
    for (let at = 0; at < 500 && last.body.attribution_session_id !== null; at += 1) {
      last = await post(service.url, request);
    }
    assert.deepEqual([last.status, last.body.attribution_session_id], [200, null]);
    assert.match(service.stderr(), /the answer cannot be kept for later: show will not know it/);
    await service.kill();
    mends(disk);
    const shown = await runCommand(['show', requestId, '-o', 'json'], { env: { ATTRIBUTION_STATE: state } });
    assert.equal(shown.code, 0, shown.stderr);
    assert.match(shown.stdout, new RegExp(requestId));
  });
}
