import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { findInside, isInside, openFound } from './inside-root.ts';

const top = realpathSync(mkdtempSync(join(tmpdir(), 'inside-root-')));
after(() => rmSync(top, { recursive: true, force: true }));

const root = join(top, 'root');
mkdirSync(join(root, 'folder'), { recursive: true });
writeFileSync(join(root, 'a.log'), 'text\n');
writeFileSync(join(top, 'secret'), 'root:x:0:0\n');
mkdirSync(join(top, 'root-too'));

async function found(path: string) {
  const result = await findInside(root, path);
  assert.ok(result.kind === 'file');
  return result;
}

test('files and folders inside are found, with the path behind their links', async () => {
  symlinkSync('../a.log', join(root, 'folder/link'));
  assert.equal((await findInside(root, root)).kind, 'folder');
  assert.equal((await found(join(root, 'folder/link'))).real, join(root, 'a.log'));
  assert.equal((await found(join(root, 'a.log'))).bytes, 5);
});

test('whatever leads out is refused, however it is written', async () => {
  symlinkSync('/etc', join(root, 'etc'));
  for (const path of ['../secret', 'folder/../../secret', 'etc/passwd', 'etc']) {
    const result = await findInside(root, `${root}/${path}`);
    assert.ok(result.kind === 'refused', path);
    assert.equal(result.reason, 'a link leads out of its root');
  }
  assert.equal(isInside(root, join(top, 'root-too')), false);
  assert.equal(isInside('/', '/etc'), true);
});

test('missing things say so, broken links too', async () => {
  symlinkSync('nowhere', join(root, 'broken'));
  for (const path of ['gone', 'a.log/below', 'broken']) {
    const result = await findInside(root, join(root, path));
    assert.ok(result.kind === 'refused' && result.missing, path);
  }
});

test('what took the place of a file between finding and opening is not read', async () => {
  const pipe = join(root, 'becomes-pipe');
  const link = join(root, 'becomes-link');
  const other = join(root, 'becomes-other');
  for (const path of [pipe, link, other]) writeFileSync(path, 'x\n');
  const finds = [await found(pipe), await found(link), await found(other)];
  for (const path of [pipe, link]) rmSync(path);
  execFileSync('sh', ['-c', 'mkfifo "$0"', pipe]);
  symlinkSync(join(top, 'secret'), link);
  renameSync(join(root, 'a.log'), other);
  for (const find of finds) assert.equal('kind' in (await openFound(find)), true, find.real);
});
