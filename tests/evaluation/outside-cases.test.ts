import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { scoreFolders } from '../../bench/evaluation/outside-cases.ts';
import { readExpectation } from '../../bench/evaluation/outside-expectation.ts';

async function scored(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const root = mkdtempSync(join(tmpdir(), 'outside-cases-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return await scoreFolders(root, () => {});
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

const nobody = '{"targets": []}';
const lost = "NVRM: Xid (PCI:0000:b3:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.";

test('excerpts without dates and host names, cut lines and odd bytes make it crash nowhere', async () => {
  const problems = await scored({
    'cut/evidence/excerpt.txt': 'NVRM: Xid (PCI:0000:b3:0',
    'cut/expected.json': nobody,
    'empty/evidence/excerpt.txt': '',
    'empty/expected.json': nobody,
    'bytes/evidence/kernel/node-01.log': `\u0000\ufffd\n${'x'.repeat(100_000)}\n{"MESSAGE":\n`,
    'bytes/expected.json': nobody,
    'json/evidence/metrics/up.json': '{"status":"success","data":{"result":[{"values":[[1,"x"],[]]}]}}',
    'json/expected.json': nobody,
    'table/evidence/scheduler/sacct.txt': 'JobID|State|\n48213|FAILED',
    'table/expected.json': nobody,
  });
  assert.deepEqual(problems, []);
});

test('a node named right lowers nothing, one named wrong fails', async () => {
  const right = {
    'a/evidence/kernel/node-07.log': `${lost}\n`,
    'a/expected.json': '{"targets": [{"type": "Node", "node": "node-07"}]}',
  };
  assert.deepEqual(await scored(right), []);
  const wrong = { ...right, 'a/expected.json': '{"targets": [], "must_not_name": ["node-07"]}' };
  const problems = await scored(wrong);
  assert.equal(problems.length, 2);
  assert.match(problems[0] ?? '', /precision is 0\.000/);
  assert.match(problems[1] ?? '', /a: names a node that must not be named/);
});

test('where the evidence tells no name, one node of any name is right', async () => {
  assert.deepEqual(
    await scored({
      'a/evidence/kernel/dump.log': `${lost}\n`,
      'a/expected.json': '{"targets": [{"type": "Node"}]}',
    }),
    [],
  );
});

test('a directory that holds no case is said to', async () => {
  assert.match((await scored({ 'readme.txt': 'x' })).join(), /holds no folder with an evidence/);
  assert.match((await scoreFolders('/nowhere/at/all')).join(), /does not exist/);
});

test('an expectation that cannot be read names its file', () => {
  assert.throws(() => readExpectation('/nowhere/expected.json'), /\/nowhere\/expected\.json does not exist/);
});

test('an expectation of another form is told with its file and place, and nothing is scored', async () => {
  for (const [text, says] of [
    ['{"targets": [', /a\/expected\.json is no JSON: /],
    ['{"targets": [{"type": "node"}]}', /a\/expected\.json: "targets"\[0\] must be \{"type": "Node"/],
    ['{"targets": [], "must_not_name": "node-07"}', /"must_not_name" must be a list/],
    ['{"targets": [], "must_not_name": [7]}', /"must_not_name"\[0\] must be a name/],
  ] as const) {
    const problems = await scored({ 'a/evidence/kernel/node-07.log': `${lost}\n`, 'a/expected.json': text });
    assert.equal(problems.length, 1);
    assert.match(problems[0] ?? '', says);
  }
});
