import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dialectClient } from '../support/dialect-client.ts';
import { freePort } from '../support/free-port.ts';
import { runCommand, startService, temporaryFolder } from '../support/service.ts';

const fallen = 'NVRM: Xid (PCI:0000:b3:00): 79, pid=1234, name=python3, GPU has fallen off the bus.';
const cleanUp = 'NVRM: Xid (PCI:0000:1b:00): 45, pid=77, name=python3, Ch 00000001';

interface Cited {
  readonly message: string;
  readonly reference: string | null;
}

async function citedBy(url: string, id: string): Promise<readonly Cited[]> {
  const answer = (await (await fetch(`${url}/attributor/${id}/attribution`)).json()) as {
    readonly attributions: readonly { readonly attributions: readonly { readonly evidence: Cited[] }[] }[];
  };
  return answer.attributions.flatMap(node => node.attributions.flatMap(({ evidence }) => evidence));
}

test('every pushed line that evidence quotes can be opened again by its reference, also after a kill', async context => {
  const state = temporaryFolder(context);
  const [attributor, operations] = [await freePort(), await freePort()];
  const service = await startService(['--state', state], {
    ATTRIBUTION_ATTRIBUTOR_ENABLED: 'true',
    ATTRIBUTION_LISTEN_ATTRIBUTOR: `127.0.0.1:${attributor}`,
    ATTRIBUTION_LISTEN_OPERATIONS: `127.0.0.1:${operations}`,
  });
  const url = `http://127.0.0.1:${attributor}/latest`;
  const client = dialectClient(url);
  const id = await client.create('4711', 2, ['node-a', 'node-b']);
  // Two streams in one body, and an entry of several lines: lines are counted through all of them.
  const stamp = (at: number) => String(BigInt(Date.now()) * 1_000_000n + BigInt(at));
  const quiet = { stream: { job: 'nvrx', app: 'dmesg', hostname: 'node-a' }, values: [[stamp(0), `a\nb`]] };
  const loud = {
    stream: { job: 'nvrx', app: 'dmesg', hostname: 'node-b' },
    values: [
      [stamp(1), '[ 4711.100000] password=hunter2 audit'],
      [stamp(2), `[ 4711.250113] ${fallen}`],
    ],
  };
  const pushed = await fetch(`${url}/attributor/${id}/observation`, {
    method: 'POST',
    body: JSON.stringify({ body: JSON.stringify([quiet, loud]) }),
  });
  assert.equal(pushed.status, 200);
  await client.observe(id, 'node-a', [`[ 4711.900000] ${cleanUp}`]);

  const cited = (await citedBy(url, id)).filter(({ reference }) => reference !== null);
  assert.ok(cited.length > 0);
  for (const { message, reference } of cited) {
    assert.match(reference ?? '', new RegExp(`^pushed/${id}/[0-9a-f]{32}:4$`));
    const [path, line] = (reference ?? '').split(':');
    const opened = await fetch(`http://127.0.0.1:${operations}/v1/${path}?line=${line}`);
    const { lines } = (await opened.json()) as { readonly lines: readonly { readonly text: string }[] };
    assert.deepEqual(
      lines.map(({ text }) => text),
      [message],
    );
    const whole = await (await fetch(`http://127.0.0.1:${operations}/v1/${path}`)).text();
    assert.doesNotMatch(whole, /hunter2/);
    assert.equal((await fetch(`http://127.0.0.1:${operations}/v1/${path}?line=5`)).status, 404);
    assert.equal((await fetch(`http://127.0.0.1:${operations}/v1/${path}?line=0`)).status, 400);
  }
  assert.equal((await fetch(`http://127.0.0.1:${operations}/v1/pushed/${id}/none`)).status, 404);
  await service.kill();

  const [first] = cited;
  const shown = await runCommand(['show', first?.reference ?? '', '--state', state]);
  assert.equal(shown.stdout, `${first?.message}\n`);
  const missing = await runCommand(['show', `pushed/${id}/none:1`, '--state', state]);
  assert.equal(missing.code, 1);
  assert.match(missing.stderr, /that line is not kept/);
});
