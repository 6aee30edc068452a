import assert from 'node:assert/strict';
import { cpSync, existsSync, readdirSync } from 'node:fs';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import { openAdapter } from '../../src/app/adapter.ts';
import { type Engine, openCorpus, openEngine, reasoningOver } from '../../src/app/engine.ts';
import { openProvider } from '../../src/app/provider.ts';
import type { Surroundings } from '../../src/app/surroundings.ts';
import { type CaseStep, readCaseFolder } from '../../src/cli/case-folder.ts';
import { readSettings } from '../../src/config/read-settings.ts';
import { type AttributionResponse, parseRequest } from '../../src/contract/index.ts';
import type { Clock, Provider } from '../../src/core/ports.ts';
import { createSource } from '../../src/evidence/source-kinds.ts';
import { createRulesProvider } from '../../src/providers/rules/rules-provider.ts';
import { systemClock } from '../../src/telemetry/system-clock.ts';
import { type AttributorService, openAttributorService } from '../support/attributor-service.ts';
import { dialectClient } from '../support/dialect-client.ts';
import { checkout, temporaryFolder } from '../support/service.ts';
import { silentLog } from '../support/silent-log.ts';

/** Wall clock of whichever case is asked about. */
let now = 0n;
const clock: Clock = { ...systemClock, now: () => now };
const surroundings: Surroundings = { clock, log: silentLog, packageVersion: '0.0.0' };

const settingsWith = (flags: Readonly<Record<string, unknown>>) => {
  const all = { 'sessions.store': 'memory', 'history.enabled': false, 'rules.workers': 1, ...flags };
  return readSettings({ file: null, environment: {}, flags: all }).settings;
};
const builtIn = settingsWith({});

let engine: Engine;
let remote: AttributorService;
let passed: Awaited<ReturnType<typeof passOn>>;
before(async () => {
  engine = openEngine(builtIn, await openCorpus());
  remote = await openAttributorService({ clock });
  passed = await passOn(new URL(remote.url).port);
});
after(async () => {
  await passed.close();
  await remote.close();
  await engine.pool.close();
});

/** Hands requests on and remembers the attributor last spoken of, so that a test can read it as any client would. */
async function passOn(port: string) {
  let attributor = '';
  const server = createServer((request, response) => {
    attributor = /\/attributor\/([^/]+)\//.exec(request.url ?? '')?.[1] ?? attributor;
    const { method, url: path, headers } = request;
    const onward = forward({ host: '127.0.0.1', port, method, path, headers }, answer => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    attributor: () => attributor,
    close: async () => {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

/** The built-in provider on engines that all cases share. */
function openBuiltIn(evidence: string): Provider {
  const tools = { ...surroundings, buffers: engine.buffers, random: () => 0.5 };
  const source = createSource({ kind: 'files', name: 'evidence', roots: [evidence] }, 'sources.0', tools);
  return createRulesProvider(reasoningOver(builtIn, engine, [source], surroundings));
}

async function openRemote(evidence: string): Promise<Provider> {
  const flags = { 'provider.kind': 'fact', 'provider.fact.url': passed.url };
  return openProvider(settingsWith(flags), [evidence], surroundings);
}

async function ask({ request: body }: CaseStep, provider: Provider): Promise<AttributionResponse> {
  const parsed = parseRequest(body, 'application/json', {
    naiveDatetimes: 'refuse',
    echoInput: false,
  });
  assert.ok(parsed.ok);
  const { adapter, close } = await openAdapter(builtIn, provider, surroundings);
  try {
    const request = { ...parsed.request, timeoutMs: 240_000 };
    return await adapter.attribute(request, { caller: null, traceparent: null, tracestate: null });
  } finally {
    await close();
    await provider.close?.();
  }
}

function short({ attributions, error }: AttributionResponse) {
  return {
    targets: attributions.map(({ target, category }) => [
      target.type === 'Node' ? target.node : 'job',
      category,
    ]),
    error: error?.type ?? null,
  };
}

const root = join(checkout, 'cases');
const names = readdirSync(root, { withFileTypes: true })
  .filter(entry => entry.isDirectory())
  .map(entry => entry.name);

for (const name of names) {
  test(`${name}: its lines give the same through a remote service as in the built-in provider`, async context => {
    const folder = await readCaseFolder(join(root, name));
    now = folder.now;
    for (const step of [folder.fast, folder.slow]) {
      if (step === null) continue;
      const evidence = temporaryFolder(context);
      for (const from of step.evidence.flatMap(each => ['kernel', 'job'].map(kind => join(each, kind)))) {
        if (existsSync(from)) cpSync(from, join(evidence, basename(from)), { recursive: true });
      }
      const here = short(await ask(step, openBuiltIn(evidence)));
      const there = short(await ask(step, await openRemote(evidence)));
      assert.deepEqual(there, here);
      const read = await dialectClient(remote.url).faulty(passed.attributor());
      const named = here.targets.map(([target]) => target).filter(target => target !== 'job');
      assert.deepEqual(read, named);
    }
  });
}
