import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { test } from 'node:test';
import { authenticator } from './callers.ts';

const sha256 = (token: string): string => createHash('sha256').update(token).digest('hex');
const settings = {
  tokens: [
    { name: 'controller', sha256: [sha256('old-token'), sha256('new-token')] },
    { name: 'operator', sha256: [sha256('another-token')] },
  ],
};

function withHeader(authorization?: string): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  if (authorization !== undefined) request.headers.authorization = authorization;
  return request;
}

test('nobody is asked who they are unless something is configured', () => {
  assert.deepEqual(authenticator({ tokens: [] }, false)(withHeader()), { caller: null });
});

test('both tokens of a caller are valid while one replaces the other', () => {
  const authenticate = authenticator(settings, false);
  assert.deepEqual(authenticate(withHeader('Bearer old-token')), { caller: 'controller' });
  assert.deepEqual(authenticate(withHeader('bearer new-token')), { caller: 'controller' });
  assert.deepEqual(authenticate(withHeader('Bearer another-token')), { caller: 'operator' });
});

for (const header of [
  undefined,
  '',
  'Bearer',
  'Bearer ',
  'Bearer old-token2',
  'Basic old-token',
  'old-token',
  `Bearer ${sha256('old-token')}`,
  'Bearer  old-token',
]) {
  test(`${JSON.stringify(header)} lets nobody in`, () => {
    assert.equal(authenticator(settings, false)(withHeader(header)), null);
  });
}

test('a client certificate counts only on a connection that proved it', () => {
  assert.equal(authenticator({ tokens: [] }, true)(withHeader()), null);
});
