import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reasoningContext, traceback, watchdog, xid } from '../../../tests/support/symptoms.ts';
import { outsideScope } from './outside-scope.ts';

test('what a node outside the job shows is context, and says whose nodes count', () => {
  const [asked] = outsideScope.run([xid(79, 'node-09', 0)], reasoningContext());
  assert.equal(asked?.role, 'context');
  assert.match(asked?.reason?.text ?? '', /nodes asked about/);
  const [located] = outsideScope.run([xid(79, 'node-09', 0)], reasoningContext({ scopeGiven: false }));
  assert.equal(located?.role, 'context');
  assert.match(located?.reason?.text ?? '', /job's nodes/);
});

test('where no node of the job is known, none is outside', () => {
  const context = reasoningContext({ nodes: [], scopeGiven: false });
  assert.equal(outsideScope.run([xid(79, 'node-09', 0)], context)[0]?.reason, null);
});

test("ranks narrow which ranks' lines count, and nothing else", () => {
  const context = reasoningContext({ ranks: [0, 1] });
  const [inside, outside, program, kernel] = outsideScope.run(
    [watchdog(1, 0), watchdog(2, 0), traceback(0), xid(79, 'node-01', 0, { rank: 5 })],
    context,
  );
  assert.equal(inside?.reason, null);
  assert.equal(outside?.role, 'context');
  assert.equal(program?.reason, null);
  assert.equal(kernel?.reason, null);
});
