import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { exampleRequest } from '../../../tests/support/example-body.ts';
import { startService, temporaryFolder } from '../../../tests/support/service.ts';

const graceMs = 1_000;
/** Two seconds to answer in, two for what is late, half a second for the thread to close; the rest is slack. */
const toEndMs = 6_500;

const floods = {
  log: "for (;;) context.log.info({ a: 'x'.repeat(200) }, 'y'.repeat(200));",
  report: 'for (;;) context.report({ findings: [], coverage: [] });',
  malformed: 'for (;;) context.report(7);',
  console: "for (;;) console.log('y'.repeat(200));",
  'the console, without holding its thread':
    "setInterval(() => { for (let n = 0; n < 20_000; n += 1) console.error('y'.repeat(200)); }); return new Promise(() => {});",
};

for (const [name, loop] of Object.entries(floods)) {
  test(`a module that floods by ${name} keeps nobody from answering, nor the process from ending`, async context => {
    const folder = temporaryFolder(context);
    const path = join(folder, 'flooding.mjs');
    writeFileSync(path, `export const createProvider = () => ({ attribute(_, context) { ${loop} } });`);
    const config = join(folder, 'config.json');
    const provider = { kind: 'module', module: { path } };
    writeFileSync(config, JSON.stringify({ state: join(folder, 'state'), provider, shutdown: { graceMs } }));
    const service = await startService(['--config', config]);
    try {
      const ask = async (place: string, body?: unknown) => {
        const answer = await fetch(`${service.url}${place}`, {
          signal: AbortSignal.timeout(20_000),
          ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
          headers: { 'content-type': 'application/json' },
        });
        return { status: answer.status, body: (await answer.json()) as { error?: { type: string } } };
      };
      const asked = ask('/v1/attribution', { ...exampleRequest, timeout_ms: 2_000 });
      assert.equal((await asked).body.error?.type, 'timeout');
      assert.equal((await ask('/healthz')).status, 200);
      const resident = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${service.process.pid}/status`, 'utf8'));
      assert.ok(Number(resident?.[1]) < 450_000, `${resident?.[1]} kB`);
      const hurried = ask('/v1/attribution', { ...exampleRequest, timeout_ms: 60_000 }).catch(() => {});
      await sleep(500);
      const ended = await Promise.race([service.stop(), sleep(graceMs + toEndMs, 'still there')]);
      assert.equal(ended, 0);
      await hurried;
    } finally {
      await service.kill();
    }
  });
}
