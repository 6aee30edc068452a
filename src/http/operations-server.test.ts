import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeClock } from '../../tests/support/fake-clock.ts';
import { episodeOf, historyRow } from '../../tests/support/history-store-suite.ts';
import { rememberedLog } from '../../tests/support/remembered-log.ts';
import { createReadiness } from '../adapter/readiness.ts';
import { working } from '../core/readiness.ts';
import { memoryHistory } from '../history/memory-history.ts';
import { livezRoute, readyzRoute } from './health-routes.ts';
import { historyRoute } from './history-route.ts';
import { json, matchRoute, type OperationsRoute } from './operations-route.ts';
import { createOperationsServer } from './operations-server.ts';

const clock = fakeClock();
const history = memoryHistory({ clock });
const sources = [{ source: 'logs', works: false, reason: 'refused the connection' }];
const readiness = (works: boolean) =>
  createReadiness({
    provider: { kind: 'rules', state: async () => ({ works, reason: works ? null : 'gone', sources }) },
    proveStore: async () => {},
    clock,
  });

async function ask(routes: readonly OperationsRoute[], path: string, method = 'GET') {
  const log = rememberedLog();
  const server = createOperationsServer({ routes, log });
  const { port } = await server.listen({ host: '127.0.0.1', port: 0 }, { trustedNetwork: false });
  try {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method });
    const text = await answer.text();
    const body = text === '' ? null : (JSON.parse(text) as Record<string, unknown>);
    return { status: answer.status, type: answer.headers.get('content-type'), body, lines: log.lines };
  } finally {
    await server.close();
  }
}

test('it lives, and is ready or not with a reason for each source', async () => {
  assert.deepEqual((await ask([livezRoute], '/livez')).body, { status: 'ok' });
  const ready = await ask([readyzRoute(readiness(true))], '/readyz');
  assert.equal(ready.status, 200);
  assert.deepEqual(ready.body, {
    status: 'ready',
    store: working,
    provider: { kind: 'rules', works: true, reason: null },
    sources,
  });
  const not = await ask([readyzRoute(readiness(false))], '/readyz');
  assert.equal(not.status, 503);
  assert.equal(not.body?.['status'], 'not_ready');
});

test('history is told page by page, filtered', async () => {
  for (const name of ['a', 'b', 'c']) {
    const episode = episodeOf(name);
    await history.record(episode, [historyRow(episode), historyRow(episode, { node: 'node-02' })]);
  }
  const routes = [historyRoute(history)];
  const first = await ask(routes, '/v1/history?node=node-01&limit=2');
  assert.equal(first.type, 'application/json');
  const rows = first.body?.['rows'] as { workflow_id: string; node: string; at: string }[];
  assert.deepEqual(
    rows.map(row => [row.workflow_id, row.node, row.at]),
    [
      ['a', 'node-01', '2026-09-09T12:00:00Z'],
      ['b', 'node-01', '2026-09-09T12:00:00Z'],
    ],
  );
  const next = await ask(routes, `/v1/history?node=node-01&limit=2&cursor=${first.body?.['next_cursor']}`);
  const rest = next.body?.['rows'] as { workflow_id: string }[];
  assert.deepEqual(
    rest.map(row => row.workflow_id),
    ['c'],
  );
  assert.equal(next.body?.['next_cursor'], null);
  assert.deepEqual((await ask(routes, '/v1/history?named=true')).body?.['rows'], []);
});

test('what cannot be answered is told as problem details, with a way out', async () => {
  const routes = [livezRoute, historyRoute(null)];
  const wrong = await ask([historyRoute(history)], '/v1/history?nodes=x');
  assert.equal(wrong.status, 400);
  assert.equal(wrong.type, 'application/problem+json');
  assert.match(String(wrong.body?.['detail']), /"nodes" is no parameter/);
  const missing = await ask(routes, '/v2');
  assert.equal(missing.status, 404);
  assert.match(String(missing.body?.['detail']), /\/livez, \/v1\/history/);
  const off = await ask(routes, '/v1/history');
  assert.deepEqual([off.status, off.body?.['title']], [404, 'Not Found']);
  assert.equal((await ask(routes, '/livez', 'DELETE')).status, 405);
  assert.equal((await ask(routes, `/livez?${'x'.repeat(9_000)}`)).status, 404);
});

test('HEAD is answered without a body, and a route that throws with HTTP 500 and no word of why', async () => {
  const head = await ask([livezRoute], '/livez', 'HEAD');
  assert.deepEqual([head.status, head.body], [200, null]);
  const broken: OperationsRoute = { path: '/x', answer: () => Promise.reject(new Error('password hunter2')) };
  const failed = await ask([broken], '/x');
  assert.equal(failed.status, 500);
  assert.doesNotMatch(JSON.stringify([failed.body, failed.lines]), /hunter2/);
  assert.equal(failed.lines.length, 1);
});

test('a path matches part by part; named parts are decoded and never empty', () => {
  const route: OperationsRoute = { path: '/v1/answers/{id}', answer: () => json(200, '{}') };
  assert.deepEqual(matchRoute([route], '/v1/answers/a%2Fb')?.path, { id: 'a/b' });
  for (const path of [
    '/v1/answers',
    '/v1/answers/',
    '/v1/answers/a/b',
    '/v1/answers/%zz',
    '/v1/answer/a',
    '',
  ]) {
    assert.equal(matchRoute([route], path), null);
  }
});

test('the address of another machine needs the word that its network is trusted', async () => {
  const server = createOperationsServer({ routes: [], log: rememberedLog() });
  await assert.rejects(
    server.listen({ host: '0.0.0.0', port: 0 }, { trustedNetwork: false }),
    /trusted-network/,
  );
});
