import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, readdirSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openCorpus } from '../../src/app/engine.ts';
import { type CaseFolder, readCaseFolder } from '../../src/cli/case-folder.ts';
import { openReplays } from '../../src/cli/replay-case.ts';
import type { ReadEvidence, ReadResponse } from '../../src/contract/index.ts';
import { createRedactor } from '../../src/redaction/redactor.ts';
import { reopen } from '../support/reopen.ts';
import { silentLog } from '../support/silent-log.ts';

const root = join(import.meta.dirname, '../../cases');
const names = readdirSync(root, { withFileTypes: true })
  .filter(entry => entry.isDirectory())
  .map(entry => entry.name);
const replays = openReplays({
  corpus: await openCorpus(),
  log: silentLog,
  packageVersion: '0.0.0',
  workers: 1,
});
after(() => replays.close());
/** Read before any test is told of: a run of few tests ends, and the pool with it, while the rest are still read. */
const folders = await Promise.all(
  names.map(async name => [name, await readCaseFolder(join(root, name))] as const),
);
const redact = createRedactor({ enabled: true, userNames: [] });

function cited(...answers: readonly (ReadResponse | null)[]): readonly ReadEvidence[] {
  const items = answers.flatMap(answer => answer?.attributions.flatMap(finding => finding.evidence) ?? []);
  // What came before lies in the case's history, not in a file that a reference opens.
  return items.filter(item => item.kind !== 'note' && item.kind !== 'history');
}

for (const [name, folder] of folders) {
  test(`${name}: every reference opens again and holds the text quoted`, async () => {
    const { fast, slow } = await replays.replay(folder);
    const items = cited(fast, slow);
    if (fast.attributions.length > 0) assert.ok(items.length > 0);
    for (const item of items) {
      assert.ok(item.reference !== null, item.message);
      const line = await reopen(item.reference);
      assert.ok(
        line !== undefined && redact(line).includes(item.message),
        `${item.reference}: ${item.message}`,
      );
    }
  });

  test(`${name}: its evidence in another node's job log never names that node`, async () => {
    const { fast } = await replays.replay(folder);
    const lines = [...new Set(cited(fast).map(item => item.message))];
    const named = new Set(
      fast.attributions.flatMap(({ target }) => (target.type === 'Node' ? [target.node] : [])),
    );
    const other = folder.fast.expected.mustNotName.map(({ node }) => node).find(node => !named.has(node));
    if (other === undefined) return;
    for (const line of lines) {
      const answer = await withJobLines(folder, other, [line]);
      assert.ok(!namesNode(answer, other), `${other} is named by: ${line}`);
    }
    assert.ok(!namesNode(await withJobLines(folder, other, lines), other));
  });
}

function namesNode(answer: ReadResponse, node: string): boolean {
  return answer.attributions.some(({ target }) => target.type === 'Node' && target.node === node);
}

/** The answer when a node's job log, as its launcher labels it, holds further lines. */
async function withJobLines(folder: CaseFolder, node: string, lines: readonly string[]): Promise<ReadResponse> {
  const copy = await mkdtemp(join(tmpdir(), 'case-lines-'));
  try {
    await cp(folder.path, copy, { recursive: true });
    mkdirSync(join(copy, 'evidence/job'), { recursive: true });
    appendFileSync(join(copy, `evidence/job/${node}.out`), lines.map(line => `${node}: ${line}\n`).join(''));
    return (await replays.replay(await readCaseFolder(copy))).fast;
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}
