import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reasoningContext, traceback, xid } from '../../../tests/support/symptoms.ts';
import { joinNodes } from './join-nodes.ts';

test('host names are spelled as the request does, in the symptom and in its lines', () => {
  const context = reasoningContext({ nodes: ['node-01.train.example'] });
  const [joined] = joinNodes.run([xid(79, 'node-01', 0)], context);
  assert.equal(joined?.node, 'node-01.train.example');
  assert.equal(joined?.observations[0]?.node, 'node-01.train.example');
  assert.equal(joined?.reason, null);
});

test('addresses join by alias', () => {
  const context = reasoningContext({ nodes: ['node-01', 'node-02'], aliases: { 'node-02': ['10.0.0.2'] } });
  assert.equal(joinNodes.run([xid(79, '10.0.0.2', 0)], context)[0]?.node, 'node-02');
});

test('an ambiguous name joins neither node, and says which it may be', () => {
  const context = reasoningContext({ nodes: ['node-01.a.example', 'node-01.b.example'] });
  const [torn, program] = joinNodes.run([xid(79, 'node-01', 0), traceback(0, { node: 'node-01' })], context);
  assert.equal(torn?.node, null);
  assert.equal(torn?.role, 'unknown');
  assert.match(torn?.reason?.text ?? '', /node-01\.a\.example or node-01\.b\.example/);
  assert.equal(program?.node, null);
  assert.equal(program?.reason, null, 'an error of the job needs no node');
});

test('unknown names stay as they are', () => {
  const [foreign] = joinNodes.run([xid(79, 'login-1', 0)], reasoningContext());
  assert.equal(foreign?.node, 'login-1');
  assert.equal(foreign?.reason, null);
});

test('full names of two domains are of two machines, and join no short name', () => {
  const context = reasoningContext({ nodes: ['node-01', 'node-02'] });
  const names = (...hosts: readonly string[]) =>
    joinNodes
      .run(
        hosts.map(host => xid(79, host, 0)),
        context,
      )
      .map(({ node }) => node);
  assert.deepEqual(names('node-01.a.example', 'node-01.b.example', 'node-02.b.example'), [
    'node-01.a.example',
    'node-01.b.example',
    'node-02',
  ]);
  assert.deepEqual(names('node-01.a', 'node-01.a.example', 'node-01'), ['node-01', 'node-01', 'node-01']);
});
