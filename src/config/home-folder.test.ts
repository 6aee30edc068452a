import assert from 'node:assert/strict';
import { test } from 'node:test';
import { homeFolder } from './home-folder.ts';

test('a user whom the system does not know has no folder, and that is no mistake', () => {
  const unknown = (): never => {
    throw new Error('uv_os_homedir returned ENOENT (no such file or directory)');
  };
  assert.equal(homeFolder(unknown), null);
  assert.equal(
    homeFolder(() => '/home/user1'),
    '/home/user1',
  );
});
