import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { routeOf, routes } from './routes.ts';

test('an encoded slash is a slash, as for an ASGI server', () => {
  assert.deepEqual(routeOf('POST', '/v1%2Fattribution'), { kind: 'route', path: '/v1/attribution' });
});

test('the authority of an absolute target is not part of the path', () => {
  assert.deepEqual(routeOf('GET', 'http://a/healthz'), { kind: 'route', path: '/healthz' });
  assert.deepEqual(routeOf('GET', 'http://healthz'), { kind: 'not_found' });
});

test('a redirect keeps the query and drops a fragment', () => {
  assert.deepEqual(routeOf('GET', '/docs//?a=/&b#c'), { kind: 'redirect', to: '/docs?a=/&b' });
});

test('whatever the target, only the listed paths are routes and only they are redirected to', () => {
  const part = fc.oneof(fc.constantFrom('/', '//', 'healthz', 'v1', '%2f', '%zz', '?', '#', '*'), fc.string());
  fc.assert(
    fc.property(fc.array(part), parts => {
      const routing = routeOf('GET', parts.join(''));
      if (routing.kind === 'route') assert.ok(routes.get(routing.path)?.includes('GET'));
      if (routing.kind === 'redirect') assert.ok(routes.has(routing.to.split('?', 1)[0] ?? ''));
    }),
  );
});
