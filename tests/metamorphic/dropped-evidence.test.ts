import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { after, test } from 'node:test';
import { randomOf } from '../../bench/incidents/random.ts';
import type { Replay } from '../../src/cli/replay-case.ts';
import { readCaseText } from '../support/metamorphic/case-text.ts';
import { type Dropped, withoutEachNode, withoutEachSource } from '../support/metamorphic/drop-evidence.ts';
import {
  answerText,
  caseFolders,
  isWhole,
  namedNodes,
  openSharedReplays,
  seed,
} from '../support/metamorphic/program.ts';

/** Of the nodes nobody blames so many are tried where not all are. */
const bystanders = 2;
const replays = await openSharedReplays(2);
after(() => replays.close());

for (const path of caseFolders) {
  const name = basename(path);

  test(`${name}: evidence that never arrived accuses no other node`, async () => {
    const text = await readCaseText(path);
    const whole = await answerText(replays, text);
    const named = namedNodes(whole);
    const open = openNodes(whole);
    const nodes = withoutEachNode(text);
    const isNamed = ({ node }: Dropped): boolean => node !== null && named.includes(node);
    const others = nodes.filter(dropped => !isNamed(dropped));
    const tried = isWhole
      ? nodes
      : [...nodes.filter(isNamed), ...randomOf(`${seed}/drop/${name}`).some(others, bystanders)];
    for (const dropped of [...withoutEachSource(text), ...tried]) {
      const got = await answerText(replays, dropped.text);
      const foreign = namedNodes(got).filter(
        node =>
          !named.includes(node) &&
          !speaksForItself(node, dropped, got) &&
          !(dropped.name === 'job/' && open.includes(node)),
      );
      assert.deepEqual(foreign, [], `seed ${seed}: without ${dropped.name}`);
    }
  });
}

/**
 * A kernel log that was read denies what the job printed of its node's own device. Where that very log is gone, the
 * job's text counts again, and the finding says that it rests on nothing else.
 */
function speaksForItself(node: string, dropped: Dropped, { fast, slow }: Replay): boolean {
  const tookItsKernelLog = dropped.node === node || dropped.name === 'kernel/';
  const findings = [fast, slow].flatMap(answer => answer?.attributions ?? []);
  const cited = findings
    .filter(({ target }) => target.type === 'Node' && target.node === node)
    .flatMap(({ evidence }) => evidence.filter(({ reference }) => reference !== null));
  return tookItsKernelLog && cited.length > 0 && cited.every(({ kind }) => kind === 'job_text');
}

/**
 * Nodes that the whole evidence tells as worth a look: a fault in their own log stands against an error of the program.
 * Where the job's text with that error is gone, nothing stands against the fault any more.
 */
function openNodes({ fast, slow }: Replay): readonly string[] {
  const targets = [fast, slow].flatMap(answer => answer?.unattributedTargets ?? []);
  return targets.flatMap(target => (target.type === 'Node' ? [target.node] : []));
}
