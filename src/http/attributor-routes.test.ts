import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { attributorRoute } from './attributor-routes.ts';

test('the three routes lie below the prefix, ids are taken as they stand or decoded', () => {
  const route = (method: string, target: string) => attributorRoute(method, target, '/latest');
  assert.deepEqual(route('POST', '/latest/attributor'), { kind: 'create' });
  assert.deepEqual(route('POST', '/latest/attributor/'), { kind: 'create' });
  assert.deepEqual(route('POST', '/latest/attributor/a-1/observation'), { kind: 'observe', id: 'a-1' });
  assert.deepEqual(route('GET', '/latest/attributor/a%2Fb/attribution?x=1'), { kind: 'read', id: 'a/b' });
  assert.deepEqual(route('POST', '/latest/attributor/a/attribution'), { kind: 'wrong_method', allow: 'GET' });
  assert.deepEqual(route('GET', '/latest/attributor/a/observation'), { kind: 'wrong_method', allow: 'POST' });
  for (const target of [
    '/attributor',
    '/latest',
    '/latest/attributors',
    '/latest/attributor/a',
    '/latest/attributor/%zz/attribution',
  ]) {
    assert.deepEqual(route('POST', target), { kind: 'not_found' });
  }
});

test('a search may stand below any index', () => {
  for (const target of ['/_search', '/nodes/_search', '/latest/a,b*/_search?size=1']) {
    assert.deepEqual(attributorRoute('POST', target, '/latest'), { kind: 'search' });
    assert.deepEqual(attributorRoute('GET', target, '/latest'), { kind: 'wrong_method', allow: 'POST' });
  }
});

test('whatever the target, there is a route for it', () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom('', '/latest'), (target, prefix) => {
      attributorRoute('GET', target, prefix);
      attributorRoute('POST', `${prefix}/attributor/${target}`, prefix);
    }),
  );
});
